//! Clock of a guest.

use super::{
    bindings::hookbox::hook::clock::Host,
    host_call_budget::Price,
    store::State,
    world_interfaces::{Interface, interface},
};
use crate::Clock;

pub(super) const CLOCK: Interface =
    interface!("clock", clock, "the event's time; with the grant `clock`, the time of day", acts: false);

/// Price of reading the clock.
const PRICE: Price = Price { call: 100, byte: 0 };

impl Host for State {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.host_calls.begin_call(PRICE, 0)?;
        Ok(self.powers.clock.now_ms())
    }
}

/// The event's time, or the current time with the grant `clock`. Resolution is a millisecond: a finer clock could
/// measure other processes.
#[derive(Clone, Debug)]
pub(super) enum GuestClock {
    /// Always this time, milliseconds since the Unix epoch.
    Event(u64),
    Host(Clock),
}

impl GuestClock {
    pub(super) fn new(event: u64, host: &Clock, granted: bool) -> Self {
        if granted { Self::Host(host.clone()) } else { Self::Event(event) }
    }

    /// Returns the time in milliseconds since the Unix epoch.
    pub(super) fn now_ms(&self) -> u64 {
        match self {
            Self::Event(time) => *time,
            Self::Host(clock) => clock.now_ms(),
        }
    }
}
