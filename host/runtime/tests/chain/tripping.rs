//! A hook that fails repeatedly is not called for a while.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hookbox::{
    Callback, Counts, FAILURES_TO_TRIP, Failures, HookId, HookSpec, Host, Overruns, PROJECT_HOOKS,
    SUSPENSION, TRIPPED_FOR,
    model::{EventName, OnFailure, TrustLevel},
};

use super::bed::*;

fn now_millis() -> u64 {
    to_millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap())
}

fn to_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap()
}

/// Returns how often the hook is called for this many events.
fn count_calls(spec: HookSpec, events: u32) -> usize {
    let count = Arc::new(AtomicUsize::new(0));
    let in_hook = Arc::clone(&count);
    let name = spec.events[0].clone();
    let fails = Callback::sync(move |_| {
        in_hook.fetch_add(1, Ordering::Relaxed);
        Err("out of order".into())
    });
    let host = Chain::new().add_callback(spec, fails).host();
    for _ in 0..events {
        dispatch_event(&host, make_event(name.clone(), Some("ls")));
    }
    count.load(Ordering::Relaxed)
}

fn max_failures() -> usize {
    usize::try_from(FAILURES_TO_TRIP).unwrap()
}

#[test]
fn a_gate_that_fails_closed_rests_and_the_thing_is_still_kept_from_happening() {
    assert_eq!(count_calls(make_gate("g"), FAILURES_TO_TRIP + 3), max_failures());
    let host = host_after(make_gate("g"), Failures { in_a_row: FAILURES_TO_TRIP, last: now_millis() });
    let outcome = dispatch_event(&host, shell_event());
    assert_eq!((list_statuses(&outcome), outcome.verdict.as_str()), (vec!["g tripped".into()], "deny"));
}

/// Not calling such a guard would let the action happen; an attacker could cause five failures for that purpose.
#[test]
fn a_guard_that_fails_open_is_called_every_time() {
    assert_eq!(
        count_calls(on_failure(OnFailure::Allow, make_gate("g")), FAILURES_TO_TRIP + 3),
        max_failures() + 3
    );
    assert_eq!(
        count_calls(on_failure(OnFailure::Allow, make_transform("t")), FAILURES_TO_TRIP + 3),
        max_failures() + 3
    );
}

#[test]
fn what_can_keep_nothing_from_happening_rests_though_it_fails_open() {
    assert_eq!(count_calls(make_observer("o"), FAILURES_TO_TRIP + 3), max_failures());
    assert_eq!(
        count_calls(on_event(EventName::SessionStart, make_gate("g")), FAILURES_TO_TRIP + 3),
        max_failures()
    );
}

#[test]
fn an_untrusted_guard_is_also_suspended_after_repeated_failures() {
    assert_eq!(
        count_calls(with_trust_level(TrustLevel::Untrusted, make_gate("g")), FAILURES_TO_TRIP + 3),
        max_failures()
    );
}

/// Returns a host with failures from an earlier process.
fn host_after(spec: HookSpec, failures: Failures) -> Host {
    let failures = HashMap::from([(HookId::of_spec(&spec).to_string(), failures)]);
    let counts = Counts { failures, ..Counts::default() };
    Chain::new().add_answer(spec, allow_with("fine")).configure_with(|host| host.counts(counts)).host()
}

#[test]
fn failures_of_an_earlier_process_count_until_the_rest_is_over() {
    let verdict =
        |failures| dispatch_event(&host_after(make_gate("g"), failures), shell_event()).verdict.as_str();
    let rest = to_millis(TRIPPED_FOR);
    assert_eq!(verdict(Failures { in_a_row: FAILURES_TO_TRIP, last: now_millis() - rest / 2 }), "deny");
    assert_eq!(verdict(Failures { in_a_row: FAILURES_TO_TRIP, last: now_millis() - rest }), "allow");
    assert_eq!(verdict(Failures { in_a_row: FAILURES_TO_TRIP - 1, last: now_millis() }), "allow");
}

#[test]
fn an_answer_after_the_rest_makes_the_hook_whole() {
    let host =
        host_after(make_gate("g"), Failures { in_a_row: 9, last: now_millis() - to_millis(TRIPPED_FOR) });
    dispatch_event(&host, shell_event());
    assert_eq!(host.hooks().next().unwrap().failures, Failures::default());
}

#[test]
fn a_call_skipped_by_a_suspension_does_not_extend_the_suspension() {
    let before = Failures { in_a_row: FAILURES_TO_TRIP, last: now_millis() - 10_000 };
    let host = host_after(make_gate("g"), before);
    dispatch_event(&host, shell_event());
    assert_eq!(host.hooks().next().unwrap().failures, before);
}

#[test]
fn a_chain_without_time_counts_no_failure_of_its_hooks() {
    let host = Chain::new().add_answer(make_gate("g"), empty_answer()).host();
    block_on(host.plan(&shell_event()).with_budget(Duration::ZERO).run());
    assert_eq!(host.hooks().next().unwrap().failures.in_a_row, 0);
}

#[test]
fn a_project_that_used_its_time_up_is_not_called_and_the_users_hooks_are() {
    let theirs = with_trust_level(TrustLevel::Untrusted, make_gate("theirs"));
    let file = theirs.origin.file.as_ref().unwrap().display().to_string();
    let with = |last| {
        let overruns = HashMap::from([(file.clone(), Overruns { times: 1, last })]);
        let counts = Counts { overruns, ..Counts::default() };
        let chain = Chain::new()
            .add_answer(theirs.clone(), deny_with("no"))
            .add_answer(make_gate("ours"), ask_with("?"));
        chain.configure_with(|host| host.counts(counts)).run()
    };
    assert_eq!(list_statuses(&with(now_millis())), ["ours answered", "project hook 1 tripped"]);
    assert_eq!(with(now_millis()).verdict.as_str(), "ask");
    assert_eq!(with(now_millis() - to_millis(SUSPENSION)).verdict.as_str(), "deny");
}

#[test]
fn a_project_that_uses_up_the_time_is_reported_once_and_suspended() {
    let theirs = |name| with_trust_level(TrustLevel::Untrusted, make_gate(name));
    let host = Chain::new()
        .add_hanging(theirs("a"))
        .add_hanging(theirs("b"))
        .add_answer(make_gate("ours"), empty_answer())
        .host();
    let outcome = dispatch_event(&host, shell_event());
    assert_eq!(
        list_statuses(&outcome)[1..],
        ["project hook 1 budget", "project hook 1 budget", "project-hooks answered"]
    );
    assert_eq!((outcome.verdict.as_str(), outcome.notices.len()), ("none", 1));
    assert_eq!(outcome.notices[0].hook, PROJECT_HOOKS);
    assert_eq!(
        host.machine().counts().overruns.values().map(|overruns| overruns.times).collect::<Vec<_>>(),
        [1]
    );
    let again = dispatch_event(&host, shell_event());
    assert_eq!(list_statuses(&again)[1], "project hook 1 tripped");
    let theirs = again.reports[1].unreviewed.as_ref().unwrap();
    assert!(format!("{:?}", theirs.status).contains("not called for 60 min"));
}
