//! Atomic replacement of a file by rename: a file is written completely or not at all. hookbox writes every whole file here.
//!
//! The bytes go to a temporary file of the target folder and to the disk before the file gets its name; after a failure
//! the temporary file is removed. A temporary file of a killed process is removed by a later write into the folder.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Write},
    time::{Duration, SystemTime},
};

use hookbox_platform::{
    file::{self, FileKind, FileStatus},
    folder::Folder,
};

/// Beginning and end of a temporary file's name; 32 hexadecimal digits are between.
const PREFIX: &str = ".hookbox-";
const SUFFIX: &str = ".tmp";
const DIGITS: usize = 32;
/// Age after which a temporary file counts as left behind by a killed process.
const ABANDONED: Duration = Duration::from_hours(1);
// The sweep is part of each write, so a folder with very many files must not slow the write down.
/// Most entries of a folder that are searched for such files.
const MAX_LOOKED_AT: usize = 4096;
/// Most of these files that one sweep removes.
const MAX_REMOVED: usize = 64;

/// Permissions of a file.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// This mode, less the process's umask, as for any new file.
    New(u32),
    /// Exactly this mode: that of the replaced file.
    Kept(u32),
}

impl Access {
    /// Access for this user alone.
    pub const PRIVATE: Self = Self::New(0o600);
}

/// Replaces or creates the file `name` of `folder`: other processes see the previous content or all of `bytes`.
pub fn replace_or_create(folder: &Folder, name: &str, access: Access, bytes: &[u8]) -> io::Result<()> {
    Draft::write_temporary(folder, access, bytes)?.replace_file(name)
}

/// A complete file on the disk that does not have its final name yet. Removed when dropped.
#[derive(Debug)]
pub struct Draft<'a> {
    folder: &'a Folder,
    temporary: String,
}

impl<'a> Draft<'a> {
    /// Writes the bytes, all or none.
    pub fn write_temporary(folder: &'a Folder, access: Access, bytes: &[u8]) -> io::Result<Self> {
        remove_stale_files(folder);
        let temporary = temporary_name()?;
        let mode = match access {
            Access::New(mode) => mode,
            Access::Kept(_) => 0o600,
        };
        let file = folder.create_file(&temporary, mode)?;
        let draft = Self { folder, temporary };
        write_content(file, access, bytes)?;
        Ok(draft)
    }

    /// Renames the file to `name`, replacing an existing file.
    pub fn replace_file(self, name: &str) -> io::Result<()> {
        self.folder.rename_file(&self.temporary, name)?;
        self.finish_rename();
        Ok(())
    }

    /// Renames the file to `name` if no file has it; otherwise returns an error of the kind
    /// [`io::ErrorKind::AlreadyExists`].
    pub fn persist_new(self, name: &str) -> io::Result<()> {
        match self.folder.rename_new(&self.temporary, name) {
            // A hard link does not replace an existing file either, on file systems whose rename always does.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => self.link_file(name),
            renamed => {
                renamed?;
                self.finish_rename();
                Ok(())
            }
        }
    }

    /// Exchanges this file and the file `name`, which gets the temporary name; [`Self::finish`] synchronises the
    /// folder. Returns an error of the kind [`io::ErrorKind::Unsupported`] where the file system cannot do this.
    pub fn exchange_with(&self, name: &str) -> io::Result<()> {
        self.folder.exchange_files(&self.temporary, name)
    }

    /// Returns the temporary name.
    pub fn name(&self) -> &str {
        &self.temporary
    }

    /// Synchronises the folder, and removes the file with the temporary name.
    pub fn finish(self) {
        synchronise_folder(self.folder);
    }

    /// Keeps the file with the temporary name, and returns the name.
    pub fn keep_temporary(mut self) -> String {
        std::mem::take(&mut self.temporary)
    }

    /// Links the file to `name`; the temporary name is removed afterwards.
    fn link_file(&self, name: &str) -> io::Result<()> {
        self.folder.link_file(&self.temporary, name)?;
        synchronise_folder(self.folder);
        Ok(())
    }

    /// Synchronises the folder; no temporary file remains.
    fn finish_rename(mut self) {
        synchronise_folder(self.folder);
        self.temporary.clear();
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.temporary.is_empty() {
            // If it cannot be removed now, a write into this folder in an hour removes it.
            let _ = self.folder.remove_file(&self.temporary);
        }
    }
}

fn write_content(mut file: File, access: Access, bytes: &[u8]) -> io::Result<()> {
    if let Access::Kept(mode) = access {
        // Creating the file applied the umask, and a kept mode is exact. Before the first byte, so that the
        // content is never open to more users than before.
        file::set_mode(&file, mode)?;
    }
    file.write_all(bytes)?;
    // Otherwise the rename could reach the disk before the content, and a power cut would leave an empty
    // file.
    file.sync_all()
}

