//! A file of the user's that keeps something from one process to the next.

use std::{ffi::OsStr, io, path::Path};

use hookbox::atomic_file::{self, Access};
use hookbox_platform::{file::make_private_folders, folder::Folder};

/// Puts this text in the file's place, for this user alone; its folder is made if need be.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else {
        return Err(io::ErrorKind::InvalidFilename.into());
    };
    make_private_folders(folder)?;
    atomic_file::write(&Folder::open(folder)?, name, Access::PRIVATE, text)
}
