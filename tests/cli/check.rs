//! `hookbox check`: everything that is wrong, and every plugin compiled ahead.

use std::fs;

use insta::assert_snapshot;

use crate::{LS, TestBed, format_gate, gate_with, guests, shell_gate};

#[test]
fn what_is_well_is_said_hook_by_hook() {
    let config = format_gate("denies")
        + &shell_gate("true", "")
        + &format_gate("none").replace("\"none\"", "\"other\"");
    assert_snapshot!(TestBed::with_config(&config).run_hookbox(&["check"]), @"
    exit code 0
    --- stdout
    ok    denies: wasm [GUESTS]/denies.wasm
    ok    sh: shell true
    ok    other: wasm [GUESTS]/none.wasm
    3 hooks checked: 0 errors, 0 warnings, 0 that cannot run
    --- stderr
    checked in [TIME]
    ");
}

#[test]
fn without_hooks_all_is_well() {
    assert_snapshot!(TestBed::new().run_hookbox(&["check"]), @"
    exit code 0
    --- stdout
    0 hooks checked: 0 errors, 0 warnings, 0 that cannot run
    --- stderr
    checked in [TIME]
    ");
}

#[test]
fn all_mistakes_of_a_configuration_are_reported_together() {
    let config = format_gate("denies").replace("on =", "onn =")
        + &format_gate("traps").replace("tool.before", "tool.befor")
        + &format_gate("gone").replace("[GUESTS]", "plugins")
        + &format_gate("core_module");
    assert_snapshot!(TestBed::with_config(&config).run_hookbox(&["check"]), @r#"
    exit code 1
    --- stdout
    broken gone: missing: cannot read the plugin [HOME]/.config/hookbox/plugins/gone.wasm: No such file or directory (os error 2)
    broken core_module: bad-component: the plugin [GUESTS]/core_module.wasm is a core wasm module and no program, since it has no `_start`; build it for WASI, or make a component of it with `wasm-tools component new`
    2 hooks checked: 3 errors, 0 warnings, 2 that cannot run
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:1:1: error: the hook has no `on`
      1 | [[hook]]
        | ^^^^^^^^
      help: add one: on = "tool.before"
    [HOME]/.config/hookbox/hooks.toml:3:1: error: unknown key `onn`
      3 | onn = "tool.before"
        | ^^^
      help: did you mean `on`? allowed: name, on, tool, role, priority, timeout, on-failure, once, enabled, config, limits, grant, wasm, shell, webhook, python
    [HOME]/.config/hookbox/hooks.toml:8:6: error: unknown event `tool.befor`
      8 | on = "tool.befor"
        |      ^^^^^^^^^^^^
      help: did you mean `tool.before`?
    checked in [TIME]
    "#);
}

#[test]
fn a_warning_is_not_an_error() {
    let config = format_gate("none")
        .replace("tool.before", "session.end")
        .replace("wasm =", "role = \"gate\"\nwasm =");
    assert_snapshot!(TestBed::with_config(&config).run_hookbox(&["check"]), @r#"
    exit code 0
    --- stdout
    ok    none: wasm [GUESTS]/none.wasm
    1 hook checked: 0 errors, 1 warning, 0 that cannot run
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:4:8: warning: this gate has no say: none of its events can be blocked or takes text for the model
      4 | role = "gate"
        |        ^^^^^^
      help: role = "observe" says what it does
    checked in [TIME]
    "#);
}

#[test]
fn a_session_file_and_another_project_can_be_checked() {
    let bed = TestBed::new();
    bed.write_file("[HOME]/new.toml", "[[hook]\n");
    bed.write_file("[HOME]/other/.hookbox/hooks.toml", &shell_gate("true", ""));
    let ran = bed.run_hookbox(&["check", "--config", "[HOME]/new.toml", "--project", "[HOME]/other"]);
    assert_snapshot!(ran, @"
    exit code 1
    --- stdout
    0 hooks checked: 1 error, 1 warning, 0 that cannot run
    --- stderr
    [HOME]/other/.hookbox/hooks.toml:4:1: warning: `sh` is left out: it is a shell hook
      4 | shell = { command = '''true''' }
        | ^^^^^
      help: `hookbox trust` shows it to you, and it runs once you say so
    [HOME]/new.toml:1:8: error: this is not TOML: unclosed array table, expected `]`
      1 | [[hook]
        |        ^
    checked in [TIME]
    ");
}

#[test]
fn what_was_checked_runs_without_the_compiler() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    assert_eq!(bed.run_hookbox(&["check"]).code, 0);
    let ran = bed.without_compiler().answer_event(LS);
    assert!(ran.stdout.contains("denies: because (no)"), "{ran}");
}

#[test]
fn without_the_compiler_it_says_what_is_missing() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache().without_compiler();
    assert_snapshot!(bed.run_hookbox(&["check"]), @"
    exit code 1
    --- stdout
    broken denies: not-compiled: the plugin [GUESTS]/denies.wasm is not compiled yet (the compiler [BIN]/hookbox-compile cannot be started: No such file or directory (os error 2); install it next to hookbox); run `hookbox check`
    1 hook checked: 0 errors, 0 warnings, 1 that cannot run
    --- stderr
    checked in [TIME]
    ");
}

#[test]
fn a_plugin_that_cannot_be_instantiated_is_reported() {
    let config = gate_with("loops_in_start", "limits = { fuel = 1_000_000 }") + &format_gate("traps");
    assert_snapshot!(TestBed::with_config(&config).run_hookbox(&["check"]), @"
    exit code 1
    --- stdout
    broken loops_in_start: fuel: the guest used more than 1000000 units of `fuel`; raise it in the hook's `limits` if that is meant
    broken traps: trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed (a harmless tool.before was tried)
    2 hooks checked: 0 errors, 0 warnings, 2 that cannot run
    --- stderr
    checked in [TIME]
    ");
}

#[test]
fn a_hook_that_does_not_fit_the_manifest_of_its_plugin_is_reported() {
    let config = gate_with("none", "role = \"transform\"").replace("[GUESTS]", "plugins");
    let bed = TestBed::with_config(&config.replace("\"tool.before\"", "[\"tool.before\", \"agent.stop\"]"));
    let manifest = guests::encode_manifest(r#""events":["tool.*"],"effects":["deny-text"]"#);
    let plugin = [guests::build_component("none"), manifest].concat();
    bed.write_bytes("[HOME]/.config/hookbox/plugins/none.wasm", &plugin);
    let ran = bed.run_hookbox(&["check"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!(ran.stdout, @"
    ok    none: wasm [HOME]/.config/hookbox/plugins/none.wasm
          warning: the hook is a transform, but the plugin's manifest does not ask to `rewrite`
          warning: the hook is for agent.stop, but the plugin's manifest names tool.* only
    1 hook checked: 0 errors, 2 warnings, 0 that cannot run
    ");
}

#[test]
fn a_plugin_of_another_world_than_its_manifest_states_is_reported() {
    let warned = |plugin: &[u8], world: &str| {
        let bed = TestBed::with_config(&format_gate("none").replace("[GUESTS]", "plugins"));
        let manifest = guests::encode_manifest(&format!(r#""world":"{world}""#));
        bed.write_bytes("[HOME]/.config/hookbox/plugins/none.wasm", &[plugin, &manifest].concat());
        let ran = bed.run_hookbox(&["check"]);
        assert_eq!(ran.code, 0, "{ran}");
        let warning = ran.stdout.lines().find_map(|line| line.trim().strip_prefix("warning: "));
        assert!(ran.stdout.contains(&format!(" {} warning", usize::from(warning.is_some()))), "{ran}");
        warning.unwrap_or_default().to_owned()
    };
    let (hook, program) = (guests::build_component("none"), guests::build_component("program_denies"));
    assert_eq!(
        warned(&program, "hookbox:hook/hook@0.1.0"),
        "the plugin's manifest names the world hookbox:hook/hook@0.1.0, but it is a program (a core module that exports `_start`)"
    );
    assert_eq!(
        warned(&hook, "wasi:cli/command@0.2.3"),
        "the plugin's manifest names the world wasi:cli/command@0.2.3, but it is a typed hook (a component that exports `handle`)"
    );
    assert_eq!(
        warned(&hook, "hookbox:hook/hook@7.0.0"),
        "the plugin's manifest names the world hookbox:hook/hook@7.0.0, which this hookbox does not have"
    );
    for (plugin, world) in [
        (&hook, "hookbox:hook/hook@0.1.0"),
        (&hook, "acme:own/world@1.0.0"),
        (&program, "wasi:cli/command@0.2.3"),
    ] {
        assert_eq!(warned(plugin, world), "", "{world}");
    }
}

/// What `check` says of this configuration's one hook, after `run` has said the same.
fn check_refusal(bed: &TestBed, name: &str) -> String {
    let checked = bed.run_hookbox(&["check"]);
    let broken = checked.stdout.lines().find_map(|line| line.strip_prefix(&format!("broken {name}: ")));
    let broken = broken.unwrap_or_default().to_owned();
    let failed = format!("hookbox: the hook `{name}` failed: ");
    let run = bed.answer_event(LS).stderr;
    assert_eq!(run.lines().find_map(|line| line.strip_prefix(&failed)).unwrap_or_default(), broken);
    assert_eq!(checked.code, i32::from(!broken.is_empty()), "{checked}");
    broken
}

#[test]
fn what_a_command_is_to_be_kept_from_is_looked_at() {
    let of_shell = |keys: &str| {
        let config = shell_gate("true", "").replace(" }", &format!(", {keys} }}"));
        check_refusal(&TestBed::with_config(&config), "sh")
    };
    assert_snapshot!(of_shell("cwd = '[HOME]/nowhere'"), @"missing: hook `sh` is to run in `[HOME]/nowhere`, which is not a folder: create it or change `cwd`");
    assert!(of_shell("confine = { read = ['[HOME]/nowhere'] }").contains("`confine.read`"));
    assert!(of_shell("confine = { write = ['project', '~/nowhere'] }").contains("`confine."));
    let is_root = rustix::process::getuid().is_root();
    assert_eq!(of_shell("confine = { processes = 100_000 }").contains("`confine.processes`"), is_root);
    assert_eq!(of_shell("cwd = '/', confine = { cpu = '10s' }"), "");
}

#[test]
fn folders_that_are_never_granted_are_reported() {
    let of_grant = |folder: &str| {
        let grant = format!("grant = {{ fs = {{ read = ['project', '{folder}'] }} }}");
        let bed = TestBed::with_config(&gate_with("reads", &grant).replace("[GUESTS]", "[HOME]"));
        bed.write_bytes("[HOME]/reads.wasm", &crate::programs_as_components::build_program("program_stops"));
        check_refusal(&bed, "reads")
    };
    let never = |folder: &str, why: &str| {
        format!(
            "missing: `grant.fs.read` names {folder}, which cannot be opened as a folder: {why}; create it or change the grant"
        )
    };
    assert_eq!(of_grant("/"), never("/", "it is the root of all files"));
    for folder in ["/proc", "/sys", "/dev", "/proc/self/fd"] {
        assert_eq!(of_grant(folder), never(folder, "it holds no files but the kernel's own"));
    }
    for folder in ["[HOME]/nowhere", "/etc/passwd"] {
        assert!(of_grant(folder).starts_with(&format!("missing: `grant.fs.read` names {folder}, ")));
    }
    assert_eq!(of_grant("/usr"), "");
}

#[test]
fn a_program_that_is_missing_or_not_executable_is_reported() {
    let of_program = |program: &str| {
        let config =
            format!("[[hook]]\nname = \"sh\"\non = \"tool.before\"\nshell = {{ argv = ['{program}'] }}\n");
        let bed = TestBed::with_config(&config);
        bed.write_file("[HOME]/.config/hookbox/plain", "#!/bin/sh\n");
        check_refusal(&bed, "sh").replace(bed.resolve_path("[HOME]").to_str().unwrap(), "[HOME]")
    };
    assert_snapshot!(of_program("no-such-program"), @"missing: hook `sh` is to run `no-such-program`, which does not exist: install it or correct the command");
    assert_snapshot!(of_program("./no-such-program"), @"missing: hook `sh` is to run `[HOME]/.config/hookbox/no-such-program`, which does not exist: install it or correct the command");
    assert_snapshot!(of_program("./plain"), @"spawn: hook `sh` cannot run `[HOME]/.config/hookbox/plain`: Permission denied (os error 13)");
    assert_eq!(of_program("true"), "");
}

#[test]
fn an_unset_variable_that_a_request_needs_is_reported() {
    let of_webhook = |keys: &str| {
        let config = format!(
            "[[hook]]\nname = \"web\"\non = \"tool.before\"\n\
             webhook = {{ url = 'http://127.0.0.1:9/', {keys} }}\n"
        );
        check_refusal(&TestBed::with_config(&config), "web")
    };
    assert_snapshot!(of_webhook("env = ['TOKEN_OF_NOBODY'], headers = { x = '${TOKEN_OF_NOBODY}' }"), @"refused: header `x` needs the variable `TOKEN_OF_NOBODY`, which is not set: set it before the agent starts");
    assert_snapshot!(of_webhook("sign = 'KEY_OF_NOBODY'"), @"refused: the variable `KEY_OF_NOBODY` is to sign the request and is not set");
}

#[test]
fn places_that_agents_do_not_read_are_reported() {
    let bed = TestBed::with_config(&format_gate("none"));
    assert_eq!(bed.run_hookbox(&["install", "gemini-cli", "--yes"]).code, 0);
    assert_eq!(bed.run_hookbox(&["check"]).stderr, "checked in [TIME]\n");
    fs::create_dir_all(bed.resolve_path("[HOME]/other/hookbox")).unwrap();
    let mut command = bed.build_command(&["check"]);
    command.env("XDG_CONFIG_HOME", bed.resolve_path("[HOME]/other"));
    assert_snapshot!(bed.run_with_input(&mut command, b""), @"
    exit code 0
    --- stdout
    0 hooks checked: 0 errors, 1 warning, 0 that cannot run
    --- stderr
    checked in [TIME]
    warning: [HOME]/.gemini/settings.json: it reads [HOME]/.config/hookbox/hooks.toml, but HOME and XDG_CONFIG_HOME say [HOME]/other/hookbox/hooks.toml here; `hookbox install gemini-cli` fixes it
    ");
}

#[test]
fn a_home_that_is_not_there_is_wrong() {
    let bed = TestBed::new();
    let mut command = bed.build_command(&["check"]);
    command.env("HOME", "/nonexistent").env_remove("XDG_CONFIG_HOME");
    assert_snapshot!(bed.run_with_input(&mut command, b""), @"
    exit code 1
    --- stdout
    0 hooks checked: 1 error, 0 warnings, 0 that cannot run
    --- stderr
    <user>: error: the user's hooks cannot be read, since /nonexistent is not a folder
      help: let `hookbox install AGENT` write `--home DIR` into the agent's entry, or name a file by `--config`
    checked in [TIME]
    ");
}

#[test]
fn settings_that_a_guard_refuses_are_found_before_it_is_asked() {
    for (plugin, config) in [
        ("guard-shell", "{ deny = [\"no-such-code\"] }"),
        ("guard-shell", "{ dney = [] }"),
        ("guard-paths", "{ deny = [\"[\"] }"),
    ] {
        let entry = format!(
            "[[hook]]\nname = \"guard\"\non = \"tool.before\"\nwasm = {{ plugin = \"{plugin}\" }}\nconfig = {config}\n"
        );
        let bed = TestBed::with_config(&entry);
        let ran = bed.run_hookbox(&["check"]);
        assert!(ran.code == 1 && ran.stdout.contains("broken guard: hook-error: "), "{config}: {ran}");
        assert!(ran.stdout.contains("(a harmless tool.before was tried)"), "{config}: {ran}");
        let ran = bed.run_hookbox(&["doctor"]);
        assert!(ran.code == 1 && ran.stdout.contains("hook: guard: hook-error: "), "{config}: {ran}");
        let sound = entry.lines().filter(|line| !line.starts_with("config")).collect::<Vec<_>>().join("\n");
        let ran = TestBed::with_config(&sound).run_hookbox(&["check"]);
        assert!(ran.code == 0 && ran.stdout.contains("ok    guard"), "{ran}");
    }
}

#[test]
fn hooks_with_possible_side_effects_and_untrusted_hooks_are_not_tried() {
    let config = shell_gate("touch [PROJECT]/tried", "");
    let bed = TestBed::with_config(&config);
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &format_gate("traps").replace("[GUESTS]", "plugins"));
    bed.write_bytes("[PROJECT]/.hookbox/plugins/traps.wasm", &guests::build_component("traps"));
    let ran = bed.run_hookbox(&["check"]);
    assert!(ran.code == 0 && !bed.resolve_path("[PROJECT]/tried").exists(), "{ran}");
    let ran = TestBed::with_config(&format_gate("traps")).run_hookbox(&["check"]);
    assert!(ran.code == 1 && ran.stdout.contains("broken traps: trap: "), "{ran}");
}

#[test]
fn a_project_that_is_not_a_folder_is_a_mistake() {
    let bed = TestBed::with_config(&format_gate("none"));
    for command in [&["check"][..], &["list"], &["doctor"], &["plugin", "inspect", "a.wasm"]] {
        let ran = bed.run_hookbox(&[command, &["--project", "/nosuch"]].concat());
        let why = "error: --project /nosuch is not a folder; name an existing one\n";
        assert_eq!((ran.code, ran.stderr.as_str()), (2, why), "{command:?}");
    }
}

/// What stands on standard error, with what is told of compiling.
fn read_stderr(bed: &TestBed, arguments: &[&str]) -> String {
    String::from_utf8(bed.build_command(arguments).output().unwrap().stderr).unwrap()
}

#[test]
fn the_compilation_of_a_component_of_many_hooks_is_done_and_reported_once() {
    let hook = |number: usize| {
        let keys =
            format!("priority = {number}\ngrant = {{ env = [\"A{number}\"] }}\nconfig = {{ n = {number} }}");
        gate_with("none", &keys).replace("name = \"none\"", &format!("name = \"none-{number}\""))
    };
    for command in ["check", "doctor"] {
        let bed = TestBed::with_config(&(1..=5).map(hook).collect::<String>()).with_own_cache();
        assert_eq!(read_stderr(&bed, &[command]).matches("compiling none …\n").count(), 1, "{command}");
        assert!(!read_stderr(&bed, &[command]).contains("compiling"), "{command}");
    }
}
