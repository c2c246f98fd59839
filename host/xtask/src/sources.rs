//! Downloads the sources of all dependencies before anything is compiled: without a network a build fails immediately, and with one
//! sentence.

use anyhow::{Context, Result};

use crate::project::Project;

/// Manifests of the workspaces that the demo and the tests build.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "plugins/Cargo.toml"];

/// Downloads the packages of the lock files that cargo's home does not have yet.
pub(crate) fn fetch_sources(project: &Project) -> Result<()> {
    for manifest in MANIFESTS {
        let fetch = project.cargo(["fetch", "--locked", "--manifest-path", manifest]);
        fetch.run().context(
            "the sources of the dependencies cannot be downloaded; connect to the network and start again",
        )?;
    }
    Ok(())
}
