//! `hookbox doctor`: what an installation is made of, and what is wrong with it.

use std::{fs, os::unix::fs::PermissionsExt};

use hookbox::handler::shell::confine::Machine;
use insta::assert_snapshot;

use crate::{TestBed, gate};

/// The report without the versions and without what this machine's memory and kernel allow.
fn examined(bed: &TestBed) -> String {
    let ran = bed.hookbox(&["doctor"]);
    let here = [" version: ", " sandbox: ", " shell hooks: "];
    let told = |line: &&str| !here.iter().any(|what| line.contains(what));
    let lines: Vec<_> = ran.stdout.lines().filter(told).collect();
    assert_eq!(ran.stdout.lines().count(), lines.len() + here.len(), "{ran}");
    format!("exit code {}\n{}\n--- stderr\n{}", ran.code, lines.join("\n"), ran.stderr)
}

#[test]
fn a_healthy_installation() {
    let bed = TestBed::with(&gate("none")).with_own_cache();
    bed.write("[PROJECT]/.hookbox/hooks.toml", "");
    // How long native code is depends on the build.
    let report = examined(&bed);
    assert_snapshot!(report, @"
    exit code 0
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: [HOME]/.config/hookbox/hooks.toml
    ok      project configuration: [PROJECT]/.hookbox/hooks.toml
    ok      configuration: 1 hook, 0 errors, 0 warnings
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    ok      compiler: [BIN]/hookbox-compile
    ok      hook: none
    --- stderr
    ");
}

#[test]
fn a_missing_compiler_is_wrong() {
    assert_snapshot!(examined(&TestBed::new().with_own_cache().without_compiler()), @"
    exit code 1
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: none ([HOME]/.config/hookbox/hooks.toml)
    ok      project configuration: none
    ok      configuration: 0 hooks, 0 errors, 0 warnings
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    wrong   compiler: [BIN]/hookbox-compile is not there; install hookbox-compile beside hookbox
    --- stderr
    ");
}

#[test]
fn a_cache_that_others_can_write_to_is_wrong() {
    let bed = TestBed::new().with_own_cache();
    let cache = bed.path("[HOME]/.cache/hookbox/compiled");
    fs::create_dir_all(&cache).unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
    assert_snapshot!(examined(&bed), @"
    exit code 1
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: none ([HOME]/.config/hookbox/hooks.toml)
    ok      project configuration: none
    ok      configuration: 0 hooks, 0 errors, 0 warnings
    wrong   cache: the cache [HOME]/.cache/hookbox/compiled is not used: its mode is 777; make it yours alone with `chmod 700`
    ok      compiler: [BIN]/hookbox-compile
    --- stderr
    ");
}

#[test]
fn a_broken_configuration_and_a_broken_hook_are_wrong() {
    let config = gate("gone").replace("[GUESTS]", "plugins") + &gate("none").replace("on =", "onn =");
    assert_snapshot!(examined(&TestBed::with(&config).with_own_cache()), @r#"
    exit code 1
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: [HOME]/.config/hookbox/hooks.toml
    ok      project configuration: none
    wrong   configuration: 1 hook, 2 errors, 0 warnings
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    ok      compiler: [BIN]/hookbox-compile
    wrong   hook: gone: missing: cannot read the plugin [HOME]/.config/hookbox/plugins/gone.wasm: No such file or directory (os error 2)
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:6:1: error: the hook has no `on`
      6 | [[hook]]
        | ^^^^^^^^
      help: add one: on = "tool.before"
    [HOME]/.config/hookbox/hooks.toml:8:1: error: unknown key `onn`
      8 | onn = "tool.before"
        | ^^^
      help: did you mean `on`? allowed: name, on, tool, role, priority, timeout, on-failure, enabled, config, limits, grant, wasm, shell, webhook
    "#);
}

#[test]
fn without_a_home_it_says_what_to_set() {
    let bed = TestBed::new();
    let mut command = bed.command(&["doctor"]);
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    let ran = bed.feed(&mut command, b"");
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains("wrong   cache: no home folder is known; set HOME or XDG_CACHE_HOME"),
        "{ran}"
    );
}

#[test]
fn what_shell_hooks_can_be_confined_by_is_told() {
    let ran = TestBed::new().with_own_cache().hookbox(&["doctor"]);
    let line = ran.stdout.lines().find(|line| line.contains(" shell hooks: ")).unwrap();
    let machine = Machine::here();
    assert!(line.contains("shell hooks: own sessions"), "{line}");
    let missing = line.split_once("; not here: ").map_or("", |(_, missing)| missing);
    assert_eq!(missing.contains("Landlock"), !machine.confines_files(), "{line}");
    assert_eq!(missing.contains("seccomp"), !machine.seccomp, "{line}");
    assert_eq!(missing.contains("a limit on processes"), !machine.counts_processes, "{line}");
}
