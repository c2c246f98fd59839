//! Outputs that reach Claude Code.

use hookbox_service::control::{Callbacks, Group, SdkCallback};
use serde_json::{Value, json};

use super::bed::{Bed, answer_with, build_call, run, to_json};

/// Returns Claude Code's answer when a callback for `event` returns this output: the output, or the error.
fn send_output(event: &str, output: Value) -> Result<Value, String> {
    sent_by(event, answer_with(output))
}

fn sent_by(event: &str, callback: SdkCallback) -> Result<Value, String> {
    run(async {
        let callbacks = Callbacks::default();
        callbacks.add(event, Group::default(), [callback]).unwrap();
        let mut bed = Bed::new(&callbacks);
        bed.send_message(&build_call("r", "hook_0", &json!({ "hook_event_name": event })));
        let mut line = bed.receive_line().await;
        let response = &mut line["response"];
        match response["subtype"].as_str().unwrap() {
            "success" => Ok(response["response"].take()),
            _ => Err(response["error"].as_str().unwrap().to_owned()),
        }
    })
}

fn nest_members(event: &str, mut members: Value) -> Value {
    members["hookEventName"] = json!(event);
    json!({ "hookSpecificOutput": members })
}

#[test]
fn outputs_that_the_sdks_types_allow_are_passed_on_unchanged() {
    let updates = json!([{ "type": "setMode", "mode": "plan", "destination": "session" }]);
    for (event, output) in [
        ("PreToolUse", json!({})),
        ("PreToolUse", json!({ "async": true, "asyncTimeout": 5000 })),
        ("PreToolUse", json!({ "continue": false, "stopReason": "enough", "suppressOutput": true })),
        ("PreToolUse", json!({ "decision": "approve", "reason": "an older word" })),
        ("PreToolUse", nest_members("PreToolUse", json!({ "permissionDecision": "defer" }))),
        (
            "PreToolUse",
            nest_members(
                "PreToolUse",
                json!({ "permissionDecision": "ask", "permissionDecisionReason": "sure?" }),
            ),
        ),
        (
            "PreToolUse",
            nest_members("PreToolUse", json!({ "updatedInput": { "a": 1.50 }, "additionalContext": "c" })),
        ),
        ("PostToolUse", json!({ "decision": "block", "reason": "look again", "systemMessage": "m" })),
        (
            "PostToolUse",
            nest_members("PostToolUse", json!({ "updatedToolOutput": [1], "updatedMCPToolOutput": null })),
        ),
        (
            "UserPromptSubmit",
            nest_members("UserPromptSubmit", json!({ "sessionTitle": "t", "suppressOriginalPrompt": true })),
        ),
        ("Stop", nest_members("Stop", json!({ "additionalContext": "go on" }))),
        ("SubagentStop", json!({ "decision": "block", "reason": "go on" })),
        ("PreCompact", json!({ "decision": "block", "reason": "later" })),
        ("Notification", json!({ "systemMessage": "m" })),
        ("SubagentStart", nest_members("SubagentStart", json!({ "additionalContext": "c" }))),
        (
            "PermissionRequest",
            nest_members(
                "PermissionRequest",
                json!({ "decision": { "behavior": "allow", "updatedInput": {}, "updatedPermissions": updates } }),
            ),
        ),
        (
            "PermissionRequest",
            nest_members(
                "PermissionRequest",
                json!({ "decision": { "behavior": "deny", "message": "no", "interrupt": true } }),
            ),
        ),
        ("PermissionDenied", nest_members("PermissionDenied", json!({ "retry": true }))),
        ("PreModelSwitch", nest_members("PreModelSwitch", json!({ "permissionDecision": "deny" }))),
        ("Elicitation", nest_members("Elicitation", json!({ "action": "accept", "content": { "a": 1 } }))),
        ("WorktreeCreate", nest_members("WorktreeCreate", json!({ "worktreePath": "/w" }))),
        ("SessionStart", nest_members("SessionStart", json!({ "watchPaths": ["/w"], "reloadSkills": true }))),
        // A member that it does not know is passed over by Claude Code.
        ("Stop", json!({ "mine": 1 })),
    ] {
        assert_eq!(send_output(event, output.clone()), Ok(output), "{event}");
    }
}

