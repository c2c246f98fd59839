//! What other programs of hookbox do, which no event needs: `hookbox plugin new`, `build`, `test` and `profile` are the author's tools,
//! `sign`, `verify`, `push` and `pull` are about plugins that are handed out.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hookbox_platform::{process::hand_over, signals::HeldBack};

use crate::{args::WordsArgs, environment, exit::ExitStatus, printer::Printer};

/// The author's tools.
const AUTHOR: &str = "hookbox-author";
/// What makes and checks signed plugins.
const BUNDLE: &str = "hookbox-bundle";

/// Has the author's tools do it, in this program's place.
pub(super) fn author(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program(AUTHOR, verb, args, printer)
}

/// The same with what makes and checks signed plugins.
pub(super) fn bundle(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program(BUNDLE, verb, args, printer)
}

#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
fn become_program(name: &str, verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    // The one verb that stands by itself.
    let said = if verb == "export" { "hookbox" } else { "hookbox plugin" };
    let program = match program(name, &format!("`{said} {verb}` is its work")) {
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

/// Between two looks at whether a build has ended.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a build may go on that is told to end.
const GRACE: Duration = Duration::from_secs(2);

/// Has the author's tools build, and waits: was it built? What they need meanwhile is in the folder `temporary`, whatever ends them.
#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
pub(super) fn build(words: &[&OsStr], temporary: &Path, held: &HeldBack) -> Result<bool, String> {
    let program = program(AUTHOR, "it builds plugins")?;
    let started = Command::new(&program).arg("build").args(words).env("TMPDIR", temporary).spawn();
    let ended = started.and_then(|mut child| ended(&mut child, held));
    let ended = ended.map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    Ok(ended && !held.is_told())
}

/// Did it end well? Who tells us to end has most often told it, too.
fn ended(child: &mut Child, held: &HeldBack) -> io::Result<bool> {
    let mut told = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if held.is_told() && told.get_or_insert_with(Instant::now).elapsed() > GRACE {
            child.kill()?;
            return child.wait().map(|status| status.success());
        }
        thread::sleep(PAUSE);
    }
}

/// Where it is; what it is for, if it is not there.
fn program(name: &str, purpose: &str) -> Result<PathBuf, String> {
    let nowhere =
        || format!("the folder of {name} is unknown: mount /proc, or start hookbox by its absolute path");
    let program = environment::beside(name).ok_or_else(nowhere)?;
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "{} is not there, and {purpose}; install {name}, of the same version, next to hookbox",
        program.display()
    ))
}

/// Longest line that is read of what was fetched, bytes.
const MAX_REPORT: u64 = 256 << 10;

/// What `hookbox-bundle fetch` says of a plugin that it has put into a folder.
#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
pub(super) fn fetched(words: &[OsString]) -> Result<String, String> {
    let program = program(BUNDLE, "it fetches and checks plugins")?;
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
