//! Exit codes and errors of the program.

use crate::printer::Printer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// 0: done, all tests passed.
    Success,
    /// 1: a build failed, a test failed; the output gives the reason.
    Problems,
    /// 2: the command line is wrong, or a file that it names cannot be read.
    Usage,
}

impl ExitStatus {
    /// Ends the process. Success with unwritten output counts as a failure.
    pub(crate) fn exit_process(self, printer: &Printer) -> ! {
        let unwritten = printer.is_unwritten();
        std::process::exit(match self {
            Self::Success if unwritten => 1,
            Self::Success => 0,
            Self::Problems => 1,
            Self::Usage => 2,
        })
    }
}

/// Reason why a command failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The command line is wrong, or a file that it names cannot be read.
    Usage(String),
    /// A file or a started program has a problem.
    Failed(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl Fault {
    /// Prints the error, and returns its exit code.
    pub(crate) fn print_error(&self, printer: &Printer) -> ExitStatus {
        let (why, exit) = match self {
            Self::Usage(why) => (why, ExitStatus::Usage),
            Self::Failed(why) => (why, ExitStatus::Problems),
        };
        printer.print_error(why);
        exit
    }
}
