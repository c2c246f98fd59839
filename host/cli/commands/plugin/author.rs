//! `hookbox plugin new`, `build`, `test` and `profile`: another program's, which no event needs.

use std::process::Command;

use hookbox_platform::process::hand_over;

use crate::{args::AuthorArgs, environment, exit::ExitStatus, printer::Printer};

/// Has the program beside this one do it, in its place.
#[expect(clippy::disallowed_methods, reason = "where the author's tools start")]
pub(super) fn author(verb: &str, args: &AuthorArgs, printer: &Printer) -> ExitStatus {
    let Some(program) = environment::author() else {
        printer.error(
            "where hookbox-author is cannot be told: mount /proc, or start hookbox by its absolute path",
        );
        return ExitStatus::Problems;
    };
    if !program.is_file() {
        let program = program.display();
        printer.error(&format!(
            "{program} is not there, and `hookbox plugin {verb}` is its work; install hookbox-author, of the same version, \
             beside hookbox"
        ));
        return ExitStatus::Problems;
    }
    match hand_over(Command::new(&program).arg(verb).args(&args.words)) {
        Ok(code) => ExitStatus::Agent(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            printer.error(&format!("{} cannot be started: {error}", program.display()));
            ExitStatus::Problems
        }
    }
}
