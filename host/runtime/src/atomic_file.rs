//! Files that are there as a whole or not at all. Every file that hookbox writes as a whole is written here.
//!
//! The bytes go to a temporary file of the same folder and to the disk before it gets its name, and whatever fails takes
//! the temporary file with it. What a killed process left is removed by whoever writes into the folder later.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Write},
    os::fd::BorrowedFd,
    time::{Duration, SystemTime},
};

use rustix::{
    fs::{AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, Stat},
    io::Errno,
};

/// How the name of a temporary file begins and ends; 32 hexadecimal digits are between.
const PREFIX: &str = ".hookbox-";
const SUFFIX: &str = ".tmp";
const DIGITS: usize = 32;
/// A temporary file of this age was left by a process that was killed.
const ABANDONED: Duration = Duration::from_hours(1);
/// Most entries of a folder that are looked at for such files.
const MAX_LOOKED_AT: usize = 4096;
/// Most of them that are removed at once.
const MAX_REMOVED: usize = 64;

/// Who may do what with a file.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// This, less the process's mask, as for any new file.
    New(u32),
    /// Exactly this: what the file had that is replaced.
    Kept(Mode),
}

impl Access {
    /// For this user alone.
    pub const PRIVATE: Self = Self::New(0o600);
}

/// Replaces, or makes, the file `name` of `folder`: others see what was there before or all of `bytes`.
pub fn write(folder: BorrowedFd<'_>, name: &str, access: Access, bytes: &[u8]) -> io::Result<()> {
    Draft::write(folder, access, bytes)?.replace(name)
}

/// A file without a name of its own yet, and on the disk already. Dropped, it is removed.
#[derive(Debug)]
pub struct Draft<'a> {
    folder: BorrowedFd<'a>,
    temporary: String,
}

impl<'a> Draft<'a> {
    /// Writes the bytes, all or none.
    pub fn write(folder: BorrowedFd<'a>, access: Access, bytes: &[u8]) -> io::Result<Self> {
        sweep(folder);
        let temporary = temporary_name()?;
        let mode = match access {
            Access::New(mode) => Mode::from_raw_mode(mode),
            Access::Kept(_) => Mode::RUSR | Mode::WUSR,
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(folder, &temporary, flags, mode)?;
        let draft = Self { folder, temporary };
        fill(file.into(), access, bytes)?;
        Ok(draft)
    }

    /// Gives it this name, whatever had it.
    pub fn replace(self, name: &str) -> io::Result<()> {
        rustix::fs::renameat(self.folder, &self.temporary, self.folder, name)?;
        self.named();
        Ok(())
    }

    /// Gives it this name if nothing has it; else an error of the kind [`io::ErrorKind::AlreadyExists`].
    pub fn create(self, name: &str) -> io::Result<()> {
        match rustix::fs::renameat_with(
            self.folder,
            &self.temporary,
            self.folder,
            name,
            RenameFlags::NOREPLACE,
        ) {
            // A file system that cannot do this.
            Err(Errno::INVAL | Errno::NOSYS) => self.link(name),
            renamed => {
                renamed?;
                self.named();
                Ok(())
            }
        }
    }

    /// Gives it this name, and the temporary one to what had it; [`Self::finish`] brings that to the disk. An error of the
    /// kind [`io::ErrorKind::Unsupported`] where the file system cannot do this.
    pub fn exchange(&self, name: &str) -> io::Result<()> {
        let flags = RenameFlags::EXCHANGE;
        match rustix::fs::renameat_with(self.folder, &self.temporary, self.folder, name, flags) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Err(io::ErrorKind::Unsupported.into()),
            exchanged => Ok(exchanged?),
        }
    }

    /// The temporary name.
    pub fn name(&self) -> &str {
        &self.temporary
    }

    /// Removes what has the temporary name.
    pub fn finish(self) {
        synchronise(self.folder);
    }

    /// Leaves what has the temporary name where it is, which is given back.
    pub fn leave(mut self) -> String {
        std::mem::take(&mut self.temporary)
    }

    /// The draft keeps its temporary name, which is removed afterwards.
    fn link(&self, name: &str) -> io::Result<()> {
        rustix::fs::linkat(self.folder, &self.temporary, self.folder, name, AtFlags::empty())?;
        synchronise(self.folder);
        Ok(())
    }

    /// There is nothing left to remove.
    fn named(mut self) {
        synchronise(self.folder);
        self.temporary.clear();
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.temporary.is_empty() {
            // What cannot be removed now is removed by whoever writes here in an hour.
            let _ = rustix::fs::unlinkat(self.folder, &self.temporary, AtFlags::empty());
        }
    }
}

