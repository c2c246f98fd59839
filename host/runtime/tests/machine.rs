//! A machine and its hosts: state that outlives one set of hooks, and the path from bytes to answer.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use hookbox::{
    Callback, CallbackHook, Clock, HookSpec, Hooks, Host, MAX_EVENT_BYTES, Machine, Response,
    agents::{self, ReadContext},
    chain_budget,
    interfaces::{Call, CallFuture, Handler, PrepareFuture},
    model::{Answer, Event, EventName, FailureCode, HandlerKind, HookReport, OnFailure, Outcome, Status},
};
use serde_json::Value;

fn make_event() -> Event {
    Event {
        id: "e".into(),
        agent_event: "tool.before".into(),
        session: "s".into(),
        cwd: "/".into(),
        ..Event::new(EventName::ToolBefore, "native")
    }
}

fn dispatch_event(host: &Host) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(host.dispatch(make_event()))
}

/// Returns a gate that fails, with the count of its calls.
fn failing_gate() -> (Callback, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let callback = Callback::sync(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Err("out of order".into())
    });
    (callback, calls)
}

fn status_code(outcome: &Outcome) -> &'static str {
    match &outcome.reports[0].status {
        Status::Failed(failure) => failure.code.as_str(),
        Status::Answered(_) => "answered",
        Status::Skipped => "skipped",
    }
}

#[test]
fn the_time_of_day_is_that_of_the_clock_which_the_host_was_given() {
    let time = Arc::new(AtomicU64::new(1_000));
    let read = Arc::clone(&time);
    let (callback, calls) = failing_gate();
    let host = Host::builder()
        .clock(Clock::new(move || read.load(Ordering::Relaxed)))
        .callback(CallbackHook::gate("fails", [EventName::ToolBefore]), callback)
        .build();
    for _ in 0..5 {
        assert_eq!(status_code(&dispatch_event(&host)), "hook-error");
    }
    assert_eq!(status_code(&dispatch_event(&host)), "tripped");
    time.store(60_999, Ordering::Relaxed);
    assert_eq!(status_code(&dispatch_event(&host)), "tripped");
    assert_eq!(calls.load(Ordering::Relaxed), 5);
    time.store(61_000, Ordering::Relaxed);
    assert_eq!(status_code(&dispatch_event(&host)), "hook-error");
    assert_eq!(calls.load(Ordering::Relaxed), 6);
}

const BEFORE: [EventName; 1] = [EventName::ToolBefore];

#[test]
fn a_hook_that_failed_is_tripped_in_the_next_host_of_the_machine_and_a_changed_one_is_not() {
    let machine = Machine::builder().build();
    let (callback, calls) = failing_gate();
    let hooks = || Hooks::new().callback(CallbackHook::gate("fails", BEFORE), callback.clone());
    let first = machine.create_host(hooks());
    for _ in 0..5 {
        assert_eq!(status_code(&dispatch_event(&first)), "hook-error");
    }
    let second = machine.create_host(hooks());
    assert_eq!(status_code(&dispatch_event(&second)), "tripped");
    assert_eq!(calls.load(Ordering::Relaxed), 5);
    let changed = CallbackHook::transform("fails", BEFORE);
    let third = machine.create_host(Hooks::new().callback(changed, callback));
    assert_eq!(status_code(&dispatch_event(&third)), "hook-error");
    assert!(first.generation() < second.generation() && second.generation() < third.generation());
}

#[test]
fn a_call_under_way_keeps_the_hooks_that_it_began_with() {
    let machine = Machine::builder().build();
    let host_denying = |text: &'static str| {
        let deny = move || Answer::deny(text, text);
        let callback = Callback::sync(move |_| Ok(deny()));
        machine.create_host(Hooks::new().callback(CallbackHook::gate("says", BEFORE), callback))
    };
    let mut current = host_denying("old");
    let (event, before) = (make_event(), current.clone());
    let plan = before.plan(&event);
    current = host_denying("new");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let reason = |outcome: &Outcome| outcome.reasons[0].value.text().to_owned();
    assert_eq!(reason(&runtime.block_on(plan.run())), "old");
    assert_eq!(reason(&runtime.block_on(current.dispatch(&event))), "new");
}

