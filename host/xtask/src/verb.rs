//! From the words of the command line to the verb.

use anyhow::{Result, bail};

use crate::project::Project;
use crate::{
    bench, bindings, build, clients, demo, dependencies, engine, event_types, faults, features, fuzz,
    languages, oci, packages, plugins, soak, test, toolchains,
};

const USAGE: &str = "usage: cargo xtask <verb>
  plugins [--twice]   builds plugins and examples to target/plugins/<name>.wasm; twice, to see that the same comes of it
  engine              makes target/engines/javascript.wasm, which the compiler has in it; `plugins` does it too
  bindings [--check]  writes the Rust SDK's bindings from wit/, or checks them
  event-types [--check]
                      writes the SDKs' types for every event, or checks them
  toolchains          fetches the compilers of hooks' languages, and shows what `PATH` needs for them
  registries          fetches a registry, and the tools that others use with it and sign with
  oci                 hands plugins to the client that others have for wasm, and takes theirs
  languages [NAME]…   builds a hook in every language as its authors do, and passes the same fixtures with each
  test                does all set-up and passes every test
  features            builds the library with every choice of its features
  dependencies        checks licences, versions, sources and known faults of what we depend on
  build               builds what users get to target/dist and target/share
  bench               measures it, and everything that docs/benchmarks.md tells
  demo                shows it working
  clients [--record | --strangers] [NAME]…
                      gets real clients from their registries, and sees each ask hookbox and obey
  packages [--release]
                      builds the packages for Python and Node.js, and tests them where nothing else is installed
  faults [--full]     makes system calls, disks and limits fail, and many start at once
  fuzz [TARGET]… [--seconds NUMBER | --runs NUMBER]
                      runs the fuzz targets, all if none is named, so long each
  soak [--calls NUMBER] [--seconds NUMBER]
                      a million calls of one host, most of them attacks";

/// Does what the words say.
pub(crate) fn run(words: &[String]) -> Result<()> {
    match words {
        [verb, words @ ..] if verb == "fuzz" => fuzz::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "clients" => clients::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "faults" => faults::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "languages" => languages::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "packages" => packages::run(&Project::open()?, words),
        [verb, words @ ..] if verb == "soak" => soak::run(&Project::open()?, words),
        _ => run_alone(words),
    }
}

/// The verbs without further words.
fn run_alone(words: &[String]) -> Result<()> {
    let verb: fn(&Project) -> Result<()> = match words.join(" ").as_str() {
        "plugins" => plugins::run,
        "plugins --twice" => plugins::run_twice,
        "engine" => engine::make,
        "bindings" => bindings::write,
        "bindings --check" => bindings::check,
        "event-types" => event_types::write,
        "event-types --check" => event_types::check,
        "toolchains" => toolchains::run,
        "registries" => toolchains::registries,
        "oci" => oci::run,
        "test" => test::run,
        "features" => features::run,
        "dependencies" => dependencies::run,
        "build" => build::run,
        "bench" => bench::run,
        "demo" => demo::run,
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
