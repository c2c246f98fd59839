//! What other programs of hookbox do, which no event needs: `hookbox plugin new`, `build`, `test` and `profile` are the author's tools,
//! `sign`, `verify`, `push` and `pull` are about plugins that are handed out.

use std::{ffi::OsStr, path::PathBuf, process::Command};

use hookbox_platform::process::hand_over;

use crate::{args::WordsArgs, environment, exit::ExitStatus, printer::Printer};

/// The author's tools.
const AUTHOR: &str = "hookbox-author";

/// Has the author's tools do it, in this program's place.
pub(super) fn author(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program(AUTHOR, verb, args, printer)
}

/// The same with what makes and checks signed plugins.
pub(super) fn bundle(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program("hookbox-bundle", verb, args, printer)
}

#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
fn become_program(name: &str, verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    let program = match program(name, verb) {
        Ok(program) => program,
        Err(why) => {
            printer.error(&why);
            return ExitStatus::Problems;
        }
    };
    match hand_over(Command::new(&program).arg(verb).args(&args.words)) {
        Ok(code) => ExitStatus::Agent(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            printer.error(&format!("{} cannot be started: {error}", program.display()));
            ExitStatus::Problems
        }
    }
}

/// Has the author's tools build, and waits: was it built?
#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
pub(super) fn build(words: &[&OsStr]) -> Result<bool, String> {
    let program = program(AUTHOR, "build")?;
    let ended = Command::new(&program).arg("build").args(words).status();
    let ended = ended.map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    Ok(ended.success())
}

/// Where it is; for whom it does this, if it is not there.
fn program(name: &str, verb: &str) -> Result<PathBuf, String> {
    let nowhere =
        || format!("where {name} is cannot be told: mount /proc, or start hookbox by its absolute path");
    let program = environment::beside(name).ok_or_else(nowhere)?;
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "{} is not there, and `hookbox plugin {verb}` is its work; install {name}, of the same version, beside hookbox",
        program.display()
    ))
}
