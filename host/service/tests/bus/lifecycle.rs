//! Building, management and disposal of a bus.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use hookbox::{
    Callback, CallbackHook, HookSpec, Target,
    model::{Answer, EventName, Layer},
};
use hookbox_service::bus::{Disposed, HookBus, LocalBus, MessageHandler, Subscription, Transport};
use serde_json::json;
use tokio::{runtime::Handle, sync::Notify};

use super::{
    Bed,
    bed::{build_gate, to_members},
    before_tool, build_counting_gate,
};

#[test]
fn hsys_001_bus_and_log_are_given_when_it_is_put_together() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |mut bed| {
        assert_eq!(bed.ask_about("BeforeTool", before_tool()).await["success"], json!(true));
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        assert_eq!(bed.records().len(), 2);
    });
}

#[test]
fn hsys_001_it_works_with_or_without_a_bus_and_a_log() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |bed| {
        let folder = std::env::temp_dir();
        let mut count = 0;
        for with_bus in [false, true] {
            for with_log in [false, true] {
                let mut builder = HookBus::builder(bed.service.clone(), "s", &folder);
                if with_log {
                    builder = builder.log(Arc::new(|_| {}));
                }
                let bus = builder.build();
                if with_bus {
                    bus.connect(Arc::new(LocalBus::default()), &Handle::current()).unwrap();
                }
                let processed = bus.fire("BeforeTool", to_members(&before_tool())).await.unwrap();
                count += 1;
                assert!(processed.aggregated.success);
                assert_eq!(calls.load(Ordering::SeqCst), count);
            }
        }
    });
}

#[test]
fn hsys_002_all_hooks_are_listed_and_each_can_be_switched_off_and_on() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook, build_gate("other", Answer::default())]).run(async |mut bed| {
        let enabled = |bus: &HookBus| {
            let hooks = bus.all_hooks();
            hooks.into_iter().map(|hook| (hook.name, hook.enabled)).collect::<Vec<_>>()
        };
        let both = |counting, other| vec![("counting".to_owned(), counting), ("other".to_owned(), other)];
        assert_eq!(enabled(&bed.bus), both(true, true));
        assert_eq!(bed.bus.set_hook_enabled("counting", false), Ok(1));
        // It is still listed.
        assert_eq!(enabled(&bed.bus), both(false, true));
        bed.ask_about("BeforeTool", before_tool()).await;
        bed.fire_event("BeforeTool", before_tool()).await;
        assert_eq!(calls.load(Ordering::SeqCst), 0);
        // Switched twice it is as it was.
        assert_eq!(bed.bus.set_hook_enabled("counting", true), Ok(1));
        assert_eq!(enabled(&bed.bus), both(true, true));
        bed.ask_about("BeforeTool", before_tool()).await;
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn hsys_002_a_name_that_no_hook_has_changes_nothing() {
    let (_, hook) = build_counting_gate();
    let bed = Bed::with([hook]);
    let before = bed.bus.all_hooks();
    for name in ["nonexistent-hook", "", "count*", "COUNTING"] {
        assert_eq!(bed.bus.set_hook_enabled(name, false), Ok(0));
    }
    assert_eq!(bed.bus.all_hooks(), before);
    assert_eq!(
        serde_json::to_value(&before[0]).unwrap()["events"].as_array().unwrap().len(),
        EventName::KNOWN.len()
    );
}

#[test]
fn an_administrators_hook_cannot_be_switched_off() {
    let mut spec = HookSpec::new("policy", Target::Callback).on([EventName::ToolBefore]);
    spec.origin.layer = Layer::Managed;
    let deny = Callback::sync(|_| Ok(Answer::deny("no", "not here")));
    let bed = Bed::with([(CallbackHook::from(spec), deny)]);
    let refused = bed.bus.set_hook_enabled("policy", false).unwrap_err();
    assert_eq!(refused.to_string(), "`policy` is the administrator's hook; only they can switch it off");
    assert_eq!(bed.bus.set_hook_enabled("policy", true), Ok(1));
    bed.run(async |mut bed| {
        let response = bed.ask_about("BeforeTool", before_tool()).await;
        assert_eq!(response["output"]["finalOutput"]["decision"], json!("deny"));
    });
}

#[test]
fn hevt_001_a_request_on_the_bus_runs_the_hooks_of_its_event() {
    let seen = |name: &'static str, event, text: &'static str| {
        let callback = Callback::sync(move |call| {
            let is_expected = call.event.source.as_str().contains(text) && call.event.session == "s";
            Ok(if is_expected { Answer::deny(name, "seen") } else { Answer::default() })
        });
        (CallbackHook::gate(name, [event]), callback)
    };
    Bed::with([
        seen("tool", EventName::ToolBefore, "read_file"),
        seen("prompt", EventName::PromptSubmit, "Hello"),
    ])
    .run(async |mut bed| {
        for (event, input, reason) in [
            ("BeforeTool", before_tool(), "tool: seen (tool)"),
            ("BeforeAgent", json!({ "prompt": "Hello" }), "prompt: seen (prompt)"),
        ] {
            let response = bed.ask_about(event, input).await;
            assert_eq!(response["output"]["finalOutput"]["reason"], json!(reason));
        }
    });
}

#[test]
fn hevt_004_after_dispose_messages_are_ignored_and_calls_refused() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |mut bed| {
        bed.bus.dispose();
        bed.publish_request(
            &json!({ "eventName": "BeforeTool", "input": before_tool(), "correlationId": "1" }),
        );
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        assert_eq!(bed.take_responses(), [json!(null); 0]);
        assert_eq!(bed.bus.fire("BeforeTool", to_members(&before_tool())).await, Err(Disposed));
        assert_eq!(
            bed.bus.fire("SessionStart", to_members(&json!({ "source": "startup" }))).await,
            Err(Disposed)
        );
        assert_eq!(bed.bus.connect(Arc::new(bed.local.clone()), &Handle::current()), Err(Disposed));
        assert_eq!(
            Disposed.to_string(),
            "the hook bus has been disposed of; make a new one for a new session"
        );
        assert_eq!(calls.load(Ordering::SeqCst), 0);
    });
}

