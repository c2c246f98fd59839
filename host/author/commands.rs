//! One file per command.

mod build;
mod new;
mod profile;
mod test;
mod wit;

use crate::{args::Command, exit::ExitStatus, printer::Printer};

pub(crate) fn run_command(command: Command, printer: &Printer) -> ExitStatus {
    let done = match command {
        Command::New(args) => new::create_project(&args, printer),
        Command::Build(args) => build::build_plugin(&args, printer),
        Command::Test(args) => test::test_plugin(&args, printer),
        Command::Profile(args) => profile::profile_plugin(&args, printer),
        Command::Wit(args) => wit::print_world(&args, printer),
    };
    done.unwrap_or_else(|fault| fault.print_error(printer))
}
