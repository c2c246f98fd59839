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
    Callback, Counts, FAILURES_TO_TRIP, Failures, HookId, HookSpec, Host, OUT_FOR, Overruns, PROJECT_HOOKS,
    TRIPPED_FOR,
    model::{EventName, OnFailure, Tier},
};

use super::bed::*;

fn now() -> u64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap())
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap()
}

/// Returns how often the hook is called for this many events.
fn called(spec: HookSpec, events: u32) -> usize {
    let count = Arc::new(AtomicUsize::new(0));
    let in_hook = Arc::clone(&count);
    let name = spec.events[0].clone();
    let fails = Callback::sync(move |_| {
        in_hook.fetch_add(1, Ordering::Relaxed);
        Err("out of order".into())
    });
    let host = Chain::new().calls(spec, fails).host();
    for _ in 0..events {
        dispatch(&host, event(name.clone(), Some("ls")));
    }
    count.load(Ordering::Relaxed)
}

fn most() -> usize {
    usize::try_from(FAILURES_TO_TRIP).unwrap()
}

#[test]
fn a_gate_that_fails_closed_rests_and_the_thing_is_still_kept_from_happening() {
    assert_eq!(called(gate("g"), FAILURES_TO_TRIP + 3), most());
    let host = after(gate("g"), Failures { in_a_row: FAILURES_TO_TRIP, last: now() });
    let outcome = dispatch(&host, shell_event());
    assert_eq!((statuses(&outcome), outcome.verdict.as_str()), (vec!["g tripped".into()], "deny"));
}

/// Not calling such a guard would let the action happen; an attacker could cause five failures for that purpose.
#[test]
fn a_guard_that_fails_open_is_called_every_time() {
    assert_eq!(called(on_failure(OnFailure::Allow, gate("g")), FAILURES_TO_TRIP + 3), most() + 3);
    assert_eq!(called(on_failure(OnFailure::Allow, transform("t")), FAILURES_TO_TRIP + 3), most() + 3);
}

#[test]
fn what_can_keep_nothing_from_happening_rests_though_it_fails_open() {
    assert_eq!(called(observer("o"), FAILURES_TO_TRIP + 3), most());
    assert_eq!(called(at(EventName::SessionStart, gate("g")), FAILURES_TO_TRIP + 3), most());
}

#[test]
fn a_strangers_guard_rests_too() {
    assert_eq!(called(of_tier(Tier::Unknown, gate("g")), FAILURES_TO_TRIP + 3), most());
}

/// Returns a host with failures from an earlier process.
fn after(spec: HookSpec, failures: Failures) -> Host {
    let failures = HashMap::from([(HookId::of(&spec).to_string(), failures)]);
    let counts = Counts { failures, ..Counts::default() };
    Chain::new().says(spec, allow("fine")).built(|host| host.counts(counts)).host()
}

#[test]
fn failures_of_an_earlier_process_count_until_the_rest_is_over() {
    let verdict = |failures| dispatch(&after(gate("g"), failures), shell_event()).verdict.as_str();
    let rest = millis(TRIPPED_FOR);
    assert_eq!(verdict(Failures { in_a_row: FAILURES_TO_TRIP, last: now() - rest / 2 }), "deny");
    assert_eq!(verdict(Failures { in_a_row: FAILURES_TO_TRIP, last: now() - rest }), "allow");
    assert_eq!(verdict(Failures { in_a_row: FAILURES_TO_TRIP - 1, last: now() }), "allow");
}

#[test]
fn an_answer_after_the_rest_makes_the_hook_whole() {
    let host = after(gate("g"), Failures { in_a_row: 9, last: now() - millis(TRIPPED_FOR) });
    dispatch(&host, shell_event());
    assert_eq!(host.hooks().next().unwrap().failures, Failures::default());
}

#[test]
fn resting_is_no_failure_that_makes_the_rest_longer() {
    let before = Failures { in_a_row: FAILURES_TO_TRIP, last: now() - 10_000 };
    let host = after(gate("g"), before);
    dispatch(&host, shell_event());
    assert_eq!(host.hooks().next().unwrap().failures, before);
}

#[test]
fn nobody_is_blamed_for_a_chain_without_time() {
    let host = Chain::new().says(gate("g"), nothing()).host();
    block_on(host.plan(&shell_event()).within(Duration::ZERO).run());
    assert_eq!(host.hooks().next().unwrap().failures.in_a_row, 0);
}

#[test]
fn a_project_that_used_its_time_up_is_not_called_and_the_users_hooks_are() {
    let theirs = of_tier(Tier::Unknown, gate("theirs"));
    let file = theirs.origin.file.as_ref().unwrap().display().to_string();
    let with = |last| {
        let overruns = HashMap::from([(file.clone(), Overruns { times: 1, last })]);
        let counts = Counts { overruns, ..Counts::default() };
        let chain = Chain::new().says(theirs.clone(), deny("no")).says(gate("ours"), ask("?"));
        chain.built(|host| host.counts(counts)).run()
    };
    assert_eq!(statuses(&with(now())), ["ours answered", "project hook 1 tripped"]);
    assert_eq!(with(now()).verdict.as_str(), "ask");
    assert_eq!(with(now() - millis(OUT_FOR)).verdict.as_str(), "deny");
}

#[test]
fn a_project_that_uses_the_time_up_is_told_of_once_and_is_out() {
    let theirs = |name| of_tier(Tier::Unknown, gate(name));
    let host = Chain::new().hangs(theirs("a")).hangs(theirs("b")).says(gate("ours"), nothing()).host();
    let outcome = dispatch(&host, shell_event());
    assert_eq!(
        statuses(&outcome)[1..],
        ["project hook 1 budget", "project hook 1 budget", "project-hooks answered"]
    );
    assert_eq!((outcome.verdict.as_str(), outcome.notices.len()), ("none", 1));
    assert_eq!(outcome.notices[0].hook, PROJECT_HOOKS);
    assert_eq!(
        host.machine().counts().overruns.values().map(|overruns| overruns.times).collect::<Vec<_>>(),
        [1]
    );
    let again = dispatch(&host, shell_event());
    assert_eq!(statuses(&again)[1], "project hook 1 tripped");
    let theirs = again.reports[1].unreviewed.as_ref().unwrap();
    assert!(format!("{:?}", theirs.status).contains("not called for 60 min"));
}
