//! Requests, responses, and other messages.

use std::{collections::BTreeSet, sync::Arc};

use hookbox::{
    Callback, CallbackHook,
    model::{Answer, EventName},
};
use hookbox_service::bus::{HookBus, MAX_MESSAGE_BYTES, Transport};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{Bed, bed::build_gate, before_tool, build_counting_gate};

const EVENTS: [&str; 11] = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "SessionStart",
    "SessionEnd",
    "PreCompress",
    "Notification",
];

#[test]
fn hevt_002_a_response_bears_the_requests_correlation_id() {
    let long = "x".repeat(10_000);
    Bed::with([]).run(async |mut bed| {
        for id in ["test-correlation-123", " ", "0", "null", "\u{0}\"\\\n", "ключ", "{\"a\":1}", &long] {
            for (event, success) in [("BeforeTool", true), ("BeforeLunch", false)] {
                let response = bed
                    .send_request(json!({ "eventName": event, "input": before_tool(), "correlationId": id }))
                    .await;
                assert_eq!((&response["correlationId"], &response["success"]), (&json!(id), &json!(success)));
            }
        }
    });
}

#[test]
fn hevt_002_each_request_gets_one_response_whatever_is_asked() {
    Bed::with([build_counting_gate().1]).run(async |mut bed| {
        for event in EVENTS.into_iter().chain(["", "beforetool", "UnknownEvent"]) {
            let response = bed.ask_about(event, json!({})).await;
            // No event of the eight families is valid without members, and no other event is available over the bus.
            assert_eq!((&response["correlationId"], &response["success"]), (&json!("1"), &json!(false)));
            assert!(response.get("output").is_none() && response["error"]["message"].is_string());
            assert_eq!(bed.take_responses(), [json!(null); 0]);
        }
    });
}

#[test]
fn hevt_003_an_event_that_there_is_not_is_a_failed_response() {
    Bed::with([build_counting_gate().1]).run(async |mut bed| {
        for event in ["UnknownEvent", "beforeTool", "BeforeTool ", "PreToolUse", "toString"] {
            assert_eq!(
                bed.ask_about(event, json!({})).await,
                json!({"correlationId": "1", "success": false,
                    "error": {"code": "unsupported_event", "message": format!("Unknown event: {event}")}})
            );
        }
    });
}

#[test]
fn hbus_001_request_and_response_have_these_members_and_no_others() {
    let deny = build_gate("guard", Answer::deny("no", "not here"));
    Bed::with([deny]).run(async |mut bed| {
        let mut response = bed
            .send_request(json!({"eventName": "BeforeTool", "input": before_tool(), "correlationId": "req-abc-123"}))
            .await;
        response["output"]["totalDuration"] = json!(0);
        response["output"]["hookResults"][0]["duration"] = json!(0);
        assert_eq!(
            response,
            json!({
                "correlationId": "req-abc-123",
                "success": true,
                "output": {
                    "hookResults": [{"eventName": "BeforeTool", "hookIdentity": "guard", "duration": 0, "success": true, "stderr": ""}],
                    "success": true,
                    "finalOutput": {"decision": "deny", "reason": "guard: not here (no)"},
                    "allOutputs": [{"decision": "deny", "reason": "not here"}],
                    "errors": [],
                    "totalDuration": 0
                }
            })
        );
        assert_eq!(
            bed.send_request(json!({"eventName": "BeforeTool", "input": {"tool_input": {}}, "correlationId": "2"})).await,
            json!({
                "correlationId": "2",
                "success": false,
                "error": {
                    "code": "VALIDATION_FAILURE",
                    "message": "BeforeTool input missing required field: tool_name",
                    "details": {"stage": "validation", "eventName": "BeforeTool"}
                }
            })
        );
    });
}

