//! Lock that allows one run at a time in a clone: two would replace each other's files.

use std::fs::{self, File, TryLockError};

use anyhow::{Context, Result};

use crate::project::Project;

/// A run of xtask in this clone; another one waits until it is dropped, or its process has exited.
pub(crate) struct RunLock {
    _file: File,
}

impl RunLock {
    /// Takes the lock; prints a line if another run has it, and waits.
    pub(crate) fn take(project: &Project) -> Result<Self> {
        let path = project.target.join("xtask.lock");
        let failed = || format!("cannot lock {}", path.display());
        fs::create_dir_all(&project.target).with_context(failed)?;
        let file = File::create(&path).with_context(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                println!("another `cargo xtask` runs in this clone; this one waits for it");
                file.lock().with_context(failed)?;
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(failed),
        }
        Ok(Self { _file: file })
    }
}
