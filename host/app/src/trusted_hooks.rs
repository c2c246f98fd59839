//! The hooks of projects that the user trusts.
//!
//! Trust applies to bytes in a place: the project's real folder, the hook's entry, and each file of the project that it runs
//! ([`HookContent`]). It is stored outside of the project, with a copy of each file, and the copy is what runs. No part of a
//! repository (its history, its worktrees, its parents, its name) carries trust, and trust ends with the first byte that
//! changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use hookbox::{
    Clock, Sha256Digest,
    atomic_file::{Access, Draft},
};
use hookbox_platform::{
    file::{make_private_folders, make_runnable},
    folder::Folder,
};
use serde::{Deserialize, Serialize};

use crate::{
    closure::HookContent,
    places::{PROJECT, Places},
    state_file::{self, WriteError},
};

/// Largest file of records that is read, bytes.
const MAX_BYTES: u64 = 8 << 20;
/// Maximum number of stored hooks; the oldest is dropped first.
const MOST: usize = 1000;

/// A hook that the user trusts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustedHook {
    /// The project's real folder.
    pub root: PathBuf,
    /// The hook's name.
    pub name: String,
    /// Its entry, as [`hookbox::config::canonical_entries`] formats it.
    pub entry: String,
    /// The SHA-256 of each file of the project that it runs, by the file's path relative to the project's folder.
    pub files: BTreeMap<PathBuf, String>,
    /// Time of the decision, in milliseconds since the Unix epoch.
    pub since: u64,
}

impl TrustedHook {
    pub(crate) fn new(root: &Path, name: &str, closure: &HookContent) -> Self {
        Self {
            root: root.to_owned(),
            name: name.to_owned(),
            entry: closure.entry.clone(),
            files: compute_digests(closure),
            since: Clock::machine().now_ms(),
        }
    }

    /// Returns true if this is the record of the hook with this name in the project with this root.
    pub(crate) fn is_of(&self, root: &Path, name: &str) -> bool {
        self.root == root && self.name == name
    }

    /// Returns the first part that has changed, in words; `None` if nothing has.
    pub(crate) fn find_change(&self, now: &HookContent) -> Option<String> {
        if self.entry != now.entry {
            return Some("its entry".to_owned());
        }
        let digests = compute_digests(now);
        let of = |path: &PathBuf| (self.files.get(path), digests.get(path));
        let paths: BTreeSet<_> = self.files.keys().chain(digests.keys()).collect();
        let other = paths.into_iter().find(|path| of(path).0 != of(path).1)?;
        Some(other.display().to_string())
    }
}

fn compute_digests(closure: &HookContent) -> BTreeMap<PathBuf, String> {
    let digest = |bytes: &Vec<u8>| Sha256Digest::of_content(bytes).as_str().to_owned();
    closure.files.iter().map(|(path, bytes)| (path.clone(), digest(bytes))).collect()
}

/// Storage of trusted hooks.
#[derive(Clone, Debug)]
pub struct TrustStore {
    records: PathBuf,
    copies: PathBuf,
}

impl TrustStore {
    /// Returns the store of a user; `None` if the home folder is unknown.
    pub fn of_user(places: &Places) -> Option<Self> {
        let state = places.state()?;
        Some(Self { records: state.join("trusted.json"), copies: state.join("trusted") })
    }

