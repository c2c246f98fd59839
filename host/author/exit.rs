//! How the program ends.

use crate::printer::Printer;

/// What the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// 0: done, all tests passed.
    Success,
    /// 1: a build failed, a test failed; the output says why.
    Problems,
    /// 2: the command line is wrong, or what it names cannot be read.
    Usage,
}

impl ExitStatus {
    /// Ends the process. What was not told was not done.
    pub(crate) fn leave(self, printer: &Printer) -> ! {
        let unwritten = printer.is_unwritten();
        std::process::exit(match self {
            Self::Success if unwritten => 1,
            Self::Success => 0,
            Self::Problems => 1,
            Self::Usage => 2,
        })
    }
}

/// Why a command did not do what it is for.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The command line is wrong, or what it names cannot be read.
    Usage(String),
    /// Something that was looked at, or started, is wrong.
    Failed(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl Fault {
    /// Tells it.
    pub(crate) fn tell(&self, printer: &Printer) -> ExitStatus {
        let (why, exit) = match self {
            Self::Usage(why) => (why, ExitStatus::Usage),
            Self::Failed(why) => (why, ExitStatus::Problems),
        };
        printer.error(why);
        exit
    }
}
