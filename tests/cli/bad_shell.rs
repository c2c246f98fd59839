//! Commands that misbehave as hooks: bounded, and no process outlives its call.

use std::{
    fs,
    io::Write,
    os::unix::{fs::chown, process::CommandExt as _},
    path::Path,
};

use insta::assert_snapshot;
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    LS, TestBed,
    processes::{KilledAtEnd, expect_none, expect_some, long_sleep},
    shell_gate,
};

/// The answer when this command is the gate.
fn answer_from_command(line: &str) -> String {
    TestBed::with_config(&shell_gate(line, "")).answer_event(LS).to_string()
}

#[test]
fn a_hook_that_closes_its_input_is_read_all_the_same() {
    let bed = TestBed::with_config(&shell_gate(
        r#"exec <&-; echo "{\"verdict\":\"ask\",\"reason\":\"sure?\"}""#,
        "",
    ));
    let long = LS.replace("\"ls\"", &format!("\"{}\"", "x".repeat(1 << 20)));
    assert_snapshot!(bed.answer_event(&long), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sh: sure?"}}
    --- stderr
    "#);
}

#[test]
fn a_hook_that_floods_its_output_is_ended() {
    let word = long_sleep();
    assert_snapshot!(answer_from_command(&format!("yes {word}")), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (output: the hook wrote more than 1048576 bytes to standard output (its limit `output`) and was killed: make it write less) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: output: the hook wrote more than 1048576 bytes to standard output (its limit `output`) and was killed: make it write less
    "#);
    expect_none(&word);
}

#[test]
fn a_hook_that_floods_its_errors_is_ended() {
    let word = long_sleep();
    assert_snapshot!(answer_from_command(&format!("yes {word} >&2")), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (output: the hook wrote more than 16777216 bytes to standard error and was killed: make it write less) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: output: the hook wrote more than 16777216 bytes to standard error and was killed: make it write less
    "#);
    expect_none(&word);
}

#[test]
fn a_hook_that_leaves_a_process_behind_is_not_waited_for_and_the_process_is_ended() {
    let sleep = long_sleep();
    let line = format!("sleep {sleep} & (trap \"\" HUP TERM; sleep {sleep}) & echo no >&2; exit 2");
    assert_snapshot!(answer_from_command(&line), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: no (exit-2)"}}
    --- stderr
    "#);
    expect_none(&sleep);
}

/// Nothing short of a sandbox finds such a process again.
#[test]
fn a_daemon_that_leaves_the_group_with_the_output_open_does_not_hold_the_call() {
    let sleep = long_sleep();
    let _killed = KilledAtEnd(sleep.clone());
    let line = format!("mkfifo up; setsid sh -c \"echo >up; exec sleep {sleep}\" & read it <up; exit 2");
    assert_snapshot!(answer_from_command(&line), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook exited with code 2 without a reason (exit-2)"}}
    --- stderr
    "#);
    expect_some(&format!("sleep\0{sleep}"));
}

#[test]
fn a_hook_that_ignores_the_polite_signal_ends_at_its_timeout() {
    let sleep = long_sleep();
    let line = format!("trap \"\" TERM INT HUP; while :; do sleep {sleep}; done");
    let config = shell_gate(&line, "timeout = \"300ms\"");
    assert_snapshot!(TestBed::with_config(&config).answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (timeout: no answer within 300 ms; if it needs longer, raise the hook's `timeout`) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: timeout: no answer within 300 ms; if it needs longer, raise the hook's `timeout`
    "#);
    expect_none(&sleep);
}

#[test]
fn a_hook_ends_with_the_command_that_asked_it() {
    let sleep = long_sleep();
    let _killed = KilledAtEnd(sleep.clone());
    let bed = TestBed::with_config(&shell_gate(&format!("sleep {sleep}; exit"), ""));
    let report = bed.resolve_path("[HOME]/report.json");
    let mut child = bed.build_command(&["run", "--report", "[HOME]/report.json"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bed.expand_placeholders(LS).as_bytes()).unwrap();
    expect_some(&format!("sleep\0{sleep}"));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_snapshot!(bed.wait_for(child), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    hookbox was interrupted
    ");
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(report["hooks"][0]["failure"]["code"], "cancelled");
    expect_none(&sleep);
}

#[test]
#[cfg(target_os = "linux")]
fn a_hook_dies_with_a_command_that_is_killed_outright() {
    let sleep = long_sleep();
    let _killed = KilledAtEnd(sleep.clone());
    let bed = TestBed::with_config(&shell_gate(&format!("exec sleep {sleep}"), ""));
    let mut child = bed.build_command(&["run"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bed.expand_placeholders(LS).as_bytes()).unwrap();
    expect_some(&format!("sleep\0{sleep}"));
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    expect_none(&sleep);
}

/// The number of a user that has nothing else running, if this test may become one.
const NOBODY_ELSE: u32 = 61_234;

#[test]
fn a_fork_bomb_ends_at_the_number_of_processes_that_it_may_have() {
    let sleep = long_sleep();
    let _killed = KilledAtEnd(sleep.clone());
    let bomb = format!("i=0; while [ $i -lt 200 ]; do sleep {sleep} & i=$((i+1)); done");
    let config = shell_gate(&bomb, "").replace(" }\n", ", confine = { processes = 40 } }\n");
    let bed = TestBed::with_config(&config).with_own_cache().without_compiler();
    let mut command = bed.build_command(&["run"]);
    if rustix::process::getuid().is_root() {
        // Not the folder with all that is in it, which may lead to what other tests use.
        chown(bed.resolve_path("[HOME]/.."), Some(NOBODY_ELSE), Some(NOBODY_ELSE)).unwrap();
        for folder in ["[HOME]", "[PROJECT]", "[BIN]"] {
            change_owner(&bed.resolve_path(folder), NOBODY_ELSE);
        }
        command.uid(NOBODY_ELSE).gid(NOBODY_ELSE);
    }
    let ran = bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes());
    assert!(
        ran.stdout.contains(r#""permissionDecision":"deny""#) && ran.stdout.contains("Cannot fork"),
        "{ran}"
    );
    expect_none(&sleep);
}

/// Makes a folder and all that is in it another user's.
fn change_owner(path: &Path, user: u32) {
    chown(path, Some(user), Some(user)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            change_owner(&entry.unwrap().path(), user);
        }
    }
}

#[test]
fn a_hook_that_ends_with_another_code_has_failed() {
    assert_snapshot!(answer_from_command("echo first >&2; echo second >&2; exit 3"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (exit: the hook ended with exit code 3: first) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: exit: the hook ended with exit code 3: first
    "#);
}

#[test]
fn a_hook_that_dies_of_a_signal_has_failed() {
    assert_snapshot!(answer_from_command("kill -9 $$"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (signal: the hook was killed by signal 9: it wrote nothing to standard error) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: signal: the hook was killed by signal 9: it wrote nothing to standard error
    "#);
}

#[test]
fn an_invalid_answer_is_a_failure() {
    assert_snapshot!(answer_from_command("echo fine"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (bad-output: the hook answered \"fine\", which is not a JSON object) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: bad-output: the hook answered "fine", which is not a JSON object
    "#);
    assert_snapshot!(answer_from_command(r#"echo "{\"verdit\":\"deny\"}""#), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (bad-output: the hook was not understood: the answer has an unknown member `verdit`; did you mean `verdict`?) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: bad-output: the hook was not understood: the answer has an unknown member `verdit`; did you mean `verdict`?
    "#);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let config = "[[hook]]\nname = \"sh\"\non = \"tool.before\"\nshell = { argv = [\"no-such-program\"] }\n";
    assert_snapshot!(TestBed::with_config(config).answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (missing: hook `sh` is to run `no-such-program`, which does not exist: install it or correct the command) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: missing: hook `sh` is to run `no-such-program`, which does not exist: install it or correct the command
    "#);
}

#[test]
fn nothing_of_the_event_is_ever_part_of_a_command_line() {
    let bed = TestBed::with_config(&shell_gate("cat >[HOME]/event", ""));
    let event =
        LS.replace("\"ls\"", "\"$(touch [HOME]/pwned); `touch [HOME]/pwned`; ' \\\" || touch [HOME]/pwned\"");
    assert_eq!(bed.answer_event(&event).stdout, "{}\n");
    assert!(!bed.resolve_path("[HOME]/pwned").exists());
    assert!(bed.resolve_path("[HOME]/event").exists());
}
