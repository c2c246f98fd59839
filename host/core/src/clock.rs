//! The time of day.

use std::{
    fmt,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Source of a host's time of day. The default is the machine's clock; a program that replays recorded events passes the recorded time.
///
/// The age of a file and the duration of a call do not use it: they come from the file system and from a monotonic clock.
#[derive(Clone)]
pub struct Clock(Option<Arc<dyn Fn() -> u64 + Send + Sync>>);

// Not a closure, so that the default clock is a constant and needs no allocation.
static MACHINE: Clock = Clock(None);

impl Clock {
    /// Creates a clock that calls `now_ms` for the milliseconds since the Unix epoch.
    pub fn new(now_ms: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(now_ms)))
    }

    /// Returns the machine's clock.
    pub fn machine() -> &'static Self {
        &MACHINE
    }

    /// Returns the milliseconds since the Unix epoch; 0 if the machine's clock is set before it.
    pub fn now_ms(&self) -> u64 {
        self.0.as_ref().map_or_else(machine_ms, |now_ms| now_ms())
    }

    /// Returns the seconds since the Unix epoch.
    pub fn now_seconds(&self) -> u64 {
        self.now_ms() / 1000
    }
}

impl Default for Clock {
    fn default() -> Self {
        MACHINE.clone()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clock").field(&self.now_ms()).finish()
    }
}

fn machine_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
