//! The store of one call: its capabilities, usage and log.

use hookbox_model::{
    Answer, CapabilityRefusal, Failure, FailureCode, Json, Limit, Limits, LogLevel, LogLine, Usage,
};
use wasmtime::{Engine, ResourceLimiter, Store, Trap};
use wasmtime_wasi::{WasiCtxView, WasiView};

use super::{
    call_capabilities::CallCapabilities, files::Guarded, host_call_budget::HostCalls, refusals::Refusals,
    ticker::TICKS_FOR_EVER, wasi::Wasi,
};
use crate::interfaces::{Call, Reply};

/// Fuel of a slice, after which the guest lets its caller check the clock: a fraction of a millisecond.
const FUEL_PER_SLICE: u64 = 1_000_000;

/// Fuel of a slice for a guest of WASI, whose host calls are checked between slices.
const FUEL_PER_SLICE_OF_WASI: u64 = 100_000;

/// Way of running a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// On the caller's stack, at most to the end of the first slice.
    AtOnce,
    /// On a stack of its own, yielding the thread after each slice.
    InSlices,
}

/// Creates a store with all limits set.
pub(super) fn new_wasm_store(
    engine: &Engine,
    call: &Call<'_>,
    pace: Pace,
    powers: CallCapabilities,
) -> wasmtime::Result<Store<State>> {
    let limits = call.limits;
    let fuel = match pace {
        Pace::AtOnce => limits.get(Limit::Fuel).min(FUEL_PER_SLICE),
        Pace::InSlices => limits.get(Limit::Fuel),
    };
    let slice = if powers.wasi.is_some() { FUEL_PER_SLICE_OF_WASI } else { FUEL_PER_SLICE };
    let mut store = Store::new(engine, State::new(call, fuel, powers));
    store.limiter(|state| &mut state.meter);
    store.set_fuel(fuel)?;
    if pace == Pace::InSlices {
        store.fuel_async_yield_interval(Some(slice))?;
    }
    // wasmtime copies the arguments of a host call before any code of hookbox runs, so only wasmtime can
    // bound them.
    store.set_hostcall_fuel(limits.get_size(Limit::HostCallBytes));
    let ticks = u64::try_from(limits.timeout().as_millis()).unwrap_or(TICKS_FOR_EVER);
    // The ticker runs for all guests of the engine: its first tick may come at any moment, and must not
    // shorten the time.
    store.set_epoch_deadline(ticks / super::ticker::TICK_MS + 2);
    Ok(store)
}

pub(super) struct State {
    pub(super) meter: Meter,
    pub(super) config: Json,
    pub(super) source: Json,
    /// The event's time, milliseconds since the Unix epoch.
    pub(super) time: u64,
    pub(super) log: Log,
    pub(super) powers: CallCapabilities,
    pub(super) host_calls: HostCalls,
    /// Reply to a program's last question.
    pub(super) reply: Vec<u8>,
    /// A program's own error message, if it has failed.
    pub(super) failed: Option<String>,
    /// Set only if the guest was refused something.
    refusals: Option<Refusals>,
    fuel: u64,
}

impl State {
    fn new(call: &Call<'_>, fuel: u64, powers: CallCapabilities) -> Self {
        let limits = call.limits;
        Self {
            meter: Meter::new(limits),
            config: call.config.clone(),
            source: call.event.source.clone(),
            time: call.event.time,
            log: Log::new(limits),
            host_calls: HostCalls::new(limits),
            reply: Vec::new(),
            failed: None,
            refusals: powers.refusals.clone(),
            powers,
            fuel,
        }
    }

    /// Returns true if its fuel was less than the hook may use.
    pub(super) fn had_one_slice_of(&self, limits: &Limits) -> bool {
        self.fuel < limits.get(Limit::Fuel)
    }

    /// Returns an error if the guest exceeded its host calls, or its fuel for host calls and instructions together,
    /// with `fuel_left`.
    pub(super) fn exceeded_error(&self, limits: &Limits, fuel_left: u64) -> Option<wasmtime::Error> {
        let used = self.fuel.saturating_sub(fuel_left).saturating_add(self.host_calls.spent());
        let over = used > limits.get(Limit::Fuel);
        self.host_calls.exceeded().or_else(|| over.then(|| wasmtime::Error::new(Trap::OutOfFuel)))
    }

