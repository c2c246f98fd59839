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

/// Runs the command.
pub(crate) fn dispatch(command: Command, printer: &Printer) -> ExitStatus {
    let done = match command {
        Command::Push(args) => push::push(&args, printer),
        Command::Pull(args) => pull::pull(&args, printer),
        Command::Export(args) => export::export(&args, printer),
        Command::Fetch(args) => fetch::fetch(&args, printer),
        Command::Sign(args) => sign::sign(&args, printer),
        Command::Verify(args) => verify::verify(&args, printer),
    };
    done.unwrap_or_else(|fault| fault.tell(printer))
}
