//! The plugin `allow-safe` next to a guard: an allow never weighs more than a deny.

use crate::{LS, TestBed};

const HOOKS: &str = r#"
[[hook]]
name = "allow-safe"
on = "tool.before"
tool = { class = "shell" }
wasm = { plugin = "allow-safe" }
config = { commands = ["npm test"] }

[[hook]]
name = "guard-shell"
on = "tool.before"
tool = { class = "shell" }
wasm = { plugin = "guard-shell" }
config = { commands = { deny = ["npm test"] } }
"#;

/// The agent's decision about a command; empty without an opinion.
fn decide(bed: &TestBed, command: &str) -> String {
    let ran = bed.answer_event(&LS.replace(r#""ls""#, &format!("{command:?}")));
    assert_eq!(ran.code, 0, "{ran}");
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_safe_command_is_allowed_and_an_unknown_one_is_left_to_the_agent() {
    let bed = TestBed::with_config(HOOKS);
    assert_eq!(decide(&bed, "ls -la | head -3"), "allow");
    assert_eq!(decide(&bed, "mkdir -p a && echo x > a/b.txt"), "allow");
    assert_eq!(decide(&bed, "./unknown"), "");
    assert_eq!(decide(&bed, "echo x > ../b.txt"), "");
}

#[test]
fn a_deny_of_a_guard_is_not_lifted_by_an_allow() {
    let bed = TestBed::with_config(HOOKS);
    assert_eq!(decide(&bed, "rm -rf / --no-preserve-root"), "deny");
    // Both have an opinion about this line.
    assert_eq!(decide(&bed, "npm test"), "deny");
    let alone = HOOKS.split("\n\n").next().unwrap_or_default();
    assert_eq!(decide(&TestBed::with_config(alone), "npm test"), "allow");
}
