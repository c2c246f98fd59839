//! Invalid messages: each has a clear error, waiting requests are answered, and the session continues.

use std::sync::atomic::Ordering;

use hookbox_service::control::{Group, MAX_LINE_BYTES, MAX_UNDER_WAY};
use serde_json::json;

use super::bed::{
    Bed, CollectedOutput, answer_with, build_call, build_cancel, build_command_input, build_endless_callback,
    build_error, build_success, register_callback, run,
};

/// Returns the output of a session that receives this text, and continues after it.
fn receive_text(text: &[u8]) -> CollectedOutput {
    run(async {
        let mut bed = Bed::new(&register_callback(answer_with(json!({}))));
        bed.session.receive(text);
        bed.session.receive(b"\n");
        bed.send_message(&build_call("after", "hook_0", &build_command_input("ls")));
        let mut lines = Vec::new();
        loop {
            let line = bed.receive_line().await;
            if line == build_success("after", &json!({})) {
                break;
            }
            lines.push(line);
        }
        CollectedOutput { lines, ..bed.end_session().await }
    })
}

/// Returns the log of a message that cannot be answered.
fn log_bad_message(text: &[u8]) -> String {
    run(async {
        let mut bed = Bed::new(&register_callback(answer_with(json!({}))));
        bed.session.receive(text);
        bed.session.receive(b"\n");
        let entry = bed.receive_entry().await.to_string();
        assert_eq!(bed.end_session().await.lines, [json!(null); 0]);
        entry
    })
}

