//! What other programs of hookbox do, which no event needs: `hookbox plugin new`, `build`, `test` and `profile` are the author's tools,
//! `sign`, `verify`, `push` and `pull` are about plugins that are handed out.

use std::process::Command;

use hookbox_platform::process::hand_over;

use crate::{args::WordsArgs, environment, exit::ExitStatus, printer::Printer};

/// Has the author's tools do it, in this program's place.
pub(super) fn author(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program("hookbox-author", verb, args, printer)
}

/// The same with what makes and checks signed plugins.
pub(super) fn bundle(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program("hookbox-bundle", verb, args, printer)
}

#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
fn become_program(name: &str, verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    let Some(program) = environment::beside(name) else {
        printer.error(&format!(
            "where {name} is cannot be told: mount /proc, or start hookbox by its absolute path"
        ));
        return ExitStatus::Problems;
    };
    if !program.is_file() {
        let program = program.display();
        printer.error(&format!(
            "{program} is not there, and `hookbox plugin {verb}` is its work; install {name}, of the same version, beside \
             hookbox"
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
