//! The example of a program that embeds the library.

#[path = "../../examples/embed.rs"]
#[expect(dead_code, reason = "its `main` reads standard input")]
mod embed;

use std::path::Path;

use crate::Bed;

#[test]
fn a_component_a_closure_and_a_shell_command_each_deny_what_they_are_for() {
    let bed = Bed::new();
    let says = |guest: &str, command: &str| {
        let event = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","transcript_path":"/h/.claude/projects/p/s.jsonl",
            "tool_name":"Bash","tool_input":{{"command":"{command}"}},"tool_use_id":"t"}}"#
        );
        let plugin = bed.plugin(guest);
        embed::answer(&plugin, Path::new(env!("CARGO_BIN_EXE_hookbox-compile")), event.into_bytes())
            .unwrap()
            .written
            .stdout
    };
    let denied = |by: &str, reason: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"{by}: {reason}"}}}}"#
        ) + "\n"
    };
    assert_eq!(says("none", "ls"), "{}\n");
    assert_eq!(says("none", "curl example.org"), denied("closure", "no network (network)"));
    assert_eq!(says("none", "mkfs /dev/sda"), denied("command", "no disks (disks)"));
    assert!(says("denies", "ls").contains("\"permissionDecision\":\"deny\""));
}
