//! A hook in C, built by a stock compiler: an ordinary program.

use insta::assert_snapshot;

use crate::TestBed;

const GUARD: &str = r#"
    [[hook]]
    name = "no-force-push"
    on = "tool.before"
    tool = { class = "shell" }
    wasm = { path = "[PLUGINS]/no-force-push.wasm" }
"#;

/// What Claude Code is told about this command.
fn told(command: &str) -> String {
    let bed = TestBed::with(GUARD);
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/t", "cwd": "/", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "t",
    });
    bed.answer(&event.to_string()).stdout
}

#[test]
fn a_forced_push_is_denied() {
    assert_snapshot!(told("git push --force origin main"), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no-force-push: a forced push rewrites what others have (force-push)"}}"#);
    for command in ["git push -uf origin", "ls; git -C /x push origin +main", "git \\u0070ush --mirror"] {
        assert_eq!(told(command).contains("a forced push"), !command.contains('\\'), "{command}");
    }
}

#[test]
fn any_other_command_is_passed_over() {
    for command in ["git push origin main", "git commit -m 'push -f'", "echo \"git\" é", ""] {
        assert_eq!(told(command), "{}\n", "{command}");
    }
}
