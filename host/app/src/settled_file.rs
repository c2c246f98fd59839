//! Reads a file that may be being written in place: half of it would count as a file with fewer hooks.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    thread,
    time::{Duration, Instant, SystemTime},
};

use hookbox_platform::file::FileStatus;

/// Time without changes after which a file counts as complete.
const SETTLED: Duration = Duration::from_secs(2);
/// Pause before a younger file is read again. A program that empties and rewrites a file takes a few milliseconds in between.
const QUIET: Duration = Duration::from_millis(150);
/// Maximum time to wait until a file stays unchanged.
const MAX_WAIT: Duration = Duration::from_millis(900);

/// Reads at most `most` bytes of the file at `path`, which `open` opens, again as long as it changes.
pub(crate) fn read_settled(
    path: &Path,
    open: &dyn Fn(&Path) -> io::Result<(File, FileStatus)>,
    most: usize,
) -> io::Result<Vec<u8>> {
    let begun = Instant::now();
    let mut before = None;
    loop {
        let look = read_once(path, open, most)?;
        if look.is_settled() || before.as_ref().is_some_and(|before| look.is_like(before)) {
            return match look {
                FileState::There(seen) => Ok(seen.bytes),
                FileState::Missing(_, error) => Err(error),
            };
        }
        before = Some(look);
        if begun.elapsed() + QUIET > MAX_WAIT {
            return Err(io::Error::other("it is being written all the time"));
        }
        thread::sleep(QUIET);
    }
}

enum FileState {
    There(FileContent),
    /// The file is missing in this folder: an editor may have moved it aside, to write a new one.
    Missing(Option<FileStatus>, io::Error),
}

impl FileState {
    /// Returns true if the file has not changed for a while.
    fn is_settled(&self) -> bool {
        match self {
            Self::There(seen) => seen.is_whole && is_settled(&seen.status),
            Self::Missing(folder, _) => folder.as_ref().is_none_or(is_settled),
        }
    }

    /// Returns true if the file has not changed in between.
    fn is_like(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::There(now), Self::There(before)) => {
                now.is_whole && now.status == before.status && now.bytes == before.bytes
            }
            (Self::Missing(Some(now), _), Self::Missing(Some(before), _)) => now == before,
            _ => false,
        }
    }
}

struct FileContent {
    status: FileStatus,
    bytes: Vec<u8>,
    /// True if the file did not change while it was read.
    is_whole: bool,
}

fn read_once(
    path: &Path,
    open: &dyn Fn(&Path) -> io::Result<(File, FileStatus)>,
    most: usize,
) -> io::Result<FileState> {
    // Before the file is opened: a later change is detected next time.
    let folder = path.parent().and_then(|folder| FileStatus::of_path(folder).ok());
    let (file, status) = match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(FileState::Missing(folder, error));
        }
        opened => opened?,
    };
    let mut bytes = Vec::with_capacity(usize::try_from(status.size).unwrap_or_default().min(most) + 1);
    Read::by_ref(&mut &file).take(most as u64).read_to_end(&mut bytes)?;
    let is_whole = FileStatus::of_file(&file)? == status;
    Ok(FileState::There(FileContent { status, bytes, is_whole }))
}

/// Returns true if the file's age exceeds the limit. A time in the future comes from another clock; its distance counts
/// instead.
fn is_settled(status: &FileStatus) -> bool {
    let age = SystemTime::now().duration_since(status.modified_time());
    age.map_or_else(|ahead| ahead.duration() > SETTLED, |age| age > SETTLED)
}
