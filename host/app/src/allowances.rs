//! Calls that the user has allowed although hooks stopped them: each allowance is for exactly one call, once or until a time.

use std::{io, path::Path};

use hookbox::Clock;
use serde::{Deserialize, Serialize};

use crate::{
    event_log::HookName,
    state_file::{self, WriteError},
};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 256 << 10;
/// Maximum number of stored allowances; the oldest is dropped first.
const MOST: usize = 100;

/// An allowance: these hooks are skipped for one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// Digest of the call, from [`call_digest`](crate::event_log::call_digest).
    pub call: String,
    /// The hooks to skip.
    pub hooks: Vec<HookName>,
    /// Expiry, in milliseconds since the Unix epoch.
    pub until: u64,
    /// True if the allowance ends with the first call.
    pub once: bool,
}

/// Adds an allowance to this file, replacing those for the same call.
///
/// # Errors
///
/// The file cannot be written; it is unchanged.
pub fn add_allowance(file: &Path, allowance: Allowance) -> Result<(), WriteError> {
    let add = || {
        let _lock = state_file::lock_file(file)?;
        let mut all = load_allowances(file);
        all.retain(|other| other.call != allowance.call);
        all.push(allowance);
        save_allowances(file, &all)
    };
    add().map_err(|error| WriteError { file: file.to_owned(), error })
}

/// Returns the allowance for this call. An allowance for one call is removed: of several processes only one gets it, and none
/// if the removal cannot be written.
pub(crate) fn take_allowance(file: &Path, call: &str) -> Option<Allowance> {
    let is_meant = |allowance: &Allowance| allowance.call == call;
    let found = load_allowances(file).into_iter().find(is_meant)?;
    if !found.once {
        return Some(found);
    }
    // Read again under the lock: another process may have used the allowance since the first look.
    let _lock = state_file::lock_file(file).ok()?;
    let mut all = load_allowances(file);
    let at = all.iter().position(is_meant)?;
    let taken = all.remove(at);
    save_allowances(file, &all).ok().map(|()| taken)
}

/// Returns true if the file has allowances. Usually it has none, and then the digest of the call need not be computed.
pub(crate) fn are_there(file: &Path) -> bool {
    !load_allowances(file).is_empty()
}

/// Loads the allowances that have not expired. A file that is damaged, or that others could have written, counts as empty.
fn load_allowances(file: &Path) -> Vec<Allowance> {
    // An allowance skips a deny, so no other user may write one into this file.
    let text = state_file::read_private(file, MAX_BYTES).unwrap_or_default();
    let mut all: Vec<Allowance> = serde_json::from_slice(&text).unwrap_or_default();
    let now = Clock::machine().now_ms();
    all.retain(|allowance| allowance.until > now);
    all
}

fn save_allowances(file: &Path, all: &[Allowance]) -> io::Result<()> {
    let youngest = all.get(all.len().saturating_sub(MOST)..).unwrap_or_default();
    state_file::replace_file(file, &serde_json::to_vec(youngest)?)
}
