//! From the words of the command line to the verb.

use anyhow::{Result, bail};

use crate::lock::Lock;
use crate::project::Project;
use crate::{
    acceptance, bench, build, clients, costs, demo, dependencies, faults, features, fuzz, generator,
    languages, oci, packages, plugins, soak, test, toolchains,
};

const USAGE: &str = "usage: cargo xtask <verb>
  demo [--all]        builds what users run, and shows recorded events of real agents going through it
  test                does all set-up and passes every check and test
  acceptance [--list | --gate | SUITE…]
                      runs the suites that `test` leaves out; --list shows them
  build               builds what users get to target/dist and target/share
  plugins             builds plugins and examples to target/plugins/<name>.wasm, and the script engine
  bindings [--check]  writes the Rust SDK's bindings from wit/, or checks them
  event-types [--check]
                      writes the SDKs' types for every event, or checks them
  bench               measures hookbox, and everything that docs/benchmarks.md reports
  costs [--write REASON]
                      counts instructions and compares them with benches/costs.txt, or rewrites the rows that changed
  toolchains          downloads the compilers of hooks' languages, and prints what `PATH` needs for them
  registries          downloads a registry, and the tools that others use with it and sign with
Single suites, with choices that `acceptance` does not have:
  clients [--record | --strangers] [NAME]…
  dependencies | features | oci
  faults [--full]
  fuzz [TARGET]… [--seconds NUMBER | --runs NUMBER]
  languages [NAME]…
  packages [--release]
  plugins --twice
  soak [--calls NUMBER] [--seconds NUMBER]";

/// Runs the verb that the first word names.
pub fn run(words: &[String]) -> Result<()> {
    match words {
        [verb, words @ ..] if verb == "acceptance" => alone(|project| acceptance::run(project, words)),
        [verb, words @ ..] if verb == "costs" => alone(|project| costs::run(project, words)),
        [verb, words @ ..] if verb == "demo" => alone(|project| demo::run(project, words)),
        [verb] if verb == "test" => alone(test::run),
        [verb, words @ ..] if verb == "fuzz" => fuzz::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "clients" => clients::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "faults" => faults::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "languages" => languages::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "packages" => packages::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "soak" => soak::run(&Project::open()?, words),
        [verb, ..] if ["bindings", "event-types"].contains(&verb.as_str()) => {
            generator::build(&Project::open()?)?.args(words).run()
        }
        _ => run_alone(words),
    }
}

/// Runs a verb while no other one of these runs in this clone.
fn alone(verb: impl FnOnce(&Project) -> Result<()>) -> Result<()> {
    let project = Project::open()?;
    let _lock = Lock::take(&project)?;
    verb(&project)
}

/// The verbs without further words.
fn run_alone(words: &[String]) -> Result<()> {
    let verb: fn(&Project) -> Result<()> = match words.join(" ").as_str() {
        "plugins" => plugins::run,
        "plugins --twice" => plugins::run_twice,
        "toolchains" => toolchains::run,
        "registries" => toolchains::registries,
        "oci" => oci::run,
        "features" => features::run,
        "dependencies" => dependencies::run,
        "build" => build::run,
        "bench" => bench::run,
        _ => bail!("{USAGE}"),
    };
    verb(&Project::open()?)
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
