//! The numbers that hookbox promises, each as a ratio within one run.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "support/dispatches.rs"]
mod dispatches;
#[path = "support/pairs.rs"]
mod pairs;
mod support;

use std::hint::black_box;

use dispatches::time_dispatches;
use hookbox::{
    HookSpec, Host, Target,
    hook::{Confinement, ShellSpec},
    interfaces::Environment,
};
use pairs::{compare_sides, print_heading, print_row, time_each};
use support::{
    SIZES, cache_folder, create_builder, create_event, create_hook, create_runtime, extent::Extent,
    floor::Floor, named_tool,
};
use tokio::runtime::Runtime;

fn main() {
    let Some(extent) = Extent::of_this_run() else { return };
    let runtime = create_runtime();
    print_heading();
    against_the_floor(&runtime, extent);
    measure_isolation(&runtime, extent);
    measure_chains(&runtime, extent);
    against_a_shell_hook(&runtime, extent);
    measure_selection(extent);
    flat_memory(&runtime, extent);
}

fn create_host(hooks: usize) -> Host {
    create_builder().hooks((0..hooks).map(|at| create_hook(&format!("hook-{at}")))).build()
}

fn against_the_floor(runtime: &Runtime, extent: Extent) {
    for ((name, size), (rounds, block)) in SIZES.into_iter().zip([(600, 10), (300, 10), (150, 2)]) {
        let (host, event) = (create_host(1), create_event(size));
        let asked = runtime.block_on(host.dispatch(event.clone()));
        assert_eq!(asked.verdict.as_str(), "ask", "{:?}", asked.reports.first());
        let floor = Floor::new(&cache_folder());
        let pair = compare_sides(
            extent.limit_rounds(rounds),
            block,
            time_dispatches(runtime, &host, &event),
            time_each(|| assert!(floor.call_hook(black_box(&event)))),
        );
        print_row(&format!("one wasm hook ÷ bare floor, {name}"), &pair, Some(0.0..=1.25));
    }
}

/// Measures the cost of running a hook in a process without rights.
fn measure_isolation(runtime: &Runtime, extent: Extent) {
    for (name, size) in SIZES {
        let event = create_event(size);
        let in_the_host = create_host(1);
        let mut spec = create_hook("apart");
        if let Target::Wasm(wasm) = &mut spec.target {
            wasm.isolate = true;
        }
        let apart = create_builder().hooks([spec]).build();
        let asked = runtime.block_on(apart.dispatch(event.clone()));
        assert_eq!(asked.verdict.as_str(), "ask", "{:?}", asked.reports.first());
        let pair = compare_sides(
            extent.limit_rounds(300),
            10,
            time_dispatches(runtime, &apart, &event),
            time_dispatches(runtime, &in_the_host, &event),
        );
        let adds = pair.first.saturating_sub(pair.second).as_secs_f64() * 1e6;
        print_row(&format!("one wasm hook apart ÷ in the host, {name}: {adds:.1} µs more"), &pair, None);
    }
}

fn measure_chains(runtime: &Runtime, extent: Extent) {
    let event = create_event(1 << 10);
    let one = create_host(1);
    for (hooks, target) in [(10, 10.0), (100, 100.0)] {
        let many = create_host(hooks);
        let pair = compare_sides(
            extent.limit_rounds(300),
            3,
            time_dispatches(runtime, &many, &event),
            time_dispatches(runtime, &one, &event),
        );
        print_row(&format!("{hooks} wasm hooks ÷ one"), &pair, Some(0.0..=target));
    }
}

/// Measures in blocks: the cost of a hook after another of its kind, as in a long-running host.
fn against_a_shell_hook(runtime: &Runtime, extent: Extent) {
    let event = create_event(1 << 10);
    let wasm = create_host(1);
    let spec =
        ShellSpec { confinement: Some(Confinement::default()), ..ShellSpec::from_line("cat >/dev/null") };
    let environment = Environment::from_iter([("PATH", "/usr/local/bin:/usr/bin:/bin")]);
    let shell = HookSpec { target: Target::Shell(spec), ..create_hook("shell") };
    let shell = Host::builder().environment(environment).hooks([shell]).build();
    for (block, name) in [(1, "in turns"), (20, "twenty of each in turns")] {
        let pair = compare_sides(
            extent.limit_rounds(100),
            block,
            time_dispatches(runtime, &shell, &event),
            time_dispatches(runtime, &wasm, &event),
        );
        let what = format!("a `sh -c 'cat >/dev/null'` hook ÷ one wasm hook, {name}");
        print_row(&what, &pair, Some(100.0..=f64::INFINITY));
    }
}

fn measure_selection(extent: Extent) {
    let event = create_event(1 << 10);
    let host = |hooks: usize| {
        let other = |at| HookSpec {
            tool: Some(named_tool(&format!("Tool{at}"))),
            ..create_hook(&format!("hook-{at}"))
        };
        let wanted = HookSpec { tool: Some(named_tool("Bash")), ..create_hook("wanted") };
        Host::builder().hooks((1..hooks).map(other).chain([wanted])).build()
    };
    let few = host(10);
    for hooks in [1_000, 10_000] {
        let many = host(hooks);
        let select = |host: &Host| assert_eq!(black_box(host.plan(&event)).hooks().count(), 1);
        let pair = compare_sides(
            extent.limit_rounds(500),
            1_000,
            time_each(|| select(&many)),
            time_each(|| select(&few)),
        );
        print_row(&format!("selecting 1 of {hooks} hooks ÷ 1 of 10"), &pair, Some(0.0..=1.5));
    }
}

/// Runs a hundred thousand dispatches of a chain of three.
fn flat_memory(runtime: &Runtime, extent: Extent) {
    let (host, event) = (create_host(3), create_event(1 << 10));
    let resident = |rounds| {
        let mut dispatches = time_dispatches(runtime, &host, &event);
        for _ in 0..rounds {
            dispatches(100);
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<i64>().unwrap()
    };
    let (before, after) = (resident(extent.limit_rounds(10)), resident(extent.limit_rounds(1_000)));
    let grown = after - before;
    println!(
        "\n{} dispatches of three wasm hooks: {before} KiB became {after} KiB ({grown:+} KiB)",
        extent.limit_rounds(1_000) * 100
    );
}
