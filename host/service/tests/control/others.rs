//! Messages that are not about hooks.

use hookbox_service::control::{NotOurs, Others, Told};
use serde_json::{Value, json};

use super::bed::{Bed, call, cancel, command, endless, error, one, run, says, success};

fn permission() -> Value {
    let request = json!({ "subtype": "can_use_tool", "tool_name": "Bash", "input": { "command": "ls" } });
    json!({ "type": "control_request", "request_id": "p", "request": request })
}

#[test]
fn a_request_that_is_about_no_hook_is_answered_with_an_error() {
    run(async {
        let mut bed = Bed::new(&one(says(json!({}))));
        bed.send(&permission());
        assert_eq!(bed.line().await, error("p", "Unsupported control request subtype: can_use_tool"));
        let unknown = json!({ "subtype": "of_the_future" });
        bed.send(&json!({ "type": "control_request", "request_id": "f", "request": unknown }));
        assert_eq!(bed.line().await, error("f", "Unsupported control request subtype: of_the_future"));
    });
}

#[test]
fn other_messages_are_passed_over_and_each_kind_is_told_once() {
    run(async {
        let bed = Bed::new(&one(says(json!({}))));
        for kind in ["assistant", "result", "assistant"] {
            bed.send(&json!({ "type": kind }));
        }
        for kind in 0..1000 {
            bed.send(&json!({ "type": format!("kind {kind}") }));
        }
        let heard = bed.end().await;
        assert_eq!((heard.lines, heard.log.len()), (Vec::new(), 16));
        let told = "messages of the type \"assistant\" are passed over: they are about no hook";
        assert_eq!(heard.log[0].to_string(), told);
    });
}

#[test]
fn a_program_that_routes_them_gets_them_as_they_came() {
    run(async {
        let mut bed = Bed::with(&one(says(json!({}))), Others::HandBack);
        let not_ours = |request: Option<&str>, kind: &str, line: &Value| {
            let request_id = request.map(str::to_owned);
            Told::NotOurs(NotOurs { request_id, kind: kind.to_owned(), line: line.to_string() })
        };
        let message = json!({ "type": "assistant", "message": { "content": [1.50] } });
        let reply =
            json!({ "type": "control_response", "response": { "subtype": "success", "request_id": "mine" } });
        for (message, expected) in [
            (permission(), not_ours(Some("p"), "can_use_tool", &permission())),
            (message.clone(), not_ours(None, "assistant", &message)),
            (reply.clone(), not_ours(None, "control_response", &reply)),
            (cancel("p"), not_ours(None, "control_cancel_request", &cancel("p"))),
        ] {
            bed.send(&message);
            assert_eq!(bed.told().await, expected);
        }
        bed.send(&call("r", "hook_0", &command("ls")));
        assert_eq!(bed.line().await, success("r", &json!({})));
    });
}

#[test]
fn a_cancel_of_nothing_is_nothing() {
    run(async {
        let bed = Bed::new(&one(endless().0));
        bed.send(&cancel("r"));
        let heard = bed.end().await;
        assert_eq!((heard.lines, heard.log), (Vec::new(), Vec::new()));
    });
}
