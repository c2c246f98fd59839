//! One at a time compiles a component, of all processes of a user: who comes second waits, and takes what the first made.

use std::{os::fd::OwnedFd, time::Duration};

use rustix::{
    fs::{FlockOperation, Mode, OFlags},
    io::Errno,
};

use super::CacheDir;

/// Between two looks at whether it is our turn.
const PAUSE: Duration = Duration::from_millis(20);
/// How the names of these files end; the lock on one goes with the process that has it.
pub(super) const SUFFIX: &str = ".lock";

/// The right to compile one component, until it is dropped.
pub(super) struct Turn {
    _file: Option<OwnedFd>,
}

impl CacheDir {
    /// Waits until nobody else compiles the component of this key. Where there are no locks everyone compiles.
    pub(super) async fn turn(&self, key: &str) -> Turn {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let opened = rustix::fs::openat(&self.fd, format!("{key}{SUFFIX}"), flags, Mode::RUSR | Mode::WUSR);
        let Ok(file) = opened else { return Turn { _file: None } };
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Turn { _file: Some(file) },
                Err(Errno::AGAIN | Errno::INTR) => tokio::time::sleep(PAUSE).await,
                Err(_) => return Turn { _file: None },
            }
        }
    }
}
