//! Counts that are kept between processes: a hook that always fails is tripped, and an agent that hooks keep from stopping is
//! let go, although each run is a process.

use std::{
    collections::HashMap,
    fs,
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use hookbox::{Failures, Host, StopsKept, failures_key};
use rustix::fs::{Mode, OFlags};
use serde_json::{Value, json};

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
}

/// What the names of the second kind begin with; those of hooks begin with a layer.
const STOPS: &str = "stops:";

impl Counts {
    fn is_empty(&self) -> bool {
        self.failures.is_empty() && self.stops.is_empty()
    }

    fn add(&mut self, key: String, entry: &Value) -> Option<()> {
        let in_a_row = u32::try_from(entry.get("in_a_row")?.as_u64()?).ok()?;
        let last = entry.get("last")?.as_u64()?;
        match key.strip_prefix(STOPS) {
            Some(key) => drop(self.stops.insert(key.to_owned(), StopsKept { in_a_row, last })),
            None => drop(self.failures.insert(key, Failures { in_a_row, last })),
        }
        Some(())
    }

    /// Those that are young enough: others are of hooks that are no longer there, or of sessions that are over.
    fn prune(&mut self) {
        let oldest = now_ms().saturating_sub(KEPT_MS);
        self.failures.retain(|_, count| count.last > oldest);
        self.stops.retain(|_, count| count.last > oldest);
    }

    fn to_json(&self) -> Value {
        let entry =
            |key: String, in_a_row: u32, last: u64| (key, json!({ "in_a_row": in_a_row, "last": last }));
        let failures =
            self.failures.iter().map(|(key, count)| entry(key.clone(), count.in_a_row, count.last));
        let stops = self.stops.iter();
        let stops = stops.map(|(key, count)| entry(format!("{STOPS}{key}"), count.in_a_row, count.last));
        Value::Object(failures.chain(stops).collect())
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
    let stops = host.stops_kept();
    let failed = host.hooks().any(|hook| hook.failures != Failures::default());
    if before.is_empty() && stops.is_empty() && !failed {
        return;
    }
    let mut after = Counts { failures: before.failures.clone(), stops };
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

/// Forgets what hooks failed that were found in order.
pub(crate) fn forget(path: &Path, mended: &[String]) {
    let mut counts = load(path);
    let before = counts.failures.len();
    counts.failures.retain(|key, _| !mended.contains(key));
    if counts.failures.len() < before {
        // They would be tripped for less than a minute more.
        drop(write(path, &counts));
    }
}

fn write(path: &Path, counts: &Counts) -> io::Result<()> {
    replace(path, &counts.to_json().to_string())
}

/// Puts this text in the file's place.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    file.write_all(text.as_bytes())?;
    fs::rename(temporary, path)
}
