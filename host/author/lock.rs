//! One at a time builds in a folder, of all processes.

use std::{
    fs::{File, TryLockError},
    io::ErrorKind,
    path::Path,
    thread,
    time::Duration,
};

use hookbox_platform::folder::Folder;

use crate::printer::Printer;

/// Between two looks at whether it is our turn.
const PAUSE: Duration = Duration::from_millis(50);
/// The file; the lock on it goes with the process that has it.
const NAME: &str = ".lock";

/// The right to build in a folder, until it is dropped.
pub(crate) struct Turn {
    _file: File,
}

impl Turn {
    /// Waits until nobody else builds in this folder.
    pub(crate) fn wait(folder: &Path, printer: &Printer) -> Result<Self, String> {
        let refused = |error| format!("cannot lock {}: {error}", folder.join(NAME).display());
        let file = Folder::open(folder).and_then(|folder| folder.open_lock(NAME)).map_err(refused)?;
        let mut told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Interrupted => {
                    return Err(refused(error));
                }
                Err(_) if told => thread::sleep(PAUSE),
                Err(_) => {
                    printer.note("another build of this plugin is under way; waiting for it to end");
                    told = true;
                }
            }
        }
    }
}
