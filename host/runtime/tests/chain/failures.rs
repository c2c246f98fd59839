//! Failing hooks: fail closed where the action can be prevented, open elsewhere, and never for the other hooks.

use std::time::Duration;

use hookbox::{
    Callback, ChainPolicy, Host, OnTimeout,
    model::{EventName, FailureCode, Limit, Limits, OnFailure, Outcome, Status, TrustLevel},
};

use super::bed::*;

#[test]
fn gates_and_transforms_fail_closed_on_every_event_that_can_be_blocked_and_open_on_every_other() {
    for name in EventName::KNOWN {
        for role in [make_gate, make_transform] {
            let host = Chain::new().add_failing(on_event(name.clone(), role("h"))).host();
            let verdict = dispatch_event(&host, make_event(name.clone(), Some("ls"))).verdict;
            assert_eq!(verdict.as_str() == "deny", name.traits().block, "{name}");
        }
    }
}

#[test]
fn an_event_that_no_table_knows_can_be_blocked() {
    let name = EventName::Custom("deploy".into());
    let host = Chain::new().add_failing(on_event(name.clone(), make_gate("h"))).host();
    assert_eq!(dispatch_event(&host, make_event(name, None)).verdict.as_str(), "deny");
}

#[test]
fn the_reason_of_a_failure_names_the_hook_and_the_error() {
    let outcome = Chain::new().add_failing(make_gate("h")).run();
    let expected = "deny: h=the hook failed, and its failure policy decides (hook-error: out of order)";
    assert_eq!(format_verdict(&outcome), expected);
    assert_eq!(outcome.reasons[0].value.code(), "hook-failed");
}

#[test]
fn a_failure_that_asks_is_outranked_by_a_deny_and_outranks_an_allow() {
    let with = |answer| {
        Chain::new()
            .add_failing(on_failure(OnFailure::Ask, make_gate("a")))
            .add_answer(make_gate("b"), answer)
            .run()
    };
    assert_eq!(with(allow_with("fine")).verdict.as_str(), "ask");
    assert_eq!(format_verdict(&with(deny_with("no"))), "deny: b=no");
}

#[test]
fn a_transform_that_fails_closed_ends_the_chain_and_one_that_fails_open_changes_nothing() {
    let with = |policy| {
        let (outcome, calls) = Chain::new()
            .add_failing(on_failure(policy, make_transform("a")))
            .add_answer(make_gate("g"), empty_answer())
            .traced();
        (outcome.verdict.as_str(), calls.len())
    };
    assert_eq!(with(OnFailure::Deny), ("deny", 1));
    assert_eq!(with(OnFailure::Allow), ("none", 2));
}

#[test]
fn a_hook_that_panics_fails_alone() {
    let panics = || Callback::sync(|_| panic!("boom"));
    let outcome = Chain::new()
        .add_callback(on_failure(OnFailure::Allow, make_transform("t")), panics())
        .add_callback(on_failure(OnFailure::Allow, make_gate("a")), panics())
        .add_answer(make_gate("b"), ask_with("?"))
        .run();
    assert_eq!(list_statuses(&outcome), ["t panic", "a panic", "b answered"]);
    assert_eq!(format_verdict(&outcome), "ask: b=?");
}

#[test]
fn a_failed_hook_may_leave_a_notice_for_the_person_and_nothing_else() {
    let outcome = Chain::new().add_failing(on_failure(OnFailure::Allow, make_gate("a"))).run();
    assert_eq!((outcome.notices.len(), outcome.contexts.len(), outcome.reasons.len()), (0, 0, 0));
    assert_eq!(outcome.failed(), ["a"]);
}

fn with_short_timeout(spec: hookbox::HookSpec) -> hookbox::HookSpec {
    hookbox::HookSpec {
        limits: Limits::default().with_limit(Limit::Timeout, Limit::Timeout.min()).unwrap(),
        ..spec
    }
}

#[test]
fn a_late_hook_is_reported_with_its_own_timeout_and_does_not_delay_other_hooks() {
    let outcome = Chain::new()
        .add_hanging(with_short_timeout(make_gate("slow")))
        .add_answer(make_gate("quick"), ask_with("?"))
        .run();
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
    block_on(host.plan(&shell_event()).with_budget(Duration::ZERO).run())
}

#[test]
fn no_hook_is_called_when_the_time_of_the_chain_is_over_and_its_gates_deny() {
    let host = Chain::new()
        .add_answer(make_transform("t"), empty_answer())
        .add_answer(make_gate("g"), allow_with("fine"))
        .add_answer(make_observer("o"), empty_answer())
        .host();
    let outcome = within_nothing(&host);
    assert_eq!(list_statuses(&outcome), ["t budget", "g skipped", "o budget"]);
    assert_eq!(outcome.verdict.as_str(), "deny");
}

#[test]
fn a_gate_that_fails_open_has_no_opinion_after_its_timeout() {
    let host = Chain::new().add_answer(on_failure(OnFailure::Allow, make_gate("g")), deny_with("no")).host();
    assert_eq!(within_nothing(&host).verdict.as_str(), "none");
}

#[test]
fn where_a_timeout_is_no_opinion_other_failures_still_count() {
    let policy = ChainPolicy { on_timeout: OnTimeout::NoOpinion, ..ChainPolicy::NATIVE };
    assert_eq!(
        Chain::with_policy(policy).add_hanging(with_short_timeout(make_gate("g"))).run().verdict.as_str(),
        "none"
    );
    assert_eq!(
        within_nothing(&Chain::with_policy(policy).add_hanging(make_gate("g")).host()).verdict.as_str(),
        "none"
    );
    assert_eq!(Chain::with_policy(policy).add_failing(make_gate("g")).run().verdict.as_str(), "deny");
}

#[test]
fn the_failure_of_an_untrusted_hook_has_no_effect_and_its_text_is_not_reported() {
    let spec = on_failure(OnFailure::Deny, with_trust_level(TrustLevel::Untrusted, make_gate("theirs")));
    let outcome = Chain::new().add_failing(spec).add_answer(make_gate("ours"), ask_with("?")).run();
    assert_eq!(format_verdict(&outcome), "ask: ours=?");
    let Status::Failed(failure) = &outcome.reports[1].status else { panic!("it answered") };
    assert_eq!(failure.to_string(), "hook-error: a hook of this project failed; `hookbox explain` shows how");
}
