//! The plugin `limit-calls`: what the SDK's store keeps from one process to the next.

use crate::{LS, TestBed};

const HOOK: &str = r#"
[[hook]]
name = "limit-calls"
on = ["prompt.submit", "tool.before"]
wasm = { path = "[PLUGINS]/limit-calls.wasm" }
config = { calls = 2 }
grant = { kv = { scopes = ["session"] } }
"#;

const PROMPT: &str = r#"{"session_id":"s","transcript_path":"/h/.claude/s.jsonl","cwd":"[PROJECT]",
    "hook_event_name":"UserPromptSubmit","prompt":"go on"}"#;

/// The reason of a deny; empty for none.
fn deny_reason(bed: &TestBed, event: &str) -> String {
    let ran = bed.answer_event(event);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    told["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_calls_of_a_session_are_counted_over_processes_until_the_next_prompt() {
    let bed = TestBed::with_config(HOOK);
    let denied = "limit-calls: this is tool call 3, and 2 are allowed (too-many-calls)";
    assert_eq!([LS, LS, LS].map(|event| deny_reason(&bed, event)), ["", "", denied]);
    let other = LS.replace("\"s\"", "\"another\"");
    assert_eq!(deny_reason(&bed, &other), "");
    assert_eq!([PROMPT, LS, LS].map(|event| deny_reason(&bed, event)), ["", "", ""]);
    let again = deny_reason(&bed, LS);
    assert!(
        again.starts_with("limit-calls: this is tool call 3, and 2 are allowed; the prompt was "),
        "{again}"
    );
}

/// Qwen Code tells its event of a prompt with the results of tools, too.
#[test]
fn tool_results_that_an_agent_sends_like_a_prompt_do_not_count_as_a_prompt() {
    let bed = TestBed::with_config(HOOK);
    let event = |name: &str, more: &str| {
        format!(
            r#"{{"session_id":"s","transcript_path":"/h/.qwen/s.jsonl","cwd":"[PROJECT]","hook_event_name":"{name}",{more}}}"#
        )
    };
    let call = event("PreToolUse", r#""tool_name":"read_file","tool_input":{"file_path":"[PROJECT]/a"}"#);
    let results = event("UserPromptSubmit", r#""prompt":"""#);
    let prompt = event("UserPromptSubmit", r#""prompt":"go on","submitted_prompt":"go on""#);
    let codes = |events: &[&str]| {
        events.iter().map(|event| bed.answer_as("qwen-code", event).code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&[&prompt, &call, &results, &call, &results, &call]), [0, 0, 0, 0, 0, 2]);
    assert_eq!(codes(&[&prompt, &call]), [0, 0]);
    // A picture alone, or a version that does not say what was typed.
    let picture = event("UserPromptSubmit", r#""prompt":"","submitted_prompt":"""#);
    assert_eq!(codes(&[&call, &picture, &call]), [0, 0, 0]);
    let older = event("UserPromptSubmit", r#""prompt":"go on""#);
    assert_eq!(codes(&[&call, &older, &call]), [0, 0, 0]);
}

#[test]
fn without_the_grant_the_hook_fails_and_the_line_to_add_is_reported() {
    let bed = TestBed::with_config(HOOK.split_once("grant").unwrap().0);
    let ran = bed.answer_event(LS);
    let line = "write `grant = { kv = { scopes = [\\\"session\\\"] } }` into the hook's entry";
    assert!(ran.stdout.contains(line) && ran.stdout.contains("\"deny\""), "{ran}");
}
