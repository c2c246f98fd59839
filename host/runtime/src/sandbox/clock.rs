//! What time it is for a guest.

use crate::Clock;

/// The event's time, or with the grant `clock` the time that it is. To the millisecond: a finer clock would measure what
/// others do.
#[derive(Clone, Debug)]
pub(super) enum GuestClock {
    /// Always this, milliseconds since the Unix epoch.
    Event(u64),
    /// That of the host.
    Host(Clock),
}

impl GuestClock {
    pub(super) fn new(event: u64, host: &Clock, granted: bool) -> Self {
        if granted { Self::Host(host.clone()) } else { Self::Event(event) }
    }

    /// Milliseconds since the Unix epoch.
    pub(super) fn now_ms(&self) -> u64 {
        match self {
            Self::Event(time) => *time,
            Self::Host(clock) => clock.now_ms(),
        }
    }
}
