//! The folder of a `hooks.toml` with the plugins that were added there: their files, `hookbox.lock` and the entries, written in
//! this order and either all or not at all.

mod change_lock;

use std::{
    error::Error,
    fmt,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{
    atomic_file::{Access, Draft},
    sandbox::component_file::MAX_COMPONENT_BYTES,
};
use hookbox_platform::{access::other_writer, file::FileKind, folder::Folder};

pub use self::change_lock::{BUILD_TIME, PluginHomeBusy, PluginHomeLock};
use crate::{
    places::Places,
    plugin_lock::{LockError, PLUGINS, PluginLock},
    settings_file::{FileError, FileOperation, Kind, Location, open_projects, open_users},
};

const LOCK: &str = "hookbox.lock";
const HOOKS: &str = "hooks.toml";
/// The folder of these files in a project.
const PROJECT: &str = ".hookbox";
/// Mode of new files; the process's mask applies.
const NEW_FILE: u32 = 0o644;

/// The folder of a `hooks.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluginHome {
    /// The user's own.
    User(PathBuf),
    /// The folder of the project with this root.
    Project(PathBuf),
}

/// Reason why plugins were not added or removed. All files are unchanged, unless the text states otherwise.
#[derive(Debug)]
pub enum PluginHomeError {
    /// A file is in the way, or cannot be read or written.
    File(FileError),
    /// The lock file is invalid.
    Lock {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: LockError,
    },
}

impl fmt::Display for PluginHomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Lock { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl Error for PluginHomeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Lock { error, .. } => Some(error),
        }
    }
}

impl From<FileError> for PluginHomeError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// New texts of the files, and the text that they replace.
#[derive(Clone, Debug)]
pub struct PluginChange {
    /// `hooks.toml` as it was found, if it existed.
    pub found: Option<String>,
    /// `hooks.toml` after the change.
    pub hooks: String,
    /// The lock file after the change.
    pub lock: PluginLock,
}

impl PluginHome {
    /// Returns the user's folder; `None` if the home folder is unknown.
    pub fn of_user(places: &Places) -> Option<Self> {
        Some(Self::User(places.user_config()?.parent()?.to_owned()))
    }

    /// Returns the folder's path.
    pub fn folder(&self) -> PathBuf {
        match self {
            Self::User(folder) => folder.clone(),
            Self::Project(root) => root.join(PROJECT),
        }
    }

    /// Returns the root of the project, if the folder is a project's.
    pub fn project(&self) -> Option<&Path> {
        match self {
            Self::User(_) => None,
            Self::Project(root) => Some(root),
        }
    }

    /// Returns the location of `hooks.toml`.
    pub fn hooks(&self) -> Location {
        self.locate_file(HOOKS)
    }

