//! The numbers that hookbox promises, each as a ratio within one run.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "support/pairs.rs"]
mod pairs;
mod support;

use std::hint::black_box;

use hookbox::{
    HandlerSpec, HookSpec, Host,
    handler::{
        environment::Environment,
        shell::{ShellCommand, ShellSpec},
    },
    model::Event,
};
use pairs::{Pair, compare, heading, print};
use support::{SIZES, builder, cache, event, floor::Floor, hook, named_tool, runtime};
use tokio::runtime::Runtime;

fn main() {
    let runtime = runtime();
    heading();
    against_the_floor(&runtime);
    chains(&runtime);
    against_a_shell_hook(&runtime);
    selection();
    flat_memory(&runtime);
}

fn host(hooks: usize) -> Host {
    builder().hooks((0..hooks).map(|at| hook(&format!("hook-{at}")))).build()
}

fn dispatch(runtime: &Runtime, host: &Host, event: &Event) {
    let outcome = runtime.block_on(host.dispatch(event.clone()));
    assert_eq!(outcome.verdict.as_str(), "ask", "{:?}", outcome.reports.first());
}

fn against_the_floor(runtime: &Runtime) {
    for ((name, size), (rounds, block)) in SIZES.into_iter().zip([(600, 10), (300, 10), (150, 2)]) {
        let (host, event) = (host(1), event(size));
        dispatch(runtime, &host, &event);
        let floor = Floor::new(&cache());
        let pair = compare(
            rounds,
            block,
            || dispatch(runtime, &host, &event),
            || assert!(floor.call(black_box(&event))),
        );
        print(&format!("one wasm hook ÷ bare floor, {name}"), &pair, "≤ 1.25", pair.ratio <= 1.25);
    }
}

fn chains(runtime: &Runtime) {
    let event = event(1 << 10);
    let one = host(1);
    for (hooks, target) in [(10, 10.0), (100, 100.0)] {
        let many = host(hooks);
        let pair = compare(300, 3, || dispatch(runtime, &many, &event), || dispatch(runtime, &one, &event));
        print(&format!("{hooks} wasm hooks ÷ one"), &pair, &format!("≤ {target}"), pair.ratio <= target);
    }
    let none = Host::builder().build();
    let pair = compare(
        300,
        100,
        || {
            let _ = black_box(runtime.block_on(none.dispatch(event.clone())));
        },
        || {
            let _ = black_box(event.clone());
        },
    );
    print("no hook ÷ a copy of the event", &pair, "–", true);
}

fn against_a_shell_hook(runtime: &Runtime) {
    let event = event(1 << 10);
    let wasm = host(1);
    let spec =
        ShellSpec { command: ShellCommand::Line("cat >/dev/null".to_owned()), cwd: None, env: Vec::new() };
    let environment = Environment::from_iter([("PATH", "/usr/local/bin:/usr/bin:/bin")]);
    let shell = HookSpec { handler: HandlerSpec::Shell(spec), ..hook("shell") };
    let shell = Host::builder().environment(environment).hooks([shell]).build();
    let pair = compare(
        100,
        1,
        || {
            let outcome = runtime.block_on(shell.dispatch(event.clone()));
            assert!(outcome.failed().is_empty());
        },
        || dispatch(runtime, &wasm, &event),
    );
    print("a `sh -c 'cat >/dev/null'` hook ÷ one wasm hook", &pair, "≥ 100", pair.ratio >= 100.0);
}

fn selection() {
    let event = event(1 << 10);
    let host = |hooks: usize| {
        let other =
            |at| HookSpec { tool: Some(named_tool(&format!("Tool{at}"))), ..hook(&format!("hook-{at}")) };
        let wanted = HookSpec { tool: Some(named_tool("Bash")), ..hook("wanted") };
        Host::builder().hooks((1..hooks).map(other).chain([wanted])).build()
    };
    let few = host(10);
    for hooks in [1_000, 10_000] {
        let many = host(hooks);
        let select = |host: &Host| assert_eq!(black_box(host.select(&event)).len(), 1);
        let pair: Pair = compare(500, 1_000, || select(&many), || select(&few));
        print(&format!("selecting 1 of {hooks} hooks ÷ 1 of 10"), &pair, "≤ 1.5", pair.ratio <= 1.5);
    }
}

/// A hundred thousand dispatches of a chain of three.
fn flat_memory(runtime: &Runtime) {
    let (host, event) = (host(3), event(1 << 10));
    let resident = |rounds| {
        for _ in 0..rounds {
            dispatch(runtime, &host, &event);
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<i64>().unwrap()
    };
    let (before, after) = (resident(1_000), resident(100_000));
    let grown = after - before;
    println!("\n100,000 dispatches of three wasm hooks: {before} KiB became {after} KiB ({grown:+} KiB)");
}
