//! Settings of the engine, with their reasons. Compiled code depends on every setting of `build_config`.

use std::fmt;

use hookbox_model::{Limit, Limits, Proposal, Proposals};
use hookbox_platform::process::address_space;
use wasmtime::{
    Collector, Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig,
    WasmBacktraceDetails, WasmFeatures,
};

/// Version of these settings in cache keys. Change it with the settings.
pub const SETTINGS: &str = "hookbox-5";

/// Version of wasmtime in the lock file; a test compares them.
pub const WASMTIME: &str = "48.0.8";

/// Memory allocation of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Mapped anew for each call: for a process that makes one call.
    OnDemand,
    /// From a pool with this many slots, if the machine has the address space; otherwise on demand.
    Pooled {
        /// Concurrent calls.
        slots: u32,
        /// True if dirty pages are found by `PAGEMAP_SCAN` (Linux 6.7 and newer).
        scan: bool,
    },
}

impl Allocation {
    /// A pool of the usual size.
    pub const POOLED: Self = Self::Pooled { slots: 32, scan: true };

    pub(super) fn slots(&self) -> usize {
        match self {
            Self::OnDemand => MOST_ON_DEMAND.min(guests_in_address_space()),
            Self::Pooled { slots, .. } => *slots as usize,
        }
    }
}

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnDemand => f.write_str("on demand"),
            Self::Pooled { slots, scan } => {
                write!(f, "pool of {slots}, pagemap scan {}", if *scan { "on" } else { "off" })
            }
        }
    }
}

/// Most concurrent calls without a pool.
const MOST_ON_DEMAND: usize = 64;

/// Address space that the memory of one guest reserves, with its guards, bytes: wasmtime's default, which native code
/// relies on.
const RESERVED_PER_MEMORY: u64 = (4 << 30) + (64 << 20);

/// Returns how many guests fit in half of the address space that this process may have (`ulimit -v`).
fn guests_in_address_space() -> usize {
    let fit = address_space().map(|bytes| bytes / 2 / RESERVED_PER_MEMORY);
    fit.map_or(usize::MAX, |fit| usize::try_from(fit).unwrap_or(usize::MAX).max(1))
}

/// Memory per slot that stays mapped between calls. Large only with the scan: without it every byte is zeroed after
/// every call, which costs more than unmapping.
const KEEP_RESIDENT_WITH_SCAN: usize = 16 << 20;
const KEEP_RESIDENT_WITHOUT_SCAN: usize = 64 << 10;

/// Stack per slot that is cleared by hand after a call and stays mapped: the part that a small guest uses. Clearing
/// more would cost every call; the part below is returned to the system.
const STACK_KEEP_RESIDENT: usize = 16 << 10;

/// Idle slots that keep their memory: limits the pool's memory while nothing runs.
const WARM_SLOTS: u32 = 16;

/// Creates the engine, with the best allocation that this machine supports, and so many slots beyond those of hooks.
pub(super) fn create_engine(
    (wanted, more_slots): (Allocation, u32),
    limits: &Limits,
) -> wasmtime::Result<(Engine, Allocation)> {
    let fallbacks = match wanted {
        Allocation::Pooled { slots, scan: true } => {
            vec![wanted, Allocation::Pooled { slots, scan: false }]
        }
        Allocation::Pooled { .. } => vec![wanted],
        Allocation::OnDemand => vec![],
    };
    // A pool reserves address space for all slots, which `ulimit -v` may forbid, and the scan needs Linux
    // 6.7.
    for allocation in fallbacks {
        if let Allocation::Pooled { slots, scan } = allocation {
            let mut config = build_config(limits);
            config.allocation_strategy(pool_strategy(slots.saturating_add(more_slots), scan, limits));
            if let Ok(engine) = Engine::new(&config) {
                return Ok((engine, allocation));
            }
        }
    }
    Ok((Engine::new(&build_config(limits))?, Allocation::OnDemand))
}

/// Returns the best allocation that this machine supports.
pub fn probe_allocation(wanted: Allocation, limits: &Limits) -> Result<Allocation, super::SandboxError> {
    Ok(create_engine((wanted, 0), limits)?.1)
}

/// Native stack beyond the wasm stack that host functions may use.
pub(super) const HOST_STACK: usize = 512 << 10;

/// Creates an engine for hooks that need these proposals, and for no others.
pub(super) fn engine_with(proposals: Proposals, limits: &Limits) -> wasmtime::Result<Engine> {
    Engine::new(&config_with(proposals, limits))
}

/// Returns the settings for these proposals. Nothing is collected within a call: a call is short, its memory has a
/// limit, and the collector is the part of wasmtime that had the most errors.
pub(super) fn config_with(proposals: Proposals, limits: &Limits) -> Config {
    let mut config = build_config(limits);
    if !proposals.is_none() {
        config.wasm_features(WasmFeatures::GC_TYPES, true).collector(Collector::Null);
    }
    if proposals.is_enabled(Proposal::Gc) {
        config.wasm_features(WasmFeatures::GC | WasmFeatures::FUNCTION_REFERENCES, true);
    }
    if proposals.is_enabled(Proposal::Exceptions) {
        config.wasm_features(WasmFeatures::EXCEPTIONS, true);
    }
    config
}

