//! Failing hooks: fail closed where the action can be prevented, open elsewhere, and never for the other hooks.

use std::time::Duration;

use hookbox::{
    Callback, ChainPolicy, Host, Late,
    model::{EventName, FailureCode, Limit, Limits, OnFailure, Outcome, Status, Tier},
};

use super::bed::*;

#[test]
fn gates_and_transforms_fail_closed_on_every_event_that_can_be_blocked_and_open_on_every_other() {
    for name in EventName::KNOWN {
        for role in [gate, transform] {
            let host = Chain::new().fails(at(name.clone(), role("h"))).host();
            let verdict = dispatch(&host, event(name.clone(), Some("ls"))).verdict;
            assert_eq!(verdict.as_str() == "deny", name.traits().block, "{name}");
        }
    }
}

#[test]
fn an_event_that_no_table_knows_can_be_blocked() {
    let name = EventName::Custom("deploy".into());
    let host = Chain::new().fails(at(name.clone(), gate("h"))).host();
    assert_eq!(dispatch(&host, event(name, None)).verdict.as_str(), "deny");
}

#[test]
fn the_reason_of_a_failure_says_which_hook_and_what_went_wrong() {
    let outcome = Chain::new().fails(gate("h")).run();
    let expected = "deny: h=the hook failed, and its failure policy decides (hook-error: out of order)";
    assert_eq!(verdict(&outcome), expected);
    assert_eq!(outcome.reasons[0].value.code(), "hook-failed");
}

#[test]
fn a_failure_that_asks_is_outranked_by_a_deny_and_outranks_an_allow() {
    let with =
        |answer| Chain::new().fails(on_failure(OnFailure::Ask, gate("a"))).says(gate("b"), answer).run();
    assert_eq!(with(allow("fine")).verdict.as_str(), "ask");
    assert_eq!(verdict(&with(deny("no"))), "deny: b=no");
}

#[test]
fn a_transform_that_fails_closed_ends_the_chain_and_one_that_fails_open_changes_nothing() {
    let with = |policy| {
        let (outcome, calls) =
            Chain::new().fails(on_failure(policy, transform("a"))).says(gate("g"), nothing()).traced();
        (outcome.verdict.as_str(), calls.len())
    };
    assert_eq!(with(OnFailure::Deny), ("deny", 1));
    assert_eq!(with(OnFailure::Allow), ("none", 2));
}

#[test]
fn a_hook_that_panics_fails_alone() {
    let panics = || Callback::sync(|_| panic!("boom"));
    let outcome = Chain::new()
        .calls(on_failure(OnFailure::Allow, transform("t")), panics())
        .calls(on_failure(OnFailure::Allow, gate("a")), panics())
        .says(gate("b"), ask("?"))
        .run();
    assert_eq!(statuses(&outcome), ["t panic", "a panic", "b answered"]);
    assert_eq!(verdict(&outcome), "ask: b=?");
}

#[test]
fn a_failed_hook_may_leave_a_notice_for_the_person_and_nothing_else() {
    let outcome = Chain::new().fails(on_failure(OnFailure::Allow, gate("a"))).run();
    assert_eq!((outcome.notices.len(), outcome.contexts.len(), outcome.reasons.len()), (0, 0, 0));
    assert_eq!(outcome.failed(), ["a"]);
}

fn brief(spec: hookbox::HookSpec) -> hookbox::HookSpec {
    hookbox::HookSpec {
        limits: Limits::default().with(Limit::Timeout, Limit::Timeout.min()).unwrap(),
        ..spec
    }
}

#[test]
fn a_hook_that_is_late_is_told_its_own_timeout_and_others_are_not_delayed_by_it() {
    let outcome = Chain::new().hangs(brief(gate("slow"))).says(gate("quick"), ask("?")).run();
    let Status::Failed(failure) = &outcome.reports[0].status else { panic!("it answered") };
    let ms = Limit::Timeout.min();
    assert_eq!(failure.code, FailureCode::Timeout);
    assert_eq!(
        failure.message,
        format!("no answer within {ms} ms; if it needs longer, raise the hook's `timeout`")
    );
    assert_eq!(outcome.verdict.as_str(), "deny");
}

fn within_nothing(host: &Host) -> Outcome {
    block_on(host.plan(&shell_event()).within(Duration::ZERO).run())
}

#[test]
fn no_hook_is_called_when_the_time_of_the_chain_is_over_and_its_gates_deny() {
    let host = Chain::new()
        .says(transform("t"), nothing())
        .says(gate("g"), allow("fine"))
        .says(observer("o"), nothing())
        .host();
    let outcome = within_nothing(&host);
    assert_eq!(statuses(&outcome), ["t budget", "g skipped", "o budget"]);
    assert_eq!(outcome.verdict.as_str(), "deny");
}

#[test]
fn a_gate_that_fails_open_says_nothing_when_the_time_is_over() {
    let host = Chain::new().says(on_failure(OnFailure::Allow, gate("g")), deny("no")).host();
    assert_eq!(within_nothing(&host).verdict.as_str(), "none");
}

#[test]
fn where_lateness_says_nothing_other_failures_still_count() {
    let policy = ChainPolicy { late: Late::SaysNothing, ..ChainPolicy::NATIVE };
    assert_eq!(Chain::with(policy).hangs(brief(gate("g"))).run().verdict.as_str(), "none");
    assert_eq!(within_nothing(&Chain::with(policy).hangs(gate("g")).host()).verdict.as_str(), "none");
    assert_eq!(Chain::with(policy).fails(gate("g")).run().verdict.as_str(), "deny");
}

#[test]
fn a_strangers_failure_has_no_effect_and_its_words_are_not_told() {
    let spec = on_failure(OnFailure::Deny, of_tier(Tier::Unknown, gate("theirs")));
    let outcome = Chain::new().fails(spec).says(gate("ours"), ask("?")).run();
    assert_eq!(verdict(&outcome), "ask: ours=?");
    let Status::Failed(failure) = &outcome.reports[1].status else { panic!("it answered") };
    assert_eq!(failure.to_string(), "hook-error: a hook of this project failed; `hookbox explain` shows how");
}
