//! Requirements of the design of the Agent SDK's hooks for other languages: the four phases of an execution, the six critical edge cases,
//! and the four rows on late and cancelled hooks.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use hookbox::model::FailureCode;
use hookbox_service::control::{Callbacks, CancelReason, Cancellation, Group, SdkCall, SdkCallback};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::bed::{
    Bed, answer_with, build_call, build_cancel, build_command_input, build_denial, build_endless_callback,
    build_error, build_success, one_with, register_callback, run, to_json,
};

#[test]
fn phase_1_ids_are_consecutive_and_claude_code_receives_the_event_of_each_id() {
    run(async {
        let callbacks = Callbacks::numbered_from(1);
        let nothing = || answer_with(json!({}));
        assert_eq!(callbacks.add("PreToolUse", Group::default(), [nothing()]).unwrap(), ["hook_1"]);
        let both = callbacks.add("PostToolUse", Group::default(), [nothing(), nothing()]).unwrap();
        assert_eq!(both, ["hook_2", "hook_3"]);
        let mut bed = Bed::new(&callbacks);
        bed.session.initialize(&to_json(&json!({})));
        let sent = bed.receive_line().await;
        assert_eq!(
            (&sent["type"], &sent["request"]["subtype"]),
            (&json!("control_request"), &json!("initialize"))
        );
        let hooks = json!({
            "PreToolUse": [{ "matcher": null, "hookCallbackIds": ["hook_1"] }],
            "PostToolUse": [{ "matcher": null, "hookCallbackIds": ["hook_2", "hook_3"] }],
        });
        assert_eq!(sent["request"]["hooks"], hooks);
    });
}

#[test]
fn phase_2_the_callback_of_the_id_is_called_with_the_input_and_no_other() {
    run(async {
        let names = ["first", "second"].map(|name| {
            SdkCallback::asynchronous(move |call: SdkCall| async move {
                let text = format!("{name}: {}", call.input.to_value()["tool_input"]["command"]);
                Ok(to_json(&build_denial(&text)))
            })
        });
        let callbacks = Callbacks::default();
        callbacks.add("PreToolUse", Group::default(), names).unwrap();
        let mut bed = Bed::new(&callbacks);
        bed.send_message(&build_call("r1", "hook_1", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r1", &build_denial("second: \"ls\"")));
        bed.send_message(&build_call("r2", "hook_0", &build_command_input("pwd")));
        assert_eq!(bed.receive_line().await, build_success("r2", &build_denial("first: \"pwd\"")));
    });
}

#[test]
fn phase_3_output_or_error_comes_back_under_the_requests_id() {
    run(async {
        let callback = SdkCallback::asynchronous(|call: SdkCall| async move {
            match call.input.to_value()["tool_input"]["command"].as_str() {
                Some("ls") => Ok(to_json(&json!({}))),
                _ => Err("only ls is known".into()),
            }
        });
        let mut bed = Bed::new(&register_callback(callback));
        bed.send_message(&build_call("r1", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r1", &json!({})));
        bed.send_message(&build_call("r2", "hook_0", &build_command_input("pwd")));
        assert_eq!(bed.receive_line().await, build_error("r2", "only ls is known"));
    });
}

#[test]
fn phase_4_a_block_a_changed_input_and_an_error_reach_claude_code_unchanged() {
    run(async {
        let block = json!({ "decision": "block", "reason": "not now", "systemMessage": "blocked" });
        let changed = json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": { "command": "ls -l" },
        } });
        let callbacks = Callbacks::default();
        let fails = SdkCallback::asynchronous(|_| async { Err("no answer today".into()) });
        callbacks
            .add(
                "PreToolUse",
                Group::default(),
                [answer_with(block.clone()), answer_with(changed.clone()), fails],
            )
            .unwrap();
        let mut bed = Bed::new(&callbacks);
        for (id, expected) in [
            ("hook_0", build_success("r", &block)),
            ("hook_1", build_success("r", &changed)),
            ("hook_2", build_error("r", "no answer today")),
        ] {
            bed.send_message(&build_call("r", id, &build_command_input("ls")));
            assert_eq!(bed.receive_line().await.to_string(), expected.to_string());
        }
    });
}

