//! `oci`: plugins through a registry, exchanged with the client library and the image layout that others use.

use anyhow::Result;

use crate::{packages, project::Project, toolchains};

/// Builds the programs, downloads a registry and the tools of others, and runs `tests/oci`.
pub(crate) fn run(project: &Project) -> Result<()> {
    packages::build_host(project, &["hookbox", "hookbox-compile", "hookbox-bundle"])?;
    toolchains::fetch_registries(project)?;
    let words = ["test", "--locked", "--quiet", "--manifest-path", "tests/oci/Cargo.toml", "--target-dir"];
    project.cargo(words).args([&project.target]).run()
}
