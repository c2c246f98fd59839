//! An agent's settings file: read as it is, replaced in one step.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::MetadataExt,
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use hookbox::{
    atomic_file::{Access, Draft},
    dialect::settings::{Edit, MAX_SETTINGS_BYTES},
};
use rustix::{
    fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat},
    io::Errno,
};

/// How often a file is edited anew because another program was quicker.
const MAX_TRIES: usize = 100;
/// How long another hookbox that writes the same file is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two tries to have the file for oneself.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a program that opened the file before it was exchanged is waited for: at least, and at most while it has it open.
const SETTLING: Duration = Duration::from_millis(100);
const MOST_SETTLING: Duration = Duration::from_secs(2);

/// Mode of a file that was not there; the process's mask applies.
const NEW_FILE: u32 = 0o644;
const NEW_FOLDER: u32 = 0o755;
/// Mode of a file that is to be run.
const PROGRAM: u32 = 0o755;

/// Where a settings file is, and whether links on the way are the user's own.
pub(crate) enum Location {
    /// The user's own file. A link is followed, so that a file kept elsewhere is edited where it is kept.
    User(PathBuf),
    /// A project's file: the root, and folder and file below it. A stranger's link could lead anywhere, so none is
    /// followed.
    Project { root: PathBuf, folder: &'static str, file: &'static str },
}

/// What a file was when it was read.
struct Found {
    text: String,
    stat: Stat,
}

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// To be read. One that was there keeps its mode.
    Settings,
    /// To be run.
    Program,
}

impl Kind {
    fn access(self, found: Option<&Found>) -> Access {
        match (self, found) {
            (Self::Settings, Some(found)) => Access::Kept(Mode::from_raw_mode(found.stat.st_mode)),
            (Self::Settings, None) => Access::New(NEW_FILE),
            (Self::Program, _) => Access::New(PROGRAM),
        }
    }
}

impl Location {
    /// The path, for messages.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::User(path) => path.clone(),
            Self::Project { root, folder, file } => root.join(folder).join(file),
        }
    }

    /// The text of the file as it is; `None` if there is none.
    pub(crate) fn look(&self) -> Result<Option<String>, String> {
        let Some((folder, name)) = self.open(false)? else { return Ok(None) };
        let found = File { folder, name }.read().map_err(|error| self.failed("read", &error))?;
        Ok(found.map(|found| found.text))
    }

    /// The text of the file as it is; empty if there is none.
    pub(crate) fn read(&self) -> Result<String, String> {
        self.look().map(Option::unwrap_or_default)
    }

    /// The root of the project that it is in, if it is a project's.
    pub(crate) fn project(&self) -> Option<&Path> {
        match self {
            Self::User(_) => None,
            Self::Project { root, .. } => Some(root),
        }
    }

    /// Puts what `edit` makes of the file in its place, and returns that; nothing is written if it has nothing to do.
    /// What others write in the meantime stays: the file is exchanged, what it was is compared with what was read, and
    /// if that had changed it gets its place back and is edited anew.
    pub(crate) fn edit(&self, edit: &dyn Fn(&str) -> Result<Edit, String>) -> Result<Edit, String> {
        let written = |error: io::Error| self.failed("written", &error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File { folder, name };
        file.lock().map_err(written)?;
        for _ in 0..MAX_TRIES {
            let found = file.read().map_err(|error| self.failed("read", &error))?;
            let made = edit(found.as_ref().map_or("", |found| &found.text))?;
            if made.events.is_empty()
                || file.put(found.as_ref(), &made, edit, Kind::Settings).map_err(written)?
            {
                return Ok(made);
            }
        }
        Err(format!("{} is changed by another program all the time; run it again", self.path().display()))
    }

    /// Puts `text` in the place of what was found; an error, and nothing is written, if that has changed since.
    pub(crate) fn replace(&self, found: &str, text: &str, kind: Kind) -> Result<(), String> {
        let written = |error: io::Error| self.failed("written", &error);
        let Some((folder, name)) = self.open(true)? else {
            return Err(written(io::ErrorKind::NotFound.into()));
        };
        let file = File { folder, name };
        file.lock().map_err(written)?;
        let now = file.read().map_err(|error| self.failed("read", &error))?;
        if now.as_ref().map_or("", |now| &now.text) != found {
            return Err(self.changed());
        }
        let made = |now: &str| {
            let events = if now == text { Vec::new() } else { vec![String::new()] };
            Ok(Edit { text: text.to_owned(), events })
        };
        let whole = file.put(now.as_ref(), &made(found)?, &made, kind).map_err(written)?;
        if whole { Ok(()) } else { Err(self.changed()) }
    }

    /// Takes away what was found; an error if that has changed since. A file to which a link of the user's leads stays, with
    /// this text.
    pub(crate) fn remove(&self, found: &str, text: &str) -> Result<(), String> {
        if fs::symlink_metadata(self.path()).is_ok_and(|file| file.is_symlink()) {
            return self.replace(found, text, Kind::Settings);
        }
        let Some((folder, name)) = self.open(false)? else { return Ok(()) };
        let file = File { folder, name };
        file.lock().map_err(|error| self.failed("removed", &error))?;
        let now = file.read().map_err(|error| self.failed("read", &error))?;
        if now.map(|now| now.text).unwrap_or_default() != found {
            return Err(self.changed());
        }
        rustix::fs::unlinkat(&file.folder, &*file.name, AtFlags::empty())
            .map_err(|error| self.failed("removed", &error.into()))
    }

    fn changed(&self) -> String {
        format!("{} changed meanwhile and was left as it is; run it again", self.path().display())
    }

    /// The file's folder and its name in it; `None` if there is no such folder and it is not to be made.
    fn open(&self, make: bool) -> Result<Option<(OwnedFd, String)>, String> {
        let opened = match self {
            Self::User(path) => open_users(path, make),
            Self::Project { root, folder, file } => {
                let path = Path::new(folder).join(file);
                open_projects(root, &path, make)
            }
        };
        match opened {
            Ok(opened) => Ok(Some(opened)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !make => Ok(None),
            Err(error) => Err(self.failed(if make { "written" } else { "read" }, &error)),
        }
    }

    fn failed(&self, what: &str, error: &io::Error) -> String {
        format!("{} cannot be {what}: {error}", self.path().display())
    }
}

fn open_users(path: &Path, make: bool) -> io::Result<(OwnedFd, String)> {
    let real = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(_) if rustix::fs::lstat(path).is_ok() => {
            return Err(io::Error::other("it is a symbolic link to a file that is not there"));
        }
        Err(_) => path.to_owned(),
    };
    let none = || io::Error::other("it has no folder");
    let (folder, name) = (real.parent().ok_or_else(none)?, real.file_name().ok_or_else(none)?);
    if make {
        fs::create_dir_all(folder)?;
    }
    let opened = rustix::fs::open(folder, folder_flags(), Mode::empty())?;
    Ok((opened, name.to_string_lossy().into_owned()))
}

