//! An agent's settings file: read as it is, replaced in one step.

mod error;
mod exchange;

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::agents::settings::{Edit, SettingsError};
use hookbox_platform::{
    file::{is_link, is_there},
    folder::Folder,
};

use self::exchange::File;
pub use self::{
    error::{FileError, FileOperation},
    exchange::Kind,
};

/// Maximum number of edits if other programs keep changing the file.
const MAX_TRIES: usize = 100;

const NEW_FOLDER: u32 = 0o755;

/// Edits a text. It is called again when another program was quicker.
pub type MakeEdit<'a> = &'a dyn Fn(&str) -> Result<Edit, SettingsError>;

/// Location of a settings file, which determines whether links on the way are followed.
pub enum Location {
    /// The user's own file. A link is followed, so that a file stored elsewhere is edited there.
    User(PathBuf),
    /// A project's file: the root, and folder and file below it. An untrusted link could lead anywhere, so none is followed.
    Project {
        /// The project's folder.
        root: PathBuf,
        /// Path from there to the file's folder.
        folder: &'static str,
        /// The file's name.
        file: &'static str,
    },
}

impl Location {
    /// Returns the path, for messages.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::User(path) => path.clone(),
            Self::Project { root, folder, file } => root.join(folder).join(file),
        }
    }

    /// Returns the current text of the file; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// The file is not a plain file of this user's, not UTF-8, longer than
    /// [`MAX_SETTINGS_BYTES`](hookbox::agents::settings::MAX_SETTINGS_BYTES), or cannot be read.
    pub fn look(&self) -> Result<Option<String>, FileError> {
        let Some((folder, name)) = self.open(false)? else { return Ok(None) };
        let found = File::new(folder, name)
            .read()
            .map_err(|error| self.wrap_file_error(FileOperation::Read, error))?;
        Ok(found.map(|found| found.text))
    }

    /// Reads the text as [`Self::look`] does; empty if the file does not exist.
    pub fn read(&self) -> Result<String, FileError> {
        self.look().map(Option::unwrap_or_default)
    }

    /// Returns the root of the project that contains the file, if it is a project's.
    pub fn project(&self) -> Option<&Path> {
        match self {
            Self::User(_) => None,
            Self::Project { root, .. } => Some(root),
        }
    }

    /// Replaces the file with the result of `edit`, and returns that; nothing is written if there is nothing to change.
    /// Concurrent changes of others are kept: the file is exchanged, the old one is compared with the text that was read, and
    /// if it had changed it is restored and edited again, at most a hundred times.
    ///
    /// # Errors
    ///
    /// The file cannot be read, edited or written, or others change it each time.
    pub fn edit_file(&self, edit: MakeEdit<'_>) -> Result<Edit, FileError> {
        let written = |error: io::Error| self.wrap_file_error(FileOperation::Write, error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File::new(folder, name);
        file.lock().map_err(written)?;
        for _ in 0..MAX_TRIES {
            let found = file.read().map_err(|error| self.wrap_file_error(FileOperation::Read, error))?;
            let made = self.edit_text(found.as_ref().map_or("", |found| &found.text), edit)?;
            if made.events.is_empty()
                || file.put_edit(found.as_ref(), &made, edit, Kind::Settings).map_err(written)?
            {
                return Ok(made);
            }
        }
        Err(FileError::Busy(self.path()))
    }

    /// Returns the result of `edit` for this text of the file; nothing is written.
    ///
    /// # Errors
    ///
    /// The text cannot be edited.
    pub fn edit_text(&self, text: &str, edit: MakeEdit<'_>) -> Result<Edit, FileError> {
        edit(text).map_err(|error| FileError::Unfit { path: self.path(), error })
    }

    /// Replaces the text `found` with `text`; an error, and nothing is written, if the file has changed since it was read.
    ///
    /// # Errors
    ///
    /// The file has changed, or cannot be read or written.
    pub fn replace_text(&self, found: &str, text: &str, kind: Kind) -> Result<(), FileError> {
        let written = |error: io::Error| self.wrap_file_error(FileOperation::Write, error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File::new(folder, name);
        file.lock().map_err(written)?;
        let now = file.read().map_err(|error| self.wrap_file_error(FileOperation::Read, error))?;
        if now.as_ref().map_or("", |now| &now.text) != found {
            return Err(FileError::Changed(self.path()));
        }
        // The edit is made once more on the written file, where an event stands for a change that is still missing.
        let made = |now: &str| {
            let events = if now == text { Vec::new() } else { vec![String::new()] };
            Edit { text: text.to_owned(), events }
        };
        let whole = file.put_edit(now.as_ref(), &made(found), &|now| Ok(made(now)), kind).map_err(written)?;
        if whole { Ok(()) } else { Err(FileError::Changed(self.path())) }
    }

    /// Removes the file with the text `found`; an error if it has changed since it was read. A file behind one of the user's
    /// links stays, with `text` as its content.
    ///
    /// # Errors
    ///
    /// The file has changed, or cannot be read or removed.
    pub fn remove_file(&self, found: &str, text: &str) -> Result<(), FileError> {
        // Removing the link would leave the user's own arrangement broken, and the file behind it in place.
        if fs::symlink_metadata(self.path()).is_ok_and(|file| file.is_symlink()) {
            return self.replace_text(found, text, Kind::Settings);
        }
        let Some((folder, name)) = self.open(false)? else { return Ok(()) };
        let file = File::new(folder, name);
        file.lock().map_err(|error| self.wrap_file_error(FileOperation::Remove, error))?;
        let now = file.read().map_err(|error| self.wrap_file_error(FileOperation::Read, error))?;
        if now.map(|now| now.text).unwrap_or_default() != found {
            return Err(FileError::Changed(self.path()));
        }
        file.unlink().map_err(|error| self.wrap_file_error(FileOperation::Remove, error))
    }

    /// Opens the file's folder and returns it with the file's name; `None` if the folder does not exist and is not to be
    /// created.
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
            Err(error) => {
                Err(self
                    .wrap_file_error(if make { FileOperation::Write } else { FileOperation::Read }, error))
            }
        }
    }

    fn wrap_file_error(&self, doing: FileOperation, error: io::Error) -> FileError {
        FileError::Io { path: self.path(), doing, error }
    }
}

pub(crate) fn open_users(path: &Path, make: bool) -> io::Result<(Folder, String)> {
    let real = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(_) if is_there(path) => {
            return Err(io::Error::other("it is a symbolic link to a file that does not exist"));
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
