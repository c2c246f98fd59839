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

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// An open folder.
#[derive(Debug)]
pub struct Folder(File);

impl Folder {
    /// Opens the folder to which `path` leads.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, FOLDER, Mode::empty())?.into()))
    }

    /// Opens the folder at `path`, which is no link itself.
    pub fn open_itself(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, FOLDER | OFlags::NOFOLLOW, Mode::empty())?.into()))
    }

    /// Opens a folder in it.
    pub fn open_folder(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?.into()))
    }

    /// Makes a folder in it, with this mode less the process's mask, unless something has its name.
    pub fn make_folder(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        match rustix::fs::mkdirat(&self.0, name, bits(mode)) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// What is known of it.
    pub fn status(&self) -> io::Result<FileStatus> {
        FileStatus::of(&self.0)
    }

    /// What is known of a file in it.
    pub fn status_of(&self, name: &str) -> io::Result<FileStatus> {
        Ok(rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?.into())
    }

    /// Tells the names of the first `most` entries; those that are not UTF-8 are passed over. An error if the rest cannot be
    /// read: nobody is to take a part for all.
    pub fn for_each_name(&self, most: usize, mut see: impl FnMut(&str)) -> io::Result<()> {
        for entry in Dir::read_from(&self.0)?.take(most) {
            if let Ok(name) = entry?.file_name().to_str() {
                see(name);
            }
        }
        Ok(())
    }

    /// Opens a file in it to read it; a pipe holds up nobody.
    pub fn open_file(&self, name: &str) -> io::Result<File> {
        Ok(rustix::fs::openat(&self.0, name, READ | OFlags::NOFOLLOW, Mode::empty())?.into())
    }

    /// Makes a file in it, with this mode less the process's mask; an error if something has its name.
    pub fn create_file(&self, name: &str, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.0, name, flags, bits(mode))?.into())
    }

    /// Opens a file in it that is locked in another's place; it is this user's alone if it is new.
    pub fn open_lock(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        Ok(rustix::fs::openat(&self.0, name, flags, bits(0o600))?.into())
    }

    /// Gives what is called `from` the name `to`, whatever had it.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// The same if nothing has the name `to`, else an error of the kind [`io::ErrorKind::AlreadyExists`]; one of the kind
    /// [`io::ErrorKind::Unsupported`] where the file system cannot do this.
    pub fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.rename_with(from, to, RenameFlags::NOREPLACE)
    }

    /// Has two files take each other's names at once; an error of the kind [`io::ErrorKind::Unsupported`] where the file
    /// system cannot do this.
    pub fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        self.rename_with(one, other, RenameFlags::EXCHANGE)
    }

    fn rename_with(&self, from: &str, to: &str, flags: RenameFlags) -> io::Result<()> {
        match rustix::fs::renameat_with(&self.0, from, &self.0, to, flags) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Err(io::ErrorKind::Unsupported.into()),
            renamed => Ok(renamed?),
        }
    }

    /// Gives what is called `name` another name too; an error of the kind [`io::ErrorKind::AlreadyExists`] if something has
    /// that.
    pub fn link(&self, name: &str, other: &str) -> io::Result<()> {
        Ok(rustix::fs::linkat(&self.0, name, &self.0, other, AtFlags::empty())?)
    }

    /// Removes a file in it.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Brings to the disk which names it has.
    pub fn synchronise(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }

    /// Locks it until it is dropped, unless another process has it locked.
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        self.0.try_lock()
    }
}

fn bits(mode: u32) -> Mode {
    Mode::from_bits_truncate(raw(mode))
}

/// The type of a mode differs from platform to platform.
fn raw<T: TryFrom<u32> + Default>(mode: u32) -> T {
    T::try_from(mode).unwrap_or_default()
}
