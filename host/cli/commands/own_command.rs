//! The command that an entry names: this program, by a path that others than the user cannot change.

use std::path::{Path, PathBuf};

use hookbox::agents::settings::OwnCommand;
use hookbox_app::{
    places::Places,
    program_file::{self, ExposedProgram, Exposure},
};

use super::agent_change::{CommandError, problem_error};
use crate::{
    environment,
    printer::{Printer, WARNING},
};

/// Returns the command for an entry in the settings of this project, or of the user.
pub(super) fn build_own_command(
    project: Option<&Path>,
    places: &Places,
    printer: &Printer,
) -> Result<OwnCommand, CommandError> {
    let program = find_program(project, places, printer)?;
    OwnCommand::new(&program, &places.arguments()).map_err(|unfit| {
        problem_error(format!("{} cannot be used in an entry: {}", unfit.path.display(), unfit.problem))
    })
}

/// Returns the file of this program; an error if others than the user could change it.
fn find_program(project: Option<&Path>, places: &Places, printer: &Printer) -> Result<PathBuf, CommandError> {
    let program = environment::find_program();
    let program = program.ok_or_else(|| problem_error("the path of this program is unknown"))?;
    let program = program_file::find_entry_path(
        program,
        &environment::read_variable("PATH").unwrap_or_default(),
        places,
    );
    // The compiler writes the native code that hookbox runs, so its file matters as much.
    let compiler = environment::find_compiler().filter(|compiler| compiler.exists());
    for file in std::iter::once(&program).chain(&compiler) {
        if let Some(exposed) = program_file::find_exposure(file, places) {
            return Err(problem_error(exposed));
        }
    }
    if project.is_some_and(|root| program.starts_with(root)) {
        return Err(problem_error(ExposedProgram { file: program, how: Exposure::SameProject }));
    }
    if let Some(exposed) = program_file::in_project(&program, places) {
        printer.print_note(&format!("{WARNING}warning{WARNING:#}: {exposed}"));
    }
    Ok(program)
}
