//! The program `xtask-generate`: bindings, event types, components and the script engine, in a separate crate because their libraries take
//! half a minute to compile.

use anyhow::Result;

use crate::process::Process;
use crate::project::Project;

/// Builds the program and returns the command that runs it.
pub(crate) fn build_generator(project: &Project) -> Result<Process> {
    project.build_program("xtask-generate")
}

/// Fails if the committed bindings or event types differ from the generators' output.
pub(crate) fn check_outputs(project: &Project) -> Result<()> {
    build_generator(project)?.args(["bindings", "--check"]).run()?;
    build_generator(project)?.args(["event-types", "--check"]).run()
}
