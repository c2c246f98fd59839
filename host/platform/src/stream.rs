//! The three streams of this process, which may be full, closed, or read or written by nobody.

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

/// One of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// What is read.
    Input,
    /// Where data goes.
    Output,
    /// Where everything else goes.
    Error,
}

impl Standard {
    /// Is a person at it?
    pub fn is_terminal(self) -> bool {
        system::is_terminal(self)
    }

    /// Is it the device that forgets everything? A stream that is closed when a program of Rust starts becomes this.
    pub fn is_null(self) -> bool {
        system::is_null(self)
    }
}

/// Waits so long until there is something to read on standard input, or its end; false if there is neither.
pub fn wait_for_input(patience: Duration) -> io::Result<bool> {
    system::wait_for_input(patience)
}

/// Reads what there is on standard input, without a buffer; 0 is its end.
pub fn read_input(buffer: &mut [u8]) -> io::Result<usize> {
    system::read_input(buffer)
}

/// Standard input, if it is a pipe, for who waits for other things too: without a thread that would have to be woken. Must be called
/// within a tokio runtime that has its I/O on. Whoever shares the pipe finds it as it was.
pub fn piped_input() -> io::Result<impl AsyncRead + Send + Unpin> {
    system::piped_input()
}

/// A stream that is written to and waited for, whether it blocks or not.
pub struct Stream {
    to: Standard,
    /// When waiting ends; `None` for never.
    deadline: Option<Instant>,
}

impl Stream {
    /// Waits until `deadline` for whoever reads; an error of the kind [`io::ErrorKind::TimedOut`] after that.
    pub fn until(to: Standard, deadline: Instant) -> Self {
        Self { to, deadline: Some(deadline) }
    }

    /// Waits as long as it takes.
    pub fn patient(to: Standard) -> Self {
        Self { to, deadline: None }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        system::write(self, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
