//! Hooks whose command leads to the hook again: found at once, and answered as a failed hook.

use std::fs;

use insta::assert_snapshot;

use crate::{LS, TestBed, shell_gate};

/// A command that hands its event to hookbox again and keeps what that says in the home folder.
const AGAIN: &str = "[BIN]/hookbox run --home [HOME] --agent native > [HOME]/inner 2> [HOME]/told; exit 0";

#[test]
fn a_hook_that_calls_itself_fails_the_second_time() {
    let bed = TestBed::with_config(&shell_gate(AGAIN, ""));
    assert_eq!(bed.answer_event(LS).to_string(), "exit code 0\n--- stdout\n{}\n--- stderr\n");
    let inner = fs::read_to_string(bed.resolve_path("[HOME]/inner")).unwrap();
    assert!(
        inner.starts_with(r#"{"verdict":"deny""#)
            && inner.contains("(loop: the hook's own command led to this event")
    );
}

#[test]
fn a_hook_that_may_fail_is_skipped_when_it_calls_itself_and_that_is_reported() {
    let bed = TestBed::with_config(&shell_gate(AGAIN, "on-failure = \"allow\""));
    assert_eq!(bed.answer_event(LS).code, 0);
    assert!(
        fs::read_to_string(bed.resolve_path("[HOME]/inner")).unwrap().starts_with(r#"{"verdict":"none""#)
    );
    assert!(
        fs::read_to_string(bed.resolve_path("[HOME]/told")).unwrap().contains("the hook `sh` failed: loop: ")
    );
}

#[test]
fn who_forges_the_variable_gets_a_refusal() {
    let bed = TestBed::with_config(&shell_gate("true", "")).with_variable("HOOKBOX_CALLERS", "none");
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (loop: the variable HOOKBOX_CALLERS is not as hookbox sets it: unset it) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: loop: the variable HOOKBOX_CALLERS is not as hookbox sets it: unset it
    "#);
}

#[test]
fn a_circular_trigger_of_code_forge_is_found_and_blocks() {
    let bed = TestBed::new();
    let event = r#"{"type":"tool:pre_execute","timestamp":1,"tool_name":"bash","data":{"tool_args":{"command":"ls"}}}"#;
    let line = "[BIN]/hookbox run --agent code-forge --home [HOME] --cache-home [CACHE] --source [HOME]/hooks.json 2> [HOME]/inner";
    let file = serde_json::json!({ "hooks": [{ "event": "tool:*", "command": line }] });
    let file = bed.write_file("[HOME]/hooks.json", &file.to_string());
    let ran = bed.run_with_input(
        &mut bed.build_command(&["run", "--agent", "code-forge", "--source", file.to_str().unwrap()]),
        event.as_bytes(),
    );
    assert_snapshot!(ran, @"
    exit code 2
    --- stdout
    Operation blocked by hook 'tool:*': exit code 2
    the hook failed, and its failure policy decides (loop: the hook's own command led to this event, and would be run again and again: let it do nothing that the hook is for (if nothing of the kind is under way, unset HOOKBOX_CALLERS))
    --- stderr
    Operation blocked by hook 'tool:*': exit code 2
    the hook failed, and its failure policy decides (loop: the hook's own command led to this event, and would be run again and again: let it do nothing that the hook is for (if nothing of the kind is under way, unset HOOKBOX_CALLERS))
    ");
    let inner = fs::read_to_string(bed.resolve_path("[HOME]/inner")).unwrap();
    assert!(inner.contains("(loop: the hook's own command led to this event"), "{inner}");
}
