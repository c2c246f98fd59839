//! The log's file and its predecessor. Both together have a bound.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use hookbox::Sha256Digest;
use hookbox_platform::file::{
    self, FileKind, FileStatus, append_private, is_symbolic_link, make_private_folders, open_lock,
};

use super::{Entry, entry::MAX_LINE};

/// Maximum length of each of the two files, bytes.
const MAX_FILE: u64 = 512 << 10;
/// Digits of the id that identifies an entry for the user.
const DIGITS: usize = 4;

/// The log's content.
#[derive(Debug, Default)]
pub struct Log {
    /// The entries, oldest first.
    pub entries: Vec<StoredEntry>,
    /// Number of lines that cannot be read as an entry.
    pub damaged: usize,
}

/// A log entry and its id.
#[derive(Debug)]
pub struct StoredEntry {
    /// A few digits derived from its line.
    pub id: String,
    /// The entry.
    pub entry: Entry,
}

impl Log {
    /// Reads the log in this file and the one before it. A file that does not exist, or is not private to this user, counts as
    /// empty.
    pub fn read_file(path: &Path) -> Self {
        let mut log = Self::default();
        for path in [path.with_extension("old.jsonl"), path.to_owned()] {
            for line in read_text(&path).unwrap_or_default().split(|byte| *byte == b'\n') {
                log.add_line(line);
            }
        }
        log
    }

    fn add_line(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        match serde_json::from_slice(line) {
            // A longer line is not hookbox's.
            Ok(entry) if line.len() < MAX_LINE => {
                let id = Sha256Digest::of_content(line).as_str().get(..DIGITS).unwrap_or_default().to_owned();
                self.entries.push(StoredEntry { id, entry });
            }
            _ => self.damaged += 1,
        }
    }
}

fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    let (file, mut text) = (file::open(path)?, Vec::new());
    check_file(path, &file)?;
    // A process that could not wait for the lock may have added a line too many.
    file.take(2 * MAX_FILE).read_to_end(&mut text)?;
    Ok(text)
}

/// Adds a line to the log in this file, by one write. A full file replaces its predecessor, whose lines are dropped.
pub(crate) fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let mut file = open(path)?;
    let length = line.len() as u64;
    if check_file(path, &file)?.size + length > MAX_FILE {
        file = begin_anew(path, length)?;
    }
    // The file is open with `O_APPEND`, so lines of two processes are not mixed, without a lock at each event.
    file.write_all(line.as_bytes())
}

fn open(path: &Path) -> io::Result<File> {
    match append_private(path) {
        // The folder exists except at the first event, so it is not looked for beforehand.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), make_private_folders)?;
            append_private(path)
        }
        opened => opened,
    }
}

/// Refuses to write to another user's file, or to one behind a link.
fn check_file(path: &Path, file: &File) -> io::Result<FileStatus> {
    let status = FileStatus::of_file(file)?;
    if status.kind != FileKind::Plain || !status.is_own() || is_symbolic_link(path) {
        return Err(io::Error::other("it is not a plain file of this user"));
    }
    Ok(status)
}

/// Starts a new file. The second process that finds the file full finds it replaced.
fn begin_anew(path: &Path, length: u64) -> io::Result<File> {
    let lock = open_lock(&path.with_extension("lock"))?;
    // The process that holds the lock is about to finish; waiting is not necessary.
    if lock.try_lock().is_ok() && FileStatus::of_path(path)?.size + length > MAX_FILE {
        file::set_aside(path, &path.with_extension("old.jsonl"))?;
    }
    append_private(path)
}
