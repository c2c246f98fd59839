//! No groups: a process whose children outlive it is not started at all.

use std::{
    convert::Infallible,
    io,
    process::{Command, ExitStatus},
    time::Duration,
};

use super::{NO_GROUPS, Pipes, ProcessOutput};

/// hookbox's end of a process's input.
pub type PipeWriter = tokio::io::Sink;
/// hookbox's end of a process's output.
pub type PipeReader = tokio::io::Empty;

/// Returns an error: there are no processes to read from.
pub fn into_nonblocking(_: PipeReader) -> io::Result<io::Empty> {
    Err(NO_GROUPS.into())
}

/// Returns `None`: signals are unknown.
pub fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// The three standard streams of a process, which do not exist here.
pub struct ThreadPipes {
    /// Its input.
    pub stdin: io::Sink,
    /// Its standard output and standard error.
    pub outputs: Outputs,
}

/// The outputs of a process, which do not exist here.
pub struct Outputs(Infallible);

impl Outputs {
    /// Never called.
    pub fn next_output(&mut self) -> Option<ProcessOutput> {
        match self.0 {}
    }

    /// Never called.
    pub fn last_words(&mut self, _: Duration) -> Option<Vec<u8>> {
        match self.0 {}
    }
}

/// A running group, which does not exist here.
pub struct ProcessGroup(Infallible);

impl ProcessGroup {
    /// Reports that there are no groups.
    #[expect(clippy::unused_async, reason = "where there are groups, a start is waited for")]
    pub async fn spawn(_: Command) -> io::Result<(Self, Pipes)> {
        Err(NO_GROUPS.into())
    }

    /// Reports that there are no groups.
    #[expect(clippy::unused_async, reason = "where there are groups, a start is waited for")]
    pub async fn spawn_for_threads(_: Command) -> io::Result<(Self, ThreadPipes)> {
        Err(NO_GROUPS.into())
    }

    /// Reports that there are no groups.
    #[expect(clippy::unused_async, reason = "where there are groups, a start is waited for")]
    pub async fn spawn_with_streams_of_its_own(_: Command) -> io::Result<Self> {
        Err(NO_GROUPS.into())
    }

    /// Never called.
    #[expect(clippy::unused_async, reason = "where there are groups, an end is waited for")]
    pub async fn leader_exit(&self) {
        match self.0 {}
    }

    /// Never called.
    pub fn kill_rest(self) -> io::Result<ExitStatus> {
        match self.0 {}
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::ErrorKind,
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use super::*;
    use crate::{
        confinement::Steps,
        process::{Limit, set_limit},
    };

    #[test]
    fn a_process_limit_is_an_error_on_a_platform_without_limits() {
        assert_eq!(
            set_limit(Limit::AddressSpace(1)).unwrap_err().to_string(),
            "this platform cannot bound what a process uses: that needs limits of the kernel (rlimits)"
        );
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a process is what is tested")]
    fn nothing_starts_that_could_not_be_ended() {
        let mut command = Command::new("true");
        assert_eq!(Steps::default().apply_to(&mut command).unwrap_err().kind(), ErrorKind::Unsupported);
        let started = pin!(ProcessGroup::spawn(command)).poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(Err(error)) = started else { panic!("it was started") };
        assert_eq!(
            error.to_string(),
            "this platform cannot end a process with all that it started: that needs process groups"
        );
    }
}
