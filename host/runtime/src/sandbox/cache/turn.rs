//! One at a time compiles a component, of all processes of a user: who comes second waits, and takes what the first made.

use std::{
    fs::{File, TryLockError},
    io::ErrorKind,
    time::Duration,
};

use super::CacheDir;

/// Between two looks at whether it is our turn.
const PAUSE: Duration = Duration::from_millis(20);
/// How the names of these files end; the lock on one goes with the process that has it.
pub(super) const SUFFIX: &str = ".lock";

/// The right to compile one component, until it is dropped.
pub(super) struct Turn {
    _file: Option<File>,
}

impl CacheDir {
    /// Waits until nobody else compiles the component of this key. Where there are no locks everyone compiles.
    pub(super) async fn turn(&self, key: &str) -> Turn {
        let Ok(file) = self.folder.open_lock(&format!("{key}{SUFFIX}")) else { return Turn { _file: None } };
        loop {
            match file.try_lock() {
                Ok(()) => return Turn { _file: Some(file) },
                Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Interrupted => {
                    return Turn { _file: None };
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }
}
