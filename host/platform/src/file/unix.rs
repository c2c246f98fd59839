//! Files of Unix.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

use rustix::{
    fs::{Access, Mode, OFlags},
    io::Errno,
};

/// Flags for reading. A pipe without a writer blocks neither opening nor reading.
pub(crate) const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// Opens a file of any kind for reading; a pipe does not block.
pub fn open(path: &Path) -> io::Result<File> {
    Ok(rustix::fs::open(path, READ, Mode::empty())?.into())
}

/// Opens a file for reading, if neither its own name nor its folder's is a link; otherwise fails with an error that [`is_link`]
/// recognises.
pub fn open_unlinked(path: &Path) -> io::Result<File> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    // Looking it up needs no right to read it, where the system distinguishes these.
    #[cfg(on_linux)]
    let folder_flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    #[cfg(not(on_linux))]
    let folder_flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, folder_flags, Mode::empty())?;
    Ok(rustix::fs::openat(folder, name, READ | OFlags::NOFOLLOW, Mode::empty())?.into())
}

/// Returns true if the error is a link where links are not followed. (For a folder the system reports [`io::ErrorKind::NotADirectory`].)
pub fn is_link(error: &io::Error) -> bool {
    Errno::from_io_error(error) == Some(Errno::LOOP)
}

/// Opens a file for appending, private to this user if it is new. A pipe without a reader does not block.
pub fn append_private(path: &Path) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NONBLOCK;
    Ok(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?.into())
}

/// Opens the empty file that is locked in another's place; a new file or folder is private to this user.
pub fn open_lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        make_private_folders(folder)?;
    }
    File::options().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Makes the folder and its missing parents, private to this user.
pub fn make_private_folders(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Sets the exact mode of an open file.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Lets only this user read, change and run it.
pub fn make_runnable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// Returns true if its owner may run it.
pub fn is_run_by_owner(path: &Path) -> bool {
    const OWNER_RUNS: u32 = 0o100;
    fs::metadata(path).is_ok_and(|file| file.mode() & OWNER_RUNS != 0)
}

/// Checks that this process may run it. The error gives the reason.
pub fn check_runnable(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(path, Access::EXEC_OK)?)
}
