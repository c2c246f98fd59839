//! The command that an entry names: this program, by a path that others than the user cannot change.

use std::path::{Path, PathBuf};

use hookbox::dialect::settings::OwnCommand;
use hookbox_files::{
    places::Places,
    program_file::{self, Exposed, Exposure},
};

use super::agent_change::{Stopped, problem};
use crate::{
    environment,
    printer::{Printer, WARNING},
};

/// Returns the command for an entry in the settings of this project, or of the user.
pub(super) fn of(project: Option<&Path>, places: &Places, printer: &Printer) -> Result<OwnCommand, Stopped> {
    let program = program(project, places, printer)?;
    OwnCommand::new(&program, &places.arguments()).map_err(|unfit| {
        problem(format!("{} cannot stand in an entry: {}", unfit.path.display(), unfit.problem))
    })
}

/// Returns the file of this program; an error if others than the user could change it.
fn program(project: Option<&Path>, places: &Places, printer: &Printer) -> Result<PathBuf, Stopped> {
    let program = environment::program();
    let program = program.ok_or_else(|| problem("the place of this program is not known"))?;
    let program = program_file::named(program, &environment::variable("PATH").unwrap_or_default(), places);
    let compiler = environment::compiler().filter(|compiler| compiler.exists());
    for file in std::iter::once(&program).chain(&compiler) {
        if let Some(exposed) = program_file::exposed(file, places) {
            return Err(problem(exposed));
        }
    }
    if project.is_some_and(|root| program.starts_with(root)) {
        return Err(problem(Exposed { file: program, how: Exposure::SameProject }));
    }
    if let Some(exposed) = program_file::in_project(&program, places) {
        printer.note(&format!("{WARNING}warning{WARNING:#}: {exposed}"));
    }
    Ok(program)
}
