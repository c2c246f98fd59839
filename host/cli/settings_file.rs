//! An agent's settings file: read as it is, replaced in one step.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read, Write},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use hookbox::dialect::settings::MAX_SETTINGS_BYTES;
use rustix::{
    fs::{AtFlags, FileType, Mode, OFlags},
    io::Errno,
};

/// Mode of a file that was not there; the process's mask applies.
const NEW_FILE: u32 = 0o644;
const NEW_FOLDER: u32 = 0o755;
/// Mode of a file that is to be run.
const PROGRAM: u32 = 0o755;

/// Where a settings file is, and whether links on the way are the user's own.
pub(crate) enum Location {
    /// The user's own file. A link is followed, so that a file kept elsewhere is edited where it is kept.
    User(PathBuf),
    /// A project's file: the root, and folder and file below it. A stranger's link could lead anywhere, so none is
    /// followed.
    Project { root: PathBuf, folder: &'static str, file: &'static str },
}

/// What a file was when it was read.
pub(crate) struct Found {
    /// Empty if there is no file.
    pub(crate) text: String,
    mode: Option<Mode>,
}

impl Found {
    /// What is written in its place can be run.
    pub(crate) fn executable(self) -> Self {
        Self { mode: Some(Mode::from_raw_mode(PROGRAM)), ..self }
    }
}

impl Location {
    /// The path, for messages.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::User(path) => path.clone(),
            Self::Project { root, folder, file } => root.join(folder).join(file),
        }
    }

    /// The file as it is.
    pub(crate) fn read(&self) -> Result<Found, String> {
        let nothing = || Found { text: String::new(), mode: None };
        let Some((folder, name)) = self.open(false)? else { return Ok(nothing()) };
        Ok(read(&folder, &name).map_err(|error| self.failed("read", &error))?.unwrap_or_else(nothing))
    }

    /// Replaces what was found by `text`: a temporary file in the same folder, then a rename. The mode stays.
    pub(crate) fn replace(&self, found: &Found, text: &str) -> Result<(), String> {
        let Some((folder, name)) = self.open(true)? else {
            return Err(self.failed("written", &io::Error::from(io::ErrorKind::NotFound)));
        };
        let now = read(&folder, &name).map_err(|error| self.failed("read", &error))?;
        if now.map(|now| now.text).unwrap_or_default() != found.text {
            return Err(format!(
                "{} changed meanwhile; nothing was written, so run it again",
                self.path().display()
            ));
        }
        replace(&folder, &name, found.mode, text).map_err(|error| self.failed("written", &error))
    }

    /// Takes away what was found.
    pub(crate) fn remove(&self, found: &Found) -> Result<(), String> {
        let Some((folder, name)) = self.open(false)? else { return Ok(()) };
        let now = read(&folder, &name).map_err(|error| self.failed("read", &error))?;
        if now.map(|now| now.text).unwrap_or_default() != found.text {
            return Err(format!(
                "{} changed meanwhile; it was left there, so run it again",
                self.path().display()
            ));
        }
        rustix::fs::unlinkat(&folder, &*name, AtFlags::empty())
            .map_err(|error| self.failed("removed", &error.into()))
    }

    /// The file's folder and its name in it; `None` if there is no such folder and it is not to be made.
    fn open(&self, make: bool) -> Result<Option<(OwnedFd, String)>, String> {
        let opened = match self {
            Self::User(path) => open_users(path, make),
            Self::Project { root, folder, file } => {
                let path = Path::new(folder).join(file);
                open_projects(root, &path, make)
            }
        };
        match opened {
            Ok(opened) => Ok(Some(opened)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !make => Ok(None),
            Err(error) => Err(self.failed(if make { "written" } else { "read" }, &error)),
        }
    }

    fn failed(&self, what: &str, error: &io::Error) -> String {
        format!("{} cannot be {what}: {error}", self.path().display())
    }
}

fn open_users(path: &Path, make: bool) -> io::Result<(OwnedFd, String)> {
    let real = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(_) if rustix::fs::lstat(path).is_ok() => {
            return Err(io::Error::other("it is a symbolic link to a file that is not there"));
        }
        Err(_) => path.to_owned(),
    };
    let none = || io::Error::other("it has no folder");
    let (folder, name) = (real.parent().ok_or_else(none)?, real.file_name().ok_or_else(none)?);
    if make {
        fs::create_dir_all(folder)?;
    }
    let opened = rustix::fs::open(folder, folder_flags(), Mode::empty())?;
    Ok((opened, name.to_string_lossy().into_owned()))
}

fn open_projects(root: &Path, path: &Path, make: bool) -> io::Result<(OwnedFd, String)> {
    let none = || io::Error::other("it has no folder");
    let (folders, name) = (path.parent().ok_or_else(none)?, path.file_name().ok_or_else(none)?);
    let mut folder = rustix::fs::open(root, folder_flags(), Mode::empty())?;
    for part in folders {
        folder = open_below(&folder, part, make)?;
    }
    Ok((folder, name.to_string_lossy().into_owned()))
}

fn open_below(folder: &OwnedFd, name: &OsStr, make: bool) -> io::Result<OwnedFd> {
    if make {
        match rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(NEW_FOLDER)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let opened = rustix::fs::openat(folder, name, folder_flags() | OFlags::NOFOLLOW, Mode::empty());
    opened.map_err(|error| match error {
        Errno::LOOP | Errno::NOTDIR => io::Error::other("its folder is a symbolic link, or no folder"),
        error => error.into(),
    })
}

fn folder_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC
}

/// The file of this name, if there is one.
fn read(folder: &OwnedFd, name: &str) -> io::Result<Option<Found>> {
    // A FIFO must not hang.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let file = match rustix::fs::openat(folder, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(io::Error::other("it is a symbolic link")),
        Err(error) => return Err(error.into()),
    };
    let stat = rustix::fs::fstat(&file)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("it is not a plain file"));
    }
    // A rename would make it ours.
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    let mut bytes = Vec::new();
    fs::File::from(file).take(MAX_SETTINGS_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_SETTINGS_BYTES {
        return Err(io::Error::other(format!("it is longer than {MAX_SETTINGS_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        io::Error::other(format!("it is not UTF-8 (byte {})", error.utf8_error().valid_up_to()))
    })?;
    Ok(Some(Found { text, mode: Some(Mode::from_raw_mode(stat.st_mode)) }))
}

fn replace(folder: &OwnedFd, name: &str, mode: Option<Mode>, text: &str) -> io::Result<()> {
    let temporary = format!(".{name}.hookbox-{}.tmp", std::process::id());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(folder, &temporary, flags, Mode::from_raw_mode(NEW_FILE))?;
    let written = fill(fs::File::from(file), mode, text)
        .and_then(|()| Ok(rustix::fs::renameat(folder, &temporary, folder, name)?));
    if written.is_err() {
        let _ = rustix::fs::unlinkat(folder, &temporary, AtFlags::empty());
    }
    written
}

fn fill(mut file: fs::File, mode: Option<Mode>, text: &str) -> io::Result<()> {
    if let Some(mode) = mode {
        rustix::fs::fchmod(&file, mode)?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
