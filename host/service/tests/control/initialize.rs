//! The request that registers callbacks, and its result.

use std::time::Duration;

use hookbox::model::FailureCode;
use hookbox_service::control::{Callbacks, Group, Initialized, OnFailure, Others, Told, Unregistered};
use serde_json::{Value, json};

use super::bed::{Bed, endless, error, json, one, run, says};

fn registered(callbacks: &Callbacks, siblings: &Value) -> Value {
    run(async {
        let mut bed = Bed::new(callbacks);
        bed.session.initialize(&json(siblings));
        bed.line().await["request"].take()
    })
}

#[test]
fn callbacks_are_told_with_matcher_timeout_and_what_a_failure_means() {
    let callbacks = Callbacks::default();
    let nothing = || says(json!({}));
    let group = |timeout, on_failure| Group { matcher: None, timeout: Some(timeout), on_failure };
    let bash = Group { matcher: Some("Bash|Write".to_owned()), ..Group::default() };
    callbacks.add("PreToolUse", bash, [nothing(), nothing()]).unwrap();
    callbacks.add("Stop", group(Duration::from_secs(30), Some(OnFailure::Continue)), [nothing()]).unwrap();
    let block = Some(OnFailure::Block);
    callbacks.add("PreToolUse", group(Duration::from_millis(1500), block), [nothing()]).unwrap();
    let expected = r#"{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":"Bash|Write","hookCallbackIds":["hook_0","hook_1"]},{"matcher":null,"hookCallbackIds":["hook_3"],"timeout":1.5,"onFailure":"block"}],"Stop":[{"matcher":null,"hookCallbackIds":["hook_2"],"timeout":30,"onFailure":"continue"}]}}"#;
    assert_eq!(registered(&callbacks, &json!({})).to_string(), expected);
}

#[test]
fn without_callbacks_hooks_are_null_and_what_an_sdk_says_beside_them_is_kept() {
    let siblings = json!({ "agents": { "a": {} }, "skills": ["s"], "hooks": 1, "subtype": "x" });
    let expected = json!({ "subtype": "initialize", "hooks": null, "agents": { "a": {} }, "skills": ["s"] });
    assert_eq!(registered(&Callbacks::default(), &siblings), expected);
}

#[test]
fn an_event_that_claude_code_has_not_and_a_callback_without_time_are_not_registered() {
    let callbacks = Callbacks::default();
    let refused = callbacks.add("PreToolUs", Group::default(), [says(json!({}))]).unwrap_err();
    assert!(refused.to_string().starts_with("Claude Code has no event \"PreToolUs\"; "), "{refused}");
    assert!(refused.to_string().contains("PreToolUse"), "{refused}");
    let group = Group { timeout: Some(Duration::ZERO), ..Group::default() };
    assert_eq!(callbacks.add("Stop", group, [says(json!({}))]), Err(Unregistered::NoTime));
    assert_eq!(callbacks.add("Stop", Group::default(), [says(json!({}))]).unwrap(), ["hook_0"]);
}

/// Returns the result of `initialize` for an answer.
fn initialized(answer: impl FnOnce(&str) -> Value) -> Told {
    run(async {
        let mut bed = Bed::new(&one(says(json!({}))));
        bed.session.initialize(&json(&json!({})));
        let id = bed.line().await["request_id"].as_str().unwrap().to_owned();
        bed.send(&answer(&id));
        bed.told().await
    })
}

#[test]
fn what_claude_code_says_of_hooks_is_told() {
    let answer = |response: Value| {
        initialized(
            move |id| json!({ "type": "control_response", "response": { "subtype": "success", "request_id": id, "response": response } }),
        )
    };
    let told =
        |hooks_applied, heeds_failures| Told::Initialized(Ok(Initialized { hooks_applied, heeds_failures }));
    assert_eq!(answer(json!({})), told(true, false));
    assert_eq!(answer(json!({ "commands": [], "hook_on_failure_supported": true })), told(true, true));
    assert_eq!(answer(json!({ "hooks_applied": false })), told(false, false));
    assert_eq!(answer(json!(null)), told(true, false));
}

#[test]
fn a_refused_initialize_is_told_with_claude_codes_words() {
    let Told::Initialized(Err(failure)) = initialized(|id| error(id, "hooks: invalid key")) else { panic!() };
    assert_eq!(failure.to_string(), "refused: Claude Code refused `initialize`: hooks: invalid key");
}

#[test]
fn a_reply_that_nobody_asked_for_is_logged_and_the_second_of_two_is_one() {
    run(async {
        let mut bed = Bed::new(&one(says(json!({}))));
        bed.send(&error("req_1_00000000", "no"));
        let entry = bed.entry().await;
        assert_eq!(
            entry.to_string(),
            "this is a reply to a request that was not sent (request req_1_00000000)"
        );
        bed.session.initialize(&json(&json!({})));
        let id = bed.line().await["request_id"].as_str().unwrap().to_owned();
        bed.send(&error(&id, "no"));
        assert!(matches!(bed.told().await, Told::Initialized(Err(_))));
        bed.send(&error(&id, "no"));
        assert_eq!(bed.entry().await.request_id.as_deref(), Some(id.as_str()));
        assert_eq!(bed.end().await.others, []);
    });
}

#[test]
fn an_initialize_that_is_not_answered_when_the_stream_ends_is_told() {
    run(async {
        let bed = Bed::with(&one(endless().0), Others::HandBack);
        bed.session.initialize(&json(&json!({})));
        let heard = bed.end().await;
        let [Told::Initialized(Err(failure))] = heard.others.as_slice() else { panic!("{heard:?}") };
        assert_eq!(failure.code, FailureCode::Cancelled);
    });
}
