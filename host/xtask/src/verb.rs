//! Selects the verb from the command line.

use anyhow::{Result, bail};

use crate::project::Project;
use crate::run_lock::RunLock;
use crate::{
    acceptance, bench, build, clients, costs, demo, dependencies, dist, faults, features, fuzz, generator,
    languages, oci, packages, plugins, soak, test, toolchains,
};

const USAGE: &str = "usage: cargo xtask <verb>
  demo [--all]        builds what users run, and shows recorded events of real agents going through it
  test                does all set-up and passes every check and test
  acceptance [--list | --gate | SUITE…]
                      runs the suites that `test` leaves out; --list shows them
  build               builds what users get to target/dist and target/share
  dist [TARGET]       builds the same and packs it as archive, wheel, .deb and for npm, in target/dist-artifacts
  plugins             builds plugins and examples to target/plugins/<name>.wasm, and the script engine
  bindings [--check]  writes the Rust SDK's bindings from wit/, or checks them
  event-types [--check]
                      writes the SDKs' types for every event, or checks them
  bench               measures hookbox, and everything that docs/internals/benchmarks.md reports
  costs [--write REASON]
                      counts instructions and compares them with benches/costs.txt, or rewrites the rows that changed
  toolchains          downloads the compilers of hooks' languages, and prints what `PATH` needs for them
  registries          downloads a registry, and the tools that others use with it and sign with
Single suites, with choices that `acceptance` does not have:
  clients [--record | --untrusted] [NAME]…
  dependencies | features | oci
  faults [SCENARIO]…
  fuzz [TARGET]… [--seconds NUMBER | --runs NUMBER | --lock]
  languages [NAME]…
  packages [--release | --lock]
  plugins --twice
  soak [--calls NUMBER] [--seconds NUMBER]";

/// A verb with arguments.
type WithWords = fn(&Project, &[String]) -> Result<()>;

/// A verb without arguments.
type Alone = fn(&Project) -> Result<()>;

const WITH_WORDS: [(&str, WithWords); 10] = [
    ("acceptance", acceptance::run),
    ("clients", clients::run),
    ("costs", costs::run),
    ("demo", demo::run),
    ("dist", dist::run),
    ("faults", faults::run),
    ("fuzz", fuzz::run),
    ("languages", languages::run),
    ("packages", packages::run),
    ("soak", soak::run),
];

/// Verbs without arguments here; those of `bindings` and `event-types` are parsed by the generator.
const ALONE: [(&str, Alone); 10] = [
    ("bench", bench::run),
    ("build", build::run),
    ("dependencies", dependencies::run),
    ("features", features::run),
    ("oci", oci::run),
    ("plugins", plugins::run),
    ("plugins --twice", plugins::run_twice),
    ("registries", toolchains::fetch_registries),
    ("test", test::run),
    ("toolchains", toolchains::run),
];

/// Runs the verb that the first word names, while no other `cargo xtask` runs in this clone.
pub fn run(words: &[String]) -> Result<()> {
    let (verb, rest) = words.split_first().map_or(("", words), |(verb, rest)| (verb.as_str(), rest));
    if let Some((_, with_words)) = WITH_WORDS.iter().find(|(name, _)| *name == verb) {
        return run_locked(|project| with_words(project, rest));
    }
    if ["bindings", "event-types"].contains(&verb) {
        return run_locked(|project| generator::build_generator(project)?.args(words).run());
    }
    let line = words.join(" ");
    match ALONE.iter().find(|(name, _)| *name == line) {
        Some((_, alone)) => run_locked(alone),
        None => bail!("{USAGE}"),
    }
}

fn run_locked(verb: impl FnOnce(&Project) -> Result<()>) -> Result<()> {
    let project = Project::open()?;
    let _lock = RunLock::take(&project)?;
    verb(&project)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_verb_gets_the_usage() {
        for words in [vec![], vec!["tset".to_owned()], vec!["test".into(), "x".into()]] {
            assert_eq!(run(&words).unwrap_err().to_string(), USAGE);
        }
    }
}
