//! Many calls: nothing carries over, nothing piles up, nobody is turned away.

use std::{fs, sync::Arc, thread};

use hookbox::{
    model::{Answer, Status},
    sandbox::engine_settings::Allocation,
};

use crate::{Bed, create_runtime, dispatch_event, share_host, tool_event};

#[test]
fn nothing_carries_over_from_call_to_call() {
    for allocation in [Allocation::OnDemand, Allocation::POOLED] {
        let bed = Bed::new();
        let host = bed.builder().allocation(allocation).hooks([bed.create_gate("keeps_state")]).build();
        for _ in 0..50 {
            let outcome = dispatch_event(&host, tool_event());
            assert_eq!(outcome.reports[0].status, Status::Answered(Answer::default()));
        }
    }
}

#[test]
fn concurrent_calls_beyond_the_slots_of_the_pool_wait_their_turn() {
    let bed = Bed::new();
    let pool = Allocation::Pooled { slots: 2, scan: true };
    let host = share_host(bed.builder().allocation(pool).hooks([bed.create_gate("denies")]));
    let calls: Vec<_> = (0..16)
        .map(|_| {
            let host = Arc::clone(&host);
            thread::spawn(move || {
                (0..50).all(|_| dispatch_event(&host, tool_event()).reasons[0].value.code() == "no")
            })
        })
        .collect();
    assert!(calls.into_iter().all(|call| call.join().unwrap()));
}

#[test]
fn a_hundred_concurrent_hooks_are_folded_in_their_order() {
    let bed = Bed::new();
    let hooks =
        (0..100).map(|at| hookbox::HookSpec { name: format!("hook-{at}"), ..bed.create_gate("none") });
    let host = bed.builder().allocation(Allocation::POOLED).hooks(hooks).build();
    let outcome = dispatch_event(&host, tool_event());
    let names: Vec<_> = outcome.reports.iter().map(|report| report.hook.clone()).collect();
    assert_eq!(names, (0..100).map(|at| format!("hook-{at}")).collect::<Vec<_>>());
    assert!(outcome.failed().is_empty());
}

#[test]
fn memory_threads_and_descriptors_stay_flat_over_many_good_and_bad_calls() {
    let bed = Bed::new();
    let hooks = ["none", "denies", "traps", "logs_a_lot"].map(|guest| hookbox::HookSpec {
        on_failure: Some(hookbox::model::OnFailure::Allow),
        priority: i32::from(guest != "denies"),
        ..bed.create_gate(guest)
    });
    let host = bed.builder().allocation(Allocation::POOLED).hooks(hooks).build();
    let runtime = create_runtime();
    let rounds = |count: u32| {
        for _ in 0..count {
            let _ = runtime.block_on(host.dispatch(tool_event()));
        }
        (read_status("VmRSS:"), read_status("Threads:"), fs::read_dir("/proc/self/fd").unwrap().count())
    };
    let (memory, threads, files) = rounds(500);
    let (memory_after, threads_after, files_after) = rounds(5_000);
    assert_eq!((threads, files), (threads_after, files_after));
    assert!(memory_after < memory + 4096, "{memory} KiB became {memory_after} KiB");
}

/// A number from this process' status.
fn read_status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
