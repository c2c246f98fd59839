//! The `hookbox` command: parse, run, report, exit.

mod args;
mod commands;
mod confinement;
mod delivery;
mod diagnostic;
mod environment;
mod exit;
mod fast_start;
mod printer;
mod report;
mod run_report;
mod start;

use hookbox::dialect::UNHEARD;
use hookbox_platform::signals::{self, Refusal};

use crate::{exit::ExitStatus, printer::Printer};

fn main() {
    let printer = Printer::new();
    fast_start::without_backtraces();
    signals::survive_full_files();
    // Before anything that takes time, or a stack.
    let refusal = fast_start::is("run").then(|| Refusal::by(UNHEARD));
    let exit = commands::dispatch(args::parse(), refusal, &printer);
    unless_unwritten(exit, &printer).leave()
}

/// Turns success into a failure if output was not written. A closed pipe (`hookbox list | head -1`) is not reported.
fn unless_unwritten(exit: ExitStatus, printer: &Printer) -> ExitStatus {
    let Some(error) = printer.unwritten() else { return exit };
    if error.kind() != std::io::ErrorKind::BrokenPipe {
        printer.error(&format!("the output cannot be written: {error}"));
    }
    if exit == ExitStatus::Success { ExitStatus::Problems } else { exit }
}
