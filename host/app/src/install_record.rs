//! States of settings files before `install` changed them, where the files themselves do not show it any more. The record lets
//! `uninstall` restore them exactly.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::agents::settings::proxy::OriginalForm;
use serde_json::{Map, Value};

use crate::state_file;

/// Name of the file, in the state folder.
const FILE: &str = "installed.json";
/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;

/// State of a settings file before the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginalFile {
    /// The file did not exist, nor so many folders above it.
    NoFile(u8),
    /// The file had empty `hooks`.
    EmptyHooks,
    /// The configuration of a proxy, with this value at the callback's place.
    Proxy(OriginalForm),
    /// The file had other content.
    Other,
}

const NO_FILE: &str = "no-file";
const EMPTY_HOOKS: &str = "empty-hooks";
const PROXY: &str = "proxy";
const OTHER: &str = "other";

impl OriginalFile {
    fn name(self) -> String {
        match self {
            Self::NoFile(0) => NO_FILE.to_owned(),
            Self::NoFile(folders) => format!("{NO_FILE}:{folders}"),
            Self::EmptyHooks => EMPTY_HOOKS.to_owned(),
            Self::Proxy(held) => format!("{PROXY}:{}", held.name()),
            Self::Other => OTHER.to_owned(),
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        match name {
            NO_FILE => Some(Self::NoFile(0)),
            EMPTY_HOOKS => Some(Self::EmptyHooks),
            OTHER => Some(Self::Other),
            _ => match name.split_once(':')? {
                (NO_FILE, folders) => folders.parse().ok().map(Self::NoFile),
                (PROXY, held) => OriginalForm::from_name(held).map(Self::Proxy),
                _ => None,
            },
        }
    }

    /// Returns the state of a missing file; counts the folders above it that do not exist, at most 255.
    pub fn no_file(folder: &Path) -> Self {
        let missing = folder.ancestors().take_while(|folder| fs::symlink_metadata(folder).is_err()).count();
        Self::NoFile(u8::try_from(missing).unwrap_or(u8::MAX))
    }

    /// Removes the folders that were created for the file, if they are empty.
    pub fn remove_folders(self, folder: &Path) {
        if let Self::NoFile(made) = self {
            let mut made = folder.ancestors().take(made.into());
            // `remove_dir` fails, and so ends the loop, if the user has put anything into the folder since.
            while made.next().is_some_and(|folder| fs::remove_dir(folder).is_ok()) {}
        }
    }
}

/// The record of this user.
pub struct InstallRecord(PathBuf);

impl InstallRecord {
    /// Returns the record in the state folder.
    pub fn new(state: &Path) -> Self {
        Self(state.join(FILE))
    }

    /// Returns the former state of this settings file, if it is known. A damaged record counts as empty.
    pub fn find_before(&self, settings: &Path) -> Option<OriginalFile> {
        let entries = self.read();
        OriginalFile::from_name(entries.get(&settings.display().to_string())?.as_str()?)
    }

    /// Returns the settings files in which hookbox was installed, where that is recorded.
    pub fn paths(&self) -> Vec<String> {
        self.read().into_iter().map(|(path, _)| path).collect()
    }

    /// Records the former state of this settings file, or removes it. If that fails, `uninstall` leaves a few empty braces
    /// behind.
    pub fn set_before(&self, settings: &Path, before: Option<OriginalFile>) {
        let (mut entries, key) = (self.read(), settings.display().to_string());
        let changed = match before {
            Some(before) => {
                let name = Value::from(before.name());
                entries.insert(key, name.clone()) != Some(name)
            }
            None => entries.remove(&key).is_some(),
        };
        if changed {
            drop(self.write_entries(&entries));
        }
    }

    fn read(&self) -> Map<String, Value> {
        // A longer file cannot be hookbox's; reading it would take memory without a bound.
        let is_small =
            fs::symlink_metadata(&self.0).is_ok_and(|file| file.is_file() && file.len() <= MAX_BYTES);
        let text = if is_small { fs::read(&self.0).unwrap_or_default() } else { Vec::new() };
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn write_entries(&self, entries: &Map<String, Value>) -> io::Result<()> {
        state_file::replace_file(&self.0, Value::Object(entries.clone()).to_string().as_bytes())
    }
}
