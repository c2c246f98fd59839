//! `demo`: shows the built programs at work.

use anyhow::Result;

use crate::project::Project;
use crate::{build, plugins};

/// Builds what the demonstration needs.
pub(crate) fn run(project: &Project) -> Result<()> {
    plugins::run(project)?;
    build::run(project)
}
