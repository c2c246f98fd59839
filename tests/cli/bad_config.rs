//! Configuration that cannot be used. A broken file of the user's own may hold the very hook that would have denied, so
//! what can be blocked is denied, with the place; the rest passes.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use insta::assert_snapshot;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::{LS, START, TestBed, gate};

const CONFIG: &str = "[HOME]/.config/hookbox/hooks.toml";

/// The user's configuration is what `make` puts there.
fn with(make: impl FnOnce(&TestBed, &Path)) -> TestBed {
    let bed = TestBed::new();
    make(&bed, &bed.path(CONFIG));
    bed
}

/// What can be blocked is denied, what cannot be passes: both answers.
fn answers(bed: &TestBed) -> String {
    format!("{}{}", bed.answer(LS), bed.answer(START))
}

pub(crate) fn fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    assert_snapshot!(answers(&TestBed::with("# mine\n[[hook]\nname = \"x\"\n")), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml:2:8: this is no TOML: unclosed array table, expected `]`; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:2:8: this is no TOML: unclosed array table, expected `]`
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml:2:8: this is no TOML: unclosed array table, expected `]`; run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:2:8: this is no TOML: unclosed array table, expected `]`
    "#);
}

#[test]
fn an_unknown_key_is_told_with_what_was_meant() {
    let bed = TestBed::with(&gate("none").replace("on =", "onn ="));
    assert_snapshot!(answers(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml:1:1: the hook has no `on`; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:1:1: the hook has no `on`
    hookbox: [HOME]/.config/hookbox/hooks.toml:3:1: unknown key `onn`
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml:1:1: the hook has no `on`; run `hookbox check`
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
    for (right, wrong, told) in [
        ("tool.before", "tool.befor", "did you mean"),
        ("name = \"none\"", "name = \"a b\"", "name"),
        ("wasm = {", "wasm = { digest = 1,", "digest"),
        ("wasm = {", "timeout = 5\nwasm = {", "timeout"),
        ("wasm = {", "timeout = \"0s\"\nwasm = {", "timeout"),
        ("wasm = {", "limits = { fuel = 0 }\nwasm = {", "fuel"),
        ("wasm = {", "limits = { memory = \"unlimited\" }\nwasm = {", "memory"),
        ("wasm = {", "tool = { regex = \"(\" }\nwasm = {", "regex"),
        ("wasm = {", "shell = { command = \"true\" }\nwasm = {", "handler"),
        ("wasm = {", "on-failure = \"open\"\nwasm = {", "on-failure"),
        ("wasm = {", "# {", "handler"),
        ("[[hook]]", "version = 2\n[[hook]]", "version"),
    ] {
        let bed = TestBed::with(&gate("none").replace(right, wrong));
        let ran = bed.answer(LS);
        let denied = ran.stdout.contains("\"permissionDecision\":\"deny\"");
        assert!(denied && ran.stdout.contains(told), "{wrong}: {ran}");
        assert!(ran.stdout.contains("hooks.toml:"), "{wrong}: {ran}");
    }
}

#[test]
fn a_shell_hook_that_could_not_be_built_denies() {
    let config = "[[hook]]\nname = \"sh\"\non = \"tool.before\"\n\
                  shell = { command = \"true\", env = [\"LD_PRELOAD\"] }\n";
    assert_snapshot!(TestBed::with(config).answer(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml:4:36: `LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:4:36: `LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml:4:36: `LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`; run `hookbox check`
    "#);
}

#[test]
fn a_folder_in_the_place_of_the_file_denies() {
    assert_snapshot!(answers(&with(|_, path| fs::create_dir(path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a directory; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a directory
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a directory; run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a directory
    "#);
}

#[test]
fn a_fifo_in_the_place_of_the_file_denies_and_is_not_waited_for() {
    assert_snapshot!(answers(&with(|_, path| fifo(path))), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file; run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    "#);
}

#[test]
fn a_device_in_the_place_of_the_file_denies() {
    assert_snapshot!(answers(&with(|_, path| symlink("/dev/zero", path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file; run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is not a plain file
    "#);
}

#[test]
fn a_link_to_nowhere_denies() {
    assert_snapshot!(answers(&with(|_, path| symlink("gone.toml", path).unwrap())), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    exit code 0
    --- stdout
    {}
    --- stderr
    ");
}

#[test]
fn a_link_to_itself_denies() {
    assert_snapshot!(answers(&with(|_, path| symlink("hooks.toml", path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a symbolic link; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a symbolic link
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a symbolic link; run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: it is a symbolic link
    "#);
}

#[test]
fn a_link_to_a_file_is_followed() {
    let bed = with(|bed, path| symlink(bed.write("[HOME]/dotfiles.toml", &gate("denies")), path).unwrap());
    assert!(bed.answer(LS).stdout.contains("denies: because (no)"));
}

#[test]
fn a_file_in_the_place_of_the_folder_denies() {
    let bed = TestBed::new();
    fs::remove_dir(bed.path("[HOME]/.config/hookbox")).unwrap();
    bed.write("[HOME]/.config/hookbox", "");
    assert_snapshot!(answers(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Not a directory (os error 20); run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Not a directory (os error 20)
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Not a directory (os error 20); run `hookbox check`
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
    assert_snapshot!(answers(&with(|_, path| symlink("/proc/self/mem", path).unwrap())), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Input/output error (os error 5); run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Input/output error (os error 5)
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Input/output error (os error 5); run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration cannot be read: Input/output error (os error 5)
    "#);
}

#[test]
fn a_file_without_permission_denies_unless_it_is_roots_who_may_read_all() {
    let bed = TestBed::with(&gate("none"));
    fs::set_permissions(bed.path(CONFIG), fs::Permissions::from_mode(0)).unwrap();
    let ran = bed.answer(LS);
    if rustix::process::geteuid().is_root() {
        assert_eq!(ran.stdout, "{}\n");
    } else {
        assert!(ran.stdout.contains("the configuration cannot be read: Permission denied"), "{ran}");
    }
}

#[test]
fn a_file_that_is_not_utf8_denies_with_the_place() {
    let bed = with(|bed, _| drop(bed.write_bytes(CONFIG, b"version = 1 # \xff\n")));
    assert_snapshot!(answers(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml:1:15: the byte 0xff is not UTF-8; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:1:15: the byte 0xff is not UTF-8
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml:1:15: the byte 0xff is not UTF-8; run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:1:15: the byte 0xff is not UTF-8
    "#);
}

#[test]
fn a_file_that_is_too_long_denies() {
    let bed = with(|bed, _| drop(bed.write_bytes(CONFIG, &vec![b'#'; (2 << 20) + 1])));
    assert_snapshot!(answers(&bed), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration has 2097153 bytes, but may have 2097152; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration has 2097153 bytes, but may have 2097152
    hookbox: the hook `configuration` failed: hook-error: [HOME]/.config/hookbox/hooks.toml: the configuration has 2097153 bytes, but may have 2097152; run `hookbox check`
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml: the configuration has 2097153 bytes, but may have 2097152
    "#);
}

#[test]
fn an_empty_file_is_no_hooks() {
    assert_eq!(TestBed::with("").answer(LS).to_string(), "exit code 0\n--- stdout\n{}\n--- stderr\n");
}

#[test]
fn a_session_file_that_is_not_there_denies() {
    let bed = TestBed::new();
    let mut command = bed.command(&["run", "--config", "[HOME]/gone.toml"]);
    assert_snapshot!(bed.feed(&mut command, bed.real(LS).as_bytes()), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: the hook failed, and its failure policy decides (hook-error: [HOME]/gone.toml: the file is not there; run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: [HOME]/gone.toml: the file is not there
    hookbox: the hook `configuration` failed: hook-error: [HOME]/gone.toml: the file is not there; run `hookbox check`
    "#);
}

#[test]
fn a_session_file_adds_its_hooks() {
    let bed = TestBed::new();
    bed.write("[PROJECT]/session.toml", &gate("denies"));
    let mut command = bed.command(&["run", "--config", "session.toml"]);
    assert!(bed.feed(&mut command, bed.real(LS).as_bytes()).stdout.contains("denies: because (no)"));
}

#[test]
fn the_hooks_without_mistakes_are_heard_beside_the_deny() {
    let bed = TestBed::with(&(gate("denies") + &gate("none").replace("on =", "onn =")));
    assert_snapshot!(bed.answer(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: because (no)"}}
    --- stderr
    hookbox: [HOME]/.config/hookbox/hooks.toml:6:1: the hook has no `on`
    hookbox: [HOME]/.config/hookbox/hooks.toml:8:1: unknown key `onn`
    "#);
}
