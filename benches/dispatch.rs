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
use support::{SIZES, bed::event_bytes, builder, cache, event, floor::Floor, hook, named_tool, runtime};

fn hooks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dispatch/wasm hooks");
    let event = event(1 << 10);
    for hooks in [0, 1, 10, 100] {
        let host = builder().hooks((0..hooks).map(|at| hook(&format!("hook-{at}")))).build();
        group.bench_function(BenchmarkId::from_parameter(hooks), |bench| {
            bench.to_async(runtime()).iter(|| host.dispatch(event.clone()));
        });
    }
}

fn payloads(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dispatch/payload");
    for (name, size) in SIZES {
        let (host, event) = (builder().hooks([hook("one")]).build(), event(size));
        let _ = runtime().block_on(host.dispatch(event.clone()));
        let floor = Floor::new(&cache());
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(BenchmarkId::new("hookbox", name), |bench| {
            bench.to_async(runtime()).iter(|| host.dispatch(event.clone()));
        });
        group.bench_function(BenchmarkId::new("bare floor", name), |bench| {
            bench.iter(|| floor.call(black_box(&event)));
        });
    }
}

fn selection(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("select one of");
    let event = event(1 << 10);
    for hooks in [10, 1_000, 10_000] {
        let other =
            |at| HookSpec { tool: Some(named_tool(&format!("Tool{at}"))), ..hook(&format!("hook-{at}")) };
        let wanted = HookSpec { tool: Some(named_tool("Bash")), ..hook("wanted") };
        let host = Host::builder().hooks((1..hooks).map(other).chain([wanted])).build();
        group.bench_function(BenchmarkId::from_parameter(hooks), |bench| {
            bench.iter(|| black_box(host.plan(&event)).hooks().count());
        });
    }
}

/// Runs the check as a process: the cost that agents pay per hook today.
fn processes(criterion: &mut Criterion) {
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

criterion_group!(benches, hooks, payloads, selection, processes);
criterion_main!(benches);
