//! A file of the user's with state that is kept between processes.

use std::{
    error::Error,
    ffi::OsStr,
    fmt, io,
    path::{Path, PathBuf},
};

use hookbox::atomic_file::{self, Access};
use hookbox_platform::{file::make_private_folders, folder::Folder};

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
