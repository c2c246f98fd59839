//! Failures in a row, kept between processes: a hook that always fails is tripped although each run is a process.

use std::{
    collections::HashMap,
    fs,
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

use hookbox::{Failures, Host, failures_key};
use rustix::fs::{Mode, OFlags};
use serde_json::{Value, json};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;

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
    let mut after = before.clone();
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
