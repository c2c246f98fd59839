//! Messages that are not about hooks.

use hookbox_service::control::{OtherMessages, SessionOutput, UnhandledMessage};
use serde_json::{Value, json};

use super::bed::{
    Bed, answer_with, build_call, build_cancel, build_command_input, build_endless_callback, build_error,
    build_success, register_callback, run,
};

fn build_permission_request() -> Value {
    let request = json!({ "subtype": "can_use_tool", "tool_name": "Bash", "input": { "command": "ls" } });
    json!({ "type": "control_request", "request_id": "p", "request": request })
}

#[test]
fn a_request_that_is_about_no_hook_is_answered_with_an_error() {
    run(async {
        let mut bed = Bed::new(&register_callback(answer_with(json!({}))));
        bed.send_message(&build_permission_request());
        assert_eq!(
            bed.receive_line().await,
            build_error("p", "Unsupported control request subtype: can_use_tool")
        );
        let unknown = json!({ "subtype": "of_the_future" });
        bed.send_message(&json!({ "type": "control_request", "request_id": "f", "request": unknown }));
        assert_eq!(
            bed.receive_line().await,
            build_error("f", "Unsupported control request subtype: of_the_future")
        );
    });
}

#[test]
fn messages_of_other_kinds_are_skipped_and_each_kind_is_reported_once() {
    run(async {
        let bed = Bed::new(&register_callback(answer_with(json!({}))));
        for kind in ["assistant", "result", "assistant"] {
            bed.send_message(&json!({ "type": kind }));
        }
        for kind in 0..1000 {
            bed.send_message(&json!({ "type": format!("kind {kind}") }));
        }
        let output = bed.end_session().await;
        assert_eq!((output.lines, output.log.len()), (Vec::new(), 16));
        let message = "messages of the type \"assistant\" are passed over: they are about no hook";
        assert_eq!(output.log[0].to_string(), message);
    });
}

#[test]
fn a_program_that_routes_them_gets_them_as_they_came() {
    run(async {
        let mut bed = Bed::with(&register_callback(answer_with(json!({}))), OtherMessages::HandBack);
        let not_ours = |request: Option<&str>, kind: &str, line: &Value| {
            let request_id = request.map(str::to_owned);
            SessionOutput::Unhandled(UnhandledMessage {
                request_id,
                kind: kind.to_owned(),
                line: line.to_string(),
            })
        };
        let message = json!({ "type": "assistant", "message": { "content": [1.50] } });
        let reply =
            json!({ "type": "control_response", "response": { "subtype": "success", "request_id": "mine" } });
        for (message, expected) in [
            (build_permission_request(), not_ours(Some("p"), "can_use_tool", &build_permission_request())),
            (message.clone(), not_ours(None, "assistant", &message)),
            (reply.clone(), not_ours(None, "control_response", &reply)),
            (build_cancel("p"), not_ours(None, "control_cancel_request", &build_cancel("p"))),
        ] {
            bed.send_message(&message);
            assert_eq!(bed.receive_output().await, expected);
        }
        bed.send_message(&build_call("r", "hook_0", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r", &json!({})));
    });
}

#[test]
fn a_cancel_of_nothing_is_nothing() {
    run(async {
        let bed = Bed::new(&register_callback(build_endless_callback().0));
        bed.send_message(&build_cancel("r"));
        let output = bed.end_session().await;
        assert_eq!((output.lines, output.log), (Vec::new(), Vec::new()));
    });
}
