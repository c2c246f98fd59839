//! One file per command.

mod export;
mod fetch;
mod pull;
mod push;
mod sign;
#[cfg(feature = "sigstore-verify")]
mod sigstore;
#[cfg(not(feature = "sigstore-verify"))]
#[path = "commands/without_sigstore.rs"]
mod sigstore;
mod verify;

use crate::{args::Command, exit::ExitStatus, printer::Printer};

pub(crate) fn run_command(command: Command, printer: &Printer) -> ExitStatus {
    let done = match command {
        Command::Push(args) => push::push_plugins(&args, printer),
        Command::Pull(args) => pull::pull_plugins(&args, printer),
        Command::Export(args) => export::export_plugins(&args, printer),
        Command::Fetch(args) => fetch::fetch_plugin(&args, printer),
        Command::Sign(args) => sign::sign_plugin(&args, printer),
        Command::Verify(args) => verify::verify_plugin(&args, printer),
    };
    done.unwrap_or_else(|fault| fault.print_error(printer))
}
