//! Commands of hookbox's other programs, which events do not need: `hookbox plugin new`, `build`, `test`, `profile` and `wit` are
//! the author's tools, `sign`, `verify`, `push` and `pull` are for distributing plugins.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hookbox_platform::{process::hand_over, signals::ShutdownDelay};

use crate::{args::WordsArgs, environment, exit::ExitStatus, printer::Printer};

/// The program with the author's tools.
const AUTHOR: &str = "hookbox-author";
/// The program for signed plugins.
const BUNDLE: &str = "hookbox-bundle";

/// Replaces this program by the author's tools.
pub(super) fn run_author_tool(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program(AUTHOR, verb, args, printer)
}

/// Replaces this program by the one for signed plugins.
pub(super) fn run_bundle_tool(verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    become_program(BUNDLE, verb, args, printer)
}

#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
fn become_program(name: &str, verb: &str, args: &WordsArgs, printer: &Printer) -> ExitStatus {
    // The one verb without `plugin`.
    let program_name = if verb == "export" { "hookbox" } else { "hookbox plugin" };
    let program = match find_program(name, &format!("`{program_name} {verb}` needs it")) {
        Ok(program) => program,
        Err(why) => {
            printer.print_error(&why);
            return ExitStatus::Problems;
        }
    };
    // Not a child process: signals of the terminal and the exit code are that program's own.
    match hand_over(Command::new(&program).arg(verb).args(&args.words)) {
        Ok(code) => ExitStatus::Agent(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            printer.print_error(&format!("{} cannot be started: {error}", program.display()));
            ExitStatus::Problems
        }
    }
}

/// Pause between two checks whether a build has ended.
const PAUSE: Duration = Duration::from_millis(20);
/// Time for an interrupted build to end.
const GRACE: Duration = Duration::from_secs(2);

/// Builds with the author's tools, and waits; returns true if the plugin was built. Their temporary files are in the folder
/// `temporary`, so that they are removed even if the build is killed.
#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
pub(super) fn build_plugin(
    words: &[&OsStr],
    temporary: &Path,
    delay: &ShutdownDelay,
) -> Result<bool, String> {
    let program = find_program(AUTHOR, "it builds plugins")?;
    let started = Command::new(&program).arg("build").args(words).env("TMPDIR", temporary).spawn();
    let ended = started.and_then(|mut child| wait_for_child(&mut child, delay));
    let ended = ended.map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    Ok(ended && !delay.has_signal())
}

/// Returns true if the process succeeds. An interrupt has usually reached it, too.
fn wait_for_child(child: &mut Child, delay: &ShutdownDelay) -> io::Result<bool> {
    let mut interrupted_at = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if delay.has_signal() && interrupted_at.get_or_insert_with(Instant::now).elapsed() > GRACE {
            child.kill()?;
            return child.wait().map(|status| status.success());
        }
        thread::sleep(PAUSE);
    }
}

/// Returns the program's path; the error states its purpose if it is missing.
fn find_program(name: &str, purpose: &str) -> Result<PathBuf, String> {
    let nowhere =
        || format!("the folder of {name} is unknown: mount /proc, or start hookbox by its absolute path");
    let program = environment::find_companion(name).ok_or_else(nowhere)?;
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "{} does not exist, and {purpose}; install {name} of the same version next to hookbox",
        program.display()
    ))
}

/// Maximum length of a report on a plugin, bytes.
const MAX_REPORT: u64 = 256 << 10;

/// Runs `hookbox-bundle fetch` and returns its report on the plugin that it has put into a folder.
pub(super) fn fetch_plugin(words: &[OsString]) -> Result<String, String> {
    let words = [&[OsString::from("fetch")][..], words].concat();
    let (is_done, report) = read_report(&words, "it fetches and checks plugins")?;
    // The program has already printed the reason to standard error.
    if is_done { Ok(report) } else { Err("the plugin could not be fetched".to_owned()) }
}

/// Runs `hookbox-bundle verify` and returns its report on the signatures next to a file.
pub(super) fn verify_signatures(file: &Path) -> Result<String, String> {
    let words: [OsString; 4] = ["verify".into(), "--json".into(), "--".into(), file.into()];
    let (_, report) = read_report(&words, "it verifies signatures")?;
    // The program fails for signatures that are not accepted, too, and reports them. Other errors are on standard error.
    if report.is_empty() { Err("hookbox-bundle reported an error".to_owned()) } else { Ok(report) }
}

/// Runs `hookbox-bundle` for its standard output; true if it succeeded.
#[expect(clippy::disallowed_methods, reason = "where the other programs for people start")]
fn read_report(words: &[OsString], purpose: &str) -> Result<(bool, String), String> {
    let program = find_program(BUNDLE, purpose)?;
    let failed = |error: std::io::Error| format!("{} cannot be started: {error}", program.display());
    let mut command = Command::new(&program);
    // The terminal is for the questions that follow.
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let mut report = String::new();
    // The pipe is closed before the wait: a program that prints more then fails, and does not wait for a reader.
    let read = child.stdout.take().map(|stdout| stdout.take(MAX_REPORT).read_to_string(&mut report));
    let status = child.wait().map_err(failed)?;
    if status.success() {
        read.transpose().map_err(failed)?;
    }
    Ok((status.success(), report))
}
