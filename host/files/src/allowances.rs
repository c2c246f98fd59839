//! The calls that a person has allowed although hooks stopped them: each for exactly one call, once or until a time.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use hookbox::Clock;
use hookbox_platform::file::{self, FileKind, FileStatus, open_lock};
use serde::{Deserialize, Serialize};

use crate::{
    event_log::HookName,
    state_file::{self, Unwritten},
};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 256 << 10;
/// Most that are kept; the oldest goes first.
const MOST: usize = 100;

/// That these hooks are not asked about one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// Which call, by [`call_digest`](crate::event_log::call_digest).
    pub call: String,
    /// The hooks.
    pub hooks: Vec<HookName>,
    /// Until when, in milliseconds since the Unix epoch.
    pub until: u64,
    /// Is it over once the call was made?
    pub once: bool,
}

/// Adds one to those of this file, in the place of those for the same call.
///
/// # Errors
///
/// The file cannot be written. It is as it was.
pub fn add(file: &Path, allowance: Allowance) -> Result<(), Unwritten> {
    let add = || {
        let _turn = lock(file)?;
        let mut all = load(file);
        all.retain(|other| other.call != allowance.call);
        all.push(allowance);
        save(file, &all)
    };
    add().map_err(|error| Unwritten { file: file.to_owned(), error })
}

/// The one for this call, if there is one. One that holds once is taken out; of several processes one gets it, and none if that
/// cannot be written down.
pub(crate) fn take(file: &Path, call: &str) -> Option<Allowance> {
    let is_meant = |allowance: &Allowance| allowance.call == call;
    let found = load(file).into_iter().find(is_meant)?;
    if !found.once {
        return Some(found);
    }
    let _turn = lock(file).ok()?;
    let mut all = load(file);
    let at = all.iter().position(is_meant)?;
    let taken = all.remove(at);
    save(file, &all).ok().map(|()| taken)
}

/// Are there any? Most often there are none, and then it need not be known which call it is.
pub(crate) fn are_there(file: &Path) -> bool {
    !load(file).is_empty()
}

/// Those that are not over. A file that is damaged, or that others could have written, has none.
fn load(file: &Path) -> Vec<Allowance> {
    let text = read(file).unwrap_or_default();
    let mut all: Vec<Allowance> = serde_json::from_slice(&text).unwrap_or_default();
    let now = Clock::machine().now_ms();
    all.retain(|allowance| allowance.until > now);
    all
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let (mut text, file) = (Vec::new(), file::open(path)?);
    let status = FileStatus::of(&file)?;
    if status.kind != FileKind::Plain || status.check_private().is_err() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // What is cut off is not JSON.
    file.take(MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

fn save(file: &Path, all: &[Allowance]) -> io::Result<()> {
    let youngest = all.get(all.len().saturating_sub(MOST)..).unwrap_or_default();
    state_file::replace(file, &serde_json::to_vec(youngest)?)
}

/// Given back when the file is dropped.
fn lock(path: &Path) -> io::Result<File> {
    let file = open_lock(&path.with_extension("lock"))?;
    file.lock()?;
    Ok(file)
}
