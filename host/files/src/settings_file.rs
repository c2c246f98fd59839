//! An agent's settings file: read as it is, replaced in one step.

mod error;
mod exchange;

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::dialect::settings::{Edit, SettingsError};
use hookbox_platform::{
    file::{is_link, is_there},
    folder::Folder,
};

use self::exchange::File;
pub use self::{
    error::{Doing, FileError},
    exchange::Kind,
};

/// How often a file is edited anew because another program was quicker.
const MAX_TRIES: usize = 100;

const NEW_FOLDER: u32 = 0o755;

/// What becomes of a text. It is called again when another program was quicker.
pub type MakeEdit<'a> = &'a dyn Fn(&str) -> Result<Edit, SettingsError>;

/// Where a settings file is, and whether links on the way are the user's own.
pub enum Location {
    /// The user's own file. A link is followed, so that a file kept elsewhere is edited where it is kept.
    User(PathBuf),
    /// A project's file: the root, and folder and file below it. A stranger's link could lead anywhere, so none is
    /// followed.
    Project {
        /// The project's folder.
        root: PathBuf,
        /// From there to the file's folder.
        folder: &'static str,
        /// The file's name.
        file: &'static str,
    },
}

impl Location {
    /// The path, for messages.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::User(path) => path.clone(),
            Self::Project { root, folder, file } => root.join(folder).join(file),
        }
    }

    /// The text of the file as it is; `None` if there is none.
    ///
    /// # Errors
    ///
    /// It is not a plain file of this user's, no UTF-8, longer than [`MAX_SETTINGS_BYTES`](hookbox::dialect::settings::MAX_SETTINGS_BYTES),
    /// or cannot be read.
    pub fn look(&self) -> Result<Option<String>, FileError> {
        let Some((folder, name)) = self.open(false)? else { return Ok(None) };
        let found = File::new(folder, name).read().map_err(|error| self.failed(Doing::Read, error))?;
        Ok(found.map(|found| found.text))
    }

    /// As [`Self::look`]; empty if there is none.
    pub fn read(&self) -> Result<String, FileError> {
        self.look().map(Option::unwrap_or_default)
    }

    /// The root of the project that it is in, if it is a project's.
    pub fn project(&self) -> Option<&Path> {
        match self {
            Self::User(_) => None,
            Self::Project { root, .. } => Some(root),
        }
    }

    /// Puts what `edit` makes of the file in its place, and returns that; nothing is written if it has nothing to do.
    /// What others write in the meantime stays: the file is exchanged, what it was is compared with what was read, and
    /// if that had changed it gets its place back and is edited anew, at most a hundred times.
    ///
    /// # Errors
    ///
    /// It cannot be read, edited or written, or others change it each time.
    pub fn edit(&self, edit: MakeEdit<'_>) -> Result<Edit, FileError> {
        let written = |error: io::Error| self.failed(Doing::Write, error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File::new(folder, name);
        file.lock().map_err(written)?;
        for _ in 0..MAX_TRIES {
            let found = file.read().map_err(|error| self.failed(Doing::Read, error))?;
            let made = self.edited(found.as_ref().map_or("", |found| &found.text), edit)?;
            if made.events.is_empty()
                || file.put(found.as_ref(), &made, edit, Kind::Settings).map_err(written)?
            {
                return Ok(made);
            }
        }
        Err(FileError::Busy(self.path()))
    }

    /// What `edit` makes of this text of the file; nothing is written.
    ///
    /// # Errors
    ///
    /// The text cannot be edited.
    pub fn edited(&self, text: &str, edit: MakeEdit<'_>) -> Result<Edit, FileError> {
        edit(text).map_err(|error| FileError::Unfit { path: self.path(), error })
    }

    /// Puts `text` in the place of what was found; an error, and nothing is written, if that has changed since.
    ///
    /// # Errors
    ///
    /// It has changed, or cannot be read or written.
    pub fn replace(&self, found: &str, text: &str, kind: Kind) -> Result<(), FileError> {
        let written = |error: io::Error| self.failed(Doing::Write, error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File::new(folder, name);
        file.lock().map_err(written)?;
        let now = file.read().map_err(|error| self.failed(Doing::Read, error))?;
        if now.as_ref().map_or("", |now| &now.text) != found {
            return Err(FileError::Changed(self.path()));
        }
        let made = |now: &str| {
            let events = if now == text { Vec::new() } else { vec![String::new()] };
            Edit { text: text.to_owned(), events }
        };
        let whole = file.put(now.as_ref(), &made(found), &|now| Ok(made(now)), kind).map_err(written)?;
        if whole { Ok(()) } else { Err(FileError::Changed(self.path())) }
    }

    /// Takes away what was found; an error if that has changed since. A file to which a link of the user's leads stays, with
    /// this text.
    ///
    /// # Errors
    ///
    /// It has changed, or cannot be read or taken away.
    pub fn remove(&self, found: &str, text: &str) -> Result<(), FileError> {
        if fs::symlink_metadata(self.path()).is_ok_and(|file| file.is_symlink()) {
            return self.replace(found, text, Kind::Settings);
        }
        let Some((folder, name)) = self.open(false)? else { return Ok(()) };
        let file = File::new(folder, name);
        file.lock().map_err(|error| self.failed(Doing::Remove, error))?;
        let now = file.read().map_err(|error| self.failed(Doing::Read, error))?;
        if now.map(|now| now.text).unwrap_or_default() != found {
            return Err(FileError::Changed(self.path()));
        }
        file.unlink().map_err(|error| self.failed(Doing::Remove, error))
    }

    /// The file's folder and its name in it; `None` if there is no such folder and it is not to be made.
    fn open(&self, make: bool) -> Result<Option<(Folder, String)>, FileError> {
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
            Err(error) => Err(self.failed(if make { Doing::Write } else { Doing::Read }, error)),
        }
    }

    fn failed(&self, doing: Doing, error: io::Error) -> FileError {
        FileError::Io { path: self.path(), doing, error }
    }
}

pub(crate) fn open_users(path: &Path, make: bool) -> io::Result<(Folder, String)> {
    let real = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(_) if is_there(path) => {
            return Err(io::Error::other("it is a symbolic link to a file that is not there"));
        }
        Err(_) => path.to_owned(),
    };
    let none = || io::Error::other("it has no folder");
    let (folder, name) = (real.parent().ok_or_else(none)?, real.file_name().ok_or_else(none)?);
    if make {
        fs::create_dir_all(folder)?;
    }
    Ok((Folder::open(folder)?, name.to_string_lossy().into_owned()))
}

pub(crate) fn open_projects(root: &Path, path: &Path, make: bool) -> io::Result<(Folder, String)> {
    let none = || io::Error::other("it has no folder");
    let (folders, name) = (path.parent().ok_or_else(none)?, path.file_name().ok_or_else(none)?);
    let mut folder = Folder::open(root)?;
    for part in folders {
        folder = open_below(&folder, part, make)?;
    }
    Ok((folder, name.to_string_lossy().into_owned()))
}

fn open_below(folder: &Folder, name: &OsStr, make: bool) -> io::Result<Folder> {
    if make {
        folder.make_folder(name, NEW_FOLDER)?;
    }
    folder.open_folder(name).map_err(|error| match error {
        error if is_link(&error) || error.kind() == io::ErrorKind::NotADirectory => {
            io::Error::other("its folder is a symbolic link, or no folder")
        }
        error => error,
    })
}
