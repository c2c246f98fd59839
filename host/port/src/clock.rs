//! What time it is.

use std::{
    fmt,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Where a host has its time of day from. By default that of the machine; whoever replays what was recorded gives the
/// recorded time.
///
/// How old a file is, and how long a call takes, is not asked of it: those are told by the file system and by a clock that
/// nobody sets.
#[derive(Clone)]
pub struct Clock(Option<Arc<dyn Fn() -> u64 + Send + Sync>>);

static MACHINE: Clock = Clock(None);

impl Clock {
    /// One that `now_ms` reads: milliseconds since the Unix epoch.
    pub fn new(now_ms: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(now_ms)))
    }

    /// That of the machine.
    pub fn machine() -> &'static Self {
        &MACHINE
    }

    /// Milliseconds since the Unix epoch; 0 if the machine's clock is set before it.
    pub fn now_ms(&self) -> u64 {
        self.0.as_ref().map_or_else(machine_ms, |now_ms| now_ms())
    }

    /// Seconds since the Unix epoch.
    pub fn now_seconds(&self) -> u64 {
        self.now_ms() / 1000
    }
}

impl Default for Clock {
    /// That of the machine.
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
