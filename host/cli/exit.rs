//! Process exit codes of the command `hookbox`.

/// Meaning of the exit code. For `hookbox run` the agent's dialect decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// 0: done.
    Success,
    /// 1: something has a problem, which the output describes.
    Problems,
    /// 2: the command line is wrong, or a file that it names cannot be read. An agent that runs hookbox as its hook takes this
    /// code as a deny, so a mistyped hook command fails closed.
    Usage,
    /// The agent's own code, or that of another program which did the work.
    Agent(u8),
}

impl ExitStatus {
    pub(crate) fn code(self) -> i32 {
        match self {
            Self::Success => 0,
            Self::Problems => 1,
            Self::Usage => 2,
            Self::Agent(code) => i32::from(code),
        }
    }

    /// Ends the process without freeing resources that the system frees anyway.
    pub(crate) fn leave(self) -> ! {
        std::process::exit(self.code())
    }
}
