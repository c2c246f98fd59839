//! The examples of programs that embed the library.

#[path = "../../examples/embed.rs"]
#[expect(dead_code, reason = "its `main` reads standard input")]
mod embed;

#[path = "../../examples/bus.rs"]
#[expect(dead_code, reason = "its `main` reads its arguments")]
mod bus;

use std::{fs, path::Path};

use crate::Bed;

#[test]
fn a_component_a_closure_and_a_shell_command_each_deny_what_they_are_for() {
    let bed = Bed::new();
    let says = |guest: &str, command: &str| {
        let event = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","transcript_path":"/h/.claude/projects/p/s.jsonl",
            "tool_name":"Bash","tool_input":{{"command":"{command}"}},"tool_use_id":"t"}}"#
        );
        let plugin = bed.write_plugin(guest);
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

#[test]
fn a_client_of_the_bus_hears_what_the_hooks_of_a_file_say() {
    let home = tempfile::tempdir().unwrap();
    let hooks = home.path().join("hooks.toml");
    let command =
        r#"! grep -q mkfs || echo '{\"verdict\":\"deny\",\"code\":\"disks\",\"reason\":\"no disks\"}'"#;
    let hook = format!(
        "[[hook]]\nname = \"disks\"\non = \"tool.before\"\nshell = {{ command = \"\"\"{command}\"\"\" }}\n"
    );
    fs::write(&hooks, hook).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let judged = |command| runtime.block_on(bus::judged(&hooks, home.path(), command)).unwrap();
    assert_eq!(judged("ls").pointer("/output/finalOutput"), None);
    let denied = judged("mkfs /dev/sda");
    assert_eq!(
        denied.pointer("/output/finalOutput"),
        Some(&serde_json::json!({ "decision": "deny", "reason": "disks: no disks (disks)" }))
    );
    assert_eq!(denied.get("correlationId"), Some(&serde_json::json!("1")));
}
