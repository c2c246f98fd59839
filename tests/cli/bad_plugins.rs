//! Files that are no plugin, and plugins that misbehave: a gate denies, and the message says what happened, to which
//! plugin, and what to do.

use std::{fs, thread};

use insta::assert_snapshot;

use crate::{LS, START, TestBed, bad_config::make_fifo, format_gate, gate_with};

/// Why a gate denies: the reason that Claude Code is shown. Nothing but that and the same on standard error is said.
fn deny_reason(bed: &TestBed) -> String {
    let ran = bed.answer_event(LS);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let decision = &answer["hookSpecificOutput"];
    assert_eq!((ran.code, decision["permissionDecision"].as_str()), (0, Some("deny")), "{ran}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran}");
    decision["permissionDecisionReason"].as_str().unwrap().to_owned()
}

/// The same for a gate whose file is made of these bytes.
fn reason_of(bytes: &[u8]) -> String {
    let bed = TestBed::with_config(&format_gate("it").replace("[GUESTS]", "plugins")).with_own_cache();
    bed.write_bytes("[HOME]/.config/hookbox/plugins/it.wasm", bytes);
    deny_reason(&bed)
}

/// The same for one of the guests with more keys.
fn reason_of_guest(guest: &str, keys: &str) -> String {
    deny_reason(&TestBed::with_config(&gate_with(guest, keys)))
}

#[test]
fn a_file_that_is_missing() {
    let bed = TestBed::with_config(&format_gate("it").replace("[GUESTS]", "plugins"));
    assert_snapshot!(deny_reason(&bed), @"it: the hook failed, and its failure policy decides (missing: cannot read the plugin [HOME]/.config/hookbox/plugins/it.wasm: No such file or directory (os error 2)) (hook-failed)");
}

#[test]
fn a_file_that_is_empty() {
    assert_snapshot!(reason_of(b""), @"it: the hook failed, and its failure policy decides (bad-component: the plugin [HOME]/.config/hookbox/plugins/it.wasm is empty) (hook-failed)");
}

#[test]
fn random_bytes() {
    assert_snapshot!(reason_of(&[0x5a; 4096]), @"it: the hook failed, and its failure policy decides (bad-component: the plugin [HOME]/.config/hookbox/plugins/it.wasm is not a wasm component) (hook-failed)");
}

#[test]
fn a_core_module() {
    assert_snapshot!(deny_reason(&TestBed::with_config(&format_gate("core_module"))), @"core_module: the hook failed, and its failure policy decides (bad-component: the plugin [GUESTS]/core_module.wasm is a core wasm module and no program, since it has no `_start`; build it for WASI, or make a component of it with `wasm-tools component new`) (hook-failed)");
}

#[test]
fn half_a_component() {
    let whole = crate::guests::build_component("denies");
    assert_snapshot!(reason_of(&whole[..whole.len() / 2]), @"it: the hook failed, and its failure policy decides (bad-component: the plugin [HOME]/.config/hookbox/plugins/it.wasm cannot be compiled: failed to parse WebAssembly module: unexpected end-of-file (at offset 0x23f)) (hook-failed)");
}

#[test]
fn a_folder_and_a_fifo() {
    let bed = TestBed::with_config(&format_gate("it").replace("[GUESTS]", "plugins"));
    fs::create_dir_all(bed.resolve_path("[HOME]/.config/hookbox/plugins/it.wasm")).unwrap();
    assert_snapshot!(deny_reason(&bed), @"it: the hook failed, and its failure policy decides (bad-component: the plugin [HOME]/.config/hookbox/plugins/it.wasm is a directory; name the .wasm file in it) (hook-failed)");
    fs::remove_dir(bed.resolve_path("[HOME]/.config/hookbox/plugins/it.wasm")).unwrap();
    make_fifo(&bed.resolve_path("[HOME]/.config/hookbox/plugins/it.wasm"));
    assert_snapshot!(deny_reason(&bed), @"it: the hook failed, and its failure policy decides (bad-component: the plugin [HOME]/.config/hookbox/plugins/it.wasm is not a plain file) (hook-failed)");
}

#[test]
fn a_component_of_another_world() {
    assert_snapshot!(deny_reason(&TestBed::with_config(&format_gate("other_world"))), @"other_world: the hook failed, and its failure policy decides (bad-component: [GUESTS]/other_world.wasm is not a component of the world hookbox:hook/hook: no export `handle` found) (hook-failed)");
}

#[test]
fn a_plugin_with_an_import_that_was_not_granted_is_refused() {
    assert_snapshot!(deny_reason(&TestBed::with_config(&format_gate("asks_ungranted"))), @"asks_ungranted: the hook failed, and its failure policy decides (refused: the plugin [GUESTS]/asks_ungranted.wasm imports `wasi:keyvalue/store@0.2.0`, which hookbox does not have: build it without, or against hookbox's world) (hook-failed)");
}

#[test]
fn a_guest_that_traps() {
    assert_snapshot!(reason_of_guest("traps", ""), @"traps: the hook failed, and its failure policy decides (trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed) (hook-failed)");
}

