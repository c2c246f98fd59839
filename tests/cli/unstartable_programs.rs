//! Programs that cannot be started in time: their file is on a disk that does not answer.

use std::fs;

use insta::assert_snapshot;

use crate::{LS, Ran, TestBed, format_gate, held_file::HeldFile, shell_gate};

/// The answer when a hook's program cannot be started before its timeout, and this is in its table besides.
fn answer_held_program(more: &str) -> Ran {
    let hook = format!(
        r#"
        [[hook]]
        name = "held"
        on = "tool.before"
        shell = {{ argv = ["[HOME]/held"] }}
        timeout = "300ms"
        {more}
        "#
    );
    let bed = TestBed::with_config(&format!(
        "{hook}{}",
        shell_gate(r#"echo "{\"verdict\":\"ask\",\"reason\":\"sure?\"}""#, "")
    ));
    let program = bed.resolve_path("[HOME]/held");
    fs::copy("/bin/true", &program).unwrap();
    let _held = HeldFile::hold(&program);
    bed.answer_event(LS)
}

#[test]
fn a_gate_whose_process_does_not_start_in_time_denies() {
    assert_snapshot!(answer_held_program(""), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"held: the hook failed, and its failure policy decides (timeout: no answer within 300 ms; if it needs longer, raise the hook's `timeout`) (hook-failed)"}}
    --- stderr
    hookbox: the hook `held` failed: timeout: no answer within 300 ms; if it needs longer, raise the hook's `timeout`
    "#);
}

#[test]
fn a_hook_that_does_not_start_in_time_keeps_no_other_hook_from_its_answer() {
    assert_snapshot!(answer_held_program("on-failure = \"allow\""), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sh: sure?"}}
    --- stderr
    hookbox: the hook `held` failed: timeout: no answer within 300 ms; if it needs longer, raise the hook's `timeout`
    "#);
}

#[test]
fn a_compiler_that_does_not_start_in_time_fails_the_gate_that_needs_it() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_installation().with_own_cache();
    let _held = HeldFile::hold(&bed.resolve_path("[BIN]/hookbox-compile"));
    let words = ["run", "--agent", "claude-code", "--agent-timeout", "2s"];
    assert_snapshot!(bed.run_with_input(&mut bed.build_command(&words), bed.expand_placeholders(LS).as_bytes()), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: the hook failed, and its failure policy decides (not-compiled: the plugin [GUESTS]/denies.wasm is not compiled yet (compiling takes longer than the agent waits); run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: the hook `denies` failed: not-compiled: the plugin [GUESTS]/denies.wasm is not compiled yet (compiling takes longer than the agent waits); run `hookbox check`
    "#);
}
