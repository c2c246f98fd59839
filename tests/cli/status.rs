//! `hookbox status`: one screen from files alone.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{LS, TestBed, format_gate, shell_gate};

/// The screen without the age of events, and without the machine's own paths.
fn read_screen(bed: &TestBed) -> String {
    let ran = bed.run_hookbox(&["status"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
    let line = |line: &str| match line.split_once(" s ago") {
        Some((before, after)) => {
            let before = before.trim_end_matches(|c: char| c.is_ascii_digit());
            format!("{before}[AGE]{after}\n")
        }
        None => format!("{line}\n"),
    };
    ran.stdout.lines().map(line).collect()
}

fn read_json(bed: &TestBed) -> Value {
    let ran = bed.run_hookbox(&["status", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn an_empty_machine_is_shown_with_its_next_steps() {
    assert_snapshot!(read_screen(&TestBed::new()), @"
    agents   none that hookbox knows is on this machine
    hooks    0 in force, 0 can stop a call
    stopped  0 denied, 0 asked in the last 24 hours
    trust    no hook of this project waits for a review
    last     no event was logged yet
    next     hookbox setup  writes the guards: no hook can stop a call
             hookbox setup  protects an agent, once one is installed and was started
    ");
}

#[test]
fn agents_stopped_calls_and_waiting_hooks_are_on_one_screen() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.write_file("[HOME]/.cursor/hooks.json", "{}");
    assert_eq!(bed.run_hookbox(&["install", "claude-code", "--yes"]).code, 0);
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &shell_gate("true", ""));
    bed.answer_event(LS);
    bed.answer_event(LS);
    let screen = read_screen(&bed);
    for line in [
        "agents   claude-code  protected: it calls hookbox for 20 events\n",
        "cursor       not protected: no entry calls hookbox\n",
        "hooks    1 in force, 1 can stop a call\n",
        "stopped  2 denied, 0 asked in the last 24 hours\n",
        "    2  denies no\n",
        "trust    1 hook of this project waits for a review\n",
        "last     claude-code  deny [AGE]  Bash: ls\n",
        "hookbox setup         protects cursor\n",
        "hookbox trust         reviews 1 hook\n",
        "hookbox log --denied  shows the stopped calls\n",
    ] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
}

#[test]
fn the_status_as_json_has_the_documented_members() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.answer_event(LS);
    let mut status = read_json(&bed);
    assert!(status["last_events"][0]["time_ms"].take().is_u64());
    assert!(status["version"].take().is_string());
    assert_eq!(
        status,
        json!({
            "schema_version": 1,
            "command": "status",
            "version": null,
            "agents": [],
            "hooks": { "in_force": 1, "can_stop": 1, "disabled": 0, "has_errors": false },
            "stopped": {
                "hours": 24, "is_logged": true, "denied": 1, "asked": 0,
                "rules": [{ "hook": "denies", "code": "no", "count": 1 }],
            },
            "waiting_for_trust": 0,
            "last_events": [
                { "agent": "claude-code", "time_ms": null, "event": "tool.before", "verdict": "deny", "call": "Bash: ls" },
            ],
            "next_steps": [
                {
                    "command": "hookbox setup",
                    "reason": "protects an agent, once one is installed and was started",
                },
                { "command": "hookbox log --denied", "reason": "shows the stopped calls" },
            ],
        })
    );
    let page = std::fs::read_to_string(crate::guests::repository_folder("docs/reference/cli.md")).unwrap();
    for member in status.as_object().unwrap().keys() {
        assert!(page.contains(&format!("`{member}`")), "docs/reference/cli.md lacks {member}");
    }
}

#[test]
fn a_missing_program_and_a_broken_configuration_are_shown() {
    let bed = TestBed::with_config("[[hook]\n");
    bed.write_file(
        "[HOME]/.claude/settings.json",
        r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/gone/hookbox", "args": ["run", "--agent", "claude-code"], "onFailure": "block"}]}]}}"#,
    );
    let ran = bed.run_hookbox(&["status"]);
    assert!(ran.stdout.contains("/gone/hookbox does not exist, so hookbox is not called"), "{ran}");
    assert!(ran.stdout.contains("the configuration has errors"), "{ran}");
    assert!(ran.stdout.contains("hookbox check   shows the errors of the configuration\n"), "{ran}");
    assert!(ran.stdout.contains("hookbox doctor  tests the entries of claude-code\n"), "{ran}");
}

/// The status is for each prompt of a shell: it must not make a cache or a state folder.
#[test]
fn status_writes_nothing() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    read_screen(&bed);
    assert!(!bed.resolve_path("[HOME]/.cache").exists() && !bed.resolve_path("[HOME]/.local").exists());
}
