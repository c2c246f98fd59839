//! What a guest asks of the host: how often, and what that costs beside its own instructions.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use hookbox_model::{Limit, Limits};
use wasmtime::Trap;

/// The price of a host call in fuel, about what the host's work is in instructions of a guest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    /// For the call.
    pub(super) call: u64,
    /// For each byte that it moves.
    pub(super) byte: u64,
}

impl Price {
    /// Any function of WASI; what it moves is bounded by the guest's own work.
    const WASI: Self = Self { call: 1000, byte: 0 };

    fn of(self, bytes: usize) -> u64 {
        self.call.saturating_add(self.byte.saturating_mul(bytes as u64))
    }
}

/// The guest made more host calls than it may.
#[derive(Debug)]
pub(super) struct TooManyHostCalls;

impl fmt::Display for TooManyHostCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many host calls")
    }
}

impl std::error::Error for TooManyHostCalls {}

/// The host calls of one call.
pub(super) struct HostCalls {
    made: u64,
    most: u64,
    spent: u64,
    most_fuel: u64,
    /// When the guest made its first.
    first: Option<Instant>,
    timeout: Duration,
    /// Only for who is watched: most calls end before anyone is.
    over: Option<Arc<AtomicBool>>,
}

impl HostCalls {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            made: 0,
            most: limits.get(Limit::HostCalls),
            spent: 0,
            most_fuel: limits.get(Limit::Fuel),
            first: None,
            timeout: limits.timeout(),
            over: None,
        }
    }

    /// Every host function of ours starts with this.
    pub(super) fn enter(&mut self, price: Price, bytes: usize) -> wasmtime::Result<()> {
        self.count(price.of(bytes));
        match self.exceeded() {
            Some(error) => Err(error),
            None => self.check_clock(),
        }
    }

    /// What a call that was entered has brought.
    #[cfg(any(feature = "kv", feature = "guest-http"))]
    pub(super) fn brought(&mut self, price: Price, bytes: usize) {
        self.spent = self.spent.saturating_add(price.byte.saturating_mul(bytes as u64));
    }

    /// Every function of WASI starts with this. It cannot end the guest; whoever runs the guest looks at [`Self::over`].
    pub(super) fn enter_wasi(&mut self) {
        self.count(Price::WASI.of(0));
        if self.exceeded().is_some() {
            self.over.iter().for_each(|over| over.store(true, Ordering::Relaxed));
        }
    }

    /// Becomes true once the guest has to end.
    pub(super) fn over(&mut self) -> Arc<AtomicBool> {
        Arc::clone(self.over.get_or_insert_default())
    }

    /// What the guest has used too much of, if it has.
    pub(super) fn exceeded(&self) -> Option<wasmtime::Error> {
        if self.made > self.most {
            return Some(wasmtime::Error::new(TooManyHostCalls));
        }
        (self.spent > self.most_fuel).then(|| wasmtime::Error::new(Trap::OutOfFuel))
    }

    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// Fuel for all of them.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    fn count(&mut self, price: u64) {
        self.made += 1;
        self.spent = self.spent.saturating_add(price);
    }

    /// What a host call moves takes time, so a guest could make very many within one slice of its own fuel.
    fn check_clock(&mut self) -> wasmtime::Result<()> {
        match self.first {
            None => self.first = Some(Instant::now()),
            Some(first) if first.elapsed() >= self.timeout => {
                return Err(wasmtime::Error::new(Trap::Interrupt));
            }
            Some(_) => {}
        }
        Ok(())
    }
}