    /// Loads all trusted hooks. A file that is damaged, or that others could have written, counts as empty.
    pub fn load(&self) -> Vec<TrustedHook> {
        let text = state_file::read_private(&self.records, MAX_BYTES).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Trusts a hook as it is now, replacing its former record.
    ///
    /// # Errors
    ///
    /// Something cannot be written. The former records are unchanged.
    pub fn trust_hook(&self, root: &Path, name: &str, closure: &HookContent) -> Result<(), WriteError> {
        let trust = || {
            // The copies come first: a record whose copy is missing makes the hook untrusted.
            for bytes in closure.files.values() {
                self.put_copy(bytes)?;
            }
            let hook = TrustedHook::new(root, name, closure);
            self.update_records(|all| {
                all.retain(|other| !other.is_of(root, name));
                all.push(hook);
            })
        };
        trust().map_err(|error| self.wrap_write_error(error))
    }

    /// Removes the records that match, and returns them.
    ///
    /// # Errors
    ///
    /// The file cannot be written; it is unchanged.
    pub fn remove_matching(
        &self,
        is_meant: impl Fn(&TrustedHook) -> bool,
    ) -> Result<Vec<TrustedHook>, WriteError> {
        let mut gone = Vec::new();
        let change = self.update_records(|all| {
            let (meant, left) = all.drain(..).partition(|hook| is_meant(hook));
            (gone, *all) = (meant, left);
        });
        change.map_err(|error| self.wrap_write_error(error))?;
        Ok(gone)
    }

    /// Returns the content of a file as it was trusted, if its copy is unchanged.
    pub fn read_copy(&self, sha256: &str) -> Option<Vec<u8>> {
        let bytes = state_file::read_private(&self.copies.join(sha256), u64::MAX).ok()?;
        // The name alone does not count: the file may have been changed since it was trusted.
        (Sha256Digest::of_content(&bytes).as_str() == sha256).then_some(bytes)
    }

    /// Returns the files of records and copies, and the trusted files of the projects around this folder.
    pub(crate) fn list_watched_files(&self, folder: &Path) -> Vec<PathBuf> {
        let mut files = vec![self.records.clone()];
        for hook in self.load().iter().filter(|hook| folder.starts_with(&hook.root)) {
            files.push(hook.root.join(PROJECT));
            for (path, sha256) in &hook.files {
                files.extend([hook.root.join(path), self.copies.join(sha256)]);
            }
        }
        files
    }

    pub(crate) fn path_of(&self, sha256: &str) -> PathBuf {
        self.copies.join(sha256)
    }

    pub(crate) fn copies(&self) -> &Path {
        &self.copies
    }

    fn update_records(&self, change: impl FnOnce(&mut Vec<TrustedHook>)) -> io::Result<()> {
        let _lock = state_file::lock_file(&self.records)?;
        let mut all = self.load();
        change(&mut all);
        let youngest = all.get(all.len().saturating_sub(MOST)..).unwrap_or_default();
        state_file::replace_file(&self.records, &serde_json::to_vec(youngest)?)?;
        self.forget_copies(youngest)
    }

    /// Writes a copy that only this user may read and run.
    pub(crate) fn put_copy(&self, bytes: &[u8]) -> io::Result<()> {
        let digest = Sha256Digest::of_content(bytes);
        if self.read_copy(digest.as_str()).is_some() {
            return Ok(());
        }
        make_private_folders(&self.copies)?;
        Draft::write_temporary(&Folder::open(&self.copies)?, Access::PRIVATE, bytes)?
            .replace_file(digest.as_str())?;
        make_runnable(&self.copies.join(digest.as_str()))
    }

    /// Removes unused copies. One that cannot be removed does no harm.
    fn forget_copies(&self, all: &[TrustedHook]) -> io::Result<()> {
        let Ok(folder) = Folder::open(&self.copies) else { return Ok(()) };
        let needed: BTreeSet<_> = all.iter().flat_map(|hook| hook.files.values()).collect();
        let mut old = Vec::new();
        folder.for_each_name(10 * MOST, |name| {
            if Sha256Digest::parse(name).is_some() && !needed.contains(&name.to_owned()) {
                old.push(name.to_owned());
            }
        })?;
        for name in old {
            let _ = folder.remove_file(&name);
        }
        Ok(())
    }

    fn wrap_write_error(&self, error: io::Error) -> WriteError {
        WriteError { file: self.records.clone(), error }
    }
}

/// Returns the files that determine which hooks of the projects around this folder are trusted, and the trusted files.
pub(crate) fn list_watched_files(places: &Places, folder: &Path) -> Vec<PathBuf> {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    TrustStore::of_user(places).map(|store| store.list_watched_files(&folder)).unwrap_or_default()
}
