//! The file of the log, and the one before it. Both together have a bound.

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

/// Longest one of the two files may become, bytes.
const MAX_FILE: u64 = 512 << 10;
/// Digits by which a person names an entry.
const DIGITS: usize = 4;

/// What the log has.
#[derive(Debug, Default)]
pub struct Log {
    /// Oldest first.
    pub entries: Vec<Kept>,
    /// Lines that are none.
    pub damaged: usize,
}

/// An entry, and what a person calls it.
#[derive(Debug)]
pub struct Kept {
    /// A few digits that follow from its line.
    pub id: String,
    /// What it says.
    pub entry: Entry,
}

impl Log {
    /// Reads the log in this file and the one before it. A file that is not there, or not this user's alone, has nothing.
    pub fn read(path: &Path) -> Self {
        let mut log = Self::default();
        for path in [path.with_extension("old.jsonl"), path.to_owned()] {
            for line in text(&path).unwrap_or_default().split(|byte| *byte == b'\n') {
                log.add(line);
            }
        }
        log
    }

    fn add(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        match serde_json::from_slice(line) {
            Ok(entry) if line.len() < MAX_LINE => {
                let id = Sha256Digest::of(line).as_str().get(..DIGITS).unwrap_or_default().to_owned();
                self.entries.push(Kept { id, entry });
            }
            _ => self.damaged += 1,
        }
    }
}

fn text(path: &Path) -> io::Result<Vec<u8>> {
    let (file, mut text) = (file::open(path)?, Vec::new());
    check(path, &file)?;
    // A process that could not wait may have added a line too much.
    file.take(2 * MAX_FILE).read_to_end(&mut text)?;
    Ok(text)
}

/// Adds a line to the log in this file, by one write. What is full becomes the file before it, whose lines go.
pub(crate) fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = open(path)?;
    let length = line.len() as u64;
    if check(path, &file)?.size + length > MAX_FILE {
        file = begin_anew(path, length)?;
    }
    file.write_all(line.as_bytes())
}

fn open(path: &Path) -> io::Result<File> {
    match append_private(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), make_private_folders)?;
            append_private(path)
        }
        opened => opened,
    }
}

/// Somebody else's file, or one that a link leads to, is not written to.
fn check(path: &Path, file: &File) -> io::Result<FileStatus> {
    let status = FileStatus::of(file)?;
    if status.kind != FileKind::Plain || !status.is_own() || is_symbolic_link(path) {
        return Err(io::Error::other("it is not a plain file of this user's"));
    }
    Ok(status)
}

/// Who is second to find the file full finds it new.
fn begin_anew(path: &Path, length: u64) -> io::Result<File> {
    let lock = open_lock(&path.with_extension("lock"))?;
    // Whoever has it is about to be done; nobody waits for that.
    if lock.try_lock().is_ok() && FileStatus::at(path)?.size + length > MAX_FILE {
        file::set_aside(path, &path.with_extension("old.jsonl"))?;
    }
    append_private(path)
}
