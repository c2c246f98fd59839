//! Hooks in C, built by a stock compiler: ordinary programs, as core modules.

use insta::assert_snapshot;

use crate::{LS, TestBed};

const GUARD: &str = r#"
    [[hook]]
    name = "no-force-push"
    on = "tool.before"
    tool = { class = "shell" }
    wasm = { path = "[PLUGINS]/no-force-push.wasm" }
"#;

/// What Claude Code is told about this command.
fn answer_command(command: &str) -> String {
    let bed = TestBed::with_config(GUARD);
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/t", "cwd": "/", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "t",
    });
    bed.answer_event(&event.to_string()).stdout
}

#[test]
fn a_forced_push_is_denied() {
    assert_snapshot!(answer_command("git push --force origin main"), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no-force-push: a forced push rewrites what others have (force-push)"}}"#);
    for command in ["git push -uf origin", "ls; git -C /x push origin +main", "git \\u0070ush --mirror"] {
        assert_eq!(answer_command(command).contains("a forced push"), !command.contains('\\'), "{command}");
    }
}

#[test]
fn any_other_command_is_passed_over() {
    for command in ["git push origin main", "git commit -m 'push -f'", "echo \"git\" é", ""] {
        assert_eq!(answer_command(command), "{}\n", "{command}");
    }
}

/// A hook that denies while there is a file `FREEZE` in the project.
const FREEZE: &str = r#"
    [[hook]]
    name = "freeze"
    on = "tool.before"
    wasm = { path = "[PLUGINS]/freeze.wasm" }
    grant = { fs = { read = ["project"] } }
"#;

#[test]
fn a_file_of_the_project_is_read_where_that_is_granted() {
    let bed = TestBed::with_config(FREEZE);
    assert_eq!(bed.answer_event(LS).stdout, "{}\n");
    bed.write_file("[PROJECT]/FREEZE", "we ship on Monday\n");
    assert_snapshot!(bed.answer_event(LS).stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"freeze: we ship on Monday (exit-2)"}}"#);
}

#[test]
fn without_the_grant_the_hook_fails_and_says_why() {
    let bed = TestBed::with_config(&FREEZE.replace("grant", "# grant"));
    assert_snapshot!(bed.answer_event(LS).stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"freeze: the hook failed, and its failure policy decides (exit: the hook ended with exit code 1: cannot read FREEZE, is the project granted?: Bad file descriptor) (hook-failed)"}}"#);
}
