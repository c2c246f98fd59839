//! A settings file that several programs write at the same time: exchanged as a whole, and restored if another program was
//! quicker.

use std::{
    fs::TryLockError,
    io::{self, Read},
    thread,
    time::{Duration, Instant},
};

use hookbox::{
    agents::settings::{Edit, MAX_SETTINGS_BYTES},
    atomic_file::{Access, Draft},
};
use hookbox_platform::{
    file::{FileKind, FileStatus, is_link, is_open_elsewhere},
    folder::Folder,
};

use super::MakeEdit;

/// Maximum number of attempts to restore a file because another program was quicker.
const MAX_TRIES: usize = 100;
/// Maximum time to wait for another hookbox that writes the file.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// Pause between two attempts to lock the folder.
const PAUSE: Duration = Duration::from_millis(5);
/// Minimum time to wait for a program that opened the file before it was exchanged; the maximum applies while that has it open.
const SETTLING: Duration = Duration::from_millis(100);
const MOST_SETTLING: Duration = Duration::from_secs(2);

/// Mode of a new file; the process's mask applies.
const NEW_FILE: u32 = 0o644;
const PROGRAM: u32 = 0o755;

/// A file's text and status when it was read.
pub(super) struct FileSnapshot {
    pub(super) text: String,
    status: FileStatus,
}

/// Purpose of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Settings, to be read. An existing file keeps its mode.
    Settings,
    /// A program, to be run.
    Program,
}

impl Kind {
    fn select_access(self, found: Option<&FileSnapshot>) -> Access {
        match (self, found) {
            (Self::Settings, Some(found)) => Access::Kept(found.status.mode),
            (Self::Settings, None) => Access::New(NEW_FILE),
            (Self::Program, _) => Access::New(PROGRAM),
        }
    }
}

/// A settings file, with an open handle of its folder.
pub(super) struct File {
    folder: Folder,
    name: String,
}

impl File {
    pub(super) fn new(folder: Folder, name: String) -> Self {
        Self { folder, name }
    }

