//! A file of the user's with state that is kept between processes.

use std::{
    error::Error,
    ffi::OsStr,
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::atomic_file::{self, Access};
use hookbox_platform::{
    file::{self, FileKind, FileStatus, make_private_folders, open_lock},
    folder::Folder,
};

/// A file that could not be written; it is unchanged.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub file: PathBuf,
    /// The error.
    pub error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be written: {}", self.file.display(), self.error)
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// Replaces the file with this text, readable for this user alone; its folder is created if necessary.
pub(crate) fn replace_file(path: &Path, text: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else {
        return Err(io::ErrorKind::InvalidFilename.into());
    };
    // The state has parts of commands, and decisions that another user must not make.
    make_private_folders(folder)?;
    atomic_file::replace_or_create(&Folder::open(folder)?, name, Access::PRIVATE, text)
}

/// Reads at most `most` bytes of a plain file that is private to this user.
pub(crate) fn read_private(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (mut bytes, file) = (Vec::new(), file::open(path)?);
    let status = FileStatus::of_file(&file)?;
    if status.kind != FileKind::Plain || status.check_private().is_err() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // A truncated file is neither valid JSON nor a valid copy.
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Locks the file until the returned file is dropped.
pub(crate) fn lock_file(path: &Path) -> io::Result<File> {
    // Each write replaces the file, so a lock on the file itself would be on its predecessor.
    let file = open_lock(&path.with_extension("lock"))?;
    file.lock()?;
    Ok(file)
}
