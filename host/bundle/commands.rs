//! One file per command.

mod sign;
mod verify;

use crate::{args::Command, exit::ExitStatus, printer::Printer};

/// Runs the command.
pub(crate) fn dispatch(command: Command, printer: &Printer) -> ExitStatus {
    let done = match command {
        Command::Sign(args) => sign::sign(&args, printer),
        Command::Verify(args) => verify::verify(&args, printer),
    };
    done.unwrap_or_else(|fault| fault.tell(printer))
}
