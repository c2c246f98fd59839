//! Failures in a row, kept between processes: a hook that always fails is tripped although each run is a process.

use std::{
    collections::HashMap,
    fs,
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use hookbox::{Failures, Host, failures_key};
use rustix::fs::{Mode, OFlags};
use serde_json::{Value, json};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;

/// How long a count is kept that nobody adds to, milliseconds.
const KEPT_MS: u64 = 24 * 60 * 60 * 1000;

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What the last processes left. A damaged file counts as none: it only makes hooks be called again.
pub(crate) fn load(path: &Path) -> HashMap<String, Failures> {
    let Ok(Value::Object(entries)) = serde_json::from_slice(&read(path).unwrap_or_default()) else {
        return HashMap::new();
    };
    entries.into_iter().filter_map(|(key, entry)| Some((key, failures(&entry)?))).collect()
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A FIFO must not hang; what is cut off is no JSON.
    let file = rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?;
    let mut text = Vec::new();
    fs::File::from(file).take(MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

fn failures(entry: &Value) -> Option<Failures> {
    let in_a_row = u32::try_from(entry.get("in_a_row")?.as_u64()?).ok()?;
    Some(Failures { in_a_row, last: entry.get("last")?.as_u64()? })
}

/// Keeps what changed. Two processes at once may lose a count, never more.
pub(crate) fn save(path: &Path, before: &HashMap<String, Failures>, host: &Host) {
    if before.is_empty() && host.hooks().all(|hook| hook.failures == Failures::default()) {
        return;
    }
    let mut after = before.clone();
    // Those of hooks that are no longer there, or were changed.
    after.retain(|_, failures| failures.last.saturating_add(KEPT_MS) > now_ms());
    for hook in host.hooks() {
        let key = failures_key(hook.spec);
        if hook.failures == Failures::default() {
            after.remove(&key);
        } else {
            after.insert(key, hook.failures);
        }
    }
    if after != *before {
        // A count that cannot be kept is no reason to fail the event.
        drop(write(path, &after));
    }
}

/// Forgets what hooks failed that were found in order.
pub(crate) fn forget(path: &Path, mended: &[String]) {
    let mut failures = load(path);
    let before = failures.len();
    failures.retain(|key, _| !mended.contains(key));
    if failures.len() < before {
        // They would be tripped for less than a minute more.
        drop(write(path, &failures));
    }
}

fn write(path: &Path, failures: &HashMap<String, Failures>) -> io::Result<()> {
    let entries = failures.iter().map(|(key, failures)| {
        (key.clone(), json!({ "in_a_row": failures.in_a_row, "last": failures.last }))
    });
    let text = Value::Object(entries.collect()).to_string();
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    file.write_all(text.as_bytes())?;
    fs::rename(temporary, path)
}
