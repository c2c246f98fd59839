//! Folders of Unix.

use std::{
    ffi::OsStr,
    fs::{File, TryLockError},
    io,
    path::Path,
};

use rustix::{
    fs::{AtFlags, Dir, Mode, OFlags, RenameFlags},
    io::Errno,
};

use crate::file::{FileStatus, READ};

// Not `O_PATH`: such a handle can be neither listed, nor synced, nor locked.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// An open folder.
#[derive(Debug)]
pub struct Folder(File);

impl Folder {
    /// Opens the folder at `path`, links followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, FOLDER, Mode::empty())?.into()))
    }

    /// Opens the folder at `path`, which must not be a link itself.
    pub fn open_itself(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, FOLDER | OFlags::NOFOLLOW, Mode::empty())?.into()))
    }

    /// Opens a folder in this one.
    pub fn open_folder(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?.into()))
    }

    /// Makes a folder in this one, with this mode less the process's mask. Does nothing if the name is taken, by a file of any kind.
    pub fn make_folder(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        match rustix::fs::mkdirat(&self.0, name, to_mode(mode)) {
            // Another process may have made it just now. If the name belongs to a link or a file, `open_folder` refuses it.
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the status of the folder.
    pub fn status(&self) -> io::Result<FileStatus> {
        FileStatus::of_file(&self.0)
    }

    /// Returns the status of a file in the folder.
    pub fn status_of(&self, name: &str) -> io::Result<FileStatus> {
        Ok(rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?.into())
    }

    /// Passes the names of the first `most` entries to `see`, without those that are not UTF-8. An error if the rest cannot be read, so
    /// that a part is not taken for all.
    pub fn for_each_name(&self, most: usize, mut see: impl FnMut(&str)) -> io::Result<()> {
        for entry in Dir::read_from(&self.0)?.take(most) {
            if let Ok(name) = entry?.file_name().to_str() {
                see(name);
            }
        }
        Ok(())
    }

    /// Opens a file in the folder for reading; a pipe does not block.
    pub fn open_file(&self, name: &str) -> io::Result<File> {
        Ok(rustix::fs::openat(&self.0, name, READ | OFlags::NOFOLLOW, Mode::empty())?.into())
    }

    /// Makes a file in the folder, with this mode less the process's mask; an error if the name is taken.
    pub fn create_file(&self, name: &str, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.0, name, flags, to_mode(mode))?.into())
    }

    /// Opens a file in the folder that is locked in another's place; a new file is private to this user.
    pub fn open_lock(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        Ok(rustix::fs::openat(&self.0, name, flags, to_mode(0o600))?.into())
    }

    /// Renames `from` to `to`, replacing a file of that name.
    pub fn rename_file(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Renames `from` to `to` if that name is free, else fails with [`io::ErrorKind::AlreadyExists`]; fails with
    /// [`io::ErrorKind::Unsupported`] where the file system cannot do this.
    pub fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.rename_with(from, to, RenameFlags::NOREPLACE)
    }

    /// Exchanges the names of two files atomically; fails with [`io::ErrorKind::Unsupported`] where the file system cannot do this.
    pub fn exchange_files(&self, one: &str, other: &str) -> io::Result<()> {
        self.rename_with(one, other, RenameFlags::EXCHANGE)
    }

    fn rename_with(&self, from: &str, to: &str, flags: RenameFlags) -> io::Result<()> {
        match rustix::fs::renameat_with(&self.0, from, &self.0, to, flags) {
            // A file system without the flag reports EINVAL, and a kernel or a sandbox without the call ENOSYS.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Err(io::ErrorKind::Unsupported.into()),
            renamed => Ok(renamed?),
        }
    }

    /// Gives the file `name` another name too; fails with [`io::ErrorKind::AlreadyExists`] if that name is taken.
    pub fn link_file(&self, name: &str, other: &str) -> io::Result<()> {
        Ok(rustix::fs::linkat(&self.0, name, &self.0, other, AtFlags::empty())?)
    }

    /// Removes a file in the folder.
    pub fn remove_file(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Writes the folder's entries to the disk.
    pub fn synchronise(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }

    /// Locks the folder until it is dropped, unless another process has locked it.
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        self.0.try_lock()
    }
}

fn to_mode(mode: u32) -> Mode {
    Mode::from_bits_truncate(to_raw_mode(mode))
}

/// The type of a mode differs from platform to platform.
fn to_raw_mode<T: TryFrom<u32> + Default>(mode: u32) -> T {
    T::try_from(mode).unwrap_or_default()
}
