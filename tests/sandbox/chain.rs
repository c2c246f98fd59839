//! The chain: order, what is seen by whom, verdicts, clamping, failure, tripping, cancelling.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use hookbox::{
    Callback, CallbackHook, HookSpec, Host, Origin,
    model::{
        Answer, Effect, Event, EventName, FailureCode, Json, Layer, Limit, Limits, OnFailure, Outcome,
        Reason, Rewrite, Role, Status, TrustLevel, Verdict,
    },
};

use crate::{Bed, create_hook, create_runtime, dispatch_event, find_failure_code, tool_event};

const EVENTS: [EventName; 1] = [EventName::ToolBefore];

fn answer_verdict(verdict: Verdict) -> Callback {
    Callback::sync(move |_| Ok(Answer { verdict: verdict.clone(), ..Answer::default() }))
}

fn create_reason(text: &str) -> Reason {
    Reason::new("code", text)
}

fn replace_command(command: &'static str) -> Callback {
    Callback::sync(move |_| {
        let part = Json::parse(&format!("{{\"command\":\"{command}\"}}")).unwrap();
        Ok(Answer { rewrite: Some(Rewrite::Replace(part)), ..Answer::default() })
    })
}

/// A hook with this role and trust level in the session layer.
fn create_callback_hook(name: &str, role: Role, trust_level: TrustLevel) -> CallbackHook {
    let base = create_hook(name, std::path::Path::new("/"));
    CallbackHook::from(HookSpec { role, origin: Origin { trust_level, ..base.origin.clone() }, ..base })
}

fn verdict_of(verdicts: &[Verdict]) -> Outcome {
    let mut builder = Host::builder();
    for (at, verdict) in verdicts.iter().enumerate() {
        builder =
            builder.callback(CallbackHook::gate(&format!("h{at}"), EVENTS), answer_verdict(verdict.clone()));
    }
    dispatch_event(&builder.build(), tool_event())
}

#[test]
fn an_event_without_hooks_gets_an_empty_outcome() {
    let host = Host::builder()
        .callback(CallbackHook::gate("other", [EventName::SessionEnd]), answer_verdict(Verdict::None))
        .build();
    assert_eq!(dispatch_event(&host, tool_event()), Outcome::default());
}

#[test]
fn the_strictest_verdict_wins_and_only_its_reasons_are_kept() {
    let (allow, ask) = (Verdict::Allow(create_reason("fine")), Verdict::Ask(create_reason("sure?")));
    let (defer, deny) = (Verdict::Defer(create_reason("later")), Verdict::Deny(create_reason("no")));
    for (verdicts, wins) in [
        (vec![Verdict::None], "none"),
        (vec![Verdict::None, allow.clone()], "allow"),
        (vec![ask.clone(), allow.clone()], "ask"),
        (vec![allow.clone(), defer.clone(), ask.clone()], "defer"),
        (vec![allow, ask.clone(), defer, deny], "deny"),
    ] {
        assert_eq!(verdict_of(&verdicts).verdict.as_str(), wins);
    }
    let outcome = verdict_of(&[ask.clone(), Verdict::None, Verdict::Ask(create_reason("really?"))]);
    let reasons: Vec<_> = outcome.reasons.iter().map(|r| (r.hook.as_str(), r.value.text())).collect();
    assert_eq!(reasons, [("h0", "sure?"), ("h2", "really?")]);
}

