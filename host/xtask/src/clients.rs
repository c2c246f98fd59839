//! `clients`: builds hookbox and starts `xtask-clients`, which runs real agents against it.

use anyhow::Result;

use crate::build;
use crate::project::Project;

/// Runs the clients that the words name; all without a word.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    build::run(project)?;
    project.build_program("xtask-clients")?.args(words).run()
}
