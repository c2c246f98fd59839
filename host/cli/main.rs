//! The `hookbox` command: parse, run, report, exit.

mod args;
mod commands;
mod confinement;
mod delivery;
mod diagnostic;
mod environment;
mod exit;
mod fast_start;
mod findings;
mod printer;
mod report;
mod run_report;
mod start;

use hookbox::agents::FALLBACK_EXIT_CODE;
use hookbox_platform::signals::{self, SignalExit};
use hookbox_service::logging;

use crate::{
    args::{Args, Command},
    exit::ExitStatus,
    printer::Printer,
};

fn main() {
    let printer = Printer::new();
    fast_start::without_backtraces();
    signals::survive_full_files();
    // Before anything that takes time, or a stack.
    let refusal = fast_start::is_command("run").then(|| SignalExit::start_handling(FALLBACK_EXIT_CODE));
    let exit = run_command(refusal, &printer);
    unless_unwritten(exit, &printer).leave()
}

/// Runs what the command line says. Its arguments take much of the stack, which may be small, so it has a frame of its own: `main` must
/// reach the refusal.
#[inline(never)]
fn run_command(refusal: Option<SignalExit>, printer: &Printer) -> ExitStatus {
    let args = args::parse();
    printer.choose_colours(args.colour);
    start_traces(&args, printer);
    commands::run_command(args, refusal, printer)
}

/// Starts traces on standard error, but not for `run` and `confine`: what is on standard error there is the agent's or the
/// command's.
fn start_traces(args: &Args, printer: &Printer) {
    if matches!(args.command, Command::Run(_) | Command::Confine(_)) {
        return;
    }
    let variables =
        [logging::FILTER, logging::FORM].map(|name| (name, environment::read_text_variable(name)));
    let value = |name: &str| variables.iter().find(|(known, _)| *known == name)?.1.as_deref();
    if let Err(error) = logging::start(value) {
        printer.print_note(&format!("{}warning{:#}: {error}", printer::WARNING, printer::WARNING));
    }
}

/// Turns success into a failure if output was not written. A closed pipe (`hookbox list | head -1`) is not reported.
fn unless_unwritten(exit: ExitStatus, printer: &Printer) -> ExitStatus {
    let Some(error) = printer.unwritten() else { return exit };
    if error.kind() != std::io::ErrorKind::BrokenPipe {
        printer.print_error(&format!("the output cannot be written: {error}"));
    }
    if exit == ExitStatus::Success { ExitStatus::Problems } else { exit }
}
