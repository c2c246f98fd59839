//! The suites that are a few commands each.

use std::hash::{BuildHasher as _, RandomState};

use anyhow::Result;

use crate::project::Project;
use crate::{clients, costs, faults, fuzz, languages, oci, packages, plugins, toolchains};

/// Tests of the host that need a registry or signing tools of others; `test` leaves them out.
pub(crate) const WITH_REGISTRIES: &str =
    "binary(registries) + binary(stock) + test(/^(sigstore|security_key)::/)";

/// Tests that draw random values.
const PROPERTIES: &str = "test(/merge_patch|sections|values|hostile|tokens|gemini_answers|properties|completion_order|javascript_regex/) + binary(quoting)";

/// Compares the instructions of each path with the table.
pub(super) fn count_costs(project: &Project) -> Result<()> {
    costs::run(project, &[])
}

/// Builds the documentation of each crate; a warning is an error.
pub(super) fn build_documentation(project: &Project) -> Result<()> {
    let words = ["doc", "--quiet", "--no-deps"];
    for process in [project.cargo_with_lints(words), project.guest_cargo_with_lints(words)] {
        process.env("RUSTDOCFLAGS", "-Dwarnings").run()?;
    }
    Ok(())
}

/// Runs the property tests with a random seed, printed so that a failure can be repeated.
pub(super) fn test_properties(project: &Project) -> Result<()> {
    // The standard library draws random keys, so no generator is needed for this.
    let seed = RandomState::new().hash_one("seed");
    println!("the seed of this run: PROPTEST_RNG_SEED={seed}");
    let test = project.cargo_with_lints(["nextest", "run", "-E", PROPERTIES]);
    test.env("PROPTEST_RNG_SEED", seed.to_string()).run()
}

/// Runs the tests against registries and tools of others, and exchanges plugins with the stock clients.
pub(super) fn exchange_plugins(project: &Project) -> Result<()> {
    toolchains::fetch_registries(project)?;
    project.cargo_with_lints(["nextest", "run", "-E", WITH_REGISTRIES]).run()?;
    oci::run(project)
}

/// Builds and tests the packages.
pub(super) fn test_packages(project: &Project) -> Result<()> {
    packages::run(project, &[])
}

/// Builds and tests a hook in each language.
pub(super) fn test_languages(project: &Project) -> Result<()> {
    languages::run(project, &[])
}

/// Makes each system call, disk and limit fail.
pub(super) fn inject_faults(project: &Project) -> Result<()> {
    faults::run(project, &[])
}

/// Runs each fuzz target for its usual time.
pub(super) fn fuzz_each(project: &Project) -> Result<()> {
    fuzz::run(project, &[])
}

/// Builds the plugins and the hooks of each language a second time, elsewhere.
pub(super) fn rebuild_outputs(project: &Project) -> Result<()> {
    plugins::run_twice(project)?;
    languages::rebuild_elsewhere(project)
}

/// Runs each real agent against hookbox.
pub(super) fn run_clients(project: &Project) -> Result<()> {
    clients::run(project, &[])
}
