//! Status and content of a watched file, each as a text that is compared.

use std::{
    io::{self, ErrorKind, Read as _},
    path::Path,
};

use hookbox::Sha256Digest;
use hookbox_platform::file::{self, FileKind, FileStatus};

use super::{allowances, own_entries, watched::WatchedContent};

/// Maximum number of bytes of a file that are compared: the longest plugin.
const MAX_COMPARED_BYTES: u64 = 64 << 20;
/// Description of a file that does not exist.
const MISSING: &str = "missing";
/// Description of a file that cannot be read, or is not a plain file.
const UNREADABLE: &str = "unreadable";

/// Describes the file's status, links followed. Equal texts mean one file with unchanged content and mode, within the time
/// resolution of its file system.
pub(super) fn describe_status(path: &Path) -> String {
    match FileStatus::of_path(path) {
        Ok(status) => {
            let FileStatus { size, device, inode, modified, changed, mode, .. } = status;
            format!("{device} {inode} {size} {mode:o} {modified:?} {changed:?}")
        }
        Err(error) if error.kind() == ErrorKind::NotFound => MISSING.to_owned(),
        Err(_) => UNREADABLE.to_owned(),
    }
}

/// Describes the part of the file's content that counts. `good` reads its copy after the user's last command.
pub(super) fn describe_content(
    path: &Path,
    content: WatchedContent,
    good: &dyn Fn() -> Option<Vec<u8>>,
) -> String {
    let Ok(found) = read_content(path, MAX_COMPARED_BYTES) else { return UNREADABLE.to_owned() };
    match (content, found) {
        (WatchedContent::Whole, None) => MISSING.to_owned(),
        (WatchedContent::Whole, Some((mode, bytes))) => {
            format!("{mode:o} {}", Sha256Digest::of_content(&bytes).as_str())
        }
        (WatchedContent::Entries, found) => {
            let (mode, bytes) = found.unwrap_or_default();
            own_entries::describe_entries(&String::from_utf8_lossy(&bytes), mode)
        }
        (WatchedContent::Allowances, found) => {
            let bytes = found.map(|(_, bytes)| bytes).unwrap_or_default();
            allowances::describe_added(&bytes, &good().unwrap_or_default())
        }
    }
}

/// Reads the mode and at most `most` bytes of a plain file; `None` if it does not exist.
pub(super) fn read_content(path: &Path, most: u64) -> io::Result<Option<(u32, Vec<u8>)>> {
    let file = match file::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let status = FileStatus::of_file(&file)?;
    if status.kind != FileKind::Plain {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Some((status.mode, bytes)))
}
