//! The three standard streams of this process, which may be full, closed, or without a reader or writer.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use tokio::io::AsyncRead;

#[cfg(not(on_unix))]
use self::portable as system;
#[cfg(on_unix)]
use self::unix as system;

/// A standard stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// Standard input.
    Input,
    /// Standard output, for data.
    Output,
    /// Standard error, for everything else.
    Error,
}

impl Standard {
    /// Returns true if the stream is a terminal.
    pub fn is_terminal(self) -> bool {
        system::is_terminal(self)
    }

    /// Returns true if the stream is the null device. Rust's runtime replaces a closed stream with it when a program starts.
    pub fn is_null(self) -> bool {
        system::is_null(self)
    }
}

/// Waits for this time until there is input or its end; false if there is neither.
pub fn wait_for_input(max_wait: Duration) -> io::Result<bool> {
    system::wait_for_input(max_wait)
}

/// Reads the available standard input, without a buffer; 0 is its end.
pub fn read_input(buffer: &mut [u8]) -> io::Result<usize> {
    system::read_input(buffer)
}

/// Returns standard input, if it is a pipe, for a task that waits for other things too: without a thread that would have to be woken.
/// Must be called within a tokio runtime with I/O. Other processes that share the pipe see no change of it.
pub fn piped_input() -> io::Result<impl AsyncRead + Send + Unpin> {
    system::piped_input()
}

/// A stream for writing that waits for its reader, whether it blocks or not.
pub struct Stream {
    to: Standard,
    /// Time when waiting ends; `None` for never.
    deadline: Option<Instant>,
}

impl Stream {
    /// Waits for the reader until `deadline`; then fails with [`io::ErrorKind::TimedOut`].
    pub fn with_deadline(to: Standard, deadline: Instant) -> Self {
        Self { to, deadline: Some(deadline) }
    }

    /// Waits without a limit.
    pub fn without_deadline(to: Standard) -> Self {
        Self { to, deadline: None }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        system::write_bytes(self, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