/// Returns all settings except the allocation. Unneeded features are off: most of wasmtime's advisories of 2026 are in
/// parts that nearly no hook uses (garbage collection, exceptions, component async, memory64).
pub(super) fn build_config(limits: &Limits) -> Config {
    let mut config = Config::new();
    config
        // Fuel counts work, so a guest ends at the same point on a slow machine and on a busy one.
        .consume_fuel(true)
        // Not by a variable, which a project may set: the compiler would not have been given that setting.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable)
        // For work that takes much time for little fuel.
        .epoch_interruption(true)
        .concurrency_support(false)
        .max_wasm_stack(limits.get_size(Limit::Stack))
        // Host functions run on the stack of the guest that calls them.
        .async_stack_size(limits.get_size(Limit::Stack) + HOST_STACK)
        // A stack of the pool is used by one guest after another.
        .async_stack_zeroing(true)
        // Only a debugger would unwind a guest by it, and each load would register it.
        .native_unwind_info(false)
        .wasm_backtrace_max_frames(std::num::NonZeroUsize::new(16))
        .wasm_features(refused_proposals(), false);
    // Mach ports abort in a host that starts child processes; on other systems the setting has no effect.
    config.macos_use_mach_ports(false);
    config
}

/// The features of components that hooks may call, those of every [`Proposal`] included.
#[cfg(feature = "compiler")]
pub(super) fn accepted_features() -> WasmFeatures {
    let proposals = WasmFeatures::GC_TYPES
        | WasmFeatures::GC
        | WasmFeatures::FUNCTION_REFERENCES
        | WasmFeatures::EXCEPTIONS;
    WasmFeatures::default().difference(refused_proposals()) | proposals
}

/// Proposals that no supported toolchain needs for a hook. (JavaScript's guests need tail calls, and several memories in
/// one module: wasmtime itself makes such modules between the components within a component.)
fn refused_proposals() -> WasmFeatures {
    WasmFeatures::THREADS
        | WasmFeatures::SHARED_EVERYTHING_THREADS
        | WasmFeatures::RELAXED_SIMD
        | WasmFeatures::MEMORY64
        | WasmFeatures::CUSTOM_PAGE_SIZES
        | WasmFeatures::WIDE_ARITHMETIC
        | WasmFeatures::EXCEPTIONS
        | WasmFeatures::LEGACY_EXCEPTIONS
        | WasmFeatures::FUNCTION_REFERENCES
        | WasmFeatures::GC
        | WasmFeatures::GC_TYPES
        | WasmFeatures::STACK_SWITCHING
        | WasmFeatures::CM_ASYNC
        | WasmFeatures::CM_ASYNC_STACKFUL
        | WasmFeatures::CM_MORE_ASYNC_BUILTINS
        | WasmFeatures::CM_ERROR_CONTEXT
        | WasmFeatures::CM_THREADING
        | WasmFeatures::CM_GC
        | WasmFeatures::CM_MAP
        | WasmFeatures::CM_FIXED_LENGTH_LISTS
}

fn pool_strategy(slots: u32, scan: bool, limits: &Limits) -> InstanceAllocationStrategy {
    let instances = u32::try_from(limits.get(Limit::Instances)).unwrap_or(1);
    let keep = if scan { KEEP_RESIDENT_WITH_SCAN } else { KEEP_RESIDENT_WITHOUT_SCAN };
    let mut pool = PoolingAllocationConfig::new();
    pool.pagemap_scan(if scan { Enabled::Yes } else { Enabled::No })
        .linear_memory_keep_resident(keep)
        .table_keep_resident(64 << 10)
        .async_stack_keep_resident(STACK_KEEP_RESIDENT)
        .max_unused_warm_slots(WARM_SLOTS)
        .max_memory_size(limits.get_size(Limit::Memory))
        .table_elements(limits.get_size(Limit::TableElements))
        .total_stacks(slots)
        .total_component_instances(slots)
        .total_core_instances(slots * instances)
        .total_memories(slots * MEMORIES_PER_COMPONENT)
        .total_tables(slots * TABLES_PER_COMPONENT)
        .max_core_instances_per_component(instances)
        .max_memories_per_component(MEMORIES_PER_COMPONENT)
        .max_tables_per_component(TABLES_PER_COMPONENT);
    InstanceAllocationStrategy::Pooling(pool)
}

/// The guest's memory, and those of components within it: `componentize-qjs` makes three.
const MEMORIES_PER_COMPONENT: u32 = 4;
/// The guest's tables, and those that component tools add to wire imports.
const TABLES_PER_COMPONENT: u32 = 8;
