//! Directory of native code: accessible to this user alone, or not used.

use std::{
    fmt,
    fs::File,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use hookbox_platform::{
    file::{FileKind, FileStatus},
    folder::Folder,
};

use super::{
    UNTRUSTED_PREFIX,
    attempt::{self, REFUSED_FOR},
    compile_lock,
};
use crate::{
    atomic_file::{self, Access},
    sandbox::own_folder,
};

/// Most native code that is kept, bytes; the oldest is removed first.
const MAX_CACHE_BYTES: u64 = 1 << 30;
/// Most native code of untrusted projects, bytes.
const MAX_UNTRUSTED_CODE_BYTES: u64 = 256 << 20;
/// Age of a memo whose plugin has not changed since; the next call writes it again.
const FORGOTTEN: Duration = Duration::from_hours(90 * 24);

/// An open cache directory: owned by this user, inaccessible to others.
#[derive(Debug)]
pub struct CacheDir {
    pub(super) folder: Folder,
    path: PathBuf,
    /// First reason why a file could not be kept.
    trouble: OnceLock<String>,
}

/// Reason for not using a directory.
#[derive(Debug)]
pub struct CacheError {
    path: PathBuf,
    problem: String,
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, problem) = (self.path.display(), &self.problem);
        write!(f, "the cache {path} is not used: {problem}")
    }
}

impl std::error::Error for CacheError {}

impl CacheDir {
    /// Opens the directory, and creates it (mode 0700) if it does not exist. Refuses one that others could write to or
    /// read.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        let refuse = |problem: String| CacheError { path: path.to_owned(), problem };
        let folder = own_folder::open(path).map_err(refuse)?;
        Ok(Self { folder, path: path.to_owned(), trouble: OnceLock::new() })
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reason why a file could not be kept, for the user.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.get().map(String::as_str)
    }

    /// Records that native code could not be kept.
    pub(super) fn could_not_keep(&self, error: &std::io::Error) {
        let path = self.path.display();
        let trouble = format!(
            "compiled plugins cannot be kept in {path}: {error}; each event compiles them anew until that folder can \
             be written to and has room"
        );
        // Another plugin may have set this already.
        let _ = self.trouble.set(trouble);
    }

    /// Returns a summary of the content, for the user.
    pub fn summary(&self) -> String {
        let code: Vec<_> =
            self.entries().into_iter().filter(|(name, _)| name.strip_suffix(".cwasm").is_some()).collect();
        let bytes: u64 = code.iter().map(|(_, stat)| stat.size).sum();
        let plugins = if code.len() == 1 { "plugin" } else { "plugins" };
        format!("{} compiled {plugins}, {} KiB", code.len(), bytes >> 10)
    }

    /// Opens a plain file of this user that no other user can write to.
    pub(super) fn open_own(&self, name: &str) -> Option<File> {
        let file = self.folder.open_file(name).ok()?;
        let status = FileStatus::of_file(&file).ok()?;
        // The mode of the folder protects it from now on only: a file may have been put there while the
        // folder was open to others.
        is_own_file(&status).then_some(file)
    }

    /// Writes a file atomically: readers see the old one or the new one.
    pub(super) fn write_bytes(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        atomic_file::replace_or_create(&self.folder, name, Access::PRIVATE, bytes)
    }

    /// Removes the oldest native code beyond the quota, and expired memos.
    pub(super) fn prune(&self) {
        let (mut own, mut untrusted) = (Vec::new(), Vec::new());
        for (name, stat) in self.entries() {
            let size = stat.size;
            // A time stamp before 1970 counts as the oldest.
            let modified = u64::try_from(stat.modified.0).unwrap_or_default();
            let is = |suffix: &str| name.strip_suffix(suffix).is_some();
            // A lock file is removed only when it is old: otherwise one process could hold the removed file
            // while a second process locks a new file of that name.
            let most =
                [(".memo", FORGOTTEN), (attempt::SUFFIX, REFUSED_FOR), (compile_lock::SUFFIX, FORGOTTEN)];
            if most.iter().any(|(suffix, most)| is(suffix) && age_since(modified) > *most) {
                self.remove_file(&name);
            } else if let Some(key) = name.strip_suffix(".cwasm") {
                let code = if key.starts_with(UNTRUSTED_PREFIX) { &mut untrusted } else { &mut own };
                code.push((modified, size, key.to_owned()));
            }
        }
        self.evict_oldest(own, MAX_CACHE_BYTES);
        self.evict_oldest(untrusted, MAX_UNTRUSTED_CODE_BYTES);
    }

    /// Removes older native code on a full disk, to make room.
    pub(super) fn evict_for(&self, bytes: usize) {
        let code = self.entries().into_iter().filter_map(|(name, stat)| {
            let key = name.strip_suffix(".cwasm")?.to_owned();
            let is_own = !key.starts_with(UNTRUSTED_PREFIX);
            Some((is_own, stat.modified.0, stat.size, key))
        });
        let mut code: Vec<_> = code.collect();
        // Code of untrusted projects sorts first, since `false` is less than `true`: a project must not
        // displace the plugins of the user on a full disk.
        code.sort_unstable();
        let mut freed = 0;
        for (_, _, size, key) in code {
            if freed > bytes as u64 {
                return;
            }
            freed += size;
            self.remove_code(&key);
        }
    }

    fn remove_code(&self, key: &str) {
        self.remove_file(&format!("{key}.cwasm"));
        self.remove_file(&format!("{key}.seal"));
    }

    /// Keeps the youngest of this native code (time, size in bytes, key), up to `most` bytes.
    fn evict_oldest(&self, mut code: Vec<(u64, u64, String)>, most: u64) {
        code.sort_unstable_by(|a, b| b.cmp(a));
        let mut total = 0;
        for (_, size, key) in code {
            total += size;
            if total > most {
                self.remove_code(&key);
            }
        }
    }

    pub(super) fn entries(&self) -> Vec<(String, FileStatus)> {
        let mut entries = Vec::new();
        // A directory that cannot be listed counts as empty: nothing is removed.
        let _ = self.folder.for_each_name(usize::MAX, |name| {
            entries.extend(self.folder.status_of(name).ok().map(|status| (name.to_owned(), status)));
        });
        entries
    }

    pub(super) fn remove_file(&self, name: &str) {
        // Another process may have removed it.
        let _ = self.folder.remove_file(name);
    }
}

fn is_own_file(status: &FileStatus) -> bool {
    status.kind == FileKind::Plain && status.is_own() && !status.is_written_by_others()
}

fn age_since(modified: u64) -> Duration {
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(modified);
    SystemTime::now().duration_since(modified).unwrap_or_default()
}