#[test]
fn a_deny_ends_the_chain_and_observers_still_hear_of_it() {
    let received = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&received);
    let listen = Callback::sync(move |call| {
        let outcome = call.outcome.unwrap();
        recorded.lock().unwrap().push(format!("{} by {:?}", outcome.verdict.as_str(), outcome.deciders()));
        Ok(Answer::deny("code", "me too"))
    });
    let host = Host::builder()
        .callback(CallbackHook::observe("listener", EVENTS), listen)
        .callback(CallbackHook::gate("first", EVENTS), answer_verdict(Verdict::Deny(create_reason("no"))))
        .callback(CallbackHook::gate("second", EVENTS), answer_verdict(Verdict::Deny(create_reason("never"))))
        .build();
    let outcome = dispatch_event(&host, tool_event());
    let statuses: Vec<_> =
        outcome.reports.iter().map(|r| (r.hook.as_str(), r.status == Status::Skipped)).collect();
    assert_eq!(statuses, [("first", false), ("second", true), ("listener", false)]);
    assert_eq!(outcome.deciders(), ["first"]);
    assert_eq!(*received.lock().unwrap(), [r#"deny by ["first"]"#]);
    assert_eq!(outcome.reports[2].clamped, [Effect::DenyCode]);
}

#[test]
fn transforms_see_each_others_changes_and_gates_see_the_last() {
    let gate = Callback::sync(|call| {
        let tool = call.event.tool.as_ref().unwrap();
        let original = call.original.map_or("nothing", Json::as_str);
        let said = format!("{} was {original}", tool.input.as_str());
        Ok(Answer::ask("code", &said))
    });
    let merge = Callback::sync(|call| {
        assert_eq!(call.event.tool.as_ref().unwrap().input.as_str(), r#"{"command":"one"}"#);
        let patch = Json::parse(r#"{"timeout":5}"#).unwrap();
        Ok(Answer { rewrite: Some(Rewrite::Merge(patch)), ..Answer::default() })
    });
    let host = Host::builder()
        .callback(CallbackHook::gate("gate", EVENTS), gate)
        .callback(CallbackHook::transform("one", EVENTS), replace_command("one"))
        .callback(CallbackHook::transform("two", EVENTS), merge)
        .build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(outcome.reasons[0].value.text(), r#"{"command":"one","timeout":5} was {"command":"ls"}"#);
    assert_eq!(outcome.rewrite.unwrap().as_str(), r#"{"command":"one","timeout":5}"#);
}

#[test]
fn order_decides_which_of_two_rewrites_stays() {
    for (first, second) in [("one", "two"), ("two", "one")] {
        let host = Host::builder()
            .callback(CallbackHook::transform("a", EVENTS), replace_command(first))
            .callback(CallbackHook::transform("b", EVENTS), replace_command(second))
            .build();
        let rewrite = dispatch_event(&host, tool_event()).rewrite.unwrap();
        assert_eq!(rewrite.as_str(), format!("{{\"command\":\"{second}\"}}"));
    }
}

#[test]
fn a_deny_drops_the_rewrite() {
    let host = Host::builder()
        .callback(CallbackHook::transform("a", EVENTS), replace_command("other"))
        .callback(CallbackHook::gate("b", EVENTS), answer_verdict(Verdict::Deny(create_reason("no"))))
        .build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!((outcome.verdict.as_str(), outcome.rewrite), ("deny", None));
}

#[test]
fn a_rewrite_that_does_not_fit_is_a_failed_hook() {
    let text = Callback::sync(|_| {
        Ok(Answer { rewrite: Some(Rewrite::Replace(Json::parse("\"text\"").unwrap())), ..Answer::default() })
    });
    let host = Host::builder().callback(CallbackHook::transform("t", EVENTS), text).build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(find_failure_code(&outcome.reports[0]), FailureCode::BadOutput);
    assert_eq!((outcome.verdict.as_str(), outcome.rewrite), ("deny", None));
}

#[test]
fn priority_comes_before_layer_and_layer_before_place() {
    let at = |name: &str, layer, priority| {
        let base = create_hook(name, std::path::Path::new("/"));
        CallbackHook::from(HookSpec { priority, origin: Origin { layer, ..base.origin.clone() }, ..base })
    };
    let host = Host::builder()
        .callback(at("session", Layer::Session, 0), answer_verdict(Verdict::None))
        .callback(at("user-1", Layer::User, 0), answer_verdict(Verdict::None))
        .callback(at("user-2", Layer::User, 0), answer_verdict(Verdict::None))
        .callback(at("managed", Layer::Managed, 0), answer_verdict(Verdict::None))
        .callback(at("urgent", Layer::Project, 7), answer_verdict(Verdict::None))
        .build();
    let names: Vec<_> = host.hooks().map(|hook| hook.spec.name.clone()).collect();
    assert_eq!(names, ["urgent", "managed", "user-1", "user-2", "session"]);
}

#[test]
fn roles_and_tiers_clamp_what_an_answer_holds() {
    use Effect::{Allow, Context, DenyText, Rewrite as Rewrites};
    for (role, trust_level, clamped) in [
        (Role::Gate, TrustLevel::Own, vec![Rewrites]),
        (Role::Transform, TrustLevel::Own, vec![Allow]),
        (Role::Gate, TrustLevel::Reviewed, vec![Allow, Rewrites]),
        (Role::Gate, TrustLevel::Untrusted, vec![Allow, Rewrites, Context, DenyText]),
        (Role::Observe, TrustLevel::Own, vec![Allow, Rewrites, Context, DenyText]),
    ] {
        let bed = Bed::new();
        let base = bed.create_gate("allows");
        let spec = HookSpec { role, origin: Origin { trust_level, ..base.origin.clone() }, ..base };
        let outcome = dispatch_event(&bed.builder().hooks([spec]).build(), tool_event());
        assert_eq!(outcome.reports[0].clamped, clamped, "{role} {trust_level}");
        assert_eq!(outcome.verdict.as_str() == "allow", role == Role::Gate && trust_level == TrustLevel::Own);
        assert_eq!(outcome.rewrite.is_some(), role == Role::Transform);
    }
}

#[test]
fn an_untrusted_hook_denies_with_a_built_in_text() {
    let host = Host::builder()
        .callback(
            create_callback_hook("s", Role::Gate, TrustLevel::Untrusted),
            answer_verdict(Verdict::Deny(create_reason("ha ha"))),
        )
        .build();
    let outcome = dispatch_event(&host, tool_event());
    let rule = "an untrusted rule of this project";
    assert_eq!(outcome.verdict, Verdict::Deny(Reason::new("unspecified", rule)));
    assert_eq!(outcome.deciders(), ["project hook"]);
    let report = &outcome.reports[0];
    assert_eq!(report.clamped, [Effect::DenyText]);
    let theirs = report.unreviewed.as_ref().unwrap();
    assert_eq!(theirs.name, "s");
    let said = Answer::deny("code", "ha ha");
    assert_eq!(theirs.status, Status::Answered(said));
}

#[test]
fn a_failed_hook_does_what_its_policy_says() {
    let fails = || Callback::sync(|_| Err("broken".into()));
    let outcome = |policy, event: Event, trust_level| {
        let base = create_hook("h", std::path::Path::new("/"));
        let origin = Origin { trust_level, ..base.origin.clone() };
        let spec = HookSpec { on_failure: policy, origin, events: vec![event.name.clone()], ..base };
        let host = Host::builder().callback(CallbackHook::from(spec), fails()).build();
        dispatch_event(&host, event).verdict.as_str().to_owned()
    };
    let end = || Event { name: EventName::SessionEnd, tool: None, ..tool_event() };
    assert_eq!(outcome(None, tool_event(), TrustLevel::Own), "deny");
    assert_eq!(outcome(Some(OnFailure::Ask), tool_event(), TrustLevel::Own), "ask");
    assert_eq!(outcome(Some(OnFailure::Allow), tool_event(), TrustLevel::Own), "none");
    assert_eq!(outcome(Some(OnFailure::Deny), end(), TrustLevel::Own), "none");
    assert_eq!(outcome(Some(OnFailure::Deny), tool_event(), TrustLevel::Untrusted), "none");
}

#[test]
fn one_hooks_failure_does_not_keep_others_from_running() {
    let bed = Bed::new();
    let lenient = |guest| HookSpec { on_failure: Some(OnFailure::Allow), ..bed.create_gate(guest) };
    let host =
        bed.builder().hooks([lenient("traps"), lenient("says_error"), bed.create_gate("denies")]).build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(outcome.failed(), ["traps", "says_error"]);
    assert_eq!(outcome.deciders(), ["denies"]);
}

#[test]
fn a_panic_is_a_failure_with_its_message() {
    let host = Host::builder()
        .callback(CallbackHook::gate("p", EVENTS), Callback::sync(|_| panic!("at the disco")))
        .build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(
        crate::expect_failure(&outcome.reports[0]).to_string(),
        "panic: the handler panicked: at the disco"
    );
    assert_eq!(outcome.verdict.as_str(), "deny");
}

#[test]
fn a_hook_that_fails_five_times_in_a_row_is_not_called_for_a_while() {
    let calls = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&calls);
    let fails = Callback::sync(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Err("broken".into())
    });
    let host = Host::builder().callback(CallbackHook::gate("h", EVENTS), fails).build();
    for _ in 0..5 {
        assert_eq!(
            find_failure_code(&dispatch_event(&host, tool_event()).reports[0]),
            FailureCode::HookError
        );
    }
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(
        (find_failure_code(&outcome.reports[0]), outcome.verdict.as_str()),
        (FailureCode::Tripped, "deny")
    );
    assert_eq!(calls.load(Ordering::Relaxed), 5);
}

/// Never answers; says when it was dropped.
fn hang_forever(dropped: &Arc<AtomicBool>) -> Callback {
    struct Guard(Arc<AtomicBool>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let dropped = Arc::clone(dropped);
    Callback::asynchronous(move |_| {
        let guard = Guard(Arc::clone(&dropped));
        async move {
            let _guard = guard;
            std::future::pending().await
        }
    })
}

#[test]
fn a_hook_that_hangs_ends_at_its_timeout() {
    let dropped = Arc::default();
    let limits = Limits::default().with_limit(Limit::Timeout, 20).unwrap();
    let host = Host::builder()
        .callback(CallbackHook::gate("h", EVENTS).limits(limits), hang_forever(&dropped))
        .build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(
        (find_failure_code(&outcome.reports[0]), outcome.verdict.as_str()),
        (FailureCode::Timeout, "deny")
    );
    assert!(dropped.load(Ordering::SeqCst));
}

#[test]
fn the_chains_budget_ends_all_of_it_and_the_answer_is_that_of_a_failed_gate() {
    let dropped = Arc::default();
    let host = Host::builder()
        .callback(CallbackHook::transform("slow", EVENTS), hang_forever(&dropped))
        .callback(CallbackHook::gate("after", EVENTS), answer_verdict(Verdict::None))
        .build();
    let outcome =
        create_runtime().block_on(host.plan(&tool_event()).with_budget(Duration::from_millis(20)).run());
    assert_eq!(
        (find_failure_code(&outcome.reports[0]), outcome.verdict.as_str()),
        (FailureCode::Budget, "deny")
    );
    assert!(dropped.load(Ordering::SeqCst));
}

#[test]
fn dropping_the_dispatch_ends_every_handler() {
    let dropped: [Arc<AtomicBool>; 2] = [Arc::default(), Arc::default()];
    let host = Host::builder()
        .callback(CallbackHook::gate("a", EVENTS), hang_forever(&dropped[0]))
        .callback(CallbackHook::gate("b", EVENTS), hang_forever(&dropped[1]))
        .build();
    create_runtime().block_on(async {
        let dispatch = host.dispatch(tool_event());
        assert!(tokio::time::timeout(Duration::from_millis(10), dispatch).await.is_err());
    });
    assert!(dropped.iter().all(|dropped| dropped.load(Ordering::SeqCst)));
}

#[test]
fn the_outcome_does_not_depend_on_who_finishes_first() {
    let slow_deny = Callback::asynchronous(|_| async {
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        Ok(Answer::deny("slow", ""))
    });
    let host = Host::builder()
        .callback(CallbackHook::gate("slow", EVENTS), slow_deny)
        .callback(
            CallbackHook::gate("quick", EVENTS),
            answer_verdict(Verdict::Deny(Reason::new("quick", ""))),
        )
        .build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(outcome.deciders(), ["slow"]);
    assert_eq!(outcome.reports[1].status, Status::Skipped);
}
