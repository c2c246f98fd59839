//! `hookbox plugin new`, `build`, `test` and `profile`: another program's, which no event needs. `add` has it build, too.

use std::{ffi::OsStr, path::PathBuf, process::Command};

use hookbox_platform::process::hand_over;

use crate::{args::AuthorArgs, environment, exit::ExitStatus, printer::Printer};

/// Has the program beside this one do it, in its place.
#[expect(clippy::disallowed_methods, reason = "where the author's tools start")]
pub(super) fn author(verb: &str, args: &AuthorArgs, printer: &Printer) -> ExitStatus {
    let program = match program(verb) {
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

/// Has the program beside this one do it, and waits: did it?
#[expect(clippy::disallowed_methods, reason = "where the author's tools start")]
pub(super) fn run(verb: &str, words: &[&OsStr]) -> Result<bool, String> {
    let program = program(verb)?;
    let ended = Command::new(&program).arg(verb).args(words).status();
    let ended = ended.map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    Ok(ended.success())
}

/// Where it is; for whom it does this, if it is not there.
fn program(verb: &str) -> Result<PathBuf, String> {
    let nowhere =
        "where hookbox-author is cannot be told: mount /proc, or start hookbox by its absolute path";
    let program = environment::author().ok_or(nowhere)?;
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "{} is not there, and `hookbox plugin {verb}` is its work; install hookbox-author, of the same version, beside hookbox",
        program.display()
    ))
}
