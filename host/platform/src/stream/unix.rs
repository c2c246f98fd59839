//! Streams of Unix.

use std::{
    io,
    os::fd::BorrowedFd,
    path::Path,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::FileType,
    io::Errno,
    stdio,
};
use tokio::net::unix::pipe;

use super::{Standard, Stream};
use crate::file;

/// Bytes that a pipe with room takes without blocking.
const CHUNK: usize = 4096;

fn descriptor_of(stream: Standard) -> BorrowedFd<'static> {
    match stream {
        Standard::Input => stdio::stdin(),
        Standard::Output => stdio::stdout(),
        Standard::Error => stdio::stderr(),
    }
}

pub(super) fn is_terminal(stream: Standard) -> bool {
    rustix::termios::isatty(descriptor_of(stream))
}

/// Recognises the device by its number on Linux; returns false elsewhere.
pub(super) fn is_null(stream: Standard) -> bool {
    rustix::fs::fstat(descriptor_of(stream)).is_ok_and(|stat| {
        let device = (rustix::fs::major(stat.st_rdev), rustix::fs::minor(stat.st_rdev));
        cfg!(on_linux)
            && FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice
            && device == (1, 3)
    })
}

pub(super) fn wait_for_input(max_wait: Duration) -> io::Result<bool> {
    let timeout = Timespec::try_from(max_wait).map_err(io::Error::other)?;
    let input = descriptor_of(Standard::Input);
    Ok(poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&timeout))? != 0)
}

pub(super) fn read_input(buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(descriptor_of(Standard::Input), buffer)?)
}

/// Opens the pipe once more: making it non-blocking must not affect other processes that have it.
pub(super) fn piped_input() -> io::Result<pipe::Receiver> {
    pipe::Receiver::from_file(file::open(Path::new("/proc/self/fd/0"))?)
}

pub(super) fn write_bytes(stream: &Stream, bytes: &[u8]) -> io::Result<usize> {
    // A blocking pipe that is writable has room for `PIPE_BUF` bytes, which is 4096 on Linux; a longer write may
    // block past the deadline.
    let chunk = bytes.get(..CHUNK).unwrap_or(bytes);
    loop {
        wait_writable(stream)?;
        match rustix::io::write(descriptor_of(stream.to), chunk) {
            // An agent may pass a pipe that is non-blocking; another process may have filled it since the poll.
            Err(Errno::AGAIN | Errno::INTR) => {}
            written => return Ok(written?),
        }
    }
}

/// Waits until the stream takes some bytes, or until a write would fail.
fn wait_writable(stream: &Stream) -> io::Result<()> {
    loop {
        let left = stream.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let timeout = left.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&descriptor_of(stream.to), PollFlags::OUT)], timeout.as_ref()) {
            Err(Errno::INTR) => {}
            Ok(0) => return Err(io::Error::new(io::ErrorKind::TimedOut, "nobody reads it")),
            // Where waiting is not possible, the write reports the state.
            _ => return Ok(()),
        }
    }
}