#[test]
fn a_guest_that_says_that_it_failed() {
    assert_snapshot!(reason_of_guest("says_error", ""), @"says_error: the hook failed, and its failure policy decides (hook-error: sorry) (hook-failed)");
}

#[test]
fn a_guest_that_loops_until_its_time_is_up() {
    assert_snapshot!(reason_of_guest("loops", "timeout = \"500ms\"\nlimits = { fuel = 1_000_000_000_000 }"), @"loops: the hook failed, and its failure policy decides (timeout: no answer within 500 ms; if it needs longer, raise the hook's `timeout`) (hook-failed)");
}

#[test]
fn a_guest_that_loops_until_its_fuel_is_gone() {
    assert_snapshot!(reason_of_guest("loops", "limits = { fuel = 1_000_000 }"), @"loops: the hook failed, and its failure policy decides (fuel: the guest used more than 1000000 units of `fuel`; raise it in the hook's `limits` if that is meant) (hook-failed)");
}

#[test]
fn a_guest_that_recurses() {
    assert_snapshot!(reason_of_guest("recurses", ""), @"recurses: the hook failed, and its failure policy decides (stack: the guest used up its stack of 524288 bytes: it calls itself too deep) (hook-failed)");
}

#[test]
fn a_guest_that_grows_its_memory() {
    assert_snapshot!(reason_of_guest("grows_memory", "limits = { memory = \"8MiB\" }"), @"grows_memory: the hook failed, and its failure policy decides (memory: the guest used more than 8388608 bytes of `memory`; raise it in the hook's `limits` if that is meant) (hook-failed)");
}

#[test]
fn a_guest_that_returns_megabytes() {
    assert_snapshot!(reason_of_guest("returns_megabytes", ""), @"returns_megabytes: the hook failed, and its failure policy decides (output: the guest used more than 2097152 bytes of `host-call-bytes`; raise it in the hook's `limits` if that is meant) (hook-failed)");
}

#[test]
fn a_guest_that_logs_without_end() {
    assert_snapshot!(reason_of_guest("logs_without_end", ""), @"logs_without_end: the hook failed, and its failure policy decides (host-calls: the guest used more than 1000 calls of `host-calls`; raise it in the hook's `limits` if that is meant) (hook-failed)");
}

#[test]
fn a_guest_with_an_answer_that_is_not_json_fails() {
    assert_snapshot!(reason_of_guest("returns_bad_json", ""), @r#"returns_bad_json: the hook failed, and its failure policy decides (bad-output: the answer's `rewrite` is not acceptable JSON: the key "a" appears twice, at line 1 column 10) (hook-failed)"#);
}

#[test]
fn a_failure_means_what_on_failure_says() {
    let answer = |on_failure: &str| {
        let config = gate_with("traps", &format!("on-failure = \"{on_failure}\""));
        TestBed::with_config(&config).answer_event(LS).to_string()
    };
    assert_snapshot!(answer("allow"), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the hook `traps` failed: trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed
    ");
    assert_snapshot!(answer("ask"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"traps: the hook failed, and its failure policy decides (trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed) (hook-failed)"}}
    --- stderr
    hookbox: the hook `traps` failed: trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed
    "#);
    assert_snapshot!(answer("deny"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"traps: the hook failed, and its failure policy decides (trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed) (hook-failed)"}}
    --- stderr
    hookbox: the hook `traps` failed: trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed
    "#);
}

#[test]
fn a_failure_at_an_event_that_cannot_be_blocked_is_reported_and_passes() {
    assert_snapshot!(TestBed::with_config(&format_gate("traps").replace("tool.before", "session.start")).answer_event(START), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the hook `traps` failed: trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed
    ");
}

#[test]
fn one_failure_keeps_no_other_hook_from_its_turn() {
    let config = gate_with("traps", "on-failure = \"allow\"") + &format_gate("denies");
    assert_snapshot!(TestBed::with_config(&config).answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: because (no)"}}
    --- stderr
    hookbox: the hook `traps` failed: trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed
    "#);
}

#[test]
fn thirty_two_concurrent_commands_with_one_empty_cache_all_deny() {
    let config = gate_with("traps", "on-failure = \"allow\"")
        + &gate_with("loops", "on-failure = \"allow\"\nlimits = { fuel = 1_000_000 }")
        + &format_gate("denies");
    let bed = TestBed::with_config(&config).with_own_cache();
    thread::scope(|scope| {
        let commands: Vec<_> = (0..32).map(|_| scope.spawn(|| bed.answer_event(LS))).collect();
        for command in commands {
            let ran = command.join().unwrap();
            // On a slow machine one may be out of time before its plugins are compiled: that is a deny too.
            assert!(ran.code == 0 && ran.stdout.contains("\"permissionDecision\":\"deny\""), "{ran}");
        }
    });
    assert!(bed.without_compiler().answer_event(LS).stdout.contains("denies: because (no)"));
}
