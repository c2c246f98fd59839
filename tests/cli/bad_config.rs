//! Configuration that cannot be used. A broken file of the user's own may hold the very hook that would have denied, so
//! what can be blocked is denied, with the place; the rest passes.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use insta::assert_snapshot;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::{LS, START, TestBed, format_gate};

const CONFIG: &str = "[HOME]/.config/hookbox/hooks.toml";

/// The user's configuration is what `make` puts there.
fn create_bed(make: impl FnOnce(&TestBed, &Path)) -> TestBed {
    let bed = TestBed::new();
    make(&bed, &bed.resolve_path(CONFIG));
    bed
}

/// What can be blocked is denied, what cannot be passes: both answers.
fn answer_both(bed: &TestBed) -> String {
    format!("{}{}", bed.answer_event(LS), bed.answer_event(START))
}

pub(crate) fn make_fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

#[test]
fn invalid_toml_is_reported_with_its_line() {
    assert_snapshot!(answer_both(&TestBed::with_config("# mine\n[[hook]\nname = \"x\"\n")), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml:2:8: this is not TOML: unclosed array table, expected `]`; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:2:8: this is not TOML: unclosed array table, expected `]`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:2:8: this is not TOML: unclosed array table, expected `]`
    "#);
}

#[test]
fn an_unknown_key_is_reported_in_addition_to_the_missing_one() {
    let bed = TestBed::with_config(&format_gate("none").replace("on =", "onn ="));
    assert_snapshot!(answer_both(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml:1:1: the hook has no `on`; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:1:1: the hook has no `on`
    hookbox: [HOME]/.config/hookbox/hooks.toml:3:1: unknown key `onn`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:1:1: the hook has no `on`
    hookbox: [HOME]/.config/hookbox/hooks.toml:3:1: unknown key `onn`
    "#);
}

#[test]
fn every_kind_of_mistake_denies() {
    let mistakes = [
        ("tool.before", "tool.befor"),
        ("name = \"none\"", "name = \"a b\""),
        ("wasm = {", "wasm = { digest = 1,"),
        ("wasm = {", "timeout = 5\nwasm = {"),
        ("wasm = {", "timeout = \"0s\"\nwasm = {"),
        ("wasm = {", "limits = { fuel = 0 }\nwasm = {"),
        ("wasm = {", "limits = { memory = \"unlimited\" }\nwasm = {"),
        ("wasm = {", "tool = { regex = \"(\" }\nwasm = {"),
        ("wasm = {", "shell = { command = \"true\" }\nwasm = {"),
        ("wasm = {", "on-failure = \"open\"\nwasm = {"),
        ("wasm = {", "# {"),
        ("[[hook]]", "version = 2\n[[hook]]"),
    ];
    let reasons = mistakes.map(|(right, wrong)| {
        let ran = TestBed::with_config(&format_gate("none").replace(right, wrong)).answer_event(LS);
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let decision = &answer["hookSpecificOutput"];
        assert_eq!(decision["permissionDecision"], "deny", "{wrong}: {ran}");
        decision["permissionDecisionReason"].as_str().unwrap().to_owned()
    });
    assert_snapshot!(reasons.join("\n"), @"
    configuration: [HOME]/.config/hookbox/hooks.toml:3:6: unknown event `tool.befor`; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:2:8: `a b` cannot be the name of a hook; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:4:10: unknown key `digest`; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:4:11: `timeout` is an integer, but must be a string with a duration and its unit; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:4:11: timeout is 0s, but must be from 1ms to 10m; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:4:19: fuel is 0, but must be from 100000 to 1000000000000; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:4:21: memory is `unlimited`, which is not a size; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:4:18: this is not a regular expression: unclosed group; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:5:1: the hook has `shell` already; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:4:14: unknown on-failure `open`; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:1:1: the hook has none of `wasm`, `shell`, `webhook`, `python`; run `hookbox check` (bad-configuration)
    configuration: [HOME]/.config/hookbox/hooks.toml:1:11: `version` is `2`; run `hookbox check` (bad-configuration)
    ");
}

#[test]
fn a_shell_hook_that_could_not_be_built_denies() {
    let config = "[[hook]]\nname = \"sh\"\non = \"tool.before\"\n\
                  shell = { command = \"true\", env = [\"LD_PRELOAD\"] }\n";
    assert_snapshot!(TestBed::with_config(config).answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml:4:36: `LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:4:36: `LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`
    "#);
}

#[test]
fn a_folder_in_the_place_of_the_file_denies() {
    assert_snapshot!(answer_both(&create_bed(|_, path| fs::create_dir(path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a directory; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a directory
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a directory
    "#);
}

#[test]
fn a_fifo_in_the_place_of_the_file_denies_and_is_not_waited_for() {
    assert_snapshot!(answer_both(&create_bed(|_, path| make_fifo(path))), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    "#);
}

#[test]
fn a_device_in_the_place_of_the_file_denies() {
    assert_snapshot!(answer_both(&create_bed(|_, path| symlink("/dev/zero", path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    "#);
}

#[test]
fn a_link_to_nowhere_denies() {
    assert_snapshot!(answer_both(&create_bed(|_, path| symlink("gone.toml", path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: it is a symbolic link to a file that does not exist; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: it is a symbolic link to a file that does not exist
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: it is a symbolic link to a file that does not exist
    "#);
}

#[test]
fn a_link_to_itself_denies() {
    assert_snapshot!(answer_both(&create_bed(|_, path| symlink("hooks.toml", path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Too many levels of symbolic links (os error 40); run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Too many levels of symbolic links (os error 40)
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Too many levels of symbolic links (os error 40)
    "#);
}

#[test]
fn a_link_to_a_file_is_followed() {
    let bed = create_bed(|bed, path| {
        symlink(bed.write_file("[HOME]/dotfiles.toml", &format_gate("denies")), path).unwrap();
    });
    assert!(bed.answer_event(LS).stdout.contains("denies: because (no)"));
}

#[test]
fn a_file_in_the_place_of_the_folder_denies() {
    let bed = TestBed::new();
    fs::remove_dir(bed.resolve_path("[HOME]/.config/hookbox")).unwrap();
    bed.write_file("[HOME]/.config/hookbox", "");
    assert_snapshot!(answer_both(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Not a directory (os error 20); run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Not a directory (os error 20)
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Not a directory (os error 20)
    "#);
}

/// The first page of a process's memory cannot be read by anyone, whoever asks.
#[test]
fn a_file_whose_content_cannot_be_read_denies() {
    assert_snapshot!(answer_both(&create_bed(|_, path| symlink("/proc/self/mem", path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Input/output error (os error 5); run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Input/output error (os error 5)
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Input/output error (os error 5)
    "#);
}

#[test]
fn a_file_without_permission_denies_unless_it_is_roots_who_may_read_all() {
    let bed = TestBed::with_config(&format_gate("none"));
    fs::set_permissions(bed.resolve_path(CONFIG), fs::Permissions::from_mode(0o000)).unwrap();
    let ran = bed.answer_event(LS);
    if rustix::process::geteuid().is_root() {
        assert_eq!(ran.stdout, "{}\n");
    } else {
        assert!(ran.stdout.contains("the configuration cannot be read: Permission denied"), "{ran}");
    }
}

#[test]
fn a_file_that_is_not_utf8_denies_with_the_place() {
    let bed = create_bed(|bed, _| drop(bed.write_bytes(CONFIG, b"version = 1 # \xff\n")));
    assert_snapshot!(answer_both(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml:1:15: the byte 0xff is not UTF-8; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:1:15: the byte 0xff is not UTF-8
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:1:15: the byte 0xff is not UTF-8
    "#);
}

#[test]
fn a_file_that_is_too_long_denies() {
    let bed = create_bed(|bed, _| drop(bed.write_bytes(CONFIG, &vec![b'#'; (2 << 20) + 1])));
    assert_snapshot!(answer_both(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/.config/hookbox/hooks.toml: the configuration has 2097153 bytes, but may have 2097152; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration has 2097153 bytes, but may have 2097152
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration has 2097153 bytes, but may have 2097152
    "#);
}

#[test]
fn a_session_file_that_is_not_there_denies() {
    let bed = TestBed::new();
    let mut command = bed.build_command(&["run", "--config", "[HOME]/gone.toml"]);
    assert_snapshot!(bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes()), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/gone.toml: the file is not there; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/gone.toml: the file is not there
    "#);
}

#[test]
fn a_session_file_adds_its_hooks() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/session.toml", &format_gate("denies"));
    let mut command = bed.build_command(&["run", "--config", "session.toml"]);
    assert!(
        bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes())
            .stdout
            .contains("denies: because (no)")
    );
}

#[test]
fn hooks_without_mistakes_are_evaluated_in_addition_to_the_deny() {
    let bed = TestBed::with_config(&(format_gate("denies") + &format_gate("none").replace("on =", "onn =")));
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: because (no)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:6:1: the hook has no `on`
    hookbox: [HOME]/.config/hookbox/hooks.toml:8:1: unknown key `onn`
    "#);
}

#[test]
fn the_place_of_a_mistake_is_still_reported_after_many_events() {
    let bed = TestBed::with_config("[[hook]\n");
    let first = bed.answer_event(LS).to_string();
    for _ in 0..6 {
        assert_eq!(bed.answer_event(LS).to_string(), first);
    }
    assert!(!bed.resolve_path("[HOME]/.local/state/hookbox/failures.json").exists());
}

#[test]
fn an_event_that_no_table_knows_is_denied_too() {
    let bed = TestBed::with_config("[[hook]\n");
    assert_snapshot!(bed.answer_event(&START.replace("SessionStart", "FromTheFuture")), @r#"
    exit code 2
    --- stdout
    {"decision":"block","reason":"configuration: [HOME]/.config/hookbox/hooks.toml:1:8: this is not TOML: unclosed array table, expected `]`; run `hookbox check` (bad-configuration)"}
    --- stderr
    configuration: [HOME]/.config/hookbox/hooks.toml:1:8: this is not TOML: unclosed array table, expected `]`; run `hookbox check` (bad-configuration)
    "#);
}