    /// Returns the path of a file, given relative to the folder.
    pub fn file_path(&self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    /// Returns the path of `hookbox.lock`.
    pub fn plugin_lock_path(&self) -> PathBuf {
        self.file_path(LOCK)
    }

    /// Reads the lock file; empty if it does not exist.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is invalid.
    pub fn lock(&self) -> Result<PluginLock, PluginHomeError> {
        let text = self.locate_file(LOCK).look()?;
        let Some(text) = text else { return Ok(PluginLock::default()) };
        PluginLock::parse(&text)
            .map_err(|error| PluginHomeError::Lock { path: self.plugin_lock_path(), error })
    }

    /// Describes another account that could replace files added to the user's folder, in a sentence. Files in a project are
    /// untrusted for everybody else in any case.
    pub fn other_writer(&self) -> Option<String> {
        let Self::User(folder) = self else { return None };
        let plugins = folder.join(PLUGINS);
        let there = [plugins, folder.clone()].into_iter().filter_map(|folder| folder.canonicalize().ok());
        there.into_iter().find_map(|folder| folder.ancestors().find_map(other_writer))
    }

    /// Returns true if a plain file is at this path, relative to the folder; false if nothing is.
    ///
    /// # Errors
    ///
    /// The path is a link, not a plain file, or another user's; or its folder cannot be opened.
    pub fn is_there(&self, path: &str) -> Result<bool, PluginHomeError> {
        let opened = match self.open(path, false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            opened => opened.map_err(|error| self.wrap_file_error(path, FileOperation::Read, error))?,
        };
        let (folder, name) = opened;
        is_plain_file(&folder, &name).map_err(|error| self.wrap_file_error(path, FileOperation::Read, error))
    }

    /// Writes a plugin's bytes to this path and makes the change; if any of it fails, all files are as before.
    ///
    /// # Errors
    ///
    /// A file is in the way, cannot be written, or has changed since it was found.
    pub fn put_plugin(&self, path: &str, bytes: &[u8], change: &PluginChange) -> Result<(), PluginHomeError> {
        self.write_then(path, bytes, || self.apply_change(change))
    }

    /// Makes the change: the lock file, then `hooks.toml`. If any of it fails, both are as before.
    ///
    /// # Errors
    ///
    /// A file is in the way, cannot be written, or has changed since it was found.
    pub fn apply_change(&self, change: &PluginChange) -> Result<(), PluginHomeError> {
        let PluginChange { found, hooks, lock } = change;
        let found = found.as_deref().unwrap_or_default();
        let entries = || {
            if hooks == found {
                return Ok(());
            }
            self.hooks().replace_text(found, hooks, Kind::Settings).map_err(PluginHomeError::from)
        };
        self.write_then(LOCK, lock.text().as_bytes(), entries)
    }

    /// Makes a change that removes a plugin: `hooks.toml`, then the lock file. If the process is killed between them, the entry
    /// is gone and `remove_file` finds the rest again. If any of it fails, both are as before.
    ///
    /// # Errors
    ///
    /// A file is in the way, cannot be written, or has changed since it was found.
    pub fn take_out(&self, change: &PluginChange) -> Result<(), PluginHomeError> {
        let PluginChange { found, hooks, lock } = change;
        let found = found.as_deref().unwrap_or_default();
        if hooks != found {
            self.hooks().replace_text(found, hooks, Kind::Settings)?;
        }
        self.write_then(LOCK, lock.text().as_bytes(), || Ok(())).inspect_err(|_| {
            if hooks != found {
                // If this fails as well, the first error is reported: it is the cause.
                let _ = self.hooks().replace_text(hooks, found, Kind::Settings);
            }
        })
    }

    /// Removes a plugin's file.
    ///
    /// # Errors
    ///
    /// The file exists and cannot be removed.
    pub fn remove_file(&self, path: &str) -> Result<(), PluginHomeError> {
        let failed = |error| self.wrap_file_error(path, FileOperation::Remove, error);
        let (folder, name) = match self.open(path, false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened.map_err(failed)?,
        };
        match folder.remove_file(&name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }

    /// Writes the bytes and then does the rest. A copy of the former content is on the disk first, so that it can be restored
    /// even if the disk is full by then.
    fn write_then(
        &self,
        path: &str,
        bytes: &[u8],
        rest: impl FnOnce() -> Result<(), PluginHomeError>,
    ) -> Result<(), PluginHomeError> {
        let failed = |error| self.wrap_file_error(path, FileOperation::Write, error);
        let (folder, name) = self.open(path, true).map_err(failed)?;
        let was_there = is_plain_file(&folder, &name).map_err(failed)?;
        let access = Access::New(NEW_FILE);
        let draft = Draft::write_temporary(&folder, access, bytes).map_err(failed)?;
        if !was_there {
            // This replaces nothing, in case another program has made the file since it was looked for.
            draft.persist_new(&name).map_err(failed)?;
            return rest().inspect_err(|_| drop(folder.remove_file(&name)));
        }
        let before = read_content(&folder, &name).map_err(failed)?;
        let before = Draft::write_temporary(&folder, access, &before).map_err(failed)?;
        draft.replace_file(&name).map_err(failed)?;
        match rest() {
            Ok(()) => Ok(()),
            Err(why) => {
                before.replace_file(&name).map_err(failed)?;
                Err(why)
            }
        }
    }

    /// Opens the folder of this path and returns it with the name of the file. In a project no link is followed; the user's own
    /// folders may be links.
    fn open(&self, path: &str, make: bool) -> io::Result<(Folder, String)> {
        match self {
            Self::Project(root) => open_projects(root, &Path::new(PROJECT).join(path), make),
            Self::User(folder) if path == LOCK => open_users(&folder.join(path), make),
            Self::User(folder) => {
                let path = folder.join(path);
                // A removal or replacement affects the link itself.
                if path.is_symlink() {
                    return Err(io::Error::other("it is a symbolic link; move it away"));
                }
                open_users(&path, make)
            }
        }
    }

    fn locate_file(&self, file: &'static str) -> Location {
        match self {
            Self::User(folder) => Location::User(folder.join(file)),
            Self::Project(root) => Location::Project { root: root.clone(), folder: PROJECT, file },
        }
    }

    fn wrap_file_error(&self, path: &str, doing: FileOperation, error: io::Error) -> PluginHomeError {
        FileError::Io { path: self.file_path(path), doing, error }.into()
    }
}

fn is_plain_file(folder: &Folder, name: &str) -> io::Result<bool> {
    let status = match folder.status_of(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        status => status?,
    };
    if status.kind != FileKind::Plain {
        return Err(io::Error::other("it is a symbolic link, or no plain file; move it away"));
    }
    if !status.is_own() {
        return Err(io::Error::other("it belongs to another user"));
    }
    Ok(true)
}

fn read_content(folder: &Folder, name: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    folder.open_file(name)?.take(MAX_COMPONENT_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
