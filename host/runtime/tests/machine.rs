//! What lives longer than one set of rules: the clock, the counters.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use hookbox::{
    Callback, CallbackHook, Clock, Host,
    model::{Event, EventName, Json, Outcome, Status},
};

fn event() -> Event {
    Event {
        id: "e".into(),
        name: EventName::ToolBefore,
        agent: "native",
        agent_event: "tool.before".into(),
        session: "s".into(),
        cwd: "/".into(),
        time: 0,
        tool: None,
        payload: Json::empty_object(),
        source: Json::empty_object(),
    }
}

fn dispatch(host: &Host) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(host.dispatch(event()))
}

/// A gate that fails, and how often it was called.
fn failing() -> (Callback, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let callback = Callback::sync(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Err("out of order".to_owned())
    });
    (callback, calls)
}

fn code(outcome: &Outcome) -> &'static str {
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
    let (callback, calls) = failing();
    let host = Host::builder()
        .clock(Clock::new(move || read.load(Ordering::Relaxed)))
        .callback(CallbackHook::gate("fails", [EventName::ToolBefore]), callback)
        .build();
    for _ in 0..5 {
        assert_eq!(code(&dispatch(&host)), "hook-error");
    }
    assert_eq!(code(&dispatch(&host)), "tripped");
    time.store(60_999, Ordering::Relaxed);
    assert_eq!(code(&dispatch(&host)), "tripped");
    assert_eq!(calls.load(Ordering::Relaxed), 5);
    time.store(61_000, Ordering::Relaxed);
    assert_eq!(code(&dispatch(&host)), "hook-error");
    assert_eq!(calls.load(Ordering::Relaxed), 6);
}
