//! `test`: checks that a contributor runs before submitting a change. Does all set-up and stops at the first step that fails.

use anyhow::{Result, ensure};

use crate::acceptance::suites::WITH_REGISTRIES;
use crate::process;
use crate::project::Project;
use crate::{generator, interpreters, leftovers, plugins, sources, steps, unify};

const STEPS: [steps::Step; 10] = [
    ("format", check_format),
    ("download of sources", sources::fetch_sources),
    ("tools", check_tools),
    ("shared builds", unify::check_graphs),
    ("plugins", plugins::run),
    ("generated files", generator::check_outputs),
    ("host: build and lints", build_host),
    ("guests: lints and tests", test_guests),
    ("host: tests", test_host),
    ("examples in the documentation", test_documentation),
];

/// Passes every check and every test of both workspaces.
pub(crate) fn run(project: &Project) -> Result<()> {
    steps::run(project, &STEPS)
}

fn check_format(project: &Project) -> Result<()> {
    let words = ["fmt", "--all", "--check", "--manifest-path"];
    project.cargo(words).args(["Cargo.toml"]).run()?;
    project.cargo(words).args(["plugins/Cargo.toml"]).run()?;
    // Not `--all`: that would need the sources of all dependencies.
    for other in ["fuzz/Cargo.toml", "tests/oci/Cargo.toml"] {
        project.cargo(["fmt", "--check", "--manifest-path", other]).run()?;
    }
    Ok(())
}

/// Checks the programs that the tests need; an error names each that is missing.
fn check_tools(_: &Project) -> Result<()> {
    for (program, advice) in [
        ("cargo-nextest", "run `cargo install cargo-nextest --locked`"),
        ("clippy-driver", "run `rustup component add clippy`"),
    ] {
        ensure!(process::is_installed(program)?, "{program} is not installed; {advice}");
    }
    interpreters::make_ready()
}

fn build_host(project: &Project) -> Result<()> {
    project.cargo_with_lints(["test", "--no-run", "--quiet"]).run_build(project.count_packages()?)
}

fn test_host(project: &Project) -> Result<()> {
    let others = format!("not ({WITH_REGISTRIES})");
    leftovers::run_watched(project, project.cargo_with_lints(["nextest", "run", "-E", &others]))
}

fn test_guests(project: &Project) -> Result<()> {
    project.guest_cargo_with_lints(["nextest", "run"]).run()
}

fn test_documentation(project: &Project) -> Result<()> {
    project.cargo_with_lints(["test", "--quiet", "--doc"]).run()?;
    project.guest_cargo_with_lints(["test", "--quiet", "--doc"]).run()
}
