//! Lock that serializes builds in a folder, or of a file, among all processes.

use std::{
    fs::{File, TryLockError},
    io::{self, ErrorKind},
    path::Path,
    thread,
    time::Duration,
};

use hookbox_platform::{
    file::{self, FileStatus},
    folder::Folder,
};

use crate::printer::Printer;

/// Pause between two attempts to get the lock.
const PAUSE: Duration = Duration::from_millis(50);
/// The lock's file; the lock ends with the process that holds it.
const NAME: &str = ".lock";

/// Exclusive right to build, until it is dropped.
pub(crate) struct BuildLock {
    _file: File,
}

impl BuildLock {
    /// Waits until no other process builds in this folder.
    pub(crate) fn wait_for(folder: &Path, printer: &Printer) -> Result<Self, String> {
        let refused = |error| format!("cannot lock {}: {error}", folder.join(NAME).display());
        let file = Folder::open(folder).and_then(|folder| folder.open_lock(NAME)).map_err(refused)?;
        take_lock(&file, printer).map_err(refused)?;
        Ok(Self { _file: file })
    }

    /// Waits until no other process builds this file; no lock file is left next to it. Where the file system cannot lock a file
    /// that is open for reading, it does not wait.
    pub(crate) fn wait_for_file(path: &Path, printer: &Printer) -> io::Result<Self> {
        loop {
            let file = file::open(path)?;
            // An editor may have replaced the file meanwhile; the new file has a lock of its own.
            if take_lock(&file, printer).is_err() || is_still_at(&file, path) {
                return Ok(Self { _file: file });
            }
        }
    }
}

fn take_lock(file: &File, printer: &Printer) -> io::Result<()> {
    let mut reported = false;
    loop {
        // Polled, since `File::lock` would wait without a chance to report it.
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Interrupted => return Err(error),
            Err(_) if reported => thread::sleep(PAUSE),
            Err(_) => {
                printer.print_note("another build of this plugin is under way; waiting for it to end");
                reported = true;
            }
        }
    }
}

/// Returns true if the path still leads to the file, or if that cannot be determined.
fn is_still_at(file: &File, path: &Path) -> bool {
    let (Ok(locked), Ok(there)) = (FileStatus::of_file(file), FileStatus::of_path(path)) else { return true };
    (locked.device, locked.inode) == (there.device, there.inode)
}
