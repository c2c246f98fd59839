//! The caller gives up while hooks run.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hookbox::{
    Callback, CallbackHook, Host,
    model::{Answer, Event, EventName, FailureCode, HookReport, Outcome, Status},
};
use tokio::sync::oneshot;

fn make_event() -> Event {
    Event {
        id: "e".into(),
        agent_event: "tool.before".into(),
        session: "s".into(),
        cwd: "/".into(),
        ..Event::new(EventName::ToolBefore, "native")
    }
}

/// Returns a callback that never answers, and counts how often it was begun and dropped.
fn endless_callback(begun: &Arc<AtomicUsize>, dropped: &Arc<AtomicUsize>) -> Callback {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (begun, dropped) = (Arc::clone(begun), Arc::clone(dropped));
    Callback::asynchronous(move |_| {
        begun.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&dropped));
        async move {
            let _counted = counted;
            std::future::pending().await
        }
    })
}

fn status_code(report: &HookReport) -> &'static str {
    match &report.status {
        Status::Failed(failure) => failure.code.as_str(),
        Status::Answered(_) => "answered",
        Status::Skipped => "skipped",
    }
}

fn list_codes(outcome: &Outcome) -> Vec<(&str, &'static str)> {
    outcome.reports.iter().map(|report| (report.hook.as_str(), status_code(report))).collect()
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

#[test]
fn hooks_under_way_are_dropped_and_reported_as_cancelled_and_no_other_begins() {
    let [begun, dropped] = [Arc::default(), Arc::default()];
    let answers = Callback::sync(|_| Ok(Answer::default()));
    let before = [EventName::ToolBefore];
    let host = Host::builder()
        .callback(CallbackHook::transform("quick", before.clone()), answers)
        .callback(CallbackHook::gate("one", before.clone()), endless_callback(&begun, &dropped))
        .callback(CallbackHook::gate("two", before.clone()), endless_callback(&begun, &dropped))
        .callback(CallbackHook::observe("observer", before), endless_callback(&begun, &dropped))
        .build();
    let (give_up, signal) = oneshot::channel::<()>();
    let outcome = run(async {
        let event = make_event();
        let waiting = host.plan(&event).cancel_when(async { signal.await.unwrap() }).run();
        let both_run = async {
            while begun.load(Ordering::Relaxed) < 2 {
                tokio::task::yield_now().await;
            }
            give_up.send(()).unwrap();
        };
        futures_util::future::join(waiting, both_run).await.0
    });
    // A cancelled gate has not allowed the event; the chain ends at it, and the observer is not begun.
    assert_eq!(outcome.verdict.as_str(), "deny");
    let expected =
        [("quick", "answered"), ("one", "cancelled"), ("two", "skipped"), ("observer", "cancelled")];
    assert_eq!(list_codes(&outcome), expected);
    assert_eq!((begun.load(Ordering::Relaxed), dropped.load(Ordering::Relaxed)), (2, 2));
}

#[test]
fn a_timeout_is_distinguished_from_a_cancelled_call_which_counts_no_failure() {
    let [begun, dropped] = [Arc::default(), Arc::default()];
    let host = Host::builder()
        .callback(CallbackHook::gate("slow", [EventName::ToolBefore]), endless_callback(&begun, &dropped))
        .build();
    for _ in 0..9 {
        let outcome = run(host.plan(&make_event()).cancel_when(async {}).run());
        assert_eq!(list_codes(&outcome), [("slow", FailureCode::Cancelled.as_str())]);
    }
    assert_eq!(host.hooks().next().unwrap().failures.in_a_row, 0);
    let outcome = run(host.plan(&make_event()).with_budget(Duration::from_millis(1)).run());
    assert_eq!(list_codes(&outcome), [("slow", FailureCode::Budget.as_str())]);
}
