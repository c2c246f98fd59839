//! An agent's settings file: read as it is, replaced in one step.

mod exchange;

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::dialect::settings::Edit;
use hookbox_platform::{
    file::{is_link, is_there},
    folder::Folder,
};

use self::exchange::File;
pub(crate) use self::exchange::Kind;

/// How often a file is edited anew because another program was quicker.
const MAX_TRIES: usize = 100;

const NEW_FOLDER: u32 = 0o755;

/// Where a settings file is, and whether links on the way are the user's own.
pub(crate) enum Location {
    /// The user's own file. A link is followed, so that a file kept elsewhere is edited where it is kept.
    User(PathBuf),
    /// A project's file: the root, and folder and file below it. A stranger's link could lead anywhere, so none is
    /// followed.
    Project { root: PathBuf, folder: &'static str, file: &'static str },
}

impl Location {
    /// The path, for messages.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::User(path) => path.clone(),
            Self::Project { root, folder, file } => root.join(folder).join(file),
        }
    }

    /// The text of the file as it is; `None` if there is none.
    pub(crate) fn look(&self) -> Result<Option<String>, String> {
        let Some((folder, name)) = self.open(false)? else { return Ok(None) };
        let found = File::new(folder, name).read().map_err(|error| self.failed("read", &error))?;
        Ok(found.map(|found| found.text))
    }

    /// The text of the file as it is; empty if there is none.
    pub(crate) fn read(&self) -> Result<String, String> {
        self.look().map(Option::unwrap_or_default)
    }

    /// The root of the project that it is in, if it is a project's.
    pub(crate) fn project(&self) -> Option<&Path> {
        match self {
            Self::User(_) => None,
            Self::Project { root, .. } => Some(root),
        }
    }

    /// Puts what `edit` makes of the file in its place, and returns that; nothing is written if it has nothing to do.
    /// What others write in the meantime stays: the file is exchanged, what it was is compared with what was read, and
    /// if that had changed it gets its place back and is edited anew.
    pub(crate) fn edit(&self, edit: &dyn Fn(&str) -> Result<Edit, String>) -> Result<Edit, String> {
        let written = |error: io::Error| self.failed("written", &error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File::new(folder, name);
        file.lock().map_err(written)?;
        for _ in 0..MAX_TRIES {
            let found = file.read().map_err(|error| self.failed("read", &error))?;
            let made = edit(found.as_ref().map_or("", |found| &found.text))?;
            if made.events.is_empty()
                || file.put(found.as_ref(), &made, edit, Kind::Settings).map_err(written)?
            {
                return Ok(made);
            }
        }
        Err(format!("{} is changed by another program all the time; run it again", self.path().display()))
    }

    /// Puts `text` in the place of what was found; an error, and nothing is written, if that has changed since.
    pub(crate) fn replace(&self, found: &str, text: &str, kind: Kind) -> Result<(), String> {
        let written = |error: io::Error| self.failed("written", &error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File::new(folder, name);
        file.lock().map_err(written)?;
        let now = file.read().map_err(|error| self.failed("read", &error))?;
        if now.as_ref().map_or("", |now| &now.text) != found {
            return Err(self.changed());
        }
        let made = |now: &str| {
            let events = if now == text { Vec::new() } else { vec![String::new()] };
            Ok(Edit { text: text.to_owned(), events })
        };
        let whole = file.put(now.as_ref(), &made(found)?, &made, kind).map_err(written)?;
        if whole { Ok(()) } else { Err(self.changed()) }
    }

    /// Takes away what was found; an error if that has changed since. A file to which a link of the user's leads stays, with
    /// this text.
    pub(crate) fn remove(&self, found: &str, text: &str) -> Result<(), String> {
        if fs::symlink_metadata(self.path()).is_ok_and(|file| file.is_symlink()) {
            return self.replace(found, text, Kind::Settings);
        }
        let Some((folder, name)) = self.open(false)? else { return Ok(()) };
        let file = File::new(folder, name);
        file.lock().map_err(|error| self.failed("removed", &error))?;
        let now = file.read().map_err(|error| self.failed("read", &error))?;
        if now.map(|now| now.text).unwrap_or_default() != found {
            return Err(self.changed());
        }
        file.unlink().map_err(|error| self.failed("removed", &error))
    }

    fn changed(&self) -> String {
        format!("{} changed meanwhile and was left as it is; run it again", self.path().display())
    }

    /// The file's folder and its name in it; `None` if there is no such folder and it is not to be made.
    fn open(&self, make: bool) -> Result<Option<(Folder, String)>, String> {
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

fn open_users(path: &Path, make: bool) -> io::Result<(Folder, String)> {
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

fn open_projects(root: &Path, path: &Path, make: bool) -> io::Result<(Folder, String)> {
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