#[test]
fn edge_case_1_threads_that_register_concurrently_get_distinct_ids_in_order() {
    let callbacks = Callbacks::numbered_from(1);
    let ids: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mine = (0..50).map(|_| {
                        callbacks
                            .add(
                                "PreToolUse",
                                Group::default(),
                                [answer_with(json!({})), answer_with(json!({}))],
                            )
                            .unwrap()
                    });
                    mine.collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let number = |id: &String| id.strip_prefix("hook_").unwrap().parse::<u64>().unwrap();
    // Those that came together stand together.
    assert!(ids.iter().all(|pair| number(&pair[1]) == number(&pair[0]) + 1));
    let mut numbers: Vec<_> = ids.iter().flatten().map(number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=800).collect::<Vec<_>>());
}

#[test]
fn edge_case_2_a_callback_that_blocks_without_end_is_late_after_its_timeout_and_others_are_answered() {
    run(async {
        let (stop, stopped) = mpsc::channel::<()>();
        let stopped = Mutex::new(stopped);
        let blocks = SdkCallback::blocking(move |_| {
            let _ = stopped.lock().unwrap().recv();
            Ok(to_json(&json!({})))
        });
        let callbacks = Callbacks::default().with_timeout(Duration::from_millis(20));
        callbacks.add("PreToolUse", Group::default(), [blocks, answer_with(json!({}))]).unwrap();
        let mut bed = Bed::new(&callbacks);
        bed.send_message(&build_call("r1", "hook_0", &build_command_input("ls")));
        bed.send_message(&build_call("r2", "hook_1", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r2", &json!({})));
        assert_eq!(bed.receive_line().await, build_error("r1", "timeout: no answer within 20ms"));
        drop(stop);
    });
}

#[test]
fn edge_case_3_an_unknown_callback_is_an_error_and_the_session_goes_on() {
    run(async {
        let mut bed = Bed::new(&register_callback(answer_with(json!({}))));
        bed.send_message(&build_call("r1", "hook_7", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_error("r1", "No hook callback found for ID: hook_7"));
        bed.send_message(&build_call("r2", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r2", &json!({})));
    });
}

#[test]
fn edge_case_4_a_panic_is_one_failure_of_one_hook_and_its_trace_is_in_the_log() {
    hookbox::keep_panic_backtraces();
    run(async {
        let panics = |call: SdkCall| match call.tool_use_id.as_deref() {
            Some(_) => panic!("no {}", call.callback_id),
            None => Ok(to_json(&json!({}))),
        };
        let callbacks = Callbacks::default();
        let later = SdkCallback::asynchronous(move |call| async move {
            tokio::task::yield_now().await;
            panics(call)
        });
        let at_once = SdkCallback::asynchronous(move |call| {
            let result = panics(call);
            async move { result }
        });
        callbacks
            .add(
                "PreToolUse",
                Group::default(),
                [later, SdkCallback::blocking(panics), at_once, answer_with(json!({}))],
            )
            .unwrap();
        let mut bed = Bed::new(&callbacks);
        for id in ["hook_0", "hook_1", "hook_2"] {
            bed.send_message(&build_call("r", id, &build_command_input("ls")));
            assert_eq!(
                bed.receive_line().await,
                build_error("r", &format!("panic: the callback panicked: no {id}"))
            );
            let entry = bed.receive_entry().await;
            assert_eq!((entry.code, entry.callback_id.as_deref()), (Some(FailureCode::Panic), Some(id)));
            let trace = entry.trace.unwrap();
            assert!(trace.contains("host/service/tests/control/design.rs"), "{trace}");
        }
        bed.send_message(&build_call("r", "hook_3", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r", &json!({})));
    });
}

#[test]
fn edge_case_5_what_claude_code_does_not_know_yet_is_nothing_and_the_callback_runs() {
    run(async {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let keeps = Arc::clone(&seen);
        let callback = SdkCallback::asynchronous(move |call: SdkCall| {
            let SdkCall { callback_id, event, input, tool_use_id, cancellation } = call;
            keeps.lock().unwrap().push((callback_id, event, input, tool_use_id, cancellation.why()));
            async { Ok(to_json(&json!({}))) }
        });
        let mut bed = Bed::new(&register_callback(callback));
        for request in [
            r#"{"subtype":"hook_callback","callback_id":"hook_0","input":{},"tool_use_id":null}"#,
            r#"{"subtype":"hook_callback","callback_id":"hook_0","input":{}}"#,
        ] {
            bed.send_text(&format!(r#"{{"type":"control_request","request_id":"r","request":{request}}}"#));
            assert_eq!(bed.receive_line().await, build_success("r", &json!({})));
        }
        let expected = ("hook_0".to_owned(), "PreToolUse".to_owned(), to_json(&json!({})), None, None);
        assert_eq!(*seen.lock().unwrap(), [expected.clone(), expected]);
    });
}

#[test]
fn edge_case_6_an_output_that_does_not_fit_the_event_is_an_error_and_not_passed_on() {
    run(async {
        let mut bed = Bed::new(&register_callback(answer_with(
            json!({ "hookSpecificOutput": { "permissionDecision": "deny" } }),
        )));
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        let message = "bad-output: Claude Code does not take its output at PreToolUse: \
                       `hookSpecificOutput.hookEventName` must be `PreToolUse`";
        assert_eq!(bed.receive_line().await, build_error("r", message));
        assert_eq!(bed.receive_entry().await.code, Some(FailureCode::BadOutput));
    });
}

#[test]
fn row_1_neither_late_nor_cancelled_the_output_is_returned() {
    run(async {
        let bed = Bed::new(&register_callback(answer_with(build_denial("no"))));
        let mut bed = bed;
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r", &build_denial("no")));
        assert_eq!(bed.end_session().await.log, []);
    });
}

#[test]
fn row_2_late_and_not_cancelled_claude_code_gets_an_error_and_the_callback_ends() {
    run(async {
        let (callback, running) = build_endless_callback();
        let group = Group { timeout: Some(Duration::from_millis(5)), ..Group::default() };
        let mut bed = Bed::new(&one_with(group, callback));
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_error("r", "timeout: no answer within 5ms"));
        assert_eq!(bed.receive_entry().await.code, Some(FailureCode::Timeout));
        bed.end_session().await;
        assert_eq!(running.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn row_3_cancelled_and_not_late_the_callback_ends_and_nothing_is_answered() {
    run(async {
        let (callback, running) = build_endless_callback();
        let mut bed = Bed::new(&register_callback(callback));
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        bed.send_message(&build_cancel("r"));
        let entry = bed.receive_entry().await;
        assert_eq!(
            entry.to_string(),
            "the callback hook_0: cancelled: Claude Code took its request back (request r)"
        );
        let output = bed.end_session().await;
        assert_eq!((output.lines, running.load(Ordering::SeqCst)), (Vec::new(), 0));
    });
}

#[test]
fn row_4_late_and_cancelled_what_came_first_is_what_it_was() {
    run(async {
        // Late first: the cancel finds no running call.
        let group = Group { timeout: Some(Duration::from_millis(5)), ..Group::default() };
        let mut bed = Bed::new(&one_with(group, build_endless_callback().0));
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_error("r", "timeout: no answer within 5ms"));
        bed.send_message(&build_cancel("r"));
        let codes = |log: &[hookbox_service::control::Entry]| log.iter().map(|e| e.code).collect::<Vec<_>>();
        let output = bed.end_session().await;
        assert_eq!((codes(&output.log), output.lines), (vec![Some(FailureCode::Timeout)], Vec::new()));
        // Cancelled first.
        let group = Group { timeout: Some(Duration::from_mins(1)), ..Group::default() };
        let bed = Bed::new(&one_with(group, build_endless_callback().0));
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        bed.send_message(&build_cancel("r"));
        let output = bed.end_session().await;
        assert_eq!((codes(&output.log), output.lines), (vec![Some(FailureCode::Cancelled)], Vec::new()));
    });
}

/// Returns a callback that sends its reason of cancellation when its farewell is over.
fn make_farewell_callback(sender: mpsc::Sender<Option<CancelReason>>) -> SdkCallback {
    let callback = SdkCallback::asynchronous(move |call: SdkCall| {
        let sender = sender.clone();
        async move {
            let why = call.cancellation.cancelled().await;
            tokio::task::yield_now().await;
            sender.send(Some(why)).unwrap();
            Ok(to_json(&json!({})))
        }
    });
    callback.with_farewell(Duration::from_mins(1))
}

#[test]
fn a_callback_with_a_farewell_receives_the_reason_for_the_end_and_cleans_up() {
    run(async {
        let (sender, why) = mpsc::channel();
        let group = Group { timeout: Some(Duration::from_millis(5)), ..Group::default() };
        let callbacks = one_with(group, make_farewell_callback(sender.clone()));
        callbacks.add("Stop", Group::default(), [make_farewell_callback(sender)]).unwrap();
        let mut bed = Bed::new(&callbacks);
        bed.send_message(&build_call("late", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_error("late", "timeout: no answer within 5ms"));
        bed.send_message(&build_call("cancelled", "hook_1", &json!({ "hook_event_name": "Stop" })));
        bed.send_message(&build_cancel("cancelled"));
        bed.send_message(&build_call("ended", "hook_1", &json!({ "hook_event_name": "Stop" })));
        assert_eq!(bed.end_session().await.lines, [Value::Null; 0]);
        let mut reasons: Vec<_> = why.try_iter().map(Option::unwrap).collect();
        reasons.sort_by_key(|why| format!("{why:?}"));
        assert_eq!(reasons, [CancelReason::Cancelled, CancelReason::Ended, CancelReason::TimedOut]);
        assert_eq!(
            reasons.iter().map(|why| why.code().as_str()).collect::<Vec<_>>(),
            ["cancelled", "cancelled", "timeout"]
        );
    });
}

#[test]
fn answers_come_in_the_order_in_which_callbacks_end() {
    run(async {
        let waiting = Arc::new(Mutex::new(Vec::new()));
        let waits = Arc::clone(&waiting);
        let callback = SdkCallback::asynchronous(move |_| {
            let (go_on, receiver) = oneshot::channel::<Value>();
            waits.lock().unwrap().push(go_on);
            async move { Ok(to_json(&receiver.await?)) }
        });
        let mut bed = Bed::new(&register_callback(callback));
        for id in ["r1", "r2", "r3"] {
            bed.send_message(&build_call(id, "hook_0", &build_command_input("ls")));
        }
        while waiting.lock().unwrap().len() < 3 {
            tokio::task::yield_now().await;
        }
        let mut waiting: Vec<_> = waiting.lock().unwrap().drain(..).collect();
        for id in ["r3", "r2", "r1"] {
            waiting.pop().unwrap().send(build_denial(id)).unwrap();
            assert_eq!(bed.receive_line().await, build_success(id, &build_denial(id)));
        }
    });
}

#[test]
fn the_end_of_the_stream_ends_every_callback_and_answers_none() {
    run(async {
        let (callback, running) = build_endless_callback();
        let blocked = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&blocked);
        let blocks = SdkCallback::blocking(move |call: SdkCall| {
            seen.store(true, Ordering::SeqCst);
            while call.cancellation.why().is_none() {
                thread::yield_now();
            }
            Ok(to_json(&json!({})))
        });
        let callbacks = register_callback(callback);
        callbacks.add("PreToolUse", Group::default(), [blocks]).unwrap();
        let bed = Bed::new(&callbacks);
        for id in 0..20 {
            bed.send_message(&build_call(&format!("r{id}"), "hook_0", &build_command_input("ls")));
        }
        bed.send_message(&build_call("blocks", "hook_1", &build_command_input("ls")));
        while running.load(Ordering::SeqCst) < 20 || !blocked.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
        assert_eq!(bed.session.under_way(), 21);
        let output = bed.end_session().await;
        assert_eq!((output.lines, running.load(Ordering::SeqCst)), (Vec::new(), 0));
        assert_eq!(output.log.len(), 21);
        assert!(
            output.log.iter().all(|entry| entry.code == Some(FailureCode::Cancelled)),
            "{:?}",
            output.log
        );
    });
}

#[test]
fn a_session_that_is_dropped_ends_its_callbacks() {
    run(async {
        let kept: Arc<Mutex<Option<Cancellation>>> = Arc::default();
        let keeps = Arc::clone(&kept);
        let callback = SdkCallback::asynchronous(move |call: SdkCall| {
            *keeps.lock().unwrap() = Some(call.cancellation);
            std::future::pending()
        });
        let bed = Bed::new(&register_callback(callback));
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        while kept.lock().unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        let cancellation = kept.lock().unwrap().take().unwrap();
        drop(bed);
        assert_eq!(cancellation.cancelled().await, CancelReason::Ended);
    });
}
