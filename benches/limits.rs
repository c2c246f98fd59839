//! Effect and cost of limits: the delay until a runaway guest is ended, the memory that it adds to the process, and the cost of grants for
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
    fs::{self, OpenOptions},
    hint::spin_loop,
    io::Write,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

use hookbox::{
    HookSpec, Host, Origin, Target,
    hook::WasmSpec,
    model::{Event, Folder, Grants, Layer, Limit, Limits, OnFailure, TrustLevel},
};
use pairs::{compare_sides, print_heading, print_row};
use support::{cache_folder, create_builder, create_event, create_hook, create_runtime, extent::Extent};
use tokio::runtime::Runtime;

/// The timeout of the runaways, milliseconds.
const TIMEOUT: u32 = 100;
/// Calls per row.
const CALLS: usize = 100;
/// The memory that a guest may have, bytes.
const MEMORY: u64 = 64 << 20;

fn main() {
    let Some(extent) = Extent::of_this_run() else { return };
    let runtime = create_runtime();
    println!(
        "| a guest that | cores | late, median ms | late, 99 of 100 ms | targets |\n|---|---|---|---|---|"
    );
    for guest in ["loops", "fills", "program_sleeps"] {
        measure_delay(&runtime, guest, "idle", extent);
        with_busy_cores(|| measure_delay(&runtime, guest, "both busy", extent));
    }
    println!("\n| a guest that | may have MiB | adds at most MiB | target |\n|---|---|---|---|");
    for guest in ["grows_memory", "returns_megabytes", "logs_megabytes", "program_floods"] {
        measure_memory_growth(&runtime, guest, extent);
    }
    println!(
        "\n| an untrusted project with a hundred | cores | longest event, ms | target |\n|---|---|---|---|"
    );
    for kind in [Untrusted::Loops, Untrusted::Large, Untrusted::Complex] {
        measure_untrusted(&runtime, kind, "idle", extent);
        with_busy_cores(|| measure_untrusted(&runtime, kind, "both busy", extent));
    }
    println!();
    print_heading();
    unused_grants(&runtime, extent);
}

/// Creates a host with this guest alone, whose fuel lasts until its timeout.
fn create_host(guest: &str, limits: Limits) -> Host {
    let file = cache_folder().with_file_name(format!("bench-{guest}.wasm"));
    fs::write(&file, guests::build_component(guest)).unwrap();
    // A guard whose failure lets actions pass is never left out, however often it fails.
    let on_failure = Some(OnFailure::Allow);
    let target = Target::Wasm(WasmSpec::new(file));
    let spec = HookSpec { limits, on_failure, target, ..create_hook(guest) };
    let host = create_builder().hooks([spec]).build();
    let ready = create_runtime().block_on(host.prepare());
    for (_, result) in ready {
        result.unwrap();
    }
    host
}

fn create_runaway_limits() -> Limits {
    let limits = Limits::default().with_limit(Limit::Timeout, TIMEOUT.into()).unwrap();
    limits.with_limit(Limit::Fuel, Limit::Fuel.max()).unwrap()
}

