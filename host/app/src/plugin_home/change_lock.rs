//! Lock that serializes adding and removing plugins among a user's processes.

use std::{
    fs::{File, TryLockError},
    io::ErrorKind,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use hookbox_platform::{file::make_private_folders, folder::Folder};
use thiserror::Error;

use crate::places::Places;

/// Default time limit of a tool that builds a plugin from an author's source: several times what it takes on a slow machine.
/// Adding a single Python file holds the lock meanwhile.
pub const BUILD_TIME: Duration = Duration::from_mins(2);
/// Extra time for the steps before and after: checking the plugin, compiling it, writing.
const SLACK: Duration = Duration::from_secs(30);
/// Maximum time to wait for another hookbox that adds a plugin.
const MAX_WAIT: Duration = BUILD_TIME.saturating_add(SLACK);
/// Pause between two attempts to get the lock.
const PAUSE: Duration = Duration::from_millis(20);
/// The lock's file in the state folder.
const NAME: &str = "plugins.lock";

/// Another process held the lock for the whole time: advice for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "another hookbox is adding or removing a plugin, and did not finish within {} s: answer its question or stop it, and try again",
    MAX_WAIT.as_secs()
)]
pub struct PluginHomeBusy;

/// Exclusive right to add and remove plugins, among all processes of this user, until it is dropped.
#[derive(Debug)]
pub struct PluginHomeLock {
    _file: Option<File>,
}

impl PluginHomeLock {
    /// Waits for the lock, for as long as a build may take and half a minute. `waits` is called once if another process holds
    /// it. Without support for locks every process gets it.
    ///
    /// # Errors
    ///
    /// Another process holds the lock all the time.
    pub fn wait_for(places: &Places, waits: impl FnOnce()) -> Result<Self, PluginHomeBusy> {
        let lock = |state: PathBuf| {
            make_private_folders(&state)?;
            Folder::open(&state)?.open_lock(NAME)
        };
        let Some(Ok(file)) = places.state().map(lock) else { return Ok(Self { _file: None }) };
        // Polled, because `File::lock` waits without a limit.
        let begun = Instant::now();
        let pause = || {
            thread::sleep(PAUSE);
            begun.elapsed()
        };
        let is_locked = wait_until_locked(|| file.try_lock(), waits, pause)?;
        Ok(Self { _file: is_locked.then_some(file) })
    }
}

/// Tries until the lock is held; false without support for locks. `pause` returns the total time waited.
fn wait_until_locked(
    mut lock: impl FnMut() -> Result<(), TryLockError>,
    waits: impl FnOnce(),
    mut pause: impl FnMut() -> Duration,
) -> Result<bool, PluginHomeBusy> {
    let mut waits = Some(waits);
    loop {
        match lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => continue,
            Err(TryLockError::Error(_)) => return Ok(false),
        }
        if let Some(waits) = waits.take() {
            waits();
        }
        if pause() > MAX_WAIT {
            return Err(PluginHomeBusy);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, io};

    use super::*;

    /// Returns the result if another process holds the lock for so many seconds, and the number of calls of `waits`; no real
    /// time passes.
    fn wait_while_busy(busy: u64) -> (Result<bool, PluginHomeBusy>, usize) {
        let (seconds, notices) = (Cell::new(0), Cell::new(0));
        let lock = || if seconds.get() < busy { Err(TryLockError::WouldBlock) } else { Ok(()) };
        let pause = || {
            seconds.set(seconds.get() + 1);
            Duration::from_secs(seconds.get())
        };
        (wait_until_locked(lock, || notices.set(notices.get() + 1), pause), notices.get())
    }

    #[test]
    fn the_longest_build_is_awaited_and_the_wait_is_reported_once() {
        assert_eq!(wait_while_busy(BUILD_TIME.as_secs() + 1), (Ok(true), 1));
        assert_eq!(wait_while_busy(0), (Ok(true), 0));
    }

    #[test]
    fn a_process_that_does_not_end_is_awaited_up_to_a_limit() {
        let why = "another hookbox is adding or removing a plugin, and did not finish within 150 s: answer its question or stop it, and try again";
        assert_eq!(wait_while_busy(u64::MAX), (Err(PluginHomeBusy), 1));
        assert_eq!(PluginHomeBusy.to_string(), why);
    }

    #[test]
    fn a_lock_that_is_interrupted_is_tried_again_and_one_that_there_is_not_is_not_waited_for() {
        let mut kinds = [ErrorKind::Interrupted, ErrorKind::Unsupported].into_iter();
        let lock = || Err(TryLockError::Error(io::Error::from(kinds.next().unwrap())));
        assert_eq!(wait_until_locked(lock, || panic!("nobody else has it"), || Duration::ZERO), Ok(false));
    }
}