#[test]
fn hbus_001_a_request_without_its_parts_is_answered_with_what_is_missing() {
    Bed::with([]).run(async |mut bed| {
        for (payload, expected) in [
            (json!(null), "Missing payload"),
            (json!([]), "Missing payload"),
            (json!({}), "Missing eventName or input"),
            (json!({"eventName": "BeforeTool"}), "Missing eventName or input"),
            (json!({"eventName": 7, "input": {}}), "Missing eventName or input"),
            (json!({"eventName": "BeforeTool", "input": "x"}), "Missing eventName or input"),
        ] {
            let response = bed.send_request(payload).await;
            assert_eq!(response["error"], json!({"code": "invalid_request", "message": expected}));
            assert!(is_uuid(&response["correlationId"]), "{response}");
        }
    });
}

#[test]
fn hbus_002_without_a_bus_direct_calls_do_the_same() {
    let deny = build_gate("guard", Answer::deny("no", "not here"));
    Bed::with([deny]).run(async |bed| {
        let alone = HookBus::builder(bed.service.clone(), "s", &std::env::temp_dir()).build();
        let direct = alone.fire("BeforeTool", super::bed::to_members(&before_tool())).await.unwrap();
        let connected = bed.fire_event("BeforeTool", before_tool()).await;
        let output = |result: &hookbox_embed::ProcessedHookResult| result.aggregated.final_output.clone();
        assert_eq!(output(&direct), Some(json!({"decision": "deny", "reason": "guard: not here (no)"})));
        assert_eq!(output(&direct), output(&connected));
    });
}

#[test]
fn hbus_003_a_request_without_an_id_gets_a_uuid_of_its_own() {
    Bed::with([]).run(async |mut bed| {
        let mut ids = BTreeSet::new();
        for id in [json!(null), json!(""), json!(7), json!({})] {
            for event in EVENTS {
                let payload = json!({"eventName": event, "input": before_tool(), "correlationId": id});
                let response = bed.send_request(payload).await;
                assert!(is_uuid(&response["correlationId"]), "{response}");
                assert!(ids.insert(response["correlationId"].to_string()), "{response}");
            }
        }
    });
}

/// Eight, four, four, four and twelve hexadecimal digits; version 4.
fn is_uuid(id: &Value) -> bool {
    let Some(id) = id.as_str() else { return false };
    let groups: Vec<_> = id.split('-').collect();
    let lengths: Vec<_> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12]
        && groups.concat().chars().all(|c| c.is_ascii_hexdigit())
        && groups[2].starts_with('4')
}

