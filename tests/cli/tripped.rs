//! A hook that always fails, over many processes.

use std::fs;

use insta::assert_snapshot;

use crate::{LS, TestBed, gate, gate_with, guests, shell_gate};

const FAILURES: &str = "[HOME]/.local/state/hookbox/failures.json";

#[test]
fn after_five_failures_in_a_row_a_hook_is_not_called_and_the_list_says_so() {
    let bed = TestBed::with(&gate("traps"));
    for _ in 0..5 {
        assert!(bed.answer(LS).stdout.contains("(trap: "));
    }
    assert_snapshot!(bed.answer(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"traps: the hook failed, and its failure policy decides (tripped: it failed 5 times in a row and is not called for 60 s, until it is changed or `hookbox check` finds it in order) (hook-failed)"}}
    --- stderr
    hookbox: the hook `traps` failed: tripped: it failed 5 times in a row and is not called for 60 s, until it is changed or `hookbox check` finds it in order
    "#);
    assert_snapshot!(bed.hookbox(&["list"]), @"
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
    let bed = TestBed::with(&gate("traps").replace("[GUESTS]", "[HOME]"));
    bed.write_bytes("[HOME]/traps.wasm", &guests::component("traps"));
    for _ in 0..5 {
        bed.answer(LS);
    }
    let failures = fs::read_to_string(bed.path(FAILURES)).unwrap();
    let last = failures.split("\"last\":").nth(1).unwrap().trim_end_matches('}');
    fs::write(bed.path(FAILURES), failures.replace(last, "1")).unwrap();
    bed.write_bytes("[HOME]/traps.wasm", &guests::component("denies"));
    assert!(bed.answer(LS).stdout.contains("traps: because (no)"));
    assert_snapshot!(bed.hookbox(&["list"]), @"
    exit code 0
    --- stdout
    traps  gate, user (own)
        on tool.before
        wasm [HOME]/traps.wasm
    --- stderr
    ");
    assert_eq!(fs::read_to_string(bed.path(FAILURES)).unwrap(), "{}");
}

#[test]
fn an_answer_before_the_fifth_failure_starts_the_count_anew() {
    let bed = TestBed::with(&gate("traps").replace("[GUESTS]", "[HOME]"));
    bed.write_bytes("[HOME]/traps.wasm", &guests::component("traps"));
    for _ in 0..4 {
        bed.answer(LS);
    }
    bed.write_bytes("[HOME]/traps.wasm", &guests::component("none"));
    assert_eq!(bed.answer(LS).stdout, "{}\n");
    bed.write_bytes("[HOME]/traps.wasm", &guests::component("traps"));
    bed.answer(LS);
    assert!(bed.hookbox(&["list"]).stdout.contains("failed 1 times in a row"));
}

#[test]
fn a_damaged_count_is_none_and_never_keeps_an_event_from_its_answer() {
    for damage in ["", "{", "[]", r#"{"user:traps":5}"#, r#"{"x":{"in_a_row":-1,"last":1e99}}"#] {
        let bed = TestBed::with(&gate("traps"));
        bed.write(FAILURES, damage);
        assert!(bed.answer(LS).stdout.contains("(trap: "), "{damage}");
    }
}

#[test]
fn what_cannot_be_counted_never_keeps_an_event_from_its_answer() {
    let bed = TestBed::with(&gate("traps"));
    fs::create_dir_all(bed.path(FAILURES)).unwrap();
    assert!(bed.answer(LS).stdout.contains("(trap: "));
    let bed = TestBed::with(&gate("traps"));
    bed.write("[HOME]/.local/state", "not a folder");
    assert!(bed.answer(LS).stdout.contains("(trap: "));
}

#[test]
fn a_guard_that_lets_through_what_it_cannot_judge_is_called_every_time() {
    let line = "read -r event; case $event in *broken*) exit 1;; *) echo no >&2; exit 2;; esac";
    let bed = TestBed::with(&shell_gate(line, "on-failure = \"allow\""));
    for _ in 0..6 {
        assert!(!bed.answer(&LS.replace("\"ls\"", "\"broken\"")).stdout.contains("deny"));
    }
    assert!(bed.answer(LS).stdout.contains("\"permissionDecision\":\"deny\""));
}

#[test]
fn a_change_of_the_hook_and_a_check_that_finds_it_in_order_end_it() {
    let bed = TestBed::with(&gate("traps").replace("[GUESTS]", "[HOME]"));
    let tripped = |bed: &TestBed| bed.answer(LS).stdout.contains("(tripped: ");
    for _ in 0..5 {
        bed.answer(LS);
    }
    assert!(tripped(&bed));
    bed.write_bytes("[HOME]/traps.wasm", &guests::component("traps"));
    assert!(!tripped(&bed), "it is called once more");
    assert!(tripped(&bed));
    assert_eq!(bed.hookbox(&["check"]).code, 1, "it traps still");
    assert!(tripped(&bed));
    bed.write_bytes("[HOME]/traps.wasm", &guests::component("none"));
    assert!(!tripped(&bed));

    bed.write_bytes("[HOME]/traps.wasm", &guests::component("traps"));
    for _ in 0..6 {
        bed.answer(LS);
    }
    assert!(tripped(&bed));
    let changed = gate_with("traps", "timeout = \"1s\"").replace("[GUESTS]", "[HOME]");
    bed.write("[HOME]/.config/hookbox/hooks.toml", &changed);
    assert!(!tripped(&bed));
}

/// A script that the entry names in its own words, by its full path or beside the file with the entry.
#[test]
fn a_change_of_a_script_ends_it() {
    for named in ["[HOME]/.config/hookbox/guard.sh", "guard.sh"] {
        let bed = TestBed::with(&shell_gate(&format!("sh {named} || exit 1"), ""));
        bed.write("[HOME]/.config/hookbox/guard.sh", "exit 1");
        let tripped = |bed: &TestBed| bed.answer(LS).stdout.contains("(tripped: ");
        for _ in 0..5 {
            bed.answer(LS);
        }
        assert!(tripped(&bed), "{named}");
        bed.write("[HOME]/.config/hookbox/guard.sh", "exit 3");
        assert!(!tripped(&bed) && tripped(&bed), "{named}");
    }
}