/// Writes the folder to the disk, too. Where that fails, a power cut may restore the old file, never a part of one.
fn synchronise_folder(folder: &Folder) {
    let _ = folder.synchronise();
}

/// Returns a unique name: unique among the threads of this process, and among processes with equal ids in different
/// containers.
fn temporary_name() -> io::Result<String> {
    let mut random = [0; DIGITS / 2];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let mut name = PREFIX.to_owned();
    for byte in random {
        let _ = write!(name, "{byte:02x}");
    }
    Ok(name + SUFFIX)
}

/// Removes temporary files that killed processes left in the folder.
fn remove_stale_files(folder: &Folder) {
    let mut names = Vec::new();
    // A folder that cannot be listed cannot be swept.
    let _ = folder.for_each_name(MAX_LOOKED_AT, |name| {
        if is_temporary_name(name) {
            names.push(name.to_owned());
        }
    });
    let abandoned = |name: &String| folder.status_of(name).is_ok_and(|status| is_abandoned(&status));
    for name in names.into_iter().filter(abandoned).take(MAX_REMOVED) {
        let _ = folder.remove_file(&name);
    }
}

fn is_temporary_name(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    random.is_some_and(|random| random.len() == DIGITS && random.bytes().all(is_digit))
}

fn is_abandoned(status: &FileStatus) -> bool {
    let age = SystemTime::now().duration_since(status.modified_time());
    // A younger file may belong to a process that is still writing.
    status.kind == FileKind::Plain && status.is_own() && age.is_ok_and(|age| age > ABANDONED)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt, path::Path};

    use super::*;

    fn open(path: &Path) -> Folder {
        Folder::open(path).unwrap()
    }

    fn list_names(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn backdate_file(path: &Path, by: Duration) {
        File::options().write(true).open(path).unwrap().set_modified(SystemTime::now() - by).unwrap();
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        for text in ["first", "second"] {
            replace_or_create(&folder, "file", Access::PRIVATE, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(bed.path().join("file")).unwrap(), text);
        }
        assert_eq!(list_names(bed.path()), ["file"]);
        assert_eq!(fs::metadata(bed.path().join("file")).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn the_mode_that_is_kept_is_kept_exactly() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        replace_or_create(&folder, "file", Access::Kept(0o666), b"").unwrap();
        assert_eq!(fs::metadata(bed.path().join("file")).unwrap().permissions().mode() & 0o777, 0o666);
    }

    #[test]
    fn what_cannot_be_named_leaves_nothing() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        fs::create_dir_all(bed.path().join("taken/by a folder")).unwrap();
        assert!(replace_or_create(&folder, "taken", Access::PRIVATE, b"text").is_err());
        assert!(replace_or_create(&folder, "no/such/folder", Access::PRIVATE, b"text").is_err());
        assert_eq!(list_names(bed.path()), ["taken"]);
    }

    #[test]
    fn a_new_file_never_takes_the_place_of_another() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        let draft = |text: &str| Draft::write_temporary(&folder, Access::PRIVATE, text.as_bytes()).unwrap();
        draft("first").persist_new("file").unwrap();
        let error = draft("second").persist_new("file").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(draft("third").link_file("file").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(bed.path().join("file")).unwrap(), "first");
        draft("fourth").link_file("other").unwrap();
        assert_eq!(list_names(bed.path()), ["file", "other"]);
    }

    #[test]
    fn an_exchange_hands_over_what_was_there() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        fs::write(bed.path().join("file"), "old").unwrap();
        let draft = Draft::write_temporary(&folder, Access::PRIVATE, b"new").unwrap();
        draft.exchange_with("file").unwrap();
        assert_eq!(fs::read_to_string(bed.path().join(draft.name())).unwrap(), "old");
        drop(draft);
        assert_eq!(list_names(bed.path()), ["file"]);
        assert_eq!(fs::read_to_string(bed.path().join("file")).unwrap(), "new");
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        let hour = Duration::from_hours(1);
        let own = |digit: &str| format!(".hookbox-{}.tmp", digit.repeat(32));
        let others = [".hookbox-1.tmp".to_owned(), own("g"), own("0") + "~", "settings.json.tmp".to_owned()];
        for name in others.iter().chain(&[own("0"), own("a")]) {
            fs::write(bed.path().join(name), "left").unwrap();
            backdate_file(&bed.path().join(name), hour + hour);
        }
        // A file that is being written, and names that only resemble one.
        fs::write(bed.path().join(own("1")), "young").unwrap();
        fs::create_dir(bed.path().join(own("2"))).unwrap();
        std::os::unix::fs::symlink("settings.json.tmp", bed.path().join(own("3"))).unwrap();
        replace_or_create(&folder, "file", Access::PRIVATE, b"").unwrap();
        let mut left = [others.as_slice(), &[own("1"), own("2"), own("3"), "file".to_owned()]].concat();
        left.sort();
        assert_eq!(list_names(bed.path()), left);
    }
}