fn open_projects(root: &Path, path: &Path, make: bool) -> io::Result<(OwnedFd, String)> {
    let none = || io::Error::other("it has no folder");
    let (folders, name) = (path.parent().ok_or_else(none)?, path.file_name().ok_or_else(none)?);
    let mut folder = rustix::fs::open(root, folder_flags(), Mode::empty())?;
    for part in folders {
        folder = open_below(&folder, part, make)?;
    }
    Ok((folder, name.to_string_lossy().into_owned()))
}

fn open_below(folder: &OwnedFd, name: &OsStr, make: bool) -> io::Result<OwnedFd> {
    if make {
        match rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(NEW_FOLDER)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let opened = rustix::fs::openat(folder, name, folder_flags() | OFlags::NOFOLLOW, Mode::empty());
    opened.map_err(|error| match error {
        Errno::LOOP | Errno::NOTDIR => io::Error::other("its folder is a symbolic link, or no folder"),
        error => error.into(),
    })
}

fn folder_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC
}

/// A settings file, by the folder that it was found in.
struct File {
    folder: OwnedFd,
    name: String,
}

impl File {
    /// Has every other hookbox that writes into this folder wait, until this is dropped.
    fn lock(&self) -> io::Result<()> {
        let begun = Instant::now();
        loop {
            match rustix::fs::flock(&self.folder, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::AGAIN) if begun.elapsed() < PATIENCE => thread::sleep(PAUSE),
                Err(Errno::AGAIN) => return Err(io::Error::other("another hookbox is writing it")),
                // A file system without locks: what is exchanged is compared all the same.
                _ => return Ok(()),
            }
        }
    }

    fn read(&self) -> io::Result<Option<Found>> {
        read(&self.folder, &self.name)
    }

    /// Puts what was made of `found` in its place; false if another program was quicker, whose text is in place then.
    fn put(
        &self,
        found: Option<&Found>,
        made: &Edit,
        edit: &dyn Fn(&str) -> Result<Edit, String>,
        kind: Kind,
    ) -> io::Result<bool> {
        let draft = Draft::write(self.folder.as_fd(), kind.access(found), made.text.as_bytes())?;
        let Some(found) = found else {
            return match draft.create(&self.name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                created => created.map(|()| true),
            };
        };
        // Writing the draft took long; a change since then that is seen here never meets the exchange.
        if !self.is_still(&self.name, found) {
            return Ok(false);
        }
        match draft.exchange(&self.name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return self.replace(draft, found),
            exchanged => exchanged?,
        }
        if !self.was(&draft, found) {
            return self.give_back(draft, &made.text).map(|()| false);
        }
        draft.finish();
        let now = self.read()?.map(|now| now.text).unwrap_or_default();
        // Who had read it before may have replaced ours by now.
        Ok(edit(&now).is_ok_and(|more| more.events.is_empty()))
    }

    /// Without an exchange: what is written between this look and the rename is lost.
    fn replace(&self, draft: Draft<'_>, found: &Found) -> io::Result<bool> {
        let unchanged = self.read()?.is_some_and(|now| now.text == found.text);
        if unchanged {
            draft.replace(&self.name)?;
        }
        Ok(unchanged)
    }

    /// Is what was exchanged what was read? Whoever had opened it to write may still be at it, so it is looked at twice.
    fn was(&self, draft: &Draft<'_>, found: &Found) -> bool {
        // At once, since the file lacks what another program has written until it is given back.
        if !self.is_still(draft.name(), found) {
            return false;
        }
        let same = || {
            read(&self.folder, draft.name()).is_ok_and(|now| now.is_some_and(|now| now.text == found.text))
        };
        same() && {
            settle(&found.stat);
            same()
        }
    }

    /// Is the file of this name the one that was read, as far as can be told without reading it?
    fn is_still(&self, name: &str, found: &Found) -> bool {
        let stat = rustix::fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| is_same(&stat, &found.stat))
    }

    /// Gives what is under the temporary name its place back. Of two programs that changed the file while ours was in it,
    /// the later counts.
    fn give_back(&self, draft: Draft<'_>, ours: &str) -> io::Result<()> {
        let mut placed = Some(ours.to_owned());
        for _ in 0..MAX_TRIES {
            let theirs = read(&self.folder, draft.name()).ok().flatten().map(|found| found.text);
            if let Err(error) = draft.exchange(&self.name) {
                let (name, left) = (&self.name, draft.leave());
                return Err(io::Error::other(format!(
                    "{error}; what another program had just written is now in {left}, beside {name}: compare the two"
                )));
            }
            let taken = read(&self.folder, draft.name()).ok().flatten().map(|found| found.text);
            if taken == placed {
                return Ok(());
            }
            placed = theirs;
        }
        let left = draft.leave();
        Err(io::Error::other(format!(
            "other programs change it all the time; one version of it is now in {left}"
        )))
    }
}