#[test]
fn other_outputs_are_errors_with_the_problem() {
    for (event, output, problem) in [
        ("PreToolUse", json!(null), "it is not an object"),
        ("PreToolUse", json!("deny"), "it is not an object"),
        ("PreToolUse", json!([]), "it is not an object"),
        ("PreToolUse", json!({ "decision": "deny" }), "`decision` must be `block`"),
        ("PreToolUse", json!({ "decision": 1 }), "`decision`: it is a number, but must be a string"),
        ("PreToolUse", json!({ "decision": null }), "`decision`: it is null, but must be a string"),
        (
            "PreToolUse",
            json!({ "continue": "no" }),
            "`continue`: it is a string, but must be `true` or `false`",
        ),
        ("PreToolUse", json!({ "async": 1 }), "`async`: it is a number, but must be `true` or `false`"),
        (
            "PreToolUse",
            json!({ "asyncTimeout": "1" }),
            "`asyncTimeout`: it is a string, but must be a number",
        ),
        ("Stop", json!({ "reason": {} }), "`reason`: it is an object, but must be a string"),
        ("Stop", json!({ "systemMessage": true }), "`systemMessage`: it is a boolean, but must be a string"),
        (
            "Stop",
            json!({ "hookSpecificOutput": "x" }),
            "`hookSpecificOutput` is not one; it must be an object",
        ),
        ("Stop", json!({ "hookSpecificOutput": {} }), "`hookSpecificOutput.hookEventName` must be `Stop`"),
        ("Stop", nest_members("Stopp", json!({})), "`hookSpecificOutput.hookEventName` must be `Stop`"),
        (
            "PostToolUse",
            nest_members("PreToolUse", json!({})),
            "`hookSpecificOutput.hookEventName` must be `PostToolUse`",
        ),
        (
            "PreToolUse",
            nest_members("PreToolUse", json!({ "permissionDecision": "Deny" })),
            "`permissionDecision` must be `allow`, `deny`, `ask` or `defer`",
        ),
        (
            "PreToolUse",
            nest_members("PreToolUse", json!({ "permissionDecision": ["deny"] })),
            "VALIDATION_FAILURE, field `permissionDecision`: it is an array, but must be a string",
        ),
        (
            "PreToolUse",
            nest_members("PreToolUse", json!({ "updatedInput": "x" })),
            "`updatedInput` must be of the right kind",
        ),
        (
            "UserPromptSubmit",
            nest_members("UserPromptSubmit", json!({ "sessionTitle": 1 })),
            "`sessionTitle`: it is a number, but must be a string",
        ),
        (
            "PermissionRequest",
            nest_members("PermissionRequest", json!({})),
            "`decision` is missing; it must be an object",
        ),
        (
            "PermissionRequest",
            nest_members("PermissionRequest", json!({ "decision": { "behavior": "maybe" } })),
            "`decision.behavior` must be `allow` or `deny`",
        ),
        (
            "PermissionRequest",
            nest_members(
                "PermissionRequest",
                json!({ "decision": { "behavior": "deny", "interrupt": "yes" } }),
            ),
            "`interrupt`: it is a string, but must be `true` or `false`",
        ),
        (
            "PreModelSwitch",
            nest_members("PreModelSwitch", json!({ "permissionDecision": "defer" })),
            "`permissionDecision` must be `allow`, `deny` or `ask`",
        ),
        (
            "Elicitation",
            nest_members("Elicitation", json!({ "action": "yes" })),
            "`action` must be `accept`, `decline` or `cancel`",
        ),
    ] {
        let expected = format!("bad-output: Claude Code does not take its output at {event}: {problem}");
        assert_eq!(send_output(event, output.clone()), Err(expected), "{event} {output}");
    }
}

#[test]
fn names_that_a_language_cannot_have_are_claude_codes_on_the_wire() {
    let output = json!({ "continue_": false, "stopReason": "enough", "async_": true });
    assert_eq!(
        send_output("Stop", output),
        Ok(json!({ "continue": false, "stopReason": "enough", "async": true }))
    );
    let twice = send_output("Stop", json!({ "continue_": false, "continue": true }));
    let problem = "it has `continue` and `continue_`, which are the same";
    assert_eq!(twice, Err(format!("bad-output: Claude Code does not take its output at Stop: {problem}")));
}

#[test]
fn an_output_of_several_lines_is_one_line_and_keeps_its_numbers() {
    let text = "{\n  \"systemMessage\": \"a\\nb\",\r\n  \"mine\": 1.50\n}";
    let callback = SdkCallback::asynchronous(move |_| async move { Ok(hookbox::model::Json::parse(text)?) });
    let expected = json!({ "systemMessage": "a\nb", "mine": 1.5 });
    assert_eq!(sent_by("Stop", callback), Ok(expected));
}

#[test]
fn a_callback_that_fails_without_a_message_is_still_reported() {
    let silent = SdkCallback::asynchronous(|_| async { Err(" ".into()) });
    assert_eq!(sent_by("Stop", silent), Err("the callback failed, and does not say why".to_owned()));
}

#[test]
fn the_input_names_its_event() {
    run(async {
        let callbacks = Callbacks::default();
        let stop = nest_members("Stop", json!({ "additionalContext": "c" }));
        callbacks.add("SubagentStop", Group::default(), [answer_with(stop.clone())]).unwrap();
        let mut bed = Bed::new(&callbacks);
        bed.send_message(&build_call("r", "hook_0", &json!({ "hook_event_name": "Stop" })));
        assert_eq!(bed.receive_line().await["response"]["response"], stop);
        // One that no version known here has: its name is all that can be compared.
        let mut future = nest_members("Later", json!({ "anything": [1] }));
        callbacks.add("Stop", Group::default(), [answer_with(future.clone())]).unwrap();
        bed.send_message(&build_call("r", "hook_1", &json!({ "hook_event_name": "Later" })));
        assert_eq!(bed.receive_line().await["response"]["response"], future.take());
        assert_eq!(to_json(&json!({})).as_str(), "{}");
    });
}
