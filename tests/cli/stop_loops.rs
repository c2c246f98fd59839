//! Hooks that keep an agent from stopping: bounded over many processes, each of which answers one event.

use std::fs;

use insta::assert_snapshot;

use crate::{Ran, TestBed, guests};

const COUNTS: &str = "[HOME]/.local/state/hookbox/failures.json";

/// A gate that keeps every agent from stopping, and counts how often it was called.
fn create_stubborn_bed() -> TestBed {
    let line = "echo called >> [HOME]/calls; echo go on >&2; exit 2";
    TestBed::with_config(&format!(
        "[[hook]]\nname = \"stubborn\"\non = [\"agent.stop\", \"subagent.stop\"]\nshell = {{ command = '{line}' }}\n"
    ))
}

/// Claude Code wants to stop; `active` if it was kept from it just before.
fn send_stop(bed: &TestBed, session: &str, active: bool) -> Ran {
    bed.answer_event(&format!(
        r#"{{"hook_event_name":"Stop","session_id":"{session}","cwd":"[PROJECT]","transcript_path":"","stop_hook_active":{active}}}"#
    ))
}

fn send_prompt(bed: &TestBed, session: &str) -> Ran {
    bed.answer_event(&format!(
        r#"{{"hook_event_name":"UserPromptSubmit","session_id":"{session}","cwd":"[PROJECT]","transcript_path":"","prompt":"go"}}"#
    ))
}

fn is_kept(ran: &Ran) -> bool {
    ran.stdout.contains(r#""decision":"block""#)
}

#[test]
fn an_agent_that_is_always_kept_from_stopping_is_released_and_that_is_reported() {
    let bed = create_stubborn_bed();
    let mut turns = 0;
    // As Claude Code goes about it: it stops until it may.
    let last = loop {
        let ran = send_stop(&bed, "s", turns > 0);
        if !is_kept(&ran) {
            break ran;
        }
        turns += 1;
        assert!(turns < 100, "it is kept for ever");
    };
    assert_eq!(turns, 8);
    assert_eq!(fs::read_to_string(bed.resolve_path("[HOME]/calls")).unwrap().lines().count(), 9);
    assert_snapshot!(last, @r#"
    exit code 0
    --- stdout
    {"systemMessage":"stop-loop: hooks kept the agent from stopping 8 times in a row; now hookbox lets it stop, though it is still kept by stubborn (exit-2)"}
    --- stderr
    hookbox: hooks kept the agent from stopping 8 times in a row; now hookbox lets it stop, though it is still kept by stubborn (exit-2)
    "#);
    assert_eq!(fs::read_to_string(bed.resolve_path(COUNTS)).unwrap(), "{}");
}

#[test]
fn a_prompt_and_a_first_stop_begin_anew_and_another_session_is_another_count() {
    let bed = create_stubborn_bed();
    for round in 0..3 {
        for turn in 0..8 {
            assert!(is_kept(&send_stop(&bed, "s", true)), "{round} {turn}");
        }
        assert_eq!(send_prompt(&bed, "s").code, 0);
    }
    for turn in 0..18 {
        assert!(is_kept(&send_stop(&bed, "s", turn % 8 != 0)), "{turn}");
    }
    for _ in 0..3 {
        assert!(is_kept(&send_stop(&bed, "other", true)));
    }
    assert_eq!(send_prompt(&bed, "other").code, 0);
    assert!((0..6).all(|_| is_kept(&send_stop(&bed, "s", true))), "two had been counted");
    assert!(!is_kept(&send_stop(&bed, "s", true)));
}

#[test]
fn the_report_tells_and_nothing_is_kept_for_other_events() {
    let bed = create_stubborn_bed();
    assert_eq!(send_prompt(&bed, "s").code, 0);
    assert!(!bed.resolve_path(COUNTS).exists());
    for _ in 0..8 {
        send_stop(&bed, "s", true);
    }
    let event = r#"{"hook_event_name":"Stop","session_id":"s","cwd":"[PROJECT]","transcript_path":"","stop_hook_active":true}"#;
    let mut command = bed.build_command(&["run", "--agent", "claude-code", "--report", "[HOME]/report"]);
    bed.run_with_input(&mut command, bed.expand_placeholders(event).as_bytes());
    let report = fs::read_to_string(bed.resolve_path("[HOME]/report")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let hooks = report["hooks"].as_array().unwrap();
    let verdicts: Vec<_> = hooks
        .iter()
        .map(|hook| (hook["hook"].as_str().unwrap(), hook["answer"]["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(report["verdict"], "none");
    assert_eq!(verdicts, [("stubborn", "deny"), ("stop-loop", "none")]);
    assert!(hooks[1]["answer"]["notice"].as_str().unwrap().contains("8 times in a row"));
}

#[test]
fn without_a_session_nothing_is_counted() {
    let bed = create_stubborn_bed();
    let event = r#"{"event":"agent.stop"}"#;
    for _ in 0..12 {
        assert!(bed.answer_as("native", event).stdout.contains(r#""verdict":"deny""#));
    }
    assert!(!bed.resolve_path(COUNTS).exists());
}

#[test]
fn a_damaged_count_starts_anew() {
    let bed = create_stubborn_bed();
    for _ in 0..4 {
        send_stop(&bed, "s", true);
    }
    bed.write_file(COUNTS, "{");
    for _ in 0..8 {
        assert!(is_kept(&send_stop(&bed, "s", true)));
    }
    assert!(!is_kept(&send_stop(&bed, "s", true)));
}

/// A project's settings for its agent may name another place.
#[test]
fn a_variable_does_not_move_the_counts_into_the_project() {
    let bed = TestBed::new().with_own_cache();
    let hook = "[[hook]]\nname = \"k\"\non = \"agent.stop\"\nwasm = { path = \"denies.wasm\" }\n";
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", hook);
    bed.write_bytes("[PROJECT]/.hookbox/denies.wasm", &guests::build_component("denies"));
    let bed = bed.with_variable("XDG_STATE_HOME", "/nonexistent").with_variable("HOME", "/nonexistent");
    for _ in 0..8 {
        assert!(is_kept(&send_stop(&bed, "s", true)));
    }
    let let_go = send_stop(&bed, "s", true);
    assert!(!is_kept(&let_go), "{let_go}");
    assert!(bed.resolve_path(COUNTS).is_file());
}
