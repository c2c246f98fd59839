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

/// To read. A pipe that nobody writes to holds up neither this nor whoever reads.
pub(crate) const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// Opens a file to read it, whatever it is; a pipe holds up nobody.
pub fn open(path: &Path) -> io::Result<File> {
    Ok(rustix::fs::open(path, READ, Mode::empty())?.into())
}

/// The same, if neither its own name nor its folder's is a link; an error that [`is_link`] knows otherwise.
pub fn open_unlinked(path: &Path) -> io::Result<File> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    // To look it up needs no right to read it, where the system knows the difference.
    #[cfg(on_linux)]
    let folder_flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    #[cfg(not(on_linux))]
    let folder_flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, folder_flags, Mode::empty())?;
    Ok(rustix::fs::openat(folder, name, READ | OFlags::NOFOLLOW, Mode::empty())?.into())
}

/// Was the error that a link was met, where none is followed? (Of a folder the system says that it is none:
/// [`io::ErrorKind::NotADirectory`].)
pub fn is_link(error: &io::Error) -> bool {
    Errno::from_io_error(error) == Some(Errno::LOOP)
}

/// Opens a file to add to it, for this user alone if it is new. A pipe that nobody reads holds up nobody.
pub fn append_private(path: &Path) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NONBLOCK;
    Ok(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?.into())
}

/// Opens the empty file that is locked in another's place; it and its folder are this user's alone if they are new.
pub fn open_lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        make_private_folders(folder)?;
    }
    File::options().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Makes the folder and those above it, as far as they are not there, for this user alone.
pub fn make_private_folders(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Gives an open file exactly this mode.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Lets this user alone read, change and run it.
pub fn make_runnable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// May its owner run it?
pub fn is_run_by_owner(path: &Path) -> bool {
    const OWNER_RUNS: u32 = 0o100;
    fs::metadata(path).is_ok_and(|file| file.mode() & OWNER_RUNS != 0)
}

/// May this process run it? An error says why not.
pub fn check_runnable(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(path, Access::EXEC_OK)?)
}