/// Waits a moment, and until no other program has the file open that was exchanged.
fn settle(stat: &Stat) {
    thread::sleep(SETTLING);
    let begun = Instant::now();
    while is_open_elsewhere(stat).unwrap_or_default() && begun.elapsed() < MOST_SETTLING {
        thread::sleep(PAUSE);
    }
}

/// Has another process of this user that file open? `None` where the system does not tell.
fn is_open_elsewhere(stat: &Stat) -> Option<bool> {
    let ours = std::process::id().to_string();
    let processes = fs::read_dir("/proc").ok()?.filter_map(Result::ok).filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.bytes().all(|byte| byte.is_ascii_digit()) && name != ours
    });
    // A process that ended meanwhile, or is somebody else's, shows nothing.
    let mut files = processes.filter_map(|process| fs::read_dir(process.path().join("fd")).ok()).flatten();
    Some(files.any(|file| {
        let there = file.ok().and_then(|file| fs::metadata(file.path()).ok());
        there.is_some_and(|there| (there.dev(), there.ino()) == (stat.st_dev, stat.st_ino))
    }))
}

/// The same file with the same content, as far as can be told without reading it.
fn is_same(one: &Stat, other: &Stat) -> bool {
    let of = |stat: &Stat| {
        (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime, stat.st_mtime_nsec, stat.st_mode)
    };
    of(one) == of(other)
}

/// The file of this name, if there is one.
fn read(folder: &OwnedFd, name: &str) -> io::Result<Option<Found>> {
    // A FIFO must not hang.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let file = match rustix::fs::openat(folder, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(io::Error::other("it is a symbolic link")),
        Err(error) => return Err(error.into()),
    };
    let stat = rustix::fs::fstat(&file)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("it is not a plain file"));
    }
    // A rename would make it ours.
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    let mut bytes = Vec::new();
    fs::File::from(file).take(MAX_SETTINGS_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_SETTINGS_BYTES {
        return Err(io::Error::other(format!("it is longer than {MAX_SETTINGS_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        io::Error::other(format!("it is not UTF-8 (byte {})", error.utf8_error().valid_up_to()))
    })?;
    Ok(Some(Found { text, stat }))
}