    /// Locks the folder against every other hookbox until this is dropped.
    pub(super) fn lock(&self) -> io::Result<()> {
        // The folder is locked and not the file: each write replaces the file, and a lock would stay with its
        // predecessor.
        let begun = Instant::now();
        loop {
            match self.folder.try_lock() {
                Err(TryLockError::WouldBlock) if begun.elapsed() < MAX_WAIT => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::other("another hookbox is writing it"));
                }
                // A file system without locks: the exchanged file is compared all the same.
                _ => return Ok(()),
            }
        }
    }

    pub(super) fn read(&self) -> io::Result<Option<FileSnapshot>> {
        read_found(&self.folder, &self.name)
    }

    pub(super) fn unlink(&self) -> io::Result<()> {
        self.folder.remove_file(&self.name)
    }

    /// Replaces `found` with the edited text; false if another program was quicker, whose text is in place then.
    pub(super) fn put_edit(
        &self,
        found: Option<&FileSnapshot>,
        made: &Edit,
        edit: MakeEdit<'_>,
        kind: Kind,
    ) -> io::Result<bool> {
        let draft = Draft::write_temporary(&self.folder, kind.select_access(found), made.text.as_bytes())?;
        let Some(found) = found else {
            return match draft.persist_new(&self.name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                created => created.map(|()| true),
            };
        };
        // Writing the draft took long; a change since then that is detected here never meets the exchange.
        if !self.is_still(&self.name, found) {
            return Ok(false);
        }
        match draft.exchange_with(&self.name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                return self.replace_unexchanged(draft, found);
            }
            exchanged => exchanged?,
        }
        if !self.was_exchanged(&draft, found) {
            return self.give_back(draft, &made.text).map(|()| false);
        }
        // Only now is the former content dropped: until here it could be restored.
        draft.finish();
        Ok(self.is_done(edit))
    }

    /// Returns true if the file has the edited text. A program that had read it before may have replaced it by now. The file
    /// was written, so a failing check counts as success.
    fn is_done(&self, edit: MakeEdit<'_>) -> bool {
        match self.read() {
            Ok(Some(now)) => edit(&now.text).is_ok_and(|more| more.events.is_empty()),
            Ok(None) => self.folder.status_of(&self.name).is_ok(),
            Err(_) => true,
        }
    }

    /// Replaces the file without an exchange: a write between this check and the rename is lost.
    fn replace_unexchanged(&self, draft: Draft<'_>, found: &FileSnapshot) -> io::Result<bool> {
        let unchanged = self.read()?.is_some_and(|now| now.text == found.text);
        if unchanged {
            draft.replace_file(&self.name)?;
        }
        Ok(unchanged)
    }

    /// Returns true if the exchanged file is the one that was read. A program that opened it before may still write to it, so
    /// it is checked twice.
    fn was_exchanged(&self, draft: &Draft<'_>, found: &FileSnapshot) -> bool {
        // First without a pause, since the file lacks another program's changes until it is restored.
        if !self.is_still(draft.name(), found) {
            return false;
        }
        let same = || {
            read_found(&self.folder, draft.name())
                .is_ok_and(|now| now.is_some_and(|now| now.text == found.text))
        };
        same() && {
            wait_until_settled(&found.status);
            same()
        }
    }

    /// Returns true if the file of this name is the one that was read, judged by its status alone.
    fn is_still(&self, name: &str, found: &FileSnapshot) -> bool {
        self.folder.status_of(name).is_ok_and(|status| is_same(&status, &found.status))
    }

    /// Restores the file under the temporary name. Of two programs that changed the file while it had the edited text, the
    /// later one wins.
    fn give_back(&self, draft: Draft<'_>, ours: &str) -> io::Result<()> {
        let mut placed = Some(ours.to_owned());
        for _ in 0..MAX_TRIES {
            let theirs = read_found(&self.folder, draft.name()).ok().flatten().map(|found| found.text);
            if let Err(error) = draft.exchange_with(&self.name) {
                let (name, left) = (&self.name, draft.keep_temporary());
                return Err(io::Error::other(format!(
                    "{error}; the file that another program had just written is now {left}, next to {name}: compare the two"
                )));
            }
            let taken = read_found(&self.folder, draft.name()).ok().flatten().map(|found| found.text);
            if taken == placed {
                return Ok(());
            }
            placed = theirs;
        }
        let left = draft.keep_temporary();
        Err(io::Error::other(format!(
            "other programs change it all the time; one version of it is now in {left}"
        )))
    }
}

/// Waits a moment, and until no other program has the exchanged file open.
fn wait_until_settled(status: &FileStatus) {
    thread::sleep(SETTLING);
    let begun = Instant::now();
    while is_open_elsewhere(status).unwrap_or_default() && begun.elapsed() < MOST_SETTLING {
        thread::sleep(PAUSE);
    }
}

/// Returns true for one file with unchanged content, judged by its status alone.
fn is_same(one: &FileStatus, other: &FileStatus) -> bool {
    // An exchange updates the change time.
    let mut one = *one;
    one.changed = other.changed;
    one == *other
}

/// Reads the file of this name, if it exists.
fn read_found(folder: &Folder, name: &str) -> io::Result<Option<FileSnapshot>> {
    let file = match folder.open_file(name) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if is_link(&error) => return Err(io::Error::other("it is a symbolic link")),
        Err(error) => return Err(error),
    };
    let status = FileStatus::of_file(&file)?;
    if status.kind != FileKind::Plain {
        return Err(io::Error::other("it is not a plain file"));
    }
    // A rename would make this user its owner.
    if !status.is_own() {
        return Err(io::Error::other("it belongs to another user"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_SETTINGS_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_SETTINGS_BYTES {
        return Err(io::Error::other(format!("it is longer than {MAX_SETTINGS_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        io::Error::other(format!("it is not UTF-8 (byte {})", error.utf8_error().valid_up_to()))
    })?;
    Ok(Some(FileSnapshot { text, status }))
}
