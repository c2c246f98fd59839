//! Streams without a time limit: a wait with a limit is an error.

use std::{
    io::{self, IsTerminal as _, Write as _},
    time::Duration,
};

use super::{Standard, Stream};
use crate::Unsupported;

const NOT_SUPPORTED: Unsupported =
    Unsupported { what: "wait for a stream for only so long", needs: "a way to look before waiting" };

pub(super) fn is_terminal(stream: Standard) -> bool {
    match stream {
        Standard::Input => io::stdin().is_terminal(),
        Standard::Output => io::stdout().is_terminal(),
        Standard::Error => io::stderr().is_terminal(),
    }
}

/// Returns false, since the device is unknown.
pub(super) fn is_null(_: Standard) -> bool {
    false
}

pub(super) fn wait_for_input(_: Duration) -> io::Result<bool> {
    Err(NOT_SUPPORTED.into())
}

pub(super) fn read_input(_: &mut [u8]) -> io::Result<usize> {
    Err(NOT_SUPPORTED.into())
}

pub(super) fn piped_input() -> io::Result<tokio::io::Empty> {
    Err(NOT_SUPPORTED.into())
}

pub(super) fn write_bytes(stream: &Stream, bytes: &[u8]) -> io::Result<usize> {
    match (stream.to, stream.deadline) {
        (Standard::Output, None) => io::stdout().write_all(bytes).and_then(|()| io::stdout().flush()),
        (Standard::Error, None) => io::stderr().write_all(bytes),
        _ => Err(NOT_SUPPORTED.into()),
    }?;
    Ok(bytes.len())
}

#[cfg(test)]
mod tests {
    use std::{io::ErrorKind, time::Instant};

    use super::*;

    #[test]
    fn stream_operations_with_a_deadline_are_unsupported() {
        let late = Stream::with_deadline(Standard::Output, Instant::now()).write(b"text").unwrap_err();
        let silent = super::super::wait_for_input(Duration::ZERO).unwrap_err();
        assert_eq!([late.kind(), silent.kind()], [ErrorKind::Unsupported; 2]);
    }
}
