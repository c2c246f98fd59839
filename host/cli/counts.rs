//! Counts that are kept between processes: a hook that always fails is tripped, and an agent that hooks keep from stopping is
//! let go, although each run is a process.

use std::{
    collections::HashMap,
    fs,
    io::{self, Read},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use hookbox::{Failures, Host, Overruns, SessionTime, StopsKept, failures_key};
use rustix::fs::{Mode, OFlags};
use serde_json::{Value, json};

use crate::state_file;

/// Largest file that is read, bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 20;

/// How long a count is kept that nobody adds to, milliseconds.
const KEPT_MS: u64 = 24 * 60 * 60 * 1000;

pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What the last processes left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Of hooks that failed.
    pub(crate) failures: HashMap<String, Failures>,
    /// Of agents that were kept from stopping.
    pub(crate) stops: HashMap<String, StopsKept>,
    /// Of projects' files whose hooks used their time up.
    pub(crate) overruns: HashMap<String, Overruns>,
    /// Of sessions of which projects' hooks took time.
    pub(crate) sessions: HashMap<String, SessionTime>,
}

/// What the names of the second kind begin with; those of hooks begin with a layer.
const STOPS: &str = "stops:";
/// What the names of the third kind begin with.
const OVERRUNS: &str = "overruns:";
/// What the names of the fourth kind begin with.
const SESSION: &str = "session:";

impl Counts {
    fn is_empty(&self) -> bool {
        let Self { failures, stops, overruns, sessions } = self;
        failures.is_empty() && stops.is_empty() && overruns.is_empty() && sessions.is_empty()
    }

    fn add(&mut self, key: String, entry: &Value) -> Option<()> {
        let in_a_row = u32::try_from(entry.get("in_a_row")?.as_u64()?).ok()?;
        let last = entry.get("last")?.as_u64()?;
        if let Some(key) = key.strip_prefix(STOPS) {
            self.stops.insert(key.to_owned(), StopsKept { in_a_row, last });
        } else if let Some(file) = key.strip_prefix(OVERRUNS) {
            self.overruns.insert(file.to_owned(), Overruns { times: in_a_row, last });
        } else if let Some(session) = key.strip_prefix(SESSION) {
            self.sessions.insert(session.to_owned(), SessionTime { spent: in_a_row, since: last });
        } else {
            self.failures.insert(key, Failures { in_a_row, last });
        }
        Some(())
    }

    /// Those that are young enough: others are of hooks that are no longer there, or of sessions that are over.
    fn prune(&mut self) {
        let oldest = now_ms().saturating_sub(KEPT_MS);
        self.failures.retain(|_, count| count.last > oldest);
        self.stops.retain(|_, count| count.last > oldest);
        self.overruns.retain(|_, count| count.last > oldest);
        self.sessions.retain(|_, time| time.since > oldest);
    }

    fn to_json(&self) -> Value {
        let entry =
            |key: String, in_a_row: u32, last: u64| (key, json!({ "in_a_row": in_a_row, "last": last }));
        let failures =
            self.failures.iter().map(|(key, count)| entry(key.clone(), count.in_a_row, count.last));
        let stops = self.stops.iter();
        let stops = stops.map(|(key, count)| entry(format!("{STOPS}{key}"), count.in_a_row, count.last));
        let overruns = self.overruns.iter();
        let overruns =
            overruns.map(|(file, count)| entry(format!("{OVERRUNS}{file}"), count.times, count.last));
        let sessions = self.sessions.iter();
        let sessions = sessions.map(|(name, time)| entry(format!("{SESSION}{name}"), time.spent, time.since));
        Value::Object(failures.chain(stops).chain(overruns).chain(sessions).collect())
    }
}

/// A damaged file counts as none: it only makes hooks be called again, and agents be kept again.
pub(crate) fn load(path: &Path) -> Counts {
    let mut counts = Counts::default();
    if let Ok(Value::Object(entries)) = serde_json::from_slice(&read(path).unwrap_or_default()) {
        for (key, entry) in entries {
            let _: Option<()> = counts.add(key, &entry);
        }
    }
    counts
}

/// The beginning of the file, as much of it as is read.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A FIFO must not hang; what is cut off is no JSON.
    let file = rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?;
    let mut text = Vec::new();
    fs::File::from(file).take(MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Keeps what changed. Two processes at once may lose a count, never more.
pub(crate) fn save(path: &Path, before: &Counts, host: &Host) {
    let failures = before.failures.clone();
    let (stops, overruns, sessions) = (host.stops_kept(), host.overruns(), host.session_times());
    let mut after = Counts { failures, stops, overruns, sessions };
    let failed = host.hooks().any(|hook| hook.failures != Failures::default());
    if before.is_empty() && after.is_empty() && !failed {
        return;
    }
    after.prune();
    for hook in host.hooks() {
        let key = failures_key(hook.spec);
        if hook.failures == Failures::default() {
            after.failures.remove(&key);
        } else {
            after.failures.insert(key, hook.failures);
        }
    }
    if after != *before {
        // A count that cannot be kept is no reason to fail the event.
        drop(write(path, &after));
    }
}

/// Forgets what hooks failed that were found in order, that hooks of these files used their time up, and what sessions they
/// took time of.
pub(crate) fn forget(path: &Path, mended: &[String], files: &[String]) {
    let mut counts = load(path);
    let before = counts.clone();
    counts.failures.retain(|key, _| !mended.contains(key));
    counts.overruns.retain(|file, _| !files.contains(file));
    counts.sessions.clear();
    if counts != before {
        // They would be tripped for less than a minute more.
        drop(write(path, &counts));
    }
}

fn write(path: &Path, counts: &Counts) -> io::Result<()> {
    state_file::replace(path, counts.to_json().to_string().as_bytes())
}
