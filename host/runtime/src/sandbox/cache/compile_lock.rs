//! Lock for compiling: of all processes of a user one compiles a component at a time; the others wait, and take its
//! result.

use std::{
    fs::{File, TryLockError},
    io::ErrorKind,
    time::Duration,
};

use super::CacheDir;

/// Interval of the attempts to lock.
const PAUSE: Duration = Duration::from_millis(20);
/// Suffix of these files' names; a lock is released when its process ends.
pub(super) const SUFFIX: &str = ".lock";

/// The exclusive right to compile one component, until it is dropped.
pub(super) struct CompileLock {
    _file: Option<File>,
}

impl CacheDir {
    /// Waits until no other process compiles the component of this key. Without file locks every process compiles.
    pub(super) async fn wait_for_lock(&self, key: &str) -> CompileLock {
        let Ok(file) = self.folder.open_lock(&format!("{key}{SUFFIX}")) else {
            return CompileLock { _file: None };
        };
        loop {
            // A blocking lock would occupy a thread until the other process is done, even if the hook of this
            // one is late by then.
            match file.try_lock() {
                Ok(()) => return CompileLock { _file: Some(file) },
                Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Interrupted => {
                    return CompileLock { _file: None };
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }
}
