//! How the command ends.

/// What the exit code says. Of `hookbox run` the agent's dialect decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// 0: done.
    Success,
    /// 1: something that was looked at is wrong; the output says what.
    Problems,
    /// 2: the command line is wrong, or what it names cannot be read. An agent that runs hookbox as its hook takes
    /// this code as a deny, so a mistyped hook command fails closed.
    Usage,
    /// The agent's own code, or that of another program which did the work.
    Agent(u8),
}

impl ExitStatus {
    /// The number.
    pub(crate) fn code(self) -> i32 {
        match self {
            Self::Success => 0,
            Self::Problems => 1,
            Self::Usage => 2,
            Self::Agent(code) => i32::from(code),
        }
    }

    /// Ends the process without tearing down what the system takes back anyway.
    pub(crate) fn leave(self) -> ! {
        std::process::exit(self.code())
    }
}
