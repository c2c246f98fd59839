//! Files of a guest: WASI's implementation, with additional rules of hookbox.
//!
//! WASI keeps a guest within its folders. Beyond that, only plain files and folders can be opened (a FIFO would block a
//! thread), folders with too many entries are not listed, and the configuration of hooks or agents is not changed:
//! neither by its name, nor through a link, nor by moving a file there. A guest creates no links and moves no folders,
//! so no action of a guest changes the target of a path after its check. (Another process of the user can.)

mod guarded;
mod preview1;
mod protected;

use std::{
    collections::HashMap,
    fs,
    path::{Component, Path, PathBuf},
};

use hookbox_model::CapabilityRefusal;
use hookbox_platform::file::Mount;
use wasmtime_wasi::p2::{FsError, FsResult, bindings::filesystem::types::ErrorCode};

pub(super) use self::{
    guarded::{Guarded, GuardedFiles},
    protected::{is_named_in, protected_names},
};
use super::refusals::Refusals;

/// Number of a component's handle or of a core module's descriptor.
type Fd = u32;

// wasmtime-wasi collects all entries in the memory of the host before the guest gets the first, and no limit
// of the guest counts that memory.
/// Most entries of a folder that a guest may list.
const MAX_ENTRIES: usize = 20_000;

/// Second name of the project folder in a guest, which is its working folder.
pub(super) const WORKING_FOLDER: &str = ".";

/// Paths of a guest's open files and folders, with the rules for them.
pub(super) struct Files {
    /// Paths with links resolved. A number that is not here is not open.
    open: HashMap<Fd, PathBuf>,
    protected: &'static [&'static str],
    /// Path of the folder with the name [`WORKING_FOLDER`], if the guest has one.
    working: Option<PathBuf>,
    refusals: Refusals,
}