#[test]
fn an_invalid_message_is_logged() {
    for (text, expected) in [
        (&b"hello"[..], "the message is not a JSON object: expected value, at line 1 column 1"),
        (
            b"[1]",
            "the message is not a JSON object: invalid type: sequence, expected an object, at line 1 column 0",
        ),
        (b"{\"type\":", "the message is not a JSON object: it ends too early, at line 1 column 8"),
        (b"{}", "the message has no `type`"),
        (b"{\"type\":1}", "the message has no `type`"),
        (b"{\"type\":\"a\",\"type\":\"b\"}", "the message has \"type\" twice"),
        (b"{\"type\":\"a\",\"x\":\"\xff\"}", "the message is not UTF-8 (byte 17)"),
        (b"{\"type\":\"control_request\"}", "the control_request has no `request_id` that is a text"),
        (
            b"{\"type\":\"control_request\",\"request_id\":7,\"request\":{}}",
            "the control_request has no `request_id` that is a text",
        ),
        (
            b"{\"type\":\"control_cancel_request\"}",
            "the control_cancel_request has no `request_id` that is a text",
        ),
        (b"{\"type\":\"control_response\"}", "the answer has no `response`"),
        (
            b"{\"type\":\"control_response\",\"response\":{}}",
            "the control_response has no `request_id` that is a text",
        ),
    ] {
        assert_eq!(log_bad_message(text), expected, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn an_invalid_request_is_answered_with_an_error() {
    let request = |rest: &str| format!(r#"{{"type":"control_request","request_id":"r","request":{rest}"#);
    for (rest, expected) in [
        (
            "1}",
            "the message is not a JSON object: invalid type: integer `1`, expected an object, at line 1 column 1",
        ),
        ("{}}", "the request has no `subtype`"),
        (r#"{"subtype":"hook_callback"}}"#, "the request has no `callback_id`"),
        (
            r#"{"subtype":"hook_callback","callback_id":"hook_0","tool_use_id":1,"input":{}}}"#,
            "`tool_use_id` is not text",
        ),
        (
            r#"{"subtype":"hook_callback","callback_id":"hook_0","input":7}}"#,
            "the input is not acceptable: it is not a JSON object",
        ),
        (
            r#"{"subtype":"hook_callback","callback_id":"hook_0"}}"#,
            "the input is not acceptable: it is not a JSON object",
        ),
        (
            r#"{"subtype":"hook_callback","callback_id":"hook_0","input":{"a":1,"a":2}}}"#,
            "the input is not acceptable: the key \"a\" appears twice, at line 1 column 10",
        ),
        // It ends in the middle.
        (
            r#"{"subtype":"hook_callback","callback_id":"hook_0","input":{"#,
            "the message is not a JSON object: it ends too early, at line 1 column 112",
        ),
    ] {
        let output = receive_text(request(rest).as_bytes());
        assert_eq!(output.lines, [build_error("r", expected)], "{rest}");
    }
    assert_eq!(
        receive_text(br#"{"type":"control_request","request_id":"r"}"#).lines,
        [build_error("r", "the request has no `request`")]
    );
}

#[test]
fn a_message_that_is_too_long_is_answered_by_its_beginning_and_not_kept() {
    let mut text = build_call("r", "hook_0", &json!({})).to_string().into_bytes();
    // Before the input's end.
    text.truncate(text.len() - 30);
    text.resize(MAX_LINE_BYTES + 1, b' ');
    let expected = format!(
        "the message is {} bytes long, and no longer one than {MAX_LINE_BYTES} is read",
        MAX_LINE_BYTES + 1
    );
    assert_eq!(receive_text(&text).lines, [build_error("r", &expected)]);
    // And one of which nothing is known.
    assert_eq!(receive_text(&vec![b'x'; MAX_LINE_BYTES + 1]).lines, [json!(null); 0]);
}

#[test]
fn an_input_that_is_nested_too_deep_is_an_error() {
    let input = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let request = format!(
        r#"{{"type":"control_request","request_id":"r","request":{{"subtype":"hook_callback","callback_id":"hook_0","input":{{"a":{input}}}}}}}"#
    );
    let expected = "the input is not acceptable: it is nested deeper than 100 levels, at line 1 column 105";
    assert_eq!(receive_text(request.as_bytes()).lines, [build_error("r", expected)]);
}

#[test]
fn an_id_that_is_in_use_is_answered_once() {
    run(async {
        let (callback, running) = build_endless_callback();
        let callbacks = register_callback(callback);
        callbacks.add("PreToolUse", Group::default(), [answer_with(json!({}))]).unwrap();
        let mut bed = Bed::new(&callbacks);
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        for second in [
            build_call("r", "hook_1", &build_command_input("ls")),
            build_call("r", "hook_7", &build_command_input("ls")),
            json!({ "type": "control_request", "request_id": "r", "request": { "subtype": "interrupt" } }),
        ] {
            bed.send_message(&second);
            let entry = bed.receive_entry().await.to_string();
            assert_eq!(entry, "this id is in use by a request that is not answered yet (request r)");
        }
        bed.send_message(&json!({ "type": "control_request", "request_id": "r", "request": {} }));
        assert_eq!(bed.receive_entry().await.to_string(), "the request has no `subtype` (request r)");
        // The first is under way still, and can be taken back.
        assert_eq!(bed.session.under_way(), 1);
        bed.send_message(&build_cancel("r"));
        let output = bed.end_session().await;
        assert_eq!((output.lines, running.load(Ordering::SeqCst)), (Vec::new(), 0));
    });
}

#[test]
fn concurrent_callbacks_are_limited() {
    run(async {
        let mut bed = Bed::new(&register_callback(build_endless_callback().0));
        for id in 0..MAX_UNDER_WAY {
            bed.send_message(&build_call(&format!("r{id}"), "hook_0", &build_command_input("ls")));
        }
        bed.send_message(&build_call("more", "hook_0", &build_command_input("ls")));
        let expected = "1024 callbacks are running, which is the limit";
        assert_eq!(bed.receive_line().await, build_error("more", expected));
        bed.send_message(&build_cancel("r7"));
        bed.send_message(&build_call("more", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.session.under_way(), MAX_UNDER_WAY);
    });
}

#[test]
fn a_last_line_without_an_end_is_a_message_and_a_torn_one_is_logged() {
    run(async {
        let bed = Bed::new(&register_callback(answer_with(json!({}))));
        bed.session.receive(br#"{"type":"control_request","request_id":"r","requ"#);
        let output = bed.end_session().await;
        let problem = "the message is not a JSON object: it ends too early, at line 1 column 48 (request r)";
        assert_eq!(output.log[0].to_string(), problem);
    });
}
