//! Reading a file that somebody may be writing in place: half of it would count as a file with fewer hooks.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    thread,
    time::{Duration, Instant, SystemTime},
};

use hookbox_platform::file::FileStatus;

/// A file that nobody has written to for so long is not being written.
const SETTLED: Duration = Duration::from_secs(2);
/// A younger one is read again after this. Who empties a file to write it anew takes a few milliseconds in between.
const QUIET: Duration = Duration::from_millis(150);
/// Longest time for a file to stay as it is.
const PATIENCE: Duration = Duration::from_millis(900);

/// At most so many bytes of the file at `path`, which `open` opens, and which is looked at anew as long as it changes.
pub(crate) fn read(
    path: &Path,
    open: &dyn Fn(&Path) -> io::Result<(File, FileStatus)>,
    most: usize,
) -> io::Result<Vec<u8>> {
    let begun = Instant::now();
    let mut before = None;
    loop {
        let look = look(path, open, most)?;
        if look.is_settled() || before.as_ref().is_some_and(|before| look.is_like(before)) {
            return match look {
                Look::There(seen) => Ok(seen.bytes),
                Look::Missing(_, error) => Err(error),
            };
        }
        before = Some(look);
        if begun.elapsed() + QUIET > PATIENCE {
            return Err(io::Error::other("it is being written all the time"));
        }
        thread::sleep(QUIET);
    }
}

/// What was found.
enum Look {
    There(Seen),
    /// Not there, in this folder: an editor may have moved it aside, to write a new one.
    Missing(Option<FileStatus>, io::Error),
}

impl Look {
    /// Nobody has changed it for a while.
    fn is_settled(&self) -> bool {
        match self {
            Self::There(seen) => seen.is_whole && is_settled(&seen.status),
            Self::Missing(folder, _) => folder.as_ref().is_none_or(is_settled),
        }
    }

    /// Nobody has changed it in between.
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

struct Seen {
    status: FileStatus,
    bytes: Vec<u8>,
    /// Nothing changed while it was read.
    is_whole: bool,
}

fn look(
    path: &Path,
    open: &dyn Fn(&Path) -> io::Result<(File, FileStatus)>,
    most: usize,
) -> io::Result<Look> {
    // Before the file is looked for: what changes after that is seen the next time.
    let folder = path.parent().and_then(|folder| FileStatus::at(folder).ok());
    let (file, status) = match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Look::Missing(folder, error)),
        opened => opened?,
    };
    let mut bytes = Vec::with_capacity(usize::try_from(status.size).unwrap_or_default().min(most) + 1);
    Read::by_ref(&mut &file).take(most as u64).read_to_end(&mut bytes)?;
    let is_whole = FileStatus::of(&file)? == status;
    Ok(Look::There(Seen { status, bytes, is_whole }))
}

/// A time in the future is some other clock's, and says nothing of now.
fn is_settled(status: &FileStatus) -> bool {
    let age = SystemTime::now().duration_since(status.modified_time());
    age.map_or_else(|ahead| ahead.duration() > SETTLED, |age| age > SETTLED)
}
