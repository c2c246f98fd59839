//! `bench`: measures what users get.

use anyhow::Result;

use crate::build;
use crate::project::Project;

/// Builds it and runs every benchmark; the tables go to standard output.
pub(crate) fn run(project: &Project) -> Result<()> {
    build::run(project)?;
    for bench in ["cold", "ratios", "limits", "dispatch"] {
        project.cargo(["bench", "--locked", "--bench", bench]).run()?;
    }
    Ok(())
}
