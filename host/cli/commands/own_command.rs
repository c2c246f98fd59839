//! The command that an entry names: this program, by a path that others than the user cannot change.

use std::path::{Path, PathBuf};

use hookbox::dialect::settings::OwnCommand;

use super::install::{Stopped, problem};
use crate::{
    environment,
    places::Places,
    printer::{Printer, WARNING},
    program_file,
};

/// For an entry in the settings of this project, or of the user.
pub(super) fn of(project: Option<&Path>, places: &Places, printer: &Printer) -> Result<OwnCommand, Stopped> {
    let program = program(project, places, printer)?;
    OwnCommand::new(&program, &places.arguments()).map_err(|unfit| {
        problem(format!("{} cannot stand in an entry: {}", unfit.path.display(), unfit.problem))
    })
}

/// The file of this program; refused if others than the user could change it.
fn program(project: Option<&Path>, places: &Places, printer: &Printer) -> Result<PathBuf, Stopped> {
    let program = program_file::named();
    let program = program.ok_or_else(|| problem("the place of this program is not known".to_owned()))?;
    let compiler = environment::compiler().filter(|compiler| compiler.exists());
    for file in std::iter::once(&program).chain(&compiler) {
        if let Some(refusal) = program_file::refusal(file) {
            return Err(problem(refusal));
        }
    }
    if project.is_some_and(|root| program.starts_with(root)) {
        let why = "it lies in the very project whose agent is to ask it";
        return Err(problem(program_file::advised(&program, why)));
    }
    if let Some(project) = program_file::project_around(&program, places) {
        let why = format!("whoever works in {} could change it", project.display());
        printer.note(&format!("{WARNING}warning{WARNING:#}: {}", program_file::advised(&program, &why)));
    }
    Ok(program)
}
