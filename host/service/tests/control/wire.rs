//! A recorded conversation between Claude Code and the Agent SDK, message by message.

use std::fs;

use hookbox_service::control::{Callbacks, Group, Initialized, SdkCallback, SessionOutput};
use serde_json::{Value, json};

use super::bed::{Bed, answer_with, build_denial, build_error, build_success, run, to_json};

fn read_recording() -> Vec<(String, Value)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/agent-sdk/wire.jsonl");
    let text = fs::read_to_string(path).unwrap();
    let messages = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    messages.map(|message| (message["from"].as_str().unwrap().to_owned(), message["line"].clone())).collect()
}

/// The callbacks of the recorded program.
fn four_callbacks() -> Callbacks {
    let no_rm = SdkCallback::asynchronous(|call| async move {
        let input = call.input.to_value();
        let removes = input["tool_input"]["command"].as_str().is_some_and(|text| text.contains("rm -rf"));
        Ok(to_json(&if removes { build_denial("no") } else { json!({}) }))
    });
    let noted =
        json!({ "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": "noted" } });
    let callbacks = Callbacks::default();
    let for_bash = Group { matcher: Some("Bash".to_owned()), ..Group::default() };
    callbacks.add("PreToolUse", for_bash, [no_rm]).unwrap();
    callbacks.add("PostToolUse", Group::default(), [answer_with(noted.clone())]).unwrap();
    let fails = SdkCallback::asynchronous(|_| async { Err("boom".into()) });
    callbacks.add("UserPromptSubmit", Group::default(), [fails]).unwrap();
    callbacks.add("Stop", Group::default(), [answer_with(noted)]).unwrap();
    callbacks
}

/// The recorded program answered `Stop` with an output for `PostToolUse`. Its SDK passed that on, and Claude Code ignored it.
fn to_expected(recorded: &Value) -> Value {
    let response = &recorded["response"];
    let id = response["request_id"].as_str().unwrap();
    if id == "ed8b635b-a7c8-4c25-960a-0e9c3f41ba2e" {
        assert_eq!(response["response"]["hookSpecificOutput"]["hookEventName"], "PostToolUse");
        return build_error(
            id,
            "bad-output: Claude Code does not take its output at Stop: `hookSpecificOutput.hookEventName` must be `Stop`",
        );
    }
    recorded.clone()
}

#[test]
fn the_recorded_wire_is_answered_as_it_was() {
    run(async {
        let mut bed = Bed::new(&four_callbacks());
        let mut messages = read_recording().into_iter();
        let (_, initialize) = messages.next().unwrap();
        bed.session.initialize(&to_json(&json!({})));
        let mut sent = bed.receive_line().await;
        let id = sent["request_id"].take();
        let (head, random) = id.as_str().unwrap().rsplit_once('_').unwrap();
        assert_eq!((head, random.len()), ("req_1", 8));
        assert!(random.bytes().all(|digit| digit.is_ascii_hexdigit()), "{random}");
        sent["request_id"] = initialize["request_id"].clone();
        assert_eq!(sent.to_string(), initialize.to_string());
        let (_, mut reply) = messages.next().unwrap();
        reply["response"]["request_id"] = id;
        bed.send_message(&reply);
        let initialized = Initialized { hooks_applied: true, heeds_failures: false };
        assert_eq!(bed.receive_output().await, SessionOutput::Initialized(Ok(initialized)));
        let mut answers = 0;
        for (from, message) in messages {
            if from == "cli" {
                bed.send_message(&message);
            } else {
                assert_eq!(bed.receive_line().await.to_string(), to_expected(&message).to_string());
                answers += 1;
            }
        }
        assert_eq!(answers, 9);
        assert_eq!(bed.end_session().await.lines, [Value::Null; 0]);
    });
}

#[test]
fn concurrent_requests_of_the_wire_get_the_same_answers() {
    run(async {
        let bed = Bed::new(&four_callbacks());
        let (asked, answered): (Vec<_>, Vec<_>) =
            read_recording().into_iter().skip(2).partition(|(from, _)| from == "cli");
        for (_, message) in &asked {
            bed.send_message(message);
        }
        let mut bed = bed;
        let mut lines = Vec::new();
        for _ in &answered {
            lines.push(bed.receive_line().await.to_string());
        }
        let mut expected: Vec<_> =
            answered.iter().map(|(_, message)| to_expected(message).to_string()).collect();
        lines.sort();
        expected.sort();
        assert_eq!(lines, expected);
    });
}

#[test]
fn an_id_that_was_answered_may_be_used_again() {
    run(async {
        let mut bed = Bed::new(&four_callbacks());
        let (_, message) = read_recording().into_iter().nth(4).unwrap();
        for _ in 0..3 {
            bed.send_message(&message);
            let id = message["request_id"].as_str().unwrap();
            assert_eq!(bed.receive_line().await, build_success(id, &json!({})));
        }
    });
}
