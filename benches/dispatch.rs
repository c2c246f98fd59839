//! Cost of a dispatch, compared with equivalent checks elsewhere.
#![expect(clippy::unwrap_used, reason = "a benchmark")]

#[expect(dead_code, reason = "what other benchmarks want besides")]
mod support;

use std::{
    hint::black_box,
    io::Write,
    process::{Command, Stdio},
};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hookbox::{HookSpec, Host};
use support::{
    SIZES, bed::event_bytes, cache_folder, create_builder, create_event, create_hook, create_runtime,
    floor::Floor, named_tool,
};

fn bench_hook_counts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dispatch/wasm hooks");
    let event = create_event(1 << 10);
    for hooks in [0, 1, 10, 100] {
        let host = create_builder().hooks((0..hooks).map(|at| create_hook(&format!("hook-{at}")))).build();
        group.bench_function(BenchmarkId::from_parameter(hooks), |bench| {
            bench.to_async(create_runtime()).iter(|| host.dispatch(event.clone()));
        });
    }
}

fn bench_payload_sizes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dispatch/payload");
    for (name, size) in SIZES {
        let (host, event) = (create_builder().hooks([create_hook("one")]).build(), create_event(size));
        let _ = create_runtime().block_on(host.dispatch(event.clone()));
        let floor = Floor::new(&cache_folder());
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(BenchmarkId::new("hookbox", name), |bench| {
            bench.to_async(create_runtime()).iter(|| host.dispatch(event.clone()));
        });
        group.bench_function(BenchmarkId::new("bare floor", name), |bench| {
            bench.iter(|| floor.call_hook(black_box(&event)));
        });
    }
}

fn bench_selection(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("select one of");
    let event = create_event(1 << 10);
    for hooks in [10, 1_000, 10_000] {
        let other = |at| HookSpec {
            tool: Some(named_tool(&format!("Tool{at}"))),
            ..create_hook(&format!("hook-{at}"))
        };
        let wanted = HookSpec { tool: Some(named_tool("Bash")), ..create_hook("wanted") };
        let host = Host::builder().hooks((1..hooks).map(other).chain([wanted])).build();
        group.bench_function(BenchmarkId::from_parameter(hooks), |bench| {
            bench.iter(|| black_box(host.plan(&event)).hooks().count());
        });
    }
}

/// Runs the check as a process: the cost that agents pay per hook today.
fn bench_processes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a process per hook");
    group.sample_size(20);
    let event = event_bytes(1 << 10);
    for (name, program, arguments) in CHECKS {
        if !is_there(program) {
            continue;
        }
        group.bench_function(name, |bench| bench.iter(|| run(program, arguments, &event)));
    }
}

const CHECKS: [(&str, &str, &[&str]); 4] = [
    ("sh, reads only", "sh", &["-c", "cat >/dev/null"]),
    ("sh, grep", "sh", &["-c", "grep -q 'rm -rf /' && exit 0"]),
    ("python3", "python3", &["-c", PYTHON]),
    ("node", "node", &["-e", NODE]),
];
const PYTHON: &str =
    "import json,sys; sys.exit(0 if 'rm -rf /' in json.load(sys.stdin)['tool_input']['command'] else 1)";
const NODE: &str = "let t=''; process.stdin.on('data',d=>t+=d).on('end',()=>process.exit(JSON.parse(t).tool_input.command.includes('rm -rf /')?0:1))";

#[expect(clippy::disallowed_methods, reason = "what is measured is a process")]
fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[expect(clippy::disallowed_methods, reason = "what is measured is a process")]
fn run(program: &str, arguments: &[&str], event: &[u8]) {
    let mut child =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event).unwrap();
    assert!(child.wait().unwrap().success());
}

criterion_group!(benches, bench_hook_counts, bench_payload_sizes, bench_selection, bench_processes);
criterion_main!(benches);