    /// Records a refused attempt of the guest; `line` is the configuration that would permit it.
    #[cfg(feature = "kv")]
    pub(super) fn record_refusal(
        &mut self,
        capability: &'static str,
        value: &str,
        reason: &str,
        line: Option<&str>,
    ) {
        self.refusals.get_or_insert_default().add(CapabilityRefusal::new(capability, value, reason, line));
    }

    #[cfg(feature = "guest-http")]
    pub(super) fn share_refusals(&mut self) -> Refusals {
        self.refusals.get_or_insert_default().clone()
    }

    pub(super) fn enter_preview1(&mut self) -> &mut Wasi {
        self.host_calls.enter_wasi();
        self.powers.wasi.get_or_insert_with(Wasi::without_access)
    }

    pub(super) fn enter_files(&mut self) -> Guarded<'_> {
        self.host_calls.enter_wasi();
        let wasi = self.powers.wasi.get_or_insert_with(Wasi::without_access);
        let WasiCtxView { ctx, table } = wasi.context.ctx();
        Guarded { context: ctx.filesystem(), table, files: &mut wasi.files }
    }

    pub(super) fn into_reply(mut self, mut result: Result<Answer, Failure>, fuel_left: u64) -> Reply {
        let mut requests = 0;
        if let Some(wasi) = self.powers.wasi.take() {
            self.log.add_stderr(&wasi.stderr.take());
        }
        if let Some(http) = self.powers.http.take() {
            requests = http.sent();
            self.log.lines.iter_mut().for_each(|line| line.message = http.redact_text(&line.message));
            result = result.map_err(|mut failure| {
                failure.message = http.redact_text(&failure.message);
                failure
            });
        }
        let refused = self.refusals.as_ref().map(Refusals::take).unwrap_or_default();
        result = result.map_err(|failure| with_reason(failure, &refused));
        let usage = Usage {
            fuel: Some(self.fuel.saturating_sub(fuel_left).saturating_add(self.host_calls.spent())),
            peak_memory: Some(self.meter.memory as u64),
            host_calls: Some(self.host_calls.made()),
            requests,
            log_bytes: self.log.bytes,
            log_dropped: self.log.dropped,
            ..Usage::default()
        };
        Reply { result, refused, usage, log: self.log.lines, process: None, plugin: None }
    }
}

/// Adds the first refusal to a hook's own error, which seldom names the missing grant.
fn with_reason(failure: Failure, refused: &[CapabilityRefusal]) -> Failure {
    match refused.first() {
        Some(first) if failure.code == FailureCode::HookError => {
            Failure::new(failure.code, &format!("{}; it was refused {first}", failure.message))
        }
        _ => failure,
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.enter_preview1().context.ctx()
    }
}

/// Counts memory, tables and instances, and refuses growth beyond the limits. Linear memory never shrinks, so its size
/// is its peak.
pub(super) struct Meter {
    memory: usize,
    max_memory: usize,
    elements: usize,
    max_elements: usize,
    max_instances: usize,
    /// True if a growth was refused: a trap right after is due to memory.
    pub(super) refused: bool,
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            memory: 0,
            max_memory: limits.get_size(Limit::Memory),
            elements: 0,
            max_elements: limits.get_size(Limit::TableElements),
            max_instances: limits.get_size(Limit::Instances),
            refused: false,
        }
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, now: usize, wanted: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(allow_growth(&mut self.memory, now, wanted, self.max_memory, &mut self.refused))
    }

    fn table_growing(&mut self, now: usize, wanted: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(allow_growth(&mut self.elements, now, wanted, self.max_elements, &mut self.refused))
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

fn allow_growth(total: &mut usize, now: usize, wanted: usize, max: usize, refused: &mut bool) -> bool {
    // The sum over all memories of the call; a guest may have several, in several instances.
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
            max_lines: limits.get_size(Limit::LogLines),
            max_bytes: limits.get(Limit::LogBytes),
        }
    }

    /// Keeps a line, or counts it as dropped.
    pub(super) fn write_line(&mut self, level: LogLevel, message: &str) {
        let next = self.bytes.saturating_add(message.len() as u64);
        if self.lines.len() >= self.max_lines || next > self.max_bytes {
            self.dropped += 1;
            return;
        }
        self.bytes = next;
        self.lines.push(LogLine::new(level, message));
    }

    /// Adds a guest's standard error, line by line.
    fn add_stderr(&mut self, stderr: &[u8]) {
        let text = String::from_utf8_lossy(stderr);
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        lines.for_each(|line| self.write_line(LogLevel::Info, line));
    }
}
