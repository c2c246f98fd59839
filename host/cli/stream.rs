//! Writing to a stream that may be full, closed, or read by nobody.

use std::{
    io::{self, Write},
    os::fd::BorrowedFd,
    time::Instant,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::FileType,
    io::Errno,
};

/// What a pipe that has room takes at once without blocking, bytes.
const CHUNK: usize = 4096;

/// A stream that is waited for, whether it blocks or not.
pub(crate) struct Stream<'fd> {
    fd: BorrowedFd<'fd>,
    /// When waiting ends; `None` for never.
    deadline: Option<Instant>,
}

impl<'fd> Stream<'fd> {
    /// Waits until `deadline` for whoever reads; an error of the kind [`io::ErrorKind::TimedOut`] after that.
    pub(crate) fn until(fd: BorrowedFd<'fd>, deadline: Instant) -> Self {
        Self { fd, deadline: Some(deadline) }
    }

    /// Waits as long as it takes.
    pub(crate) fn patient(fd: BorrowedFd<'fd>) -> Self {
        Self { fd, deadline: None }
    }

    /// Waits until it takes some bytes, or until writing shows why it does not.
    fn wait(&self) -> io::Result<()> {
        loop {
            let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let timeout = left.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
            match poll(&mut [PollFd::new(&self.fd, PollFlags::OUT)], timeout.as_ref()) {
                Err(Errno::INTR) => {}
                Ok(0) => return Err(io::Error::new(io::ErrorKind::TimedOut, "nobody reads it")),
                // Where nothing can be waited for, writing tells.
                _ => return Ok(()),
            }
        }
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let chunk = bytes.get(..CHUNK).unwrap_or(bytes);
        loop {
            self.wait()?;
            match rustix::io::write(self.fd, chunk) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                written => return Ok(written?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Is it the device that forgets everything? A stream that is closed when a program of Rust starts becomes this.
pub(crate) fn is_null(fd: BorrowedFd<'_>) -> bool {
    rustix::fs::fstat(fd).is_ok_and(|stat| {
        let device = (rustix::fs::major(stat.st_rdev), rustix::fs::minor(stat.st_rdev));
        FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice && device == (1, 3)
    })
}
