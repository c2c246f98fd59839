//! Watched files as the user's last command of hookbox left them: their status and content in an index, and copies to restore them.
//!
//! The index and the copies are the user's own files: a process of this user that writes them, too, is not detected.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::Sha256Digest;
use hookbox_platform::folder::Folder;
use serde::{Deserialize, Serialize};

use super::{
    content::{describe_content, describe_status, read_content},
    watched::{MOST_FILES, WatchedFiles},
};
use crate::state_file;

/// Name of the folder, in the state folder.
const FOLDER: &str = "known-good";
/// Name of the index. The name of a copy is its digest.
const INDEX: &str = "index.json";
/// Largest index that is read, bytes.
const MAX_INDEX_BYTES: u64 = 1 << 20;
/// Longest copy, bytes. A longer file is compared, and cannot be restored.
pub(super) const MAX_COPY_BYTES: u64 = 1 << 20;
/// Maximum number of entries of the folder that are searched for unused copies.
const MOST_LISTED: usize = 4096;

/// A file as the user's last command left it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GoodFile {
    /// Its status, as `describe_status` returns it.
    pub(super) status: String,
    /// Its content, as `describe_content` returns it.
    pub(super) form: String,
    /// False if the file did not exist.
    pub(super) exists: bool,
    /// Its mode.
    pub(super) mode: u32,
    /// Digest of its copy; `None` if the file did not exist, was unreadable, or was longer than a copy may be.
    pub(super) copy: Option<String>,
    /// Its path without links.
    pub(super) real: Option<PathBuf>,
}

/// The index, by path.
pub(super) type GoodFiles = BTreeMap<String, GoodFile>;

/// The index and the copies of one user.
pub(super) struct KnownGood {
    folder: PathBuf,
}

impl KnownGood {
    pub(super) fn new(state: &Path) -> Self {
        Self { folder: state.join(FOLDER) }
    }

    /// Returns the path of the index, for messages.
    pub(super) fn index(&self) -> PathBuf {
        self.folder.join(INDEX)
    }

    /// Loads the index. A damaged one, or one that others could have written, counts as empty.
    pub(super) fn load_files(&self) -> GoodFiles {
        let text = state_file::read_private(&self.index(), MAX_INDEX_BYTES).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Returns the copy of a file, if the copy exists and is unchanged.
    pub(super) fn read_copy(&self, file: &GoodFile) -> Option<Vec<u8>> {
        let digest = Sha256Digest::parse(file.copy.as_ref()?)?;
        let bytes = state_file::read_private(&self.folder.join(digest.as_str()), MAX_COPY_BYTES).ok()?;
        (Sha256Digest::of_content(&bytes) == digest).then_some(bytes)
    }

    /// Records these files as they are now. Concurrent commands wait for each other, so none loses another's record.
    pub(super) fn record_files(&self, watched: &WatchedFiles, paths: &BTreeSet<String>) -> io::Result<()> {
        let _lock = state_file::lock_file(&self.index())?;
        let mut files = self.load_files();
        for path in paths {
            files.insert(path.clone(), self.take_file(watched, Path::new(path))?);
        }
        if files.len() > MOST_FILES {
            let listed = watched.list_paths();
            files.retain(|path, _| listed.contains(path));
        }
        // The copies come first: an index without its copies could restore nothing.
        state_file::replace_file(&self.index(), &serde_json::to_vec(&files)?)?;
        self.remove_unused_copies(&files);
        Ok(())
    }

    fn take_file(&self, watched: &WatchedFiles, path: &Path) -> io::Result<GoodFile> {
        // First: a later change differs from the recorded status.
        let status = describe_status(path);
        // One byte more than the maximum reveals a file that is too long.
        let found = read_content(path, MAX_COPY_BYTES + 1);
        let mut file = GoodFile {
            status,
            form: String::new(),
            exists: !matches!(found, Ok(None)),
            mode: 0,
            copy: None,
            real: fs::canonicalize(path).ok(),
        };
        let mut taken = None;
        if let Ok(Some((mode, bytes))) = found {
            file.mode = mode;
            if bytes.len() as u64 <= MAX_COPY_BYTES {
                file.copy = Some(self.put_copy(&bytes)?);
                taken = Some(bytes);
            }
        }
        // Every allowance of the taken file is the user's.
        file.form = describe_content(path, watched.content_of(path), &|| taken.clone());
        Ok(file)
    }

    /// Writes a copy, unless it exists; returns its digest.
    fn put_copy(&self, bytes: &[u8]) -> io::Result<String> {
        let digest = Sha256Digest::of_content(bytes).as_str().to_owned();
        let path = self.folder.join(&digest);
        if !state_file::read_private(&path, MAX_COPY_BYTES).is_ok_and(|kept| kept == bytes) {
            state_file::replace_file(&path, bytes)?;
        }
        Ok(digest)
    }

    /// Removes copies that no file has. One that cannot be removed does no harm.
    fn remove_unused_copies(&self, files: &GoodFiles) {
        let Ok(folder) = Folder::open(&self.folder) else { return };
        let used: BTreeSet<_> = files.values().filter_map(|file| file.copy.as_deref()).collect();
        let mut unused = Vec::new();
        let listed = folder.for_each_name(MOST_LISTED, |name| {
            if Sha256Digest::parse(name).is_some() && !used.contains(name) {
                unused.push(name.to_owned());
            }
        });
        if listed.is_ok() {
            for name in unused {
                let _ = folder.remove_file(&name);
            }
        }
    }
}