fn fill(mut file: File, access: Access, bytes: &[u8]) -> io::Result<()> {
    if let Access::Kept(mode) = access {
        rustix::fs::fchmod(&file, mode)?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// The folder, too, reaches the disk. Where it cannot, a power cut may bring the old file back, never a part of one.
fn synchronise(folder: BorrowedFd<'_>) {
    let _ = rustix::fs::fsync(folder);
}

/// A name that nobody else has: neither a thread of this process nor one of the same number in another container.
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
fn sweep(folder: BorrowedFd<'_>) {
    let Ok(entries) = Dir::read_from(folder) else { return };
    let names = entries.take(MAX_LOOKED_AT).flatten().filter_map(|entry| {
        let name = entry.file_name().to_str().ok()?;
        is_temporary_name(name).then(|| name.to_owned())
    });
    let abandoned = |name: &String| {
        rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| is_abandoned(&stat))
    };
    for name in names.filter(abandoned).take(MAX_REMOVED) {
        let _ = rustix::fs::unlinkat(folder, &name, AtFlags::empty());
    }
}

fn is_temporary_name(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    random.is_some_and(|random| random.len() == DIGITS && random.bytes().all(is_digit))
}

fn is_abandoned(stat: &Stat) -> bool {
    let modified =
        SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(stat.st_mtime).unwrap_or_default());
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
        && stat.st_uid == rustix::process::geteuid().as_raw()
        && SystemTime::now().duration_since(modified).is_ok_and(|age| age > ABANDONED)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::{fd::AsFd, unix::fs::PermissionsExt},
        path::Path,
    };

    use super::*;

    fn open(path: &Path) -> File {
        File::open(path).unwrap()
    }

    fn names(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn age(path: &Path, by: Duration) {
        File::options().write(true).open(path).unwrap().set_modified(SystemTime::now() - by).unwrap();
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        for text in ["first", "second"] {
            write(folder.as_fd(), "file", Access::PRIVATE, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(bed.path().join("file")).unwrap(), text);
        }
        assert_eq!(names(bed.path()), ["file"]);
        assert_eq!(fs::metadata(bed.path().join("file")).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn the_mode_that_is_kept_is_kept_exactly() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        write(folder.as_fd(), "file", Access::Kept(Mode::from_raw_mode(0o666)), b"").unwrap();
        assert_eq!(fs::metadata(bed.path().join("file")).unwrap().permissions().mode() & 0o777, 0o666);
    }

    #[test]
    fn what_cannot_be_named_leaves_nothing() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        fs::create_dir_all(bed.path().join("taken/by a folder")).unwrap();
        assert!(write(folder.as_fd(), "taken", Access::PRIVATE, b"text").is_err());
        assert!(write(folder.as_fd(), "no/such/folder", Access::PRIVATE, b"text").is_err());
        assert_eq!(names(bed.path()), ["taken"]);
    }

    #[test]
    fn a_new_file_never_takes_the_place_of_another() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        let draft = |text: &str| Draft::write(folder.as_fd(), Access::PRIVATE, text.as_bytes()).unwrap();
        draft("first").create("file").unwrap();
        let error = draft("second").create("file").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(draft("third").link("file").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(bed.path().join("file")).unwrap(), "first");
        draft("fourth").link("other").unwrap();
        assert_eq!(names(bed.path()), ["file", "other"]);
    }

    #[test]
    fn an_exchange_hands_over_what_was_there() {
        let bed = tempfile::tempdir().unwrap();
        let folder = open(bed.path());
        fs::write(bed.path().join("file"), "old").unwrap();
        let draft = Draft::write(folder.as_fd(), Access::PRIVATE, b"new").unwrap();
        draft.exchange("file").unwrap();
        assert_eq!(fs::read_to_string(bed.path().join(draft.name())).unwrap(), "old");
        drop(draft);
        assert_eq!(names(bed.path()), ["file"]);
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
            age(&bed.path().join(name), hour + hour);
        }
        // One that is being written, and what only looks like one.
        fs::write(bed.path().join(own("1")), "young").unwrap();
        fs::create_dir(bed.path().join(own("2"))).unwrap();
        std::os::unix::fs::symlink("settings.json.tmp", bed.path().join(own("3"))).unwrap();
        write(folder.as_fd(), "file", Access::PRIVATE, b"").unwrap();
        let mut left = [others.as_slice(), &[own("1"), own("2"), own("3"), "file".to_owned()]].concat();
        left.sort();
        assert_eq!(names(bed.path()), left);
    }
}