impl Files {
    /// Creates the state. `protected` are names of files and folders, in any folder.
    pub(super) fn new(
        protected: &'static [&'static str],
        working: Option<&Path>,
        refusals: Refusals,
    ) -> Self {
        Self { open: HashMap::new(), protected, working: working.map(Path::to_owned), refusals }
    }

    fn is_open(&self, fd: Fd) -> bool {
        self.open.contains_key(&fd)
    }

    /// Registers the granted folder of this name as `fd`. Its path inside is its path outside, except for the second name of the
    /// working folder.
    fn register_granted(&mut self, fd: Fd, name: &str) {
        let path = match self.working.as_deref() {
            Some(working) if name == WORKING_FOLDER => working,
            _ => Path::new(name),
        };
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.open.insert(fd, real);
    }

    /// Registers the opened file as `fd`, with its resolved path `target`.
    fn register_opened(&mut self, fd: Fd, target: Option<PathBuf>) {
        // A number that was closed is assigned again; without a known path the new file must not inherit the
        // old one.
        self.unregister_file(fd);
        self.open.extend(target.map(|target| (fd, target)));
    }

    fn unregister_file(&mut self, fd: Fd) {
        self.open.remove(&fd);
    }

    /// Moves the number `from` to `to`, which is replaced.
    fn renumber_file(&mut self, from: Fd, to: Fd) {
        let target = self.open.remove(&from);
        self.register_opened(to, target);
    }

    /// Checks that `path` may be opened, and returns its target.
    fn may_open(&self, fd: Fd, path: &str, follow: bool, changes: bool) -> FsResult<Option<PathBuf>> {
        let target = self.resolve_target(fd, path, follow)?;
        if target.as_ref().is_some_and(|target| is_odd(target)) {
            return Err(ErrorCode::NotPermitted.into());
        }
        if changes {
            self.may_change(fd, path, follow)?;
        }
        Ok(target)
    }

    /// Checks that the target of `path` may be changed: the configuration of hooks or agents may not.
    fn may_change(&self, fd: Fd, path: &str, follow: bool) -> FsResult<PathBuf> {
        let target = self.resolve_target(fd, path, follow)?.ok_or_else(|| self.nothing_at(fd, path))?;
        // The name as written counts, too: an agent reads its settings by a protected name even if that name
        // is a link to a folder of another name.
        if [&target, Path::new(path)].iter().any(|path| is_named_in(self.protected, path)) {
            return Err(self.refuse_write(&target, "what configures hooks or agents is never changed by one"));
        }
        Ok(target)
    }

    /// Checks that `path` may become `new_path`, in the open folder `new_fd`.
    fn may_rename(&self, fd: Fd, path: &str, new_fd: Fd, new_path: &str) -> FsResult<()> {
        // A rename acts on a link itself and never on its target.
        let from = self.may_change(fd, path, false)?;
        self.may_change(new_fd, new_path, false)?;
        // A moved folder would change where the recorded paths below it lead.
        if !is_plain(&from) {
            return Err(self.refuse_write(&from, "a hook moves plain files only"));
        }
        Ok(())
    }

    /// Returns the refusal of a link at `path`.
    fn no_link(&self, path: &str) -> FsError {
        self.refuse_write(Path::new(path), "a hook makes no links")
    }

    /// Checks that a guest may read the metadata of `path`, or the target of a link there.
    fn may_look(&self, fd: Fd, path: &str, follow: bool) -> FsResult<()> {
        self.resolve_target(fd, path, follow).map(drop)
    }

    fn may_list(&self, fd: Fd) -> FsResult<()> {
        let entries = fs::read_dir(self.folder_path(fd)?);
        if entries.is_ok_and(|entries| entries.take(MAX_ENTRIES + 1).count() > MAX_ENTRIES) {
            return Err(ErrorCode::InsufficientMemory.into());
        }
        Ok(())
    }

    /// Checks that the times of `fd` may be set.
    fn may_set_times(&self, fd: Fd) -> FsResult<()> {
        if is_named_in(self.protected, self.folder_path(fd)?) {
            return Err(ErrorCode::NotPermitted.into());
        }
        Ok(())
    }

    fn folder_path(&self, fd: Fd) -> FsResult<&Path> {
        Ok(self.open.get(&fd).ok_or(ErrorCode::BadDescriptor)?)
    }

    /// Returns the target of `path` in the open folder `fd`, unless it is on another mount. The last name need not
    /// exist yet; a link there is followed if `follow`.
    fn resolve_target(&self, fd: Fd, path: &str, follow: bool) -> FsResult<Option<PathBuf>> {
        let target = self.leads_to(fd, path, follow)?;
        if target.as_ref().is_some_and(|target| !self.is_on_file_system_of(fd, target)) {
            return Err(ErrorCode::NotPermitted.into());
        }
        Ok(target)
    }

    fn leads_to(&self, fd: Fd, path: &str, follow: bool) -> FsResult<Option<PathBuf>> {
        let whole = self.folder_path(fd)?.join(path);
        // With this ending the name is a folder's, and the system always follows a link to it.
        let follow = follow || path.ends_with('/') || path.ends_with("/.");
        if follow && let Ok(target) = whole.canonicalize() {
            return Ok(Some(target));
        }
        let last = match (whole.parent(), whole.components().next_back()) {
            (Some(parent), Some(Component::Normal(name))) => {
                parent.canonicalize().ok().map(|parent| parent.join(name))
            }
            // `..` and `.` lead to an existing folder.
            _ => whole.canonicalize().ok(),
        };
        // The target of a link without an existing end is unknown; a file could be created there.
        if follow && last.as_ref().is_some_and(|last| last.is_symlink()) {
            return Err(ErrorCode::NotPermitted.into());
        }
        Ok(last)
    }

    /// Returns the error for a change of `path`, which leads to nothing. Outside, a guest does not learn which files
    /// exist: WASI reports this error for existing files, too.
    fn nothing_at(&self, fd: Fd, path: &str) -> ErrorCode {
        let inside = self.open.get(&fd).is_some_and(|folder| {
            let whole = folder.join(path);
            let nearest = whole.ancestors().find_map(|path| path.canonicalize().ok());
            nearest.is_some_and(|nearest| nearest.starts_with(folder))
        });
        if inside { ErrorCode::NoEntry } else { ErrorCode::NotPermitted }
    }

    fn refuse_write(&self, target: &Path, why: &str) -> FsError {
        self.refusals.add(CapabilityRefusal::new("fs.write", &target.display().to_string(), why, None));
        ErrorCode::NotPermitted.into()
    }

    /// Returns true if `target` is on the file system of the open folder `fd`. A mount within a granted folder is not
    /// granted with it: `/proc` would give access to this process's memory.
    fn is_on_file_system_of(&self, fd: Fd, target: &Path) -> bool {
        // A file that does not exist yet will be on the mount of its folder.
        let existing = if fs::symlink_metadata(target).is_ok() { Some(target) } else { target.parent() };
        let (folder, target) = (self.open.get(&fd), existing.and_then(Mount::of_path));
        folder.and_then(|folder| Mount::of_path(folder)).is_some_and(|folder| Some(folder) == target)
    }
}

