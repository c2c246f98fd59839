//! What time it is for a guest.

use super::{
    bindings::hookbox::hook::clock::Host,
    capability::{Interface, interface},
    host_calls::Price,
    store::State,
};
use crate::Clock;

pub(super) const CLOCK: Interface = interface!("clock", clock, "always there", acts: false);

/// A look at the clock.
const PRICE: Price = Price { call: 100, byte: 0 };

impl Host for State {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.host_calls.enter(PRICE, 0)?;
        Ok(self.powers.clock.now_ms())
    }
}

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