fn measure_delay(runtime: &Runtime, guest: &str, cores: &str, extent: Extent) {
    let calls = extent.limit_rounds(CALLS);
    let (host, event) = (create_host(guest, create_runaway_limits()), create_event(1 << 10));
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

/// Measures the growth over the process's earlier peak: the peak is reset first.
fn measure_memory_growth(runtime: &Runtime, guest: &str, extent: Extent) {
    let limits = Limits::default()
        .with_limit(Limit::Timeout, 5_000)
        .unwrap()
        .with_limit(Limit::Memory, MEMORY)
        .unwrap();
    let (host, event) = (create_host(guest, limits), create_event(1 << 10));
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = read_status_kib("VmRSS:");
    for _ in 0..extent.limit_rounds(20) {
        assert_eq!(runtime.block_on(host.dispatch(event.clone())).failed(), [guest]);
    }
    let (may, added) = (MEMORY >> 20, (read_status_kib("VmHWM:") - before) >> 10);
    println!("| {guest} | {may} | {added} | ≤ {} |", may + 32);
}

/// Attempts of an untrusted project to delay the agent.
#[derive(Clone, Copy)]
enum Untrusted {
    /// Hooks that do not end.
    Loops,
    /// Components as large as a component may be.
    Large,
    /// Components that take long to compile, each with different code.
    Complex,
}

/// Measures the longest of three events, each of a session of its own and with components that no event had before. The agents' shortest
/// timeout for a hook that decides is 10 s.
fn measure_untrusted(runtime: &Runtime, kind: Untrusted, cores: &str, extent: Extent) {
    let folder = cache_folder().with_file_name("bench-untrusted");
    let longest = (0..extent.limit_rounds(3)).map(|session| {
        let _ = fs::remove_dir_all(&folder); // it may not be there
        fs::create_dir_all(&folder).unwrap();
        let hooks: Vec<_> = (0..100).map(|number| untrusted_hook(kind, &folder, number)).collect();
        let host = create_builder().hooks(hooks).build();
        let event = Event { session: format!("{cores} {session}"), ..create_event(1 << 10) };
        let started = Instant::now();
        runtime.block_on(host.dispatch(event));
        started.elapsed().as_secs_f64() * 1e3
    });
    let longest = longest.fold(0.0, f64::max);
    let what = match kind {
        Untrusted::Loops => "hooks that do not end",
        Untrusted::Large => "components of 64 MiB",
        Untrusted::Complex => "components that take long to compile",
    };
    println!("| {what} | {cores} | {longest:.0} | ≤ 10,000 |");
    let _ = fs::remove_dir_all(&folder); // its files are large
}

fn untrusted_hook(kind: Untrusted, folder: &Path, number: usize) -> HookSpec {
    let component = match kind {
        Untrusted::Loops => guests::build_component("loops"),
        Untrusted::Large => guests::build_component("none"),
        Untrusted::Complex => {
            let body = "local.get 0 i32.const 3 i32.mul i32.const 7 i32.xor local.set 0 ".repeat(200);
            let functions = (0..400 + number).map(|at| format!("(func $f{at} (param i32) {body})"));
            let functions = functions.collect::<Vec<_>>().concat();
            wat::parse_str(format!("(component (core module {functions}))")).unwrap()
        }
    };
    let path = folder.join(format!("{number}.wasm"));
    fs::write(&path, &component).unwrap();
    if matches!(kind, Untrusted::Large) {
        extend_component(&path, component.len());
    }
    let confined_to = Some(folder.to_owned());
    let target = Target::Wasm(WasmSpec { confined_to, ..WasmSpec::new(path) });
    HookSpec {
        origin: Origin::new(Layer::Project, TrustLevel::Untrusted),
        target,
        ..create_hook(&format!("untrusted-{number}"))
    }
}

/// Makes a component 64 MiB long, by a section of zeros that takes no room on the disk.
fn extend_component(path: &Path, length: usize) {
    let rest = (64 << 20) - length - 6;
    let mut header = vec![0];
    header.extend(
        (0..5).map(|at| u8::try_from(rest >> (7 * at) & 0x7f).unwrap() | if at < 4 { 0x80 } else { 0 }),
    );
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(&header).unwrap();
    file.set_len(64 << 20).unwrap();
}

fn read_status_kib(name: &str) -> i64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Compares a hook with all grants that it does not use with one without grants.
fn unused_grants(runtime: &Runtime, extent: Extent) {
    let event = create_event(1 << 10);
    let all = Grants {
        clock: true,
        random: true,
        env: vec!["LANG".to_owned()],
        read: vec![Folder::Project],
        write: vec![Folder::At("/tmp".into())],
        ..Grants::default()
    };
    let granted = |grants| {
        let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(support::plugin_path()) });
        create_builder().hooks([HookSpec { target, ..create_hook("it") }]).build()
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
    let pair =
        compare_sides(extent.limit_rounds(600), 10, |block| calls(&all, block), |block| calls(&none, block));
    print_row("a hook with every grant, none used ÷ with none", &pair, Some(0.0..=1.03));
}