/// Returns true for neither a file nor a folder: opening it could block for ever, or act on a device.
fn is_odd(target: &Path) -> bool {
    fs::metadata(target).is_ok_and(|found| !(found.is_file() || found.is_dir()))
}

/// Returns true for a file that is neither a folder nor a link.
fn is_plain(target: &Path) -> bool {
    fs::symlink_metadata(target).is_ok_and(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Returns the state with a folder as descriptor 3.
    fn files_with(folder: &Path) -> Files {
        let mut files = Files::new(protected_names(), None, Refusals::default());
        files.register_granted(3, folder.to_str().unwrap());
        files
    }

    fn can_open(files: &Files, path: &str) -> bool {
        files.may_open(3, path, true, false).is_ok()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_mounted_within_a_folder_is_not_opened() {
        let root = files_with(Path::new("/"));
        assert!(can_open(&root, "."));
        for path in ["proc", "proc/self/environ", "proc/self/fd", "proc/not-there", "tmp/../proc/version"] {
            assert!(!can_open(&root, path), "{path}");
        }
        let proc = files_with(Path::new("/proc"));
        assert!(can_open(&proc, "version"));
        for path in ["..", "self/cwd", "self/exe", "self/root/"] {
            assert!(!can_open(&proc, path), "{path}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_is_neither_followed_to_a_mount_point_nor_read_within_one() {
        let own = tempfile::tempdir().unwrap();
        symlink("/proc/self/environ", own.path().join("link")).unwrap();
        let files = files_with(own.path());
        assert!(!can_open(&files, "link"));
        assert!(files.may_look(3, "link", false).is_ok(), "the link itself is where it was granted");
        assert!(files_with(Path::new("/")).may_look(3, "proc/self", false).is_err());
        assert!(files_with(Path::new("/proc")).may_look(3, "self", false).is_ok());
    }

    #[test]
    fn a_closed_descriptor_gives_access_to_no_file() {
        let own = tempfile::tempdir().unwrap();
        let mut files = files_with(own.path());
        files.renumber_file(3, 7);
        assert!(files.may_open(7, "x", true, true).is_ok());
        files.renumber_file(4, 7);
        for fd in [3, 4, 7] {
            assert!(files.may_open(fd, "x", true, false).is_err());
            assert!(files.may_change(fd, "x", false).is_err());
            assert!(files.may_look(fd, "x", false).is_err());
            assert!(files.may_set_times(fd).is_err());
            assert!(files.may_list(fd).is_err());
        }
    }

    #[test]
    fn a_link_to_a_folder_is_that_folder_however_it_is_written() {
        let own = tempfile::tempdir().unwrap();
        let own = own.path().canonicalize().unwrap();
        fs::create_dir(own.join(".claude")).unwrap();
        symlink(".claude", own.join("link")).unwrap();
        let files = files_with(&own);
        for path in ["link/", "link/.", "link//", "link/./"] {
            assert_eq!(files.may_open(3, path, false, false).unwrap(), Some(own.join(".claude")), "{path}");
            assert!(files.may_change(3, path, false).is_err(), "{path}");
        }
        assert!(files.may_change(3, "link", false).is_ok(), "the link itself is no such folder");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_mounted_within_a_folder_is_neither_changed_nor_looked_at() {
        let root = files_with(Path::new("/"));
        for path in ["proc", "proc/", "proc/version", "proc/new"] {
            assert!(root.may_change(3, path, false).is_err(), "{path}");
            assert!(root.may_look(3, path, false).is_err(), "{path}");
        }
        assert!(root.may_rename(3, "tmp/not-there", 3, "proc/x").is_err());
        assert!(root.may_look(3, "usr", false).is_ok());
    }
}
