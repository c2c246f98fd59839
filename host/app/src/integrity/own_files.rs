//! Changes since the user's last command of hookbox, for `hookbox restore`, and the record that each such command writes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, ErrorKind},
    path::Path,
};

use hookbox::atomic_file::{self, Access};
use hookbox_platform::{file::make_private_folders, folder::Folder};

use super::{
    allowances,
    content::{describe_content, describe_status, read_content},
    known_good::{GoodFile, GoodFiles, KnownGood, MAX_COPY_BYTES},
    watched::{WatchedContent, WatchedFiles},
};
use crate::{
    places::Places,
    state_file::{self, WriteError},
};

/// Status of each watched file at some time.
pub struct FileStatuses {
    statuses: BTreeMap<String, String>,
    has_state_folder: bool,
}

/// Content of a file after the user's last command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoodContent {
    /// The file did not exist.
    Missing,
    /// The file had these bytes.
    Bytes(Vec<u8>),
    /// The content is not stored: the file was too long or unreadable, or its copy was changed.
    NotStored,
}

/// A file that differs from its state after the user's last command.
pub struct OwnFileChange {
    /// Its path.
    pub path: String,
    /// Its content after that command, which [`OwnFiles::undo_change`] writes.
    pub good: GoodContent,
    /// Its content now, up to the length of a copy; `None` if it does not exist or cannot be read.
    pub now: Option<Vec<u8>>,
    /// Its mode after that command and its mode now, if these differ.
    pub modes: Option<(u32, u32)>,
    file: GoodFile,
}

/// The watched files of the user, with their state after the user's last command.
pub struct OwnFiles {
    watched: WatchedFiles,
    good: KnownGood,
}

impl OwnFiles {
    /// Returns the files; `None` if no state folder is known.
    pub fn of_user(places: &Places) -> Option<Self> {
        let watched = WatchedFiles::of_user(places)?;
        let watched = match places.store() {
            Some(store) => watched.with_store(&store),
            None => watched,
        };
        let good = KnownGood::new(watched.state());
        Some(Self { watched, good })
    }

    /// Reads the status of each file, before a command that may change them.
    pub fn read_statuses(&self) -> FileStatuses {
        let paths = self.list_paths(&self.good.load_files());
        let status = |path: String| (path.clone(), describe_status(Path::new(&path)));
        let statuses = paths.into_iter().map(status).collect();
        FileStatuses { statuses, has_state_folder: self.watched.state().exists() }
    }

    /// Records the files that a command has changed, and those that no command has recorded yet. A command that changed no file
    /// records none.
    ///
    /// # Errors
    ///
    /// The record cannot be written; it is unchanged.
    pub fn record_changes(&self, before: &FileStatuses) -> Result<(), WriteError> {
        let FileStatuses { statuses: now, has_state_folder } = self.read_statuses();
        // The command has removed the folder, which a record would create again.
        if before.has_state_folder && !has_state_folder {
            return Ok(());
        }
        let recorded = self.good.load_files();
        let is_changed = |path: &String, status: &String| before.statuses.get(path) != Some(status);
        if !now.iter().any(|(path, status)| is_changed(path, status)) {
            return Ok(());
        }
        let new =
            now.iter().filter(|&(path, status)| is_changed(path, status) || !recorded.contains_key(path));
        self.accept_files(&new.map(|(path, _)| path.clone()).collect())
    }

    /// Returns the files that differ from their state after the user's last command.
    pub fn list_changes(&self) -> Vec<OwnFileChange> {
        self.good.load_files().into_iter().filter_map(|(path, file)| self.find_change(path, file)).collect()
    }

    /// Returns the files that no command has recorded yet.
    pub fn list_unrecorded(&self) -> BTreeSet<String> {
        let recorded = self.good.load_files();
        self.watched.list_paths().into_iter().filter(|path| !recorded.contains_key(path)).collect()
    }

    /// Takes these files as they are now for the user's.
    ///
    /// # Errors
    ///
    /// The record cannot be written; it is unchanged.
    pub fn accept_files(&self, paths: &BTreeSet<String>) -> Result<(), WriteError> {
        let error = |error| WriteError { file: self.good.index(), error };
        self.good.record_files(&self.watched, paths).map_err(error)
    }

    /// Gives the file the content, mode and existence that it had after the user's last command.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or its content is not stored.
    pub fn undo_change(&self, change: &OwnFileChange) -> Result<(), WriteError> {
        let path = Path::new(&change.path);
        let written = match &change.good {
            GoodContent::Missing => remove_file(path),
            GoodContent::Bytes(bytes) => put_file(path, &change.file, bytes),
            GoodContent::NotStored => Err(io::Error::other("hookbox has no copy of it")),
        };
        written.map_err(|error| WriteError { file: path.to_owned(), error })?;
        self.accept_files(&BTreeSet::from([change.path.clone()]))
    }

    /// Returns the watched and the recorded files.
    fn list_paths(&self, recorded: &GoodFiles) -> BTreeSet<String> {
        let mut paths = self.watched.list_paths();
        paths.extend(recorded.keys().cloned());
        paths
    }

    fn find_change(&self, path: String, file: GoodFile) -> Option<OwnFileChange> {
        let at = Path::new(&path);
        let content = self.watched.content_of(at);
        if describe_status(at) == file.status {
            return None;
        }
        let copy = self.good.read_copy(&file);
        if describe_content(at, content, &|| copy.clone()) == file.form {
            return None;
        }
        let found = read_content(at, MAX_COPY_BYTES).ok().flatten();
        let now = found.as_ref().map(|(_, bytes)| bytes.clone());
        let good = match (content, copy) {
            // Used allowances do not come back, even without a copy.
            (WatchedContent::Allowances, copy) => GoodContent::Bytes(allowances::remove_added(
                now.as_deref().unwrap_or_default(),
                &copy.unwrap_or_default(),
            )),
            (_, Some(bytes)) => GoodContent::Bytes(bytes),
            (_, None) if !file.exists => GoodContent::Missing,
            (_, None) => GoodContent::NotStored,
        };
        let modes = found.map(|(mode, _)| (file.mode, mode)).filter(|(good, now)| file.exists && good != now);
        Some(OwnFileChange { path, good, now, modes, file })
    }
}

/// Writes the file, to the end of the same links as before. Where the links lead elsewhere now, or the path has become one, a plain
/// file takes the place of the last link.
fn put_file(path: &Path, file: &GoodFile, bytes: &[u8]) -> io::Result<()> {
    if !file.exists {
        // The file of allowances, which appeared later.
        return state_file::replace_file(path, bytes);
    }
    let real = fs::canonicalize(path).ok().filter(|real| file.real.as_ref() == Some(real));
    let target = real.as_deref().unwrap_or(path);
    let name = target.file_name().and_then(|name| name.to_str());
    let (Some(folder), Some(name)) = (target.parent(), name) else {
        return Err(ErrorKind::InvalidFilename.into());
    };
    make_private_folders(folder)?;
    atomic_file::replace_or_create(&Folder::open(folder)?, name, Access::Kept(file.mode), bytes)
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
