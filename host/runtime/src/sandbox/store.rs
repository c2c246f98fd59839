//! One call's store: what it may use, what it used, what it wrote to its log.

use std::time::{Duration, Instant};

use hookbox_model::{Answer, Failure, Grants, Json, Limit, Limits, LogLine, Usage};
use wasmtime::{Engine, ResourceLimiter, Store, Trap, component::HasData};

use super::{clock::Clock, random::Random, ticker::TICKS_FOR_EVER};
use crate::handler::{Call, Reply};

/// Fuel after which the guest lets its caller look at the clock: a fraction of a millisecond.
const FUEL_PER_SLICE: u64 = 1_000_000;

/// How a guest is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// On the caller's stack, to the end of its first slice at most.
    AtOnce,
    /// On a stack of its own, letting go of the thread after each slice.
    InSlices,
}

/// A store with every limit in place.
pub(super) fn new_store(
    engine: &Engine,
    call: &Call<'_>,
    grants: Grants,
    pace: Pace,
) -> wasmtime::Result<Store<State>> {
    let limits = call.limits;
    let fuel = match pace {
        Pace::AtOnce => limits.get(Limit::Fuel).min(FUEL_PER_SLICE),
        Pace::InSlices => limits.get(Limit::Fuel),
    };
    let mut store = Store::new(engine, State::new(call, grants, fuel));
    store.limiter(|state| &mut state.meter);
    store.set_fuel(fuel)?;
    if pace == Pace::InSlices {
        store.fuel_async_yield_interval(Some(FUEL_PER_SLICE))?;
    }
    store.set_hostcall_fuel(limits.size(Limit::HostCallBytes));
    let ticks = u64::try_from(limits.timeout().as_millis()).unwrap_or(TICKS_FOR_EVER);
    store.set_epoch_deadline(ticks / super::ticker::TICK_MS + 2);
    Ok(store)
}

/// What host functions see.
pub(super) struct State {
    pub(super) meter: Meter,
    pub(super) config: Json,
    pub(super) source: Json,
    /// The event's, milliseconds since the Unix epoch.
    pub(super) time: u64,
    pub(super) log: Log,
    pub(super) clock: Clock,
    pub(super) random: Random,
    pub(super) host_calls: u64,
    max_host_calls: u64,
    /// When the guest made its first host call.
    first_host_call: Option<Instant>,
    timeout: Duration,
    fuel: u64,
}

impl HasData for State {
    type Data<'a> = &'a mut State;
}

/// The guest made more host calls than it may.
#[derive(Debug)]
pub(super) struct TooManyHostCalls;

impl std::fmt::Display for TooManyHostCalls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many host calls")
    }
}

impl std::error::Error for TooManyHostCalls {}

impl State {
    fn new(call: &Call<'_>, grants: Grants, fuel: u64) -> Self {
        let limits = call.limits;
        Self {
            meter: Meter::new(limits),
            config: call.config.clone(),
            source: call.event.source.clone(),
            time: call.event.time,
            log: Log::new(limits),
            clock: Clock::new(call.event.time, grants.clock),
            random: Random::new(grants.random),
            host_calls: 0,
            max_host_calls: limits.get(Limit::HostCalls),
            first_host_call: None,
            timeout: limits.timeout(),
            fuel,
        }
    }

    /// Was its fuel less than the hook may use?
    pub(super) fn had_one_slice_of(&self, limits: &Limits) -> bool {
        self.fuel < limits.get(Limit::Fuel)
    }

    /// Every host function starts with this.
    pub(super) fn count_host_call(&mut self) -> wasmtime::Result<()> {
        self.host_calls += 1;
        if self.host_calls > self.max_host_calls {
            return Err(wasmtime::Error::new(TooManyHostCalls));
        }
        self.check_clock()
    }

    /// What a host call moves costs time and no fuel, so a guest could make very many within one slice.
    fn check_clock(&mut self) -> wasmtime::Result<()> {
        match self.first_host_call {
            None => self.first_host_call = Some(Instant::now()),
            Some(first) if first.elapsed() >= self.timeout => {
                return Err(wasmtime::Error::new(Trap::Interrupt));
            }
            Some(_) => {}
        }
        Ok(())
    }

    pub(super) fn into_reply(self, result: Result<Answer, Failure>, fuel_left: u64) -> Reply {
        let usage = Usage {
            fuel: Some(self.fuel.saturating_sub(fuel_left)),
            peak_memory: Some(self.meter.memory as u64),
            host_calls: Some(self.host_calls),
            log_bytes: self.log.bytes,
            log_dropped: self.log.dropped,
            ..Usage::default()
        };
        Reply { result, usage, log: self.log.lines }
    }
}

/// Counts memory, tables and instances; says no at the limit. Linear memory never shrinks, so its size is its peak.
pub(super) struct Meter {
    memory: usize,
    max_memory: usize,
    elements: usize,
    max_elements: usize,
    max_instances: usize,
    /// A growth was refused: a trap right after is a matter of memory.
    pub(super) refused: bool,
}

impl Meter {
    fn new(limits: &Limits) -> Self {
        Self {
            memory: 0,
            max_memory: limits.size(Limit::Memory),
            elements: 0,
            max_elements: limits.size(Limit::TableElements),
            max_instances: limits.size(Limit::Instances),
            refused: false,
        }
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, now: usize, wanted: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(grow(&mut self.memory, now, wanted, self.max_memory, &mut self.refused))
    }

    fn table_growing(&mut self, now: usize, wanted: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(grow(&mut self.elements, now, wanted, self.max_elements, &mut self.refused))
    }

    fn instances(&self) -> usize {
        self.max_instances
    }

    fn tables(&self) -> usize {
        self.max_instances
    }

    fn memories(&self) -> usize {
        self.max_instances
    }
}

fn grow(total: &mut usize, now: usize, wanted: usize, max: usize, refused: &mut bool) -> bool {
    let next = total.saturating_add(wanted.saturating_sub(now));
    if next > max {
        *refused = true;
        return false;
    }
    *total = next;
    true
}

/// The log of one call, within its quota.
pub(super) struct Log {
    lines: Vec<LogLine>,
    bytes: u64,
    dropped: u64,
    max_lines: usize,
    max_bytes: u64,
}

impl Log {
    fn new(limits: &Limits) -> Self {
        Self {
            lines: Vec::new(),
            bytes: 0,
            dropped: 0,
            max_lines: limits.size(Limit::LogLines),
            max_bytes: limits.get(Limit::LogBytes),
        }
    }

    /// Keeps a line, or counts it as dropped.
    pub(super) fn write(&mut self, level: &'static str, message: &str) {
        let next = self.bytes.saturating_add(message.len() as u64);
        if self.lines.len() >= self.max_lines || next > self.max_bytes {
            self.dropped += 1;
            return;
        }
        self.bytes = next;
        self.lines.push(LogLine { level, message: hookbox_model::bounded_text(message) });
    }
}
