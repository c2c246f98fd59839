//! The request that registers callbacks, and its result.

use std::time::Duration;

use hookbox::model::FailureCode;
use hookbox_service::control::{
    Callbacks, Group, Initialized, OnFailure, OtherMessages, SessionOutput, Unregistered,
};
use serde_json::{Value, json};

use super::bed::{Bed, answer_with, build_endless_callback, build_error, register_callback, run, to_json};

fn capture_registration(callbacks: &Callbacks, siblings: &Value) -> Value {
    run(async {
        let mut bed = Bed::new(callbacks);
        bed.session.initialize(&to_json(siblings));
        bed.receive_line().await["request"].take()
    })
}

#[test]
fn claude_code_receives_callbacks_with_matcher_timeout_and_failure_policy() {
    let callbacks = Callbacks::default();
    let nothing = || answer_with(json!({}));
    let group = |timeout, on_failure| Group { matcher: None, timeout: Some(timeout), on_failure };
    let bash = Group { matcher: Some("Bash|Write".to_owned()), ..Group::default() };
    callbacks.add("PreToolUse", bash, [nothing(), nothing()]).unwrap();
    callbacks.add("Stop", group(Duration::from_secs(30), Some(OnFailure::Continue)), [nothing()]).unwrap();
    let block = Some(OnFailure::Block);
    callbacks.add("PreToolUse", group(Duration::from_millis(1500), block), [nothing()]).unwrap();
    let expected = r#"{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":"Bash|Write","hookCallbackIds":["hook_0","hook_1"]},{"matcher":null,"hookCallbackIds":["hook_3"],"timeout":1.5,"onFailure":"block"}],"Stop":[{"matcher":null,"hookCallbackIds":["hook_2"],"timeout":30,"onFailure":"continue"}]}}"#;
    assert_eq!(capture_registration(&callbacks, &json!({})).to_string(), expected);
}

#[test]
fn without_callbacks_hooks_are_null_and_other_members_of_an_sdk_are_kept() {
    let siblings = json!({ "agents": { "a": {} }, "skills": ["s"], "hooks": 1, "subtype": "x" });
    let expected = json!({ "subtype": "initialize", "hooks": null, "agents": { "a": {} }, "skills": ["s"] });
    assert_eq!(capture_registration(&Callbacks::default(), &siblings), expected);
}

#[test]
fn an_event_that_claude_code_has_not_and_a_callback_without_time_are_not_registered() {
    let callbacks = Callbacks::default();
    let refused = callbacks.add("PreToolUs", Group::default(), [answer_with(json!({}))]).unwrap_err();
    assert!(refused.to_string().starts_with("Claude Code has no event \"PreToolUs\"; "), "{refused}");
    assert!(refused.to_string().contains("PreToolUse"), "{refused}");
    let group = Group { timeout: Some(Duration::ZERO), ..Group::default() };
    assert_eq!(callbacks.add("Stop", group, [answer_with(json!({}))]), Err(Unregistered::NoTime));
    assert_eq!(callbacks.add("Stop", Group::default(), [answer_with(json!({}))]).unwrap(), ["hook_0"]);
}

/// Returns the result of `initialize` for an answer.
fn initialize_session(answer: impl FnOnce(&str) -> Value) -> SessionOutput {
    run(async {
        let mut bed = Bed::new(&register_callback(answer_with(json!({}))));
        bed.session.initialize(&to_json(&json!({})));
        let id = bed.receive_line().await["request_id"].as_str().unwrap().to_owned();
        bed.send_message(&answer(&id));
        bed.receive_output().await
    })
}

#[test]
fn the_reply_of_claude_code_about_hooks_is_reported() {
    let answer = |response: Value| {
        initialize_session(
            move |id| json!({ "type": "control_response", "response": { "subtype": "success", "request_id": id, "response": response } }),
        )
    };
    let initialized = |hooks_applied, heeds_failures| {
        SessionOutput::Initialized(Ok(Initialized { hooks_applied, heeds_failures }))
    };
    assert_eq!(answer(json!({})), initialized(true, false));
    assert_eq!(answer(json!({ "commands": [], "hook_on_failure_supported": true })), initialized(true, true));
    assert_eq!(answer(json!({ "hooks_applied": false })), initialized(false, false));
    assert_eq!(answer(json!(null)), initialized(true, false));
}

#[test]
fn a_refused_initialize_is_reported_with_the_message_of_claude_code() {
    let SessionOutput::Initialized(Err(failure)) =
        initialize_session(|id| build_error(id, "hooks: invalid key"))
    else {
        panic!()
    };
    assert_eq!(failure.to_string(), "refused: Claude Code refused `initialize`: hooks: invalid key");
}

#[test]
fn an_unrequested_reply_is_logged_and_so_is_the_second_of_two_replies() {
    run(async {
        let mut bed = Bed::new(&register_callback(answer_with(json!({}))));
        bed.send_message(&build_error("req_1_00000000", "no"));
        let entry = bed.receive_entry().await;
        assert_eq!(
            entry.to_string(),
            "this is a reply to a request that was not sent (request req_1_00000000)"
        );
        bed.session.initialize(&to_json(&json!({})));
        let id = bed.receive_line().await["request_id"].as_str().unwrap().to_owned();
        bed.send_message(&build_error(&id, "no"));
        assert!(matches!(bed.receive_output().await, SessionOutput::Initialized(Err(_))));
        bed.send_message(&build_error(&id, "no"));
        assert_eq!(bed.receive_entry().await.request_id.as_deref(), Some(id.as_str()));
        assert_eq!(bed.end_session().await.others, []);
    });
}

#[test]
fn an_initialize_without_an_answer_at_the_end_of_the_stream_is_reported() {
    run(async {
        let bed = Bed::with(&register_callback(build_endless_callback().0), OtherMessages::HandBack);
        bed.session.initialize(&to_json(&json!({})));
        let output = bed.end_session().await;
        let [SessionOutput::Initialized(Err(failure))] = output.others.as_slice() else {
            panic!("{output:?}")
        };
        assert_eq!(failure.code, FailureCode::Cancelled);
    });
}
