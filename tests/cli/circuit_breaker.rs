//! A hook that always fails, over many processes.

use std::fs;

use insta::assert_snapshot;

use crate::{LS, TestBed, format_gate, gate_with, guests, shell_gate};

const FAILURES: &str = "[HOME]/.local/state/hookbox/failures.json";

#[test]
fn after_five_failures_in_a_row_a_hook_is_not_called_and_the_list_says_so() {
    let bed = TestBed::with_config(&format_gate("traps"));
    for _ in 0..5 {
        assert!(bed.answer_event(LS).stdout.contains("(trap: "));
    }
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"traps: the hook failed, and its failure policy decides (tripped: it failed 5 times in a row and is not called for 60 s, until it is changed or `hookbox check` finds it in order) (hook-failed)"}}
    --- stderr
    hookbox: the hook `traps` failed: tripped: it failed 5 times in a row and is not called for 60 s, until it is changed or `hookbox check` finds it in order
    "#);
    assert_snapshot!(bed.run_hookbox(&["list"]), @"
    exit code 0
    --- stdout
    traps  gate, user (own)  tripped
        on tool.before
        wasm [GUESTS]/traps.wasm
        failed 5 times in a row
    --- stderr
    ");
}

#[test]
fn once_the_time_is_over_an_answer_starts_the_count_anew() {
    let bed = TestBed::with_config(&format_gate("traps").replace("[GUESTS]", "[HOME]"));
    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("traps"));
    for _ in 0..5 {
        bed.answer_event(LS);
    }
    let failures = fs::read_to_string(bed.resolve_path(FAILURES)).unwrap();
    let last = failures.split("\"last\":").nth(1).unwrap().trim_end_matches('}');
    fs::write(bed.resolve_path(FAILURES), failures.replace(last, "1")).unwrap();
    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("denies"));
    assert!(bed.answer_event(LS).stdout.contains("traps: because (no)"));
    assert_snapshot!(bed.run_hookbox(&["list"]), @"
    exit code 0
    --- stdout
    traps  gate, user (own)
        on tool.before
        wasm [HOME]/traps.wasm
    --- stderr
    ");
    assert_eq!(fs::read_to_string(bed.resolve_path(FAILURES)).unwrap(), "{}");
}

#[test]
fn an_answer_before_the_fifth_failure_starts_the_count_anew() {
    let bed = TestBed::with_config(&format_gate("traps").replace("[GUESTS]", "[HOME]"));
    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("traps"));
    for _ in 0..4 {
        bed.answer_event(LS);
    }
    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("none"));
    assert_eq!(bed.answer_event(LS).stdout, "{}\n");
    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("traps"));
    bed.answer_event(LS);
    assert!(bed.run_hookbox(&["list"]).stdout.contains("failed 1 times in a row"));
}

#[test]
fn a_damaged_failure_count_is_ignored_and_never_prevents_an_answer() {
    for damage in ["", "{", "[]", r#"{"user:traps":5}"#, r#"{"x":{"in_a_row":-1,"last":1e99}}"#] {
        let bed = TestBed::with_config(&format_gate("traps"));
        bed.write_file(FAILURES, damage);
        assert!(bed.answer_event(LS).stdout.contains("(trap: "), "{damage}");
    }
}

#[test]
fn what_cannot_be_counted_never_keeps_an_event_from_its_answer() {
    let bed = TestBed::with_config(&format_gate("traps"));
    fs::create_dir_all(bed.resolve_path(FAILURES)).unwrap();
    assert!(bed.answer_event(LS).stdout.contains("(trap: "));
    let bed = TestBed::with_config(&format_gate("traps"));
    bed.write_file("[HOME]/.local/state", "not a folder");
    assert!(bed.answer_event(LS).stdout.contains("(trap: "));
}

#[test]
fn a_guard_that_lets_through_what_it_cannot_judge_is_called_every_time() {
    let line = "read -r event; case $event in *broken*) exit 1;; *) echo no >&2; exit 2;; esac";
    let bed = TestBed::with_config(&shell_gate(line, "on-failure = \"allow\""));
    for _ in 0..6 {
        assert!(!bed.answer_event(&LS.replace("\"ls\"", "\"broken\"")).stdout.contains("deny"));
    }
    assert!(bed.answer_event(LS).stdout.contains("\"permissionDecision\":\"deny\""));
}

#[test]
fn a_change_of_the_hook_and_a_check_that_finds_it_in_order_end_it() {
    let bed = TestBed::with_config(&format_gate("traps").replace("[GUESTS]", "[HOME]"));
    let tripped = |bed: &TestBed| bed.answer_event(LS).stdout.contains("(tripped: ");
    for _ in 0..5 {
        bed.answer_event(LS);
    }
    assert!(tripped(&bed));
    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("traps"));
    assert!(!tripped(&bed), "it is called once more");
    assert!(tripped(&bed));
    assert_eq!(bed.run_hookbox(&["check"]).code, 1, "it traps still");
    assert!(tripped(&bed));
    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("none"));
    assert!(!tripped(&bed));

    bed.write_bytes("[HOME]/traps.wasm", &guests::build_component("traps"));
    for _ in 0..6 {
        bed.answer_event(LS);
    }
    assert!(tripped(&bed));
    let changed = gate_with("traps", "timeout = \"1s\"").replace("[GUESTS]", "[HOME]");
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &changed);
    assert!(!tripped(&bed));
}

/// A script that the entry names in its own words, by its full path or beside the file with the entry.
#[test]
fn a_change_of_a_script_ends_it() {
    for named in ["[HOME]/.config/hookbox/guard.sh", "guard.sh"] {
        let bed = TestBed::with_config(&shell_gate(&format!("sh {named} || exit 1"), ""));
        bed.write_file("[HOME]/.config/hookbox/guard.sh", "exit 1");
        let tripped = |bed: &TestBed| bed.answer_event(LS).stdout.contains("(tripped: ");
        for _ in 0..5 {
            bed.answer_event(LS);
        }
        assert!(tripped(&bed), "{named}");
        bed.write_file("[HOME]/.config/hookbox/guard.sh", "exit 3");
        assert!(!tripped(&bed) && tripped(&bed), "{named}");
    }
}
