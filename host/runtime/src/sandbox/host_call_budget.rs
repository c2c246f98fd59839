//! Counts a guest's host calls, with their cost in addition to the guest's own instructions.

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

/// Price of a host call in fuel: roughly the host's work in instructions of a guest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    /// Price per call.
    pub(super) call: u64,
    /// Price per byte of moved data.
    pub(super) byte: u64,
}

impl Price {
    /// Price of any function of WASI; the guest's own work limits the data that it moves.
    const WASI: Self = Self { call: 1000, byte: 0 };

    fn cost_of(self, bytes: usize) -> u64 {
        self.call.saturating_add(self.byte.saturating_mul(bytes as u64))
    }
}

/// Error: the guest made too many host calls.
#[derive(Debug)]
pub(super) struct TooManyHostCalls;

impl fmt::Display for TooManyHostCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many host calls")
    }
}

impl std::error::Error for TooManyHostCalls {}

/// Error: the guest passed too much data in one call.
#[derive(Debug)]
pub(super) struct TooManyBytes;

impl fmt::Display for TooManyBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many bytes in one host call")
    }
}

impl std::error::Error for TooManyBytes {}

/// The host calls of one call of a guest.
pub(super) struct HostCalls {
    made: u64,
    most: u64,
    spent: u64,
    most_fuel: u64,
    /// Time of the guest's first host call.
    first: Option<Instant>,
    timeout: Duration,
    /// Set only for a watched guest: most calls end before they are watched.
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

    /// Counts a host call; every host function of hookbox starts with this.
    pub(super) fn begin_call(&mut self, price: Price, bytes: usize) -> wasmtime::Result<()> {
        self.made += 1;
        self.go_on(price, bytes)
    }

    /// Adds work to a host call under way, or for one that is part of another.
    pub(super) fn go_on(&mut self, price: Price, bytes: usize) -> wasmtime::Result<()> {
        self.spent = self.spent.saturating_add(price.cost_of(bytes));
        match self.exceeded() {
            Some(error) => Err(error),
            None => self.check_clock(),
        }
    }

    #[cfg(any(feature = "kv", feature = "guest-http"))]
    pub(super) fn add_result_cost(&mut self, price: Price, bytes: usize) {
        self.spent = self.spent.saturating_add(price.byte.saturating_mul(bytes as u64));
    }

    /// Counts a call of WASI; every function of WASI starts with this. It cannot end the guest; the code that runs the
    /// guest checks [`Self::over_flag`].
    pub(super) fn enter_wasi(&mut self) {
        self.made += 1;
        self.spent = self.spent.saturating_add(Price::WASI.cost_of(0));
        if self.exceeded().is_some() {
            self.over.iter().for_each(|over| over.store(true, Ordering::Relaxed));
        }
    }

    /// Returns a flag that becomes true once the guest has to end.
    pub(super) fn over_flag(&mut self) -> Arc<AtomicBool> {
        Arc::clone(self.over.get_or_insert_default())
    }

    /// Returns an error if the guest exceeded a limit.
    pub(super) fn exceeded(&self) -> Option<wasmtime::Error> {
        if self.made > self.most {
            return Some(wasmtime::Error::new(TooManyHostCalls));
        }
        (self.spent > self.most_fuel).then(|| wasmtime::Error::new(Trap::OutOfFuel))
    }

    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// Returns the fuel of all host calls.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Checks the timeout: moving data takes time, so a guest could make very many host calls within one slice of its
    /// own fuel.
    fn check_clock(&mut self) -> wasmtime::Result<()> {
        match self.first {
            // Most guests make no host call that checks the time, and do not pay for reading the clock when
            // their call begins.
            None => self.first = Some(Instant::now()),
            Some(first) if first.elapsed() >= self.timeout => {
                return Err(wasmtime::Error::new(Trap::Interrupt));
            }
            Some(_) => {}
        }
        Ok(())
    }
}
