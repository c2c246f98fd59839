//! What the limits are worth: how late a runaway guest is ended, how much it adds to the process, and what the grants cost
//! a hook that uses none.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark"
)]

#[expect(dead_code, reason = "what tests want besides")]
#[path = "../tests/support/guests.rs"]
mod guests;
#[expect(dead_code, reason = "what other benchmarks want besides")]
#[path = "support/pairs.rs"]
mod pairs;
#[expect(dead_code, reason = "what other benchmarks want besides")]
mod support;

use std::{
    fs,
    hint::spin_loop,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

use hookbox::{
    HookSpec, Host, Target,
    hook::WasmSpec,
    model::{Folder, Grants, Limit, Limits, OnFailure},
};
use pairs::{compare, heading, print};
use support::{builder, cache, event, extent::Extent, hook, runtime};
use tokio::runtime::Runtime;

/// The timeout of the runaways, milliseconds.
const TIMEOUT: u32 = 100;
/// Calls per row.
const CALLS: usize = 100;
/// The memory that a guest may have, bytes.
const MEMORY: u64 = 64 << 20;

fn main() {
    let Some(extent) = Extent::of_this_run() else { return };
    let runtime = runtime();
    println!(
        "| a guest that | cores | late, median ms | late, 99 of 100 ms | targets |\n|---|---|---|---|---|"
    );
    for guest in ["loops", "fills", "program_sleeps"] {
        late(&runtime, guest, "idle", extent);
        with_busy_cores(|| late(&runtime, guest, "both busy", extent));
    }
    println!("\n| a guest that | may have MiB | adds at most MiB | target |\n|---|---|---|---|");
    for guest in ["grows_memory", "returns_megabytes", "logs_megabytes", "program_floods"] {
        added(&runtime, guest, extent);
    }
    println!();
    heading();
    unused_grants(&runtime, extent);
}

/// A host with this guest alone, which may burn all the fuel that there is until its timeout.
fn host(guest: &str, limits: Limits) -> Host {
    let file = cache().with_file_name(format!("bench-{guest}.wasm"));
    fs::write(&file, guests::component(guest)).unwrap();
    // A guard whose failure lets things happen is never left out, however often it fails.
    let on_failure = Some(OnFailure::Allow);
    let target = Target::Wasm(WasmSpec::new(file));
    let spec = HookSpec { limits, on_failure, target, ..hook(guest) };
    let host = builder().hooks([spec]).build();
    let ready = runtime().block_on(host.prepare());
    for (_, result) in ready {
        result.unwrap();
    }
    host
}

fn runaway() -> Limits {
    let limits = Limits::default().with(Limit::Timeout, TIMEOUT.into()).unwrap();
    limits.with(Limit::Fuel, Limit::Fuel.max()).unwrap()
}

fn late(runtime: &Runtime, guest: &str, cores: &str, extent: Extent) {
    let calls = extent.rounds(CALLS);
    let (host, event) = (host(guest, runaway()), event(1 << 10));
    let mut late: Vec<_> = (0..calls)
        .map(|_| {
            let started = Instant::now();
            let outcome = runtime.block_on(host.dispatch(event.clone()));
            assert_eq!(outcome.failed(), [guest]);
            started.elapsed().as_secs_f64() * 1e3 - f64::from(TIMEOUT)
        })
        .collect();
    late.sort_by(f64::total_cmp);
    let (median, most) = (late[calls / 2], late[calls * 99 / 100]);
    let target = if cores == "idle" { "median ≤ 20" } else { "99 of 100 ≤ 250" };
    println!("| {guest} | {cores} | {median:.1} | {most:.1} | {target} |");
}

fn with_busy_cores(work: impl FnOnce()) {
    let done = AtomicBool::new(false);
    let cores = thread::available_parallelism().unwrap().get();
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        work();
        done.store(true, Ordering::Relaxed);
    });
}

/// Against what the process had at its peak before: the peak is set back first.
fn added(runtime: &Runtime, guest: &str, extent: Extent) {
    let limits = Limits::default().with(Limit::Timeout, 5_000).unwrap().with(Limit::Memory, MEMORY).unwrap();
    let (host, event) = (host(guest, limits), event(1 << 10));
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = kib("VmRSS:");
    for _ in 0..extent.rounds(20) {
        assert_eq!(runtime.block_on(host.dispatch(event.clone())).failed(), [guest]);
    }
    let (may, added) = (MEMORY >> 20, (kib("VmHWM:") - before) >> 10);
    println!("| {guest} | {may} | {added} | ≤ {} |", may + 32);
}

fn kib(name: &str) -> i64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A hook that was granted all and uses nothing, against one that was granted nothing.
fn unused_grants(runtime: &Runtime, extent: Extent) {
    let event = event(1 << 10);
    let all = Grants {
        clock: true,
        random: true,
        env: vec!["LANG".to_owned()],
        read: vec![Folder::Project],
        write: vec![Folder::At("/tmp".into())],
        ..Grants::default()
    };
    let granted = |grants| {
        let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(support::plugin()) });
        builder().hooks([HookSpec { target, ..hook("it") }]).build()
    };
    let (all, none) = (granted(all), granted(Grants::default()));
    let calls = |host: &Host, block| {
        let started = Instant::now();
        for _ in 0..block {
            let outcome = runtime.block_on(host.dispatch(event.clone()));
            assert_eq!(outcome.verdict.as_str(), "ask", "{outcome:?}");
        }
        started.elapsed()
    };
    let pair = compare(extent.rounds(600), 10, |block| calls(&all, block), |block| calls(&none, block));
    print("a hook with every grant, none used ÷ with none", &pair, Some(0.0..=1.03));
}