#[test]
fn a_hook_that_runs_once_runs_once_in_each_session_whatever_host_of_the_machine_asks() {
    let machine = Machine::builder().build();
    let (callback, calls) = failing_gate();
    let host = || {
        machine
            .create_host(Hooks::new().callback(CallbackHook::gate("once", BEFORE).once(), callback.clone()))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    for (session, host) in [("a", host()), ("a", host()), ("b", host()), ("a", host())] {
        let _ = runtime.block_on(host.dispatch(Event { session: session.to_owned(), ..make_event() }));
    }
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    let later = Machine::builder().counts(machine.counts()).build();
    let later = later.create_host(Hooks::new().callback(CallbackHook::gate("once", BEFORE).once(), callback));
    let _ = dispatch_event(&Host::clone(&later));
    let _ = runtime.block_on(later.dispatch(Event { session: "a".to_owned(), ..make_event() }));
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}

#[test]
fn events_without_a_session_count_as_one_session_of_their_host() {
    let (callback, calls) = failing_gate();
    let once = CallbackHook::gate("once", BEFORE).once();
    let host = Machine::builder().build().create_host(Hooks::new().callback(once, callback));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    for _ in 0..2 {
        let _ = runtime.block_on(host.dispatch(Event { session: String::new(), ..make_event() }));
    }
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

/// A handler of the embedding program: returns a recorded answer.
struct Recorded(Answer);

impl Handler for Recorded {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Callback
    }

    fn call<'a>(&'a self, _: Call<'a>) -> CallFuture<'a> {
        Box::pin(async { Ok(self.0.clone()).into() })
    }
}

#[test]
fn whatever_implements_the_trait_is_a_handler_and_is_clamped_as_any_other() {
    let deny = Answer::deny("no", "recorded");
    let gate: HookSpec = CallbackHook::gate("gate", BEFORE).into();
    let observer: HookSpec = CallbackHook::observe("observer", BEFORE).into();
    let host =
        Host::builder().handler(gate, Recorded(deny.clone())).handler(observer, Recorded(deny)).build();
    let outcome = dispatch_event(&host);
    assert_eq!((outcome.verdict.as_str(), outcome.reasons.len()), ("deny", 1));
    assert_eq!(outcome.reports[1].clamped.len(), 1);
}

/// Returns a gate that denies through each kind of chain.
fn denying_host() -> Host {
    let deny = || Answer::deny("no", "not here");
    let callback = Callback::sync(move |_| Ok(deny()));
    Host::builder().callback(CallbackHook::gate("guard", BEFORE), callback).build()
}

fn answer_input(host: &Host, dialect: &str, bytes: &[u8]) -> Response {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let dialect = agents::find_dialect(dialect);
    runtime.block_on(host.answer(dialect, bytes.to_vec(), &ReadContext::default(), None))
}

#[test]
fn one_function_leads_from_the_agents_bytes_to_the_agents_answer() {
    let bytes = br#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","transcript_path":"",
        "tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;
    let response = answer_input(&denying_host(), "claude-code", bytes);
    let written: Value = serde_json::from_str(&response.written.stdout).unwrap();
    assert_eq!(written["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!((response.fallback_exit_code, response.must_deliver), (2, true));
    assert_eq!(response.reason.as_deref(), Some("guard: not here"));
    let silent = answer_input(&Host::builder().build(), "claude-code", bytes);
    assert_eq!(
        (silent.written.stdout.as_str(), silent.written.exit, silent.must_deliver),
        ("{}\n", 0, false)
    );
}

#[test]
fn what_cannot_be_read_is_refused_in_every_dialect_and_in_none() {
    let too_long = vec![b'x'; MAX_EVENT_BYTES + 1];
    let inputs: [&[u8]; 7] = [b"", b"{", b"[]", b"{}", b"\xff\xfe", b"{\"a\":1,\"a\":2}", &too_long];
    let names = agents::all_dialects().iter().map(|dialect| dialect.name());
    for name in names.chain(["no such agent"]) {
        for input in inputs {
            let Response { written, must_deliver, reason, .. } = answer_input(&denying_host(), name, input);
            let has_output = !written.stdout.is_empty() || written.exit != 0;
            assert!(must_deliver && reason.is_some() && has_output, "{name}: {input:.20?}");
        }
    }
}

#[test]
fn hooks_have_a_little_less_time_than_the_agent_waits() {
    let times = [100, 1_000, 10_000, 60_000].map(Duration::from_millis);
    assert_eq!(times.map(|agent_timeout| chain_budget(agent_timeout).as_millis()), [50, 800, 8_900, 53_900]);
}

/// A handler whose component is large: preparing it blocks the thread.
struct Large(Arc<AtomicUsize>);

impl Handler for Large {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Wasm
    }

    fn prepare(&self) -> Option<PrepareFuture<'_>> {
        Some(Box::pin(async {
            self.0.fetch_add(1, Ordering::Relaxed);
            let until = Instant::now() + Duration::from_millis(60);
            while Instant::now() < until {}
            Ok(())
        }))
    }

    fn call<'a>(&'a self, _: Call<'a>) -> CallFuture<'a> {
        Box::pin(async { Ok(Answer::default()).into() })
    }
}

#[test]
fn hooks_whose_turn_comes_when_the_time_is_over_are_not_made_ready() {
    let begun = Arc::new(AtomicUsize::new(0));
    let hooks = (0..10).fold(Hooks::new(), |hooks, number| {
        let spec: HookSpec = CallbackHook::gate(&format!("large-{number}"), BEFORE).into();
        // Configured like an untrusted hook, whose failure ends no chain.
        let spec = HookSpec { on_failure: Some(OnFailure::Allow), ..spec };
        hooks.handler(spec, Large(Arc::clone(&begun)))
    });
    let host = Machine::builder().build().create_host(hooks);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let outcome = runtime.block_on(host.plan(&make_event()).with_budget(Duration::from_millis(100)).run());
    assert!(begun.load(Ordering::Relaxed) <= 2, "{begun:?} were made ready in 100 ms, each in 60");
    let late = |report: &HookReport| matches!(&report.status, Status::Failed(failure) if failure.code == FailureCode::Budget);
    assert!(outcome.reports.iter().skip(2).all(late));
}
