//! What other programs of hookbox do, which no event needs: `hookbox plugin new`, `build`, `test` and `profile` are the author's tools,
//! `sign`, `verify`, `push` and `pull` are about plugins that are handed out.

use std::{
    ffi::OsString,
    io::Read,
    process::{Command, Stdio},
};

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

/// Longest line that is read of what was fetched, bytes.
const MAX_REPORT: u64 = 256 << 10;

/// What `hookbox-bundle fetch` says of a plugin that it has put into a folder.
#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
pub(super) fn fetched(words: &[OsString]) -> Result<String, String> {
    let program = environment::beside("hookbox-bundle")
        .filter(|program| program.is_file())
        .ok_or("hookbox-bundle is not there, which fetches and checks plugins; install it, of the same version, beside hookbox")?;
    let failed = |error: std::io::Error| format!("{} cannot be started: {error}", program.display());
    let mut command = Command::new(&program);
    command.arg("fetch").args(words).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let mut report = String::new();
    let read = child.stdout.take().map(|said| said.take(MAX_REPORT).read_to_string(&mut report));
    let status = child.wait().map_err(failed)?;
    // Why not is on standard error already, in its own words.
    if !status.success() {
        return Err("the plugin could not be fetched".to_owned());
    }
    read.transpose().map_err(failed)?;
    Ok(report)
}
