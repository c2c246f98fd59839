//! `oci`: what hookbox hands out and fetches, against the client and the layout of others.

use anyhow::Result;

use crate::{
    packages::WITH_TESTS,
    project::{FEATURES, Project},
    toolchains,
};

/// Builds the programs, fetches the registry, and runs the test. Not in the gate: what it is built of takes a minute there, and `skopeo`,
/// `oras` and `docker-registry` are.
pub(crate) fn run(project: &Project) -> Result<()> {
    let programs = ["hookbox", "hookbox-compile", "hookbox-bundle"];
    let words = ["build", "--locked", "--quiet", "--workspace", "--features", FEATURES, "--lib"];
    let programs = programs.iter().flat_map(|program| ["--bin", program]);
    project.cargo(words).args(programs).args(WITH_TESTS).run()?;
    toolchains::registries(project)?;
    let words = ["test", "--locked", "--quiet", "--manifest-path", "tests/oci/Cargo.toml", "--target-dir"];
    project.cargo(words).args([&project.target]).run()
}
