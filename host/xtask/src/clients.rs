//! `clients`: builds hookbox and starts `xtask-clients`, which runs real agents against it.

use anyhow::Result;

use crate::build;
use crate::project::Project;

/// Runs the named clients, or all.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    build::run(project)?;
    project.build_program("xtask-clients")?.args(words).run()
}
