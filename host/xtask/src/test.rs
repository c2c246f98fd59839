//! `test`: the one gate. Does all set-up, prints what it runs and how long it took, stops at the first failure.

mod steps;

use anyhow::Result;

use self::steps::Steps;

use crate::process::{self, Process};
use crate::project::{FEATURES, Project};
use crate::{
    bench, bindings, dependencies, event_types,
    faults::{self, Extent},
    features, fuzz, interpreters, languages, leftovers,
    packages::{self, Build},
    plugins, toolchains,
    turn::{Turn, today},
};

/// Passes every check of both workspaces; the host's tests and a part of its faults come last.
pub(crate) fn run(project: &Project) -> Result<()> {
    // One day for the whole of it, which may go on beyond midnight.
    let day = today();
    let (turn, mut steps) = (Turn::of(day), Steps::begin());
    let words = test_words()?;
    steps.take("format", || format(project))?;
    steps
        .take("what is generated", || bindings::check(project).and_then(|()| event_types::check(project)))?;
    steps.take("dependencies", || dependencies::run(project))?;
    steps.take("plugins, twice", || plugins::run_twice(project))?;
    steps.take("interpreters", interpreters::make_ready)?;
    // First, so that what follows is not built again for this platform.
    steps.take("other platforms", || elsewhere(project))?;
    match turn {
        Turn::Fuzz => steps.take("fuzz targets, built", || fuzz::build_short(project))?,
        Turn::Features(part) => steps.take("features", || features::run_part(project, part))?,
        Turn::Free => println!("neither fuzz targets nor features have their turn today"),
    }
    steps.take("lints", || lint(project))?;
    steps.take("guests", || guests(project, words).run())?;
    steps.take("documentation", || document(project))?;
    // Before the benchmarks, which measure what it builds.
    steps.take("languages", || languages::run(project, &[]))?;
    steps.take("registries", || toolchains::registries(project))?;
    steps.take("benchmarks, once", || bench::run_once(project))?;
    if turn == Turn::Fuzz {
        steps.take("fuzz targets", || fuzz::run_short(project))?;
    }
    steps.take("host", || leftovers::run_watched(project, host(project, words)))?;
    // With what the tests of the host were built of.
    steps.take("packages", || packages::test(project, Build::Debug))?;
    steps.take("faults", || faults::try_all(project, Extent::Short { turn: day }))?;
    steps.end();
    Ok(())
}

fn format(project: &Project) -> Result<()> {
    let words = ["fmt", "--all", "--check", "--manifest-path"];
    project.cargo(words).args(["Cargo.toml"]).run()?;
    project.cargo(words).args(["plugins/Cargo.toml"]).run()?;
    // Not `--all`: that would need to know all that these are made of.
    for other in ["fuzz/Cargo.toml", "tests/oci/Cargo.toml"] {
        project.cargo(["fmt", "--check", "--manifest-path", other]).run()?;
    }
    Ok(())
}

fn lint(project: &Project) -> Result<()> {
    let words = ["clippy", "--quiet", "--all-targets"];
    for process in [host(project, words), guests(project, words)] {
        process.args(["--", "-D", "warnings"]).run()?;
    }
    Ok(())
}

/// What is there for other platforms, as far as this machine has a way to tell: it is compiled, for one that is no Unix too,
/// and with all that asks for it; and what it refuses is tried.
fn elsewhere(project: &Project) -> Result<()> {
    let target = ["check", "--quiet", "-p", "hookbox-platform", "--target", "wasm32-unknown-unknown"];
    project.cargo(target).run()?;
    for platform in ["portable", "any-unix"] {
        let here =
            |words: &[&str]| project.cargo(words.iter().copied()).env("HOOKBOX_PLATFORM", platform).run();
        here(&["check", "--quiet", "--workspace", "--features", FEATURES])?;
        here(&["test", "--quiet", "-p", "hookbox-platform", "--lib"])?;
    }
    Ok(())
}

/// Examples in the documentation are tests too.
fn document(project: &Project) -> Result<()> {
    let words = ["test", "--quiet", "--doc"];
    for process in [host(project, words), guests(project, words)] {
        process.run()?;
    }
    let words = ["doc", "--quiet", "--no-deps"];
    for process in [host(project, words), guests(project, words)] {
        process.env("RUSTDOCFLAGS", "-Dwarnings").run()?;
    }
    Ok(())
}

/// The whole host, with the same features in every step, so that nothing is built twice.
fn host<const N: usize>(project: &Project, words: [&str; N]) -> Process {
    let everything = ["--workspace", "--features", FEATURES];
    project.cargo(words).args(everything)
}

/// All guests, natively.
fn guests<const N: usize>(project: &Project, words: [&str; N]) -> Process {
    project.guest_cargo(words).args(["--workspace"])
}

/// The words that start the better of the test runners that are there.
fn test_words() -> Result<[&'static str; 2]> {
    if process::is_installed("cargo-nextest")? {
        return Ok(["nextest", "run"]);
    }
    println!("cargo-nextest is not there; `cargo test` runs the tests instead, one process for many");
    println!("(to have it: cargo install cargo-nextest --locked)");
    Ok(["test", "--all-targets"])
}
