//! Status of a file, without its content.

use std::{
    error::Error,
    fmt,
    fs::File,
    io,
    path::Path,
    time::{Duration, SystemTime},
};

use crate::Unsupported;

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file with bytes.
    Plain,
    /// A folder.
    Folder,
    /// Anything else: a link, a device, a pipe.
    Other,
}

/// Reason why a file is not this user's alone, and the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotPrivate {
    /// The platform does not report who may use a file.
    Unknown(Unsupported),
    /// The file belongs to another user.
    OtherOwner,
    /// Other users have access to the file.
    Shared {
        /// The kind of the file.
        kind: FileKind,
        /// Permissions: the lowest nine bits of its mode.
        mode: u32,
    },
}

impl fmt::Display for NotPrivate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unsupported) => fmt::Display::fmt(unsupported, f),
            Self::OtherOwner => f.write_str("it belongs to another user"),
            Self::Shared { kind, mode } => {
                let private = if *kind == FileKind::Folder { 700 } else { 600 };
                write!(f, "its mode is {mode:o}; make it yours alone with `chmod {private}`")
            }
        }
    }
}

impl Error for NotPrivate {}

/// Status of a file. Equal values mean one file with unchanged content, within the time resolution of its file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStatus {
    /// Its kind.
    pub kind: FileKind,
    /// Its size in bytes.
    pub size: u64,
    /// The file system that it is on.
    pub device: u64,
    /// Its inode number.
    pub inode: u64,
    /// Time of the last change of its content, which its owner can set: seconds since the Unix epoch, and nanoseconds.
    pub modified: (i64, i64),
    /// Time of the last change of content or status. No user can set it.
    pub changed: (i64, i64),
    /// Permissions: the lowest twelve bits of its mode.
    pub mode: u32,
    pub(super) owner: u32,
}

impl FileStatus {
    /// Returns the status of an open file.
    pub fn of_file(file: &File) -> io::Result<Self> {
        #[cfg(on_unix)]
        return Ok(Self::from(rustix::fs::fstat(file)?));
        #[cfg(not(on_unix))]
        return Self::report_unsupported(file);
    }

    /// Returns the status of the file at `path`, links followed.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        #[cfg(on_unix)]
        return Ok(Self::from(rustix::fs::stat(path)?));
        #[cfg(not(on_unix))]
        return Self::report_unsupported(path);
    }

    #[cfg(not(on_unix))]
    fn report_unsupported<T>(_: T) -> io::Result<Self> {
        Err(Unsupported { what: "tell one file from another", needs: "their numbers and owners" }.into())
    }

    /// Returns true if the file belongs to the process's effective user; false if that is unknown.
    pub fn is_own(&self) -> bool {
        #[cfg(on_unix)]
        return self.owner == rustix::process::geteuid().as_raw();
        #[cfg(not(on_unix))]
        return false;
    }

    /// Returns true if others may write to it.
    pub fn is_written_by_others(&self) -> bool {
        self.mode & 0o022 != 0
    }

    /// Checks that the file belongs to this user and no other user has any access.
    pub fn check_private(&self) -> Result<(), NotPrivate> {
        if cfg!(not(on_unix)) {
            let what = "tell who may use a file";
            return Err(NotPrivate::Unknown(Unsupported { what, needs: "owners and modes" }));
        }
        if !self.is_own() {
            return Err(NotPrivate::OtherOwner);
        }
        if self.mode & 0o077 != 0 {
            return Err(NotPrivate::Shared { kind: self.kind, mode: self.mode & 0o777 });
        }
        Ok(())
    }

    /// Returns the time of the last change of its content, in whole seconds.
    pub fn modified_time(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(self.modified.0).unwrap_or_default())
    }
}

#[cfg(on_unix)]
impl From<rustix::fs::Stat> for FileStatus {
    fn from(stat: rustix::fs::Stat) -> Self {
        use rustix::fs::FileType;
        Self {
            kind: match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => FileKind::Plain,
                FileType::Directory => FileKind::Folder,
                _ => FileKind::Other,
            },
            size: widen_number(stat.st_size),
            device: widen_number(stat.st_dev),
            inode: widen_number(stat.st_ino),
            modified: (widen_signed(stat.st_mtime), widen_signed(stat.st_mtime_nsec)),
            changed: (widen_signed(stat.st_ctime), widen_signed(stat.st_ctime_nsec)),
            mode: widen_mode(rustix::fs::Mode::from_raw_mode(stat.st_mode).bits()),
            owner: stat.st_uid,
        }
    }
}

/// The types of these fields differ from platform to platform.
#[cfg(on_unix)]
fn widen_number<T: TryInto<u64>>(value: T) -> u64 {
    value.try_into().unwrap_or(u64::MAX)
}

#[cfg(on_unix)]
fn widen_mode<T: TryInto<u32>>(bits: T) -> u32 {
    bits.try_into().unwrap_or_default()
}

#[cfg(on_unix)]
fn widen_signed<T: TryInto<i64>>(value: T) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}