#[test]
fn a_message_that_is_not_a_request_is_ignored() {
    let too_long = format!(r#"{{"type":"NEWS","text":"{}"}}"#, "x".repeat(MAX_MESSAGE_BYTES));
    Bed::with([]).run(async |mut bed| {
        for message in [
            "",
            "no JSON",
            "{",
            "[]",
            "7",
            "{}",
            r#"{"type":7}"#,
            r#"{"type":"NEWS","payload":{"eventName":"BeforeTool","input":{}}}"#,
            r#"{"type":"HOOK_EXECUTION_RESPONSE","payload":{"correlationId":"9","success":true}}"#,
            r#"{"type":"HOOKBOX_DISPOSE"}"#,
            r#"{"type":"NEWS","type":"NEWS"}"#,
            &too_long,
        ] {
            bed.local.publish(message);
            // Drops the messages that look like responses, and the test's own.
            bed.take_responses();
            assert_eq!(bed.ask_about("BeforeTool", before_tool()).await["success"], json!(true));
            assert_eq!(bed.take_responses(), [json!(null); 0], "{}", message.get(..60).unwrap_or(message));
        }
    });
}

#[test]
fn a_request_that_cannot_be_read_is_answered_by_its_id() {
    let request = |input: &str| {
        format!(
            r#"{{"type":"HOOK_EXECUTION_REQUEST","payload":{{"eventName":"BeforeTool","input":{input},"correlationId":"1"}}}}"#
        )
    };
    let too_long = format!("The message is longer than {MAX_MESSAGE_BYTES} bytes");
    Bed::with([]).run(async |mut bed| {
        for (input, expected) in [
            (format!(r#"{{"x":"{}"}}"#, "x".repeat(MAX_MESSAGE_BYTES)), too_long.as_str()),
            (
                r#"{"tool_name":"a","tool_name":"b"}"#.to_owned(),
                "The message is not acceptable JSON: the key \"tool_name\" appears twice",
            ),
            (
                format!("{}{}", "[".repeat(200), "]".repeat(200)),
                "The message is not acceptable JSON: it is nested deeper than 100 levels",
            ),
        ] {
            bed.local.publish(&request(&input));
            let response = bed.receive_response().await;
            let error = &response["error"];
            assert_eq!(
                (&response["correlationId"], &response["success"], &error["code"]),
                (&json!("1"), &json!(false), &json!("invalid_request"))
            );
            let place = error["message"].as_str().unwrap().strip_prefix(expected).unwrap();
            assert!(place.is_empty() || place.starts_with(", at line 1 column "), "{error}");
        }
    });
}

/// A gate before tool calls that waits for a permit each time.
fn build_waiting_gate() -> (Arc<Semaphore>, (CallbackHook, Callback)) {
    let permits = Arc::new(Semaphore::new(0));
    let waits = Arc::clone(&permits);
    let callback = Callback::asynchronous(move |call| {
        let waits = Arc::clone(&waits);
        async move {
            let slow = call.event.source.as_str().contains("slow");
            if slow {
                waits.acquire().await?.forget();
            }
            Ok(Answer::default())
        }
    });
    (permits, (CallbackHook::gate("waiting", [EventName::ToolBefore]), callback))
}

#[test]
fn responses_come_as_they_are_ready() {
    let (permits, hook) = build_waiting_gate();
    Bed::with([hook]).run(async |mut bed| {
        for (id, name) in [("1", "slow"), ("2", "slow"), ("3", "quick")] {
            bed.publish_request(&json!({"eventName": "BeforeTool", "correlationId": id,
                "input": {"tool_name": name, "tool_input": {}}}));
        }
        assert_eq!(bed.receive_response().await["correlationId"], json!("3"));
        permits.add_permits(2);
        let both = BTreeSet::from(
            [bed.receive_response().await, bed.receive_response().await]
                .map(|it| it["correlationId"].to_string()),
        );
        assert_eq!(both, BTreeSet::from(["\"1\"".to_owned(), "\"2\"".to_owned()]));
    });
}

#[test]
fn an_id_that_is_in_use_is_refused_until_its_request_is_answered() {
    let (permits, hook) = build_waiting_gate();
    Bed::with([hook]).run(async |mut bed| {
        let ask = json!({"eventName": "BeforeTool", "correlationId": "1",
            "input": {"tool_name": "slow", "tool_input": {}}});
        bed.publish_request(&ask);
        let refused = bed.send_request(ask.clone()).await;
        assert_eq!(
            refused["error"],
            json!({"code": "invalid_request",
                "message": "The correlation id `1` is in use by a request that is not answered yet"})
        );
        permits.add_permits(2);
        assert_eq!(bed.receive_response().await["success"], json!(true));
        assert_eq!(bed.send_request(ask).await["success"], json!(true));
    });
}

#[test]
fn a_hook_may_ask_the_bus_itself() {
    let bed = Bed::with([]);
    let bus = bed.bus.clone();
    let asks = Callback::asynchronous(move |_| {
        let bus = bus.clone();
        async move {
            let input = super::bed::to_members(&json!({"prompt": "p"}));
            let inner = bus.fire("BeforeAgent", input).await?;
            Ok(Answer::deny(
                "inner",
                &format!("the inner one {}", if inner.aggregated.success { "ran" } else { "failed" }),
            ))
        }
    });
    bed.service.add(CallbackHook::gate("asks", [EventName::ToolBefore]), asks);
    bed.run(async |mut bed| {
        let response = bed.ask_about("BeforeTool", before_tool()).await;
        assert_eq!(response["output"]["finalOutput"]["reason"], json!("asks: the inner one ran (inner)"));
    });
}