/// A transport that counts ended subscriptions.
struct Counted(Arc<AtomicUsize>);
impl Transport for Counted {
    fn subscribe(&self, _: MessageHandler) -> Subscription {
        let ends = Arc::clone(&self.0);
        Subscription::ended_by(move || {
            ends.fetch_add(1, Ordering::SeqCst);
        })
    }
    fn publish(&self, _: &str) {}
}

#[test]
fn hevt_004_to_dispose_of_it_twice_is_to_do_so_once() {
    let ends = Arc::<AtomicUsize>::default();
    Bed::with([]).run(async |bed| {
        bed.bus.connect(Arc::new(Counted(Arc::clone(&ends))), &Handle::current()).unwrap();
        for _ in 0..3 {
            bed.bus.dispose();
            assert!(bed.bus.is_disposed());
            assert_eq!(ends.load(Ordering::SeqCst), 1);
        }
    });
}

#[test]
fn hevt_004_running_hooks_are_ended_and_the_waiting_caller_is_notified() {
    let started = Arc::new(Notify::new());
    let starts = Arc::clone(&started);
    let endless = Callback::asynchronous(move |_| {
        starts.notify_one();
        std::future::pending()
    });
    Bed::with([(CallbackHook::gate("endless", [EventName::ToolBefore]), endless)]).run(async |mut bed| {
        bed.publish_request(
            &json!({ "eventName": "BeforeTool", "input": before_tool(), "correlationId": "1" }),
        );
        started.notified().await;
        bed.bus.dispose();
        bed.bus.wait_until_answered().await;
        let response = bed.take_responses().remove(0);
        assert_eq!(
            (&response["correlationId"], &response["success"], &response["error"]["message"]),
            (&json!("1"), &json!(false), &json!("endless: cancelled: cancelled: the caller stopped waiting"))
        );
    });
}

#[test]
fn a_dropped_bus_answers_no_more_requests() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |mut bed| {
        let folder = std::env::temp_dir();
        let other = HookBus::builder(bed.service.clone(), "other", &folder).build();
        other.connect(Arc::new(bed.local.clone()), &Handle::current()).unwrap();
        drop(other);
        bed.ask_about("BeforeTool", before_tool()).await;
        assert_eq!((calls.load(Ordering::SeqCst), bed.take_responses().len()), (1, 0));
    });
}

#[test]
fn two_buses_in_one_process_answer_for_themselves() {
    let other = Bed::with([build_gate("other", Answer::deny("no", "the other"))]);
    Bed::with([build_gate("one", Answer::deny("no", "the one"))]).run(async |mut bed| {
        let mut other = other;
        other.bus.connect(Arc::new(other.local.clone()), &Handle::current()).unwrap();
        // The id belongs to another request on another bus.
        let reason = |response: &serde_json::Value| response["output"]["finalOutput"]["reason"].clone();
        let asked = (
            bed.ask_about("BeforeTool", before_tool()).await,
            other.ask_about("BeforeTool", before_tool()).await,
        );
        assert_eq!(
            (reason(&asked.0), reason(&asked.1)),
            (json!("one: the one (no)"), json!("other: the other (no)"))
        );
        other.bus.dispose();
        assert_eq!(reason(&bed.ask_about("BeforeTool", before_tool()).await), json!("one: the one (no)"));
        assert!(other.take_responses().is_empty());
    });
}
