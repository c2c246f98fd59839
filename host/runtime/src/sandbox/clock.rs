//! What time it is for a guest.

use std::time::{SystemTime, UNIX_EPOCH};

/// The event's time, or with the grant `clock` the time that it is. To the millisecond: a finer clock would measure what
/// others do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clock {
    /// Always this, milliseconds since the Unix epoch.
    Event(u64),
    /// That of the machine.
    Machine,
}

impl Clock {
    pub(super) fn new(event: u64, granted: bool) -> Self {
        if granted { Self::Machine } else { Self::Event(event) }
    }

    /// Milliseconds since the Unix epoch; 0 if the machine's clock is before it.
    pub(super) fn now(self) -> u64 {
        match self {
            Self::Event(time) => time,
            Self::Machine => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
            }
        }
    }
}
