//! What settings files were before `install` changed them, as far as the files themselves do not tell any more: with it,
//! `uninstall` leaves no trace.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

/// The file, in the folder of what is kept.
const FILE: &str = "installed.json";
/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;

/// What a settings file was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Not there.
    NoFile,
    /// There, with `hooks` that held nothing.
    EmptyHooks,
}

impl Before {
    const ALL: [(&str, Self); 2] = [("no-file", Self::NoFile), ("empty-hooks", Self::EmptyHooks)];
}

/// The record of this user.
pub(crate) struct InstallRecord(PathBuf);

impl InstallRecord {
    /// In the folder of what is kept.
    pub(crate) fn new(state: &Path) -> Self {
        Self(state.join(FILE))
    }

    /// What this settings file was, if that is known. A damaged record knows nothing.
    pub(crate) fn of(&self, settings: &Path) -> Option<Before> {
        let entries = self.read();
        let name = entries.get(&settings.display().to_string())?.as_str()?;
        Before::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, before)| before)
    }

    /// Keeps what this settings file was, or forgets it. What cannot be kept costs a brace or two later on.
    pub(crate) fn set(&self, settings: &Path, before: Option<Before>) {
        let (mut entries, key) = (self.read(), settings.display().to_string());
        let name = Before::ALL.into_iter().find(|(_, known)| Some(*known) == before);
        let changed = match name {
            Some((name, _)) => entries.insert(key, name.into()).is_none(),
            None => entries.remove(&key).is_some(),
        };
        if changed {
            drop(self.write(&entries));
        }
    }

    fn read(&self) -> Map<String, Value> {
        let is_small =
            fs::symlink_metadata(&self.0).is_ok_and(|file| file.is_file() && file.len() <= MAX_BYTES);
        let text = if is_small { fs::read(&self.0).unwrap_or_default() } else { Vec::new() };
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn write(&self, entries: &Map<String, Value>) -> io::Result<()> {
        if let Some(folder) = self.0.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let temporary = self.0.with_extension(format!("{}.tmp", std::process::id()));
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        io::Write::write_all(&mut file, Value::Object(entries.clone()).to_string().as_bytes())?;
        fs::rename(temporary, &self.0)
    }
}
