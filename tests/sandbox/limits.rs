//! Guests that want more than they may have.

use hookbox::{
    model::{Answer, FailureCode, Limit, Limits, Status},
    sandbox::engine_settings::Allocation,
};

use crate::{Bed, create_brief_limits, dispatch_event, expect_failure, find_failure_code, tool_event};

#[test]
fn a_guest_without_an_answer_has_no_opinion_and_its_usage_is_reported() {
    let report = Bed::new().run("none", &Limits::default());
    assert_eq!(report.status, Status::Answered(Answer::default()));
    let used = report.usage;
    assert!(used.fuel.unwrap() > 0 && used.fuel.unwrap() < 1_000, "{used:?}");
    assert_eq!(used.peak_memory, Some(65_536));
    assert_eq!(used.host_calls, Some(0));
}

#[test]
fn a_trap_is_a_failure_of_that_hook() {
    let failure = Bed::new().run_to_failure("traps");
    assert_eq!(failure.code, FailureCode::Trap);
    assert_eq!(failure.message, "the guest trapped: wasm trap: wasm `unreachable` instruction executed");
}

#[test]
fn a_guest_may_say_that_it_failed() {
    let failure = Bed::new().run_to_failure("says_error");
    assert_eq!(failure.to_string(), "hook-error: sorry");
}

#[test]
fn an_endless_loop_ends_at_the_timeout_wherever_it_is() {
    for guest in ["loops", "loops_in_start", "loops_in_realloc", "recurses_by_tail", "fills"] {
        assert_eq!(Bed::new().run_to_failure(guest).code, FailureCode::Timeout, "{guest}");
    }
}

#[test]
fn an_endless_loop_ends_when_its_fuel_does_and_always_after_the_same_fuel() {
    let bed = Bed::new();
    let limits = Limits::default().with_limit(Limit::Fuel, 3_000_000).unwrap();
    let fuel: Vec<_> = (0..3)
        .map(|_| {
            let report = bed.run("loops", &limits);
            assert_eq!(find_failure_code(&report), FailureCode::Fuel);
            report.usage.fuel.unwrap()
        })
        .collect();
    assert_eq!(fuel, vec![fuel[0]; 3]);
    let failure = expect_failure(&bed.run("loops", &limits));
    assert_eq!(
        failure.message,
        "the guest used more than 3000000 units of `fuel`; raise it in the hook's `limits` if that is meant"
    );
}

#[test]
fn endless_recursion_ends_at_the_end_of_the_stack() {
    assert_eq!(Bed::new().run_to_failure("recurses").code, FailureCode::Stack);
}

#[test]
fn endless_recursion_ends_so_on_a_thread_with_little_stack_too() {
    let bed = Bed::new();
    let host = bed.builder().allocation(Allocation::POOLED).hooks([bed.create_gate("recurses")]).build();
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let report = thread.spawn(move || dispatch_event(&host, tool_event()).reports.remove(0)).unwrap().join();
    assert_eq!(find_failure_code(&report.unwrap()), FailureCode::Stack);
}

#[test]
fn memory_is_granted_up_to_the_limit_and_reported_as_the_reason() {
    let limits = create_brief_limits().with_limit(Limit::Memory, 8 << 20).unwrap();
    let report = Bed::new().run("grows_memory", &limits);
    assert_eq!(find_failure_code(&report), FailureCode::Memory);
    assert_eq!(report.usage.peak_memory, Some((7 << 20) + 65_536));
}

#[test]
fn more_memory_or_table_than_allowed_to_begin_with_is_refused() {
    for guest in ["wants_memory", "wants_table"] {
        for allocation in [Allocation::OnDemand, Allocation::POOLED] {
            let bed = Bed::new();
            let host = bed.builder().allocation(allocation).hooks([bed.create_gate(guest)]).build();
            assert_eq!(
                find_failure_code(&dispatch_event(&host, tool_event()).reports[0]),
                FailureCode::Memory,
                "{guest}"
            );
        }
    }
}

#[test]
fn an_answer_is_bounded_on_its_way_out_and_as_a_whole() {
    for guest in ["returns_megabytes", "returns_much"] {
        assert_eq!(Bed::new().run_to_failure(guest).code, FailureCode::Output, "{guest}");
    }
}

#[test]
fn an_invalid_answer_is_a_failure() {
    let failure = Bed::new().run_to_failure("returns_bad_json");
    assert_eq!(failure.code, FailureCode::BadOutput);
    assert!(failure.message.contains("the key \"a\" appears twice"), "{failure}");
    for guest in ["returns_bad_text", "returns_out_of_bounds", "returns_bad_tag"] {
        assert_eq!(Bed::new().run_to_failure(guest).code, FailureCode::Trap, "{guest}");
    }
}

#[test]
fn endless_logging_ends_at_the_number_of_host_calls() {
    let report = Bed::new().run("logs_without_end", &create_brief_limits());
    assert_eq!(find_failure_code(&report), FailureCode::HostCalls);
    assert_eq!((report.log.len(), report.usage.log_dropped), (100, 900));
}

#[test]
fn a_long_log_is_cut_and_cleaned_and_the_answer_counts() {
    let report = Bed::new().run("logs_a_lot", &create_brief_limits());
    assert_eq!(report.status, Status::Answered(Answer::default()));
    assert_eq!((report.log.len(), report.usage.log_dropped), (100, 400));
    assert_eq!((report.log[0].level.as_str(), report.log[0].message.as_str()), ("warn", "[31mred"));
}
