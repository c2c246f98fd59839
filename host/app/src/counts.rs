//! Counts that are kept between processes: a hook that always fails is tripped, and an agent that hooks keep from stopping is
//! let go, although each run is a process.

use std::{
    io::{self, Read},
    path::Path,
};

use hookbox::{Clock, Counts, Failures, Overruns, SessionTime, StopsKept};
use hookbox_platform::file;
use serde_json::{Value, json};

use crate::state_file;

/// Largest file that is read, bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 20;

/// Age at which a count that has not grown is dropped, milliseconds.
const MAX_COUNT_AGE_MS: u64 = 24 * 60 * 60 * 1000;

/// Prefix of the keys of stop counts; the keys of hooks begin with a layer.
const STOPS: &str = "stops:";
/// Prefix of the keys of overruns.
const OVERRUNS: &str = "overruns:";
/// Prefix of the keys of sessions' times.
const SESSION: &str = "session:";

fn add_entry(counts: &mut Counts, key: String, entry: &Value) -> Option<()> {
    let in_a_row = u32::try_from(entry.get("in_a_row")?.as_u64()?).ok()?;
    let last = entry.get("last")?.as_u64()?;
    if let Some(key) = key.strip_prefix(STOPS) {
        counts.stops.insert(key.to_owned(), StopsKept { in_a_row, last });
    } else if let Some(file) = key.strip_prefix(OVERRUNS) {
        counts.overruns.insert(file.to_owned(), Overruns { times: in_a_row, last });
    } else if let Some(session) = key.strip_prefix(SESSION) {
        counts.sessions.insert(session.to_owned(), SessionTime { spent: in_a_row, since: last });
    } else {
        counts.failures.insert(key, Failures { in_a_row, last });
    }
    Some(())
}

/// Drops old counts, which belong to removed hooks or finished sessions.
fn prune_old(counts: &mut Counts) {
    let oldest = Clock::machine().now_ms().saturating_sub(MAX_COUNT_AGE_MS);
    counts.failures.retain(|_, count| count.last > oldest);
    counts.stops.retain(|_, count| count.last > oldest);
    counts.overruns.retain(|_, count| count.last > oldest);
    counts.sessions.retain(|_, time| time.since > oldest);
}

fn to_json(counts: &Counts) -> Value {
    let entry = |key: String, in_a_row: u32, last: u64| (key, json!({ "in_a_row": in_a_row, "last": last }));
    let failures = counts.failures.iter().map(|(key, count)| entry(key.clone(), count.in_a_row, count.last));
    let stops = counts.stops.iter();
    let stops = stops.map(|(key, count)| entry(format!("{STOPS}{key}"), count.in_a_row, count.last));
    let overruns = counts.overruns.iter();
    let overruns = overruns.map(|(file, count)| entry(format!("{OVERRUNS}{file}"), count.times, count.last));
    let sessions = counts.sessions.iter();
    let sessions = sessions.map(|(name, time)| entry(format!("{SESSION}{name}"), time.spent, time.since));
    Value::Object(failures.chain(stops).chain(overruns).chain(sessions).collect())
}

/// Loads the counts. A damaged file counts as empty: hooks are only called again, and agents kept from stopping again.
pub(crate) fn load_counts(path: &Path) -> Counts {
    let mut counts = Counts::default();
    if let Ok(Value::Object(entries)) = serde_json::from_slice(&read_prefix(path).unwrap_or_default()) {
        for (key, entry) in entries {
            // One invalid entry must not reset the counts of all other hooks.
            let _: Option<()> = add_entry(&mut counts, key, &entry);
        }
    }
    counts
}

/// Reads the first `MAX_BYTES` of the file.
pub(crate) fn read_prefix(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    // A truncated file is invalid JSON.
    file::open(path)?.take(MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Writes the counts that changed since `before`; returns false if none did. Two concurrent processes may lose a count, but
/// never add one. `turns` is stored elsewhere.
pub(crate) fn save_counts(path: &Path, before: &Counts, after: &Counts) -> bool {
    let changed = select_changed(before, after);
    if let Some(after) = &changed {
        // The event does not fail because a count cannot be written.
        drop(write_counts(path, after));
    }
    changed.is_some()
}

/// Returns the counts of `after` to write, if they differ from `before`.
pub(crate) fn select_changed(before: &Counts, after: &Counts) -> Option<Counts> {
    let mut after = after.clone();
    prune_old(&mut after);
    after.once_calls.clone_from(&before.once_calls);
    (after != *before).then_some(after)
}

/// Removes the failures of hooks that were found working, the overruns of these files, and the time used in all sessions.
pub(crate) fn forget_failures(path: &Path, repaired: &[String], files: &[String]) {
    let mut counts = load_counts(path);
    let before = counts.clone();
    counts.failures.retain(|key, _| !repaired.contains(key));
    counts.overruns.retain(|file, _| !files.contains(file));
    counts.sessions.clear();
    if counts != before {
        // Without this write they stay tripped for less than a minute more.
        drop(write_counts(path, &counts));
    }
}

fn write_counts(path: &Path, counts: &Counts) -> io::Result<()> {
    state_file::replace_file(path, to_json(counts).to_string().as_bytes())
}
