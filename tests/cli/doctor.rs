//! `hookbox doctor`: what an installation is made of, and what is wrong with it.

use std::{fs, os::unix::fs::PermissionsExt};

use hookbox::{agents::settings, handler::shell::confine::KernelSupport};
use insta::assert_snapshot;

use crate::{TestBed, format_gate, gate_with};

/// The report without the versions and without what this machine's memory and kernel allow.
fn run_doctor(bed: &TestBed) -> String {
    let ran = bed.run_hookbox(&["doctor"]);
    let here = [" version: ", " program: ", " sandbox: ", " shell hooks: ", " untrusted plugins: "];
    let told = |line: &&str| !here.iter().any(|what| line.contains(what));
    let lines: Vec<_> = ran.stdout.lines().filter(told).collect();
    format!("exit code {}\n{}\n--- stderr\n{}", ran.code, lines.join("\n"), ran.stderr)
}

#[test]
fn a_healthy_installation() {
    let bed = TestBed::with_config(&format_gate("none")).with_own_cache();
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", "");
    // How long native code is depends on the build.
    let report = run_doctor(&bed);
    assert_snapshot!(report, @"
    exit code 0
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: [HOME]/.config/hookbox/hooks.toml
    ok      project configuration: [PROJECT]/.hookbox/hooks.toml
    ok      configuration: 1 hook, 0 errors, 0 warnings
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    ok      compiler: [BIN]/hookbox-compile
    ok      hook: none
    odd     agents: none that hookbox knows is on this machine
    --- stderr
    ");
}

#[test]
fn a_missing_compiler_is_wrong() {
    assert_snapshot!(run_doctor(&TestBed::new().with_own_cache().without_compiler()), @"
    exit code 1
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: none ([HOME]/.config/hookbox/hooks.toml)
    ok      project configuration: none
    ok      configuration: 0 hooks, 0 errors, 0 warnings
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    wrong   compiler: [BIN]/hookbox-compile does not exist; install hookbox-compile next to hookbox
    wrong   hooks: none is configured, so nothing is ever stopped; `hookbox setup` writes guard-shell and guard-paths
    odd     agents: none that hookbox knows is on this machine
    --- stderr
    ");
}

#[test]
fn a_cache_that_others_can_write_to_is_wrong() {
    let bed = TestBed::new().with_own_cache();
    let cache = bed.resolve_path("[HOME]/.cache/hookbox/compiled");
    fs::create_dir_all(&cache).unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
    assert_snapshot!(run_doctor(&bed), @"
    exit code 1
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: none ([HOME]/.config/hookbox/hooks.toml)
    ok      project configuration: none
    ok      configuration: 0 hooks, 0 errors, 0 warnings
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    wrong   cache: the cache [HOME]/.cache/hookbox/compiled is not used: its mode is 777; make it yours alone with `chmod 700`
    ok      compiler: [BIN]/hookbox-compile
    wrong   hooks: none is configured, so nothing is ever stopped; `hookbox setup` writes guard-shell and guard-paths
    odd     agents: none that hookbox knows is on this machine
    --- stderr
    ");
}

#[test]
fn a_broken_configuration_and_a_broken_hook_are_wrong() {
    let config =
        format_gate("gone").replace("[GUESTS]", "plugins") + &format_gate("none").replace("on =", "onn =");
    assert_snapshot!(run_doctor(&TestBed::with_config(&config).with_own_cache()), @r#"
    exit code 1
    ok      managed configuration: none (/etc/hookbox/hooks.toml)
    ok      user configuration: [HOME]/.config/hookbox/hooks.toml
    ok      project configuration: none
    wrong   configuration: 1 hook, 2 errors, 0 warnings
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    ok      compiler: [BIN]/hookbox-compile
    wrong   hook: gone: missing: cannot read the plugin [HOME]/.config/hookbox/plugins/gone.wasm: No such file or directory (os error 2)
    odd     agents: none that hookbox knows is on this machine
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:6:1: error: the hook has no `on`
      6 | [[hook]]
        | ^^^^^^^^
      help: add one: on = "tool.before"
    [HOME]/.config/hookbox/hooks.toml:8:1: error: unknown key `onn`
      8 | onn = "tool.before"
        | ^^^
      help: did you mean `on`? allowed: name, on, tool, role, priority, timeout, on-failure, once, enabled, config, limits, grant, wasm, shell, webhook, python
    "#);
}

#[test]
fn an_entry_that_fails_open_is_wrong() {
    let bed = TestBed::new().with_own_cache();
    let installed = bed.run_hookbox(&["install", "claude-code", "--yes"]);
    assert_eq!(installed.code, 0, "{installed}");
    let file = bed.resolve_path("[HOME]/.claude/settings.json");
    let text = fs::read_to_string(&file).unwrap();
    let fault = "would let the action pass if hookbox were missing or killed";
    let ran = bed.run_hookbox(&["doctor"]);
    assert!(!ran.stdout.contains(fault), "{ran}");
    fs::write(&file, text.replace("\"onFailure\": \"block\"", "\"onFailure\": \"continue\"")).unwrap();
    let ran = bed.run_hookbox(&["doctor"]);
    assert!(ran.stdout.contains(fault) && ran.code != 0, "{ran}");
}

#[test]
fn doctor_reports_the_available_confinement_of_shell_hooks() {
    let ran = TestBed::new().with_own_cache().run_hookbox(&["doctor"]);
    let line = ran.stdout.lines().find(|line| line.contains(" shell hooks: ")).unwrap();
    let machine = KernelSupport::detect_features();
    assert!(line.contains("shell hooks: own sessions"), "{line}");
    assert!(
        line.contains("; remain open: modes, owners, times and extended attributes of the user's own files"),
        "{line}"
    );
    let missing = line.split_once("; not here: ").map_or("", |(_, missing)| missing);
    assert_eq!(missing.contains("Landlock"), !machine.confines_files(), "{line}");
    assert_eq!(missing.contains("seccomp"), !machine.seccomp, "{line}");
    assert_eq!(missing.contains("a limit on processes"), !machine.counts_processes, "{line}");
}

#[test]
fn doctor_reports_the_confinement_of_untrusted_plugins() {
    let ran = TestBed::new().with_own_cache().run_hookbox(&["doctor"]);
    let line = ran.stdout.lines().find(|line| line.contains(" untrusted plugins: ")).unwrap();
    let machine = KernelSupport::detect_features();
    assert!(line.contains("run in a process of their own; there holds: "), "{line}");
    let (held, missing) = line.split_once("; not here: ").unwrap_or((line, ""));
    for (word, holds) in [("Landlock", machine.confines_files()), ("seccomp", machine.seccomp)] {
        assert_eq!((held.contains(word), missing.contains(word)), (holds, !holds), "{line}");
    }
}

/// What is said of the agents, with the command installed for this one and its entries changed so.
fn of_agents(bed: &TestBed, agent: &str, change: impl Fn(String) -> String) -> (i32, String) {
    let ran = bed.run_hookbox(&["install", agent, "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let settings = settings::find_settings(agent).unwrap();
    let file = bed.resolve_path("[HOME]").join(settings.user.path).join(settings.file);
    fs::write(&file, change(fs::read_to_string(&file).unwrap())).unwrap();
    let ran = bed.run_hookbox(&["doctor"]);
    let lines =
        ran.stdout.lines().filter(|line| line.contains(&format!(" {agent}: ")) || line.contains(" agents: "));
    // Whether a variable can load code into the command depends on the build.
    let lines: Vec<_> = lines.filter(|line| !line.contains("linked dynamically")).collect();
    (ran.code, lines.join("\n"))
}

#[test]
fn an_entry_that_no_variable_bends_is_in_order() {
    for (agent, count) in
        [("claude-code", 20), ("gemini-cli", 11), ("cursor", 10), ("copilot", 11), ("windsurf", 10)]
    {
        let (code, said) = of_agents(&create_guarded_bed(&[]), agent, |text| text);
        assert!(
            code == 0
                && said.starts_with("ok      ")
                && said.contains(&format!("calls hookbox for {count} events")),
            "{said}"
        );
    }
}

#[test]
fn an_entry_that_a_variable_or_another_user_could_bend_is_wrong() {
    let bed = TestBed::new().with_own_cache();
    let said = |agent: &str, from: &str, to: &str| {
        let (code, said) = of_agents(&bed, agent, |text| {
            text.replace(&bed.expand_placeholders(from), &bed.expand_placeholders(to))
        });
        assert_eq!(code, 1, "{said}");
        let line = said.lines().find(|line| line.starts_with("wrong")).unwrap_or_else(|| panic!("{said}"));
        line.to_owned() + "\n"
    };
    let all = said("cursor", "[BIN]/hookbox", "hookbox")
        + &said("cursor", "[BIN]/hookbox", "/nonexistent/hookbox")
        + &said("windsurf", "--home [HOME]", "--home /nonexistent")
        + &said("gemini-cli", "\"BASH_ENV\": \"\"", "\"BASH_ENV\": \"x\"")
        + &said("copilot", " run ", " run --report $LOG ");
    assert_snapshot!(all, @"
    wrong   cursor: [HOME]/.cursor/hooks.json: sessionStart: `hookbox` is looked up in PATH, so that variable decides which program is started; `hookbox install cursor` fixes it
    wrong   cursor: [HOME]/.cursor/hooks.json: sessionStart: /nonexistent/hookbox does not exist, so hookbox is not called; `hookbox install cursor` fixes it
    wrong   windsurf: [HOME]/.codeium/windsurf/hooks.json: pre_read_code: it reads /nonexistent/.config/hookbox/hooks.toml, but HOME and XDG_CONFIG_HOME say [HOME]/.config/hookbox/hooks.toml here; `hookbox install windsurf` fixes it
    wrong   gemini-cli: [HOME]/.gemini/settings.json: BeforeTool: it does not set BASH_ENV to nothing, with which a shell can be made to run something else first; `hookbox install gemini-cli` fixes it
    wrong   copilot: [HOME]/.copilot/hooks/hookbox.json: SessionStart: a shell replaces or redirects something in `[BIN]/hookbox run --report $LOG --agent copilot --home [HOME]`: write it without that
    ");
    let line = bed.expand_placeholders("\"[BIN]/hookbox run --agent claude-code --home [HOME]\"");
    let (_, shell) = of_agents(&bed, "claude-code", |_| {
        format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": {line}}}]}}]}}}}"#)
    });
    assert_snapshot!(shell.lines().next().unwrap(), @"wrong   claude-code: [HOME]/.claude/settings.json: Stop: a shell reads it, and variables decide what that does first; `hookbox install claude-code` fixes it");
}

#[test]
fn another_program_in_hookboxs_place_is_not_run() {
    let bed = TestBed::new().with_own_cache();
    let other = bed.write_file("[CACHE]/../other/hookbox", "#!/bin/sh\n: > [HOME]/ran\n");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, said) = of_agents(&bed, "cursor", |text| {
        text.replace(&bed.expand_placeholders("[BIN]/hookbox"), other.to_str().unwrap())
    });
    assert!(code == 1 && said.contains("is another program than this one, [BIN]/hookbox"), "{said}");
    assert!(!bed.resolve_path("[HOME]/ran").exists());
}

#[test]
fn what_is_left_open_by_an_agent_is_odd_and_says_what_to_do() {
    let on = |text: String| text.replacen('{', "{\"hooksConfig\": {\"enabled\": true},", 1);
    let (code, said) = of_agents(&create_guarded_bed(&[]), "llxprt", on);
    assert_eq!(code, 0, "{said}");
    assert_snapshot!(said, @"
    ok      llxprt: [HOME]/.llxprt/settings.json calls hookbox for 11 events
    odd     llxprt: a project that you trust can get in front of it by BASH_ENV, SHELLOPTS, LD_PRELOAD, LD_AUDIT, LD_LIBRARY_PATH, LD_DEBUG in its .env, unless they are set already: start it by `env BASH_ENV= SHELLOPTS= LD_PRELOAD= LD_AUDIT= LD_LIBRARY_PATH= LD_DEBUG= llxprt`
    odd     llxprt: a project that you trust can keep it from being asked at all by LD_TRACE_LOADED_OBJECTS in its .env (the shell lists its libraries instead of running hookbox), and no entry can prevent that: look into its .env files before you trust it
    ok      llxprt: hooks that a project brings for it (.llxprt/settings.json) run once you trust the folder, as Gemini CLI does, and once `hooksConfig.enabled` is true; its trust is for the folder, and the hook's name and command, never for the content of a script, and hookbox is not called for them: `hookbox trust` shows them
    odd     llxprt: no hook denies `rm -rf /`, only hookbox does, for its own files alone; no hook of yours is guard-shell, which `hookbox setup` writes
    ");
}

#[test]
fn an_agent_that_waits_for_trust_is_wrong() {
    let (code, said) = of_agents(&TestBed::new().with_own_cache(), "codex", |text| text);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    ok      codex: [HOME]/.codex/hooks.json calls hookbox for 9 events
    wrong   codex: codex skips SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, SubagentStart, SubagentStop, PreCompact, Stop without a message until you trust them: start `codex`, enter `/hooks` and trust hookbox's (`codex exec` never asks)
    ok      codex: hooks that a project brings for it (.codex/hooks.json) run hook by hook, once you have trusted it in `/hooks`; its trust is for the hook's entry, by its hash, never for the content of a script, and hookbox is not called for them: `hookbox trust` shows them
    ");
}

#[test]
fn an_agent_that_is_there_and_asks_nothing_is_wrong() {
    let (code, said) = of_agents(&create_guarded_bed(&[]), "gemini-cli", |_| "{}".to_owned());
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    ok      gemini-cli: hooks that a project brings for it (.gemini/settings.json) run once you trust the folder, if `security.folderTrust.enabled` is set, else without asking; it reports a new or changed one once, and then treats it as known; its trust is for the folder, and the hook's name and command, never for the content of a script, and hookbox is not called for them: `hookbox trust` shows them
    wrong   gemini-cli: no entry calls hookbox ([HOME]/.gemini is there; no program gemini on PATH); `hookbox install gemini-cli` writes its entries
    ");
    let (code, said) = of_agents(&TestBed::new().with_own_cache(), "cursor", |_| "{".to_owned());
    assert!(code == 1 && said.contains("hooks.json: line 1, column 1"), "{said}");
}

/// An installation in which this guard is the user's, and these entries are there.
fn create_guarded_bed(installs: &[&[&str]]) -> TestBed {
    let bed = TestBed::with_config(&format_gate("none")).with_own_cache();
    for install in installs {
        let words: Vec<_> = ["install"].into_iter().chain(install.iter().copied()).chain(["--yes"]).collect();
        let ran = bed.run_hookbox(&words);
        assert_eq!(ran.code, 0, "{ran}");
    }
    bed
}

/// The lines of the report about these.
fn lines_about(bed: &TestBed, whom: &[&str]) -> (i32, String) {
    let ran = bed.run_hookbox(&["doctor"]);
    let about = |line: &&str| whom.iter().any(|who| line.contains(&format!(" {who}: ")));
    let lines: Vec<_> = ran.stdout.lines().filter(about).collect();
    (ran.code, lines.join("\n"))
}

#[test]
fn agents_with_settings_that_are_not_json_are_checked_too() {
    let bed = create_guarded_bed(&[&["cline"], &["cocode"]]);
    assert_snapshot!(lines_about(&bed, &["cline", "cocode", "agents"]).1, @"
    ok      cocode: [HOME]/.config/cocode/hooks.toml calls hookbox for 10 events
    ok      cline: [HOME]/Documents/Cline/Hooks calls hookbox for 8 events
    ok      cocode: it runs hooks of a project in no case that is known: it reads the user's file
    ok      cline: hooks that a project brings for it (.clinerules/hooks/) run without asking; it knows no trust for them, and hookbox is not called for them: `hookbox trust` shows them
    odd     cocode: no hook denies `rm -rf /`, only hookbox does, for its own files alone; no hook of yours is guard-shell, which `hookbox setup` writes
    odd     cline: no hook denies `rm -rf /`, only hookbox does, for its own files alone; no hook of yours is guard-shell, which `hookbox setup` writes
    ");
    let file = bed.resolve_path("[HOME]/Documents/Cline/Hooks/PreToolUse");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let cocode = fs::read_to_string(bed.resolve_path("[HOME]/.config/cocode/hooks.toml")).unwrap();
    bed.write_file(
        "[HOME]/.config/cocode/hooks.toml",
        &cocode.replace(&bed.expand_placeholders("[BIN]/"), ""),
    );
    let (code, said) = lines_about(&bed, &["cline", "cocode"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    wrong   cocode: [HOME]/.config/cocode/hooks.toml: SessionStart: `hookbox` is looked up in PATH, so that variable decides which program is started; `hookbox install cocode` fixes it
    ok      cocode: [HOME]/.config/cocode/hooks.toml calls hookbox for 10 events
    wrong   cline: [HOME]/Documents/Cline/Hooks: PreToolUse: the file is not executable, so it is passed over; `hookbox install cline` fixes it
    ok      cline: [HOME]/Documents/Cline/Hooks calls hookbox for 8 events
    ok      cocode: it runs hooks of a project in no case that is known: it reads the user's file
    ok      cline: hooks that a project brings for it (.clinerules/hooks/) run without asking; it knows no trust for them, and hookbox is not called for them: `hookbox trust` shows them
    ");
}

#[test]
fn a_guard_that_an_agent_does_not_ask_is_wrong() {
    for (agent, event, gate) in [
        ("claude-code", "Stop", "PreToolUse"),
        ("gemini-cli", "AfterAgent", "BeforeTool"),
        ("cursor", "stop", "preToolUse"),
        ("cline", "TaskStart", "PreToolUse"),
        ("cocode", "SessionEnd", "PreToolUse"),
        ("code-forge", "session:end", "tool:pre_execute"),
    ] {
        let bed = create_guarded_bed(&[&[agent, "--events", event]]);
        let (code, said) = lines_about(&bed, &[agent]);
        let line = format!(
            "wrong   {agent}: {gate} has no entry, so {agent} does not call none there; `hookbox install {agent}` writes it"
        );
        assert!(code == 1 && said.contains(&line), "{said}");
        bed.run_hookbox(&["install", agent, "--yes"]);
        let (_, said) = lines_about(&bed, &[agent]);
        assert!(!said.contains("has no entry"), "{said}");
        // Without such a hook it may be meant.
        bed.write_file("[HOME]/.config/hookbox/hooks.toml", "# no hooks\n");
        bed.run_hookbox(&["uninstall", agent, "--yes"]);
        bed.run_hookbox(&["install", agent, "--yes", "--events", event]);
        let (code, said) = lines_about(&bed, &[agent, "hooks"]);
        assert!(
            code == 1
                && said.contains(&format!(
                    "odd     {agent}: {gate} has no entry, so no tool call can be stopped"
                )),
            "{said}"
        );
        assert!(said.contains("wrong   hooks: none is configured"), "{said}");
    }
}

#[test]
fn the_entries_of_the_user_and_of_the_project_count_together() {
    let bed = create_guarded_bed(&[&["gemini-cli"], &["gemini-cli", "--here", "--events", "AfterAgent"]]);
    let (code, said) = lines_about(&bed, &["gemini-cli"]);
    assert!(code == 0 && !said.contains("has no entry"), "{said}");
}

#[test]
fn an_entry_that_runs_hookbox_for_another_agent_is_wrong() {
    let bed = create_guarded_bed(&[&["cursor"]]);
    let file = bed.resolve_path("[HOME]/.cursor/hooks.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("--agent cursor", "--agent cursr", 1)).unwrap();
    let (code, said) = lines_about(&bed, &["cursor"]);
    assert!(code == 1 && said.contains("sessionStart: it runs hookbox for `cursr`"), "{said}");
    assert!(said.contains("write `--agent cursor` there"), "{said}");
}

#[test]
fn a_removed_folder_of_an_agent_with_entries_is_reported_until_it_is_uninstalled() {
    for (agent, folder) in [
        ("gemini-cli", "[HOME]/.gemini"),
        ("cline", "[HOME]/Documents/Cline/Hooks"),
        ("cocode", "[HOME]/.config/cocode"),
    ] {
        let bed = create_guarded_bed(&[&[agent]]);
        fs::remove_dir_all(bed.resolve_path(folder)).unwrap();
        let (code, said) = lines_about(&bed, &[agent]);
        // Of Cline another folder is left, so it is still on the machine.
        let expected = i32::from(agent == "cline");
        let gone = format!("{folder} no longer exists: this agent does not call hookbox");
        assert!(code == expected && said.contains(&gone), "{said}");
        bed.run_hookbox(&["uninstall", agent, "--yes"]);
        assert!(!lines_about(&bed, &[agent]).1.contains("no longer exists"));
    }
}

/// A bed whose guard knows what a dangerous command is, and these entries.
fn well_guarded(installs: &[&[&str]]) -> TestBed {
    let bed = create_guarded_bed(installs);
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", GUARD);
    bed
}

const GUARD: &str = r#"[[hook]]
name = "guard-shell"
on = "tool.before"
tool = { class = "shell" }
wasm = { path = "[PLUGINS]/guard-shell.wasm" }
"#;

#[test]
fn that_an_agent_is_protected_is_seen_by_asking_as_it_asks() {
    let bed = well_guarded(&[&["claude-code"], &["cline"]]);
    let (code, said) = lines_about(&bed, &["claude-code", "cline"]);
    assert_eq!(code, 0, "{said}");
    assert_snapshot!(without_linking(&said), @"
    ok      claude-code: [HOME]/.claude/settings.json calls hookbox for 20 events
    ok      cline: [HOME]/Documents/Cline/Hooks calls hookbox for 8 events
    ok      claude-code: hooks that a project brings for it (.claude/settings.json, .claude/settings.local.json) run once you trust the folder; with `-p` without asking; its trust is for the folder, never for the content of a script, and hookbox is not called for them: `hookbox trust` shows them
    ok      cline: hooks that a project brings for it (.clinerules/hooks/) run without asking; it knows no trust for them, and hookbox is not called for them: `hookbox trust` shows them
    ok      claude-code: a recorded `rm -rf /` is denied: guard-shell: `rm -rf /` removes /.
    ok      cline: a recorded `rm -rf /` is denied: guard-shell: `rm -rf /` removes /.
    ");
    // The guard is there, and is not asked about commands.
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &GUARD.replace("shell\" }\n", "web\" }\n"));
    let (code, said) = lines_about(&bed, &["cline"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    ok      cline: [HOME]/Documents/Cline/Hooks calls hookbox for 8 events
    ok      cline: hooks that a project brings for it (.clinerules/hooks/) run without asking; it knows no trust for them, and hookbox is not called for them: `hookbox trust` shows them
    wrong   cline: [HOME]/Documents/Cline/Hooks: no hook denies `rm -rf /`, only hookbox does, for its own files alone
    ");
    // It is switched off.
    bed.write_file(
        "[HOME]/.config/hookbox/hooks.toml",
        &(format_gate("none") + &GUARD.replace("on = ", "enabled = false\non = ")),
    );
    let (code, said) = lines_about(&bed, &["cline"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    ok      cline: [HOME]/Documents/Cline/Hooks calls hookbox for 8 events
    ok      cline: hooks that a project brings for it (.clinerules/hooks/) run without asking; it knows no trust for them, and hookbox is not called for them: `hookbox trust` shows them
    wrong   cline: no hook denies `rm -rf /`, only hookbox does, for its own files alone; the hook `guard-shell` is disabled
    ");
    // Without one it may be meant.
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &format_gate("none"));
    let (code, said) = lines_about(&bed, &["cline"]);
    assert_eq!(code, 0, "{said}");
    assert_snapshot!(said, @"
    ok      cline: [HOME]/Documents/Cline/Hooks calls hookbox for 8 events
    ok      cline: hooks that a project brings for it (.clinerules/hooks/) run without asking; it knows no trust for them, and hookbox is not called for them: `hookbox trust` shows them
    odd     cline: no hook denies `rm -rf /`, only hookbox does, for its own files alone; no hook of yours is guard-shell, which `hookbox setup` writes
    ");
}

/// Whether a variable can load code into the command depends on the build.
fn without_linking(said: &str) -> String {
    said.lines().filter(|line| !line.contains("linked dynamically")).collect::<Vec<_>>().join("\n")
}

#[test]
fn hooks_that_only_observe_do_not_protect() {
    let observer = |guest: &str| gate_with(guest, "role = \"observe\"");
    let said = |config: &str| {
        let bed = TestBed::with_config(config);
        let (code, said) = lines_about(&bed, &["hooks"]);
        assert_eq!(code, 1, "{said}");
        said.lines().last().unwrap().to_owned()
    };
    assert_snapshot!(said(&observer("none")), @"wrong   hooks: the one that is configured can stop nothing, so nothing is ever stopped; `hookbox setup` writes guard-shell and guard-paths");
    let greets = format_gate("none").replace("tool.before", "session.start");
    assert!(said(&greets).contains("hooks: the one that is configured can stop nothing, so"));
    assert!(
        said(&(observer("none") + &observer("denies")))
            .contains("hooks: none of the 2 can stop anything, so")
    );
    let off = gate_with("denies", "enabled = false");
    assert_snapshot!(said(&off), @"wrong   hooks: the hook `denies` is disabled, so nothing is ever stopped");
}

#[test]
fn settings_that_keep_an_agent_from_running_any_hook_are_wrong() {
    for (agent, file, text, said) in [
        (
            "claude-code",
            "[PROJECT]/.claude/settings.local.json",
            r#"{"disableAllHooks":true}"#,
            "`disableAllHooks` to true",
        ),
        (
            "qwen-code",
            "[PROJECT]/.qwen/settings.json",
            r#"{"disableAllHooks":true}"#,
            "`disableAllHooks` to true",
        ),
        (
            "gemini-cli",
            "[PROJECT]/.gemini/settings.json",
            r#"{"hooksConfig":{"enabled":false}}"#,
            "`hooksConfig.enabled` to false",
        ),
        ("codex", "[HOME]/.codex/config.toml", "[features]\nhooks = false\n", "`features.hooks` to false"),
        (
            "copilot",
            "[HOME]/.copilot/settings.json",
            r#"{"disableAllHooks":true}"#,
            "`disableAllHooks` to true",
        ),
        ("droid", "[HOME]/.factory/settings.json", r#"{"hooksDisabled":true}"#, "`hooksDisabled` to true"),
    ] {
        let bed = create_guarded_bed(&[&[agent]]);
        let off =
            format!("wrong   {agent}: {file} sets {said}, so {agent} runs no hook and does not call hookbox");
        let (_, before) = lines_about(&bed, &[agent]);
        assert!(!before.contains("runs no hook"), "{before}");
        bed.write_file("[PROJECT]/.git/HEAD", "");
        bed.write_file(file, text);
        let (code, after) = lines_about(&bed, &[agent]);
        assert!(code == 1 && after.contains(&off), "{after}");
    }
}

#[test]
fn of_several_files_with_a_switch_the_last_counts() {
    let bed = create_guarded_bed(&[&["claude-code"]]);
    let file = bed.resolve_path("[HOME]/.claude/settings.json");
    let text = fs::read_to_string(&file).unwrap().replacen('{', "{\"disableAllHooks\": true,", 1);
    fs::write(&file, text).unwrap();
    let (code, said) = lines_about(&bed, &["claude-code"]);
    assert!(code == 1 && said.contains("sets `disableAllHooks` to true"), "{said}");
    bed.write_file("[PROJECT]/.git/HEAD", "");
    bed.write_file("[PROJECT]/.claude/settings.json", r#"{"disableAllHooks":false}"#);
    assert_eq!(lines_about(&bed, &["claude-code"]).0, 0);
}

#[test]
fn doctor_reports_that_llxprt_runs_no_hook_until_its_settings_enable_hooks() {
    let (code, said) = lines_about(&create_guarded_bed(&[&["llxprt"]]), &["llxprt"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said.lines().last().unwrap(), @r#"wrong   llxprt: llxprt runs no hook as its settings are: write `"hooksConfig": {"enabled": true}` into [HOME]/.llxprt/settings.json"#);
}

#[test]
fn an_agent_that_is_only_a_program_is_on_the_machine() {
    let bed = create_guarded_bed(&[]);
    let path = bed.expand_placeholders("/usr/bin:/bin:[HOME]/bin");
    let bed = bed.with_variable("PATH", &path);
    let program = bed.write_file("[HOME]/bin/gemini", "#!/bin/sh\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, said) = lines_about(&bed, &["gemini-cli"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    ok      gemini-cli: hooks that a project brings for it (.gemini/settings.json) run once you trust the folder, if `security.folderTrust.enabled` is set, else without asking; it reports a new or changed one once, and then treats it as known; its trust is for the folder, and the hook's name and command, never for the content of a script, and hookbox is not called for them: `hookbox trust` shows them
    wrong   gemini-cli: no entry calls hookbox (no settings folder found; its program is [HOME]/bin/gemini); `hookbox install gemini-cli` writes its entries
    ");
}

#[test]
fn an_agent_that_only_a_project_tells_of_hookbox_is_odd_and_wrong_where_it_does_not_trust_the_folder() {
    let bed = create_guarded_bed(&[&["gemini-cli", "--here"]]);
    bed.write_file("[HOME]/.gemini/settings.json", "{}");
    let last = |code: i32| {
        let (said_code, said) = lines_about(&bed, &["gemini-cli"]);
        assert_eq!(said_code, code, "{said}");
        said.lines().find(|line| line.contains("only")).unwrap().to_owned()
    };
    assert_snapshot!(last(0), @"odd     gemini-cli: only [PROJECT]/.gemini/settings.json calls hookbox; in other folders nothing does: `hookbox install gemini-cli` writes that");
    bed.write_file("[HOME]/.gemini/settings.json", r#"{"security": {"folderTrust": {"enabled": true}}}"#);
    assert_snapshot!(last(1), @"wrong   gemini-cli: only [PROJECT]/.gemini/settings.json calls hookbox, and gemini-cli ignores that until [PROJECT] is trusted there: start it there, or `hookbox install gemini-cli`");
    bed.write_file("[HOME]/.gemini/trustedFolders.json", r#"{"[PROJECT]": "TRUST_FOLDER"}"#);
    last(0);
}

#[test]
fn a_projects_file_that_stands_in_the_place_of_the_users_is_wrong() {
    let bed = create_guarded_bed(&[&["openhands"]]);
    bed.write_file("[PROJECT]/.git/HEAD", "");
    bed.write_file("[PROJECT]/.openhands/hooks.json", "{}");
    let (code, said) = lines_about(&bed, &["openhands"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said.lines().last().unwrap(), @"wrong   openhands: [PROJECT]/.openhands/hooks.json replaces your own file and has no hookbox entry, so hookbox is not called here; `hookbox install openhands --here` writes them");
}

#[test]
fn a_second_folder_of_an_agents_settings_is_looked_at_too() {
    let bed = create_guarded_bed(&[]);
    let elsewhere = bed.expand_placeholders("[HOME]/elsewhere");
    let bed = bed.with_variable("CLAUDE_CONFIG_DIR", &elsewhere);
    assert_eq!(bed.run_hookbox(&["install", "claude-code", "--yes"]).code, 0);
    fs::create_dir(bed.resolve_path("[HOME]/.claude")).unwrap();
    let (code, said) = lines_about(&bed, &["claude-code"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(without_linking(&said), @"
    ok      claude-code: [HOME]/elsewhere/settings.json calls hookbox for 20 events
    ok      claude-code: hooks that a project brings for it (.claude/settings.json, .claude/settings.local.json) run once you trust the folder; with `-p` without asking; its trust is for the folder, never for the content of a script, and hookbox is not called for them: `hookbox trust` shows them
    odd     claude-code: no hook denies `rm -rf /`, only hookbox does, for its own files alone; no hook of yours is guard-shell, which `hookbox setup` writes
    wrong   claude-code: [HOME]/.claude/settings.json has no hookbox entry, and is what claude-code reads if it is started without the variable that names another folder; `hookbox install claude-code` there, too
    ");
}

#[test]
fn doctor_reports_the_lines_to_write_for_amazon_q_until_they_are_there() {
    let bed = well_guarded(&[]);
    fs::create_dir_all(bed.resolve_path("[HOME]/.aws/amazonq/cli-agents")).unwrap();
    let ran = bed.run_hookbox(&["doctor"]);
    assert_eq!(ran.code, 1, "{ran}");
    let (_, said) = ran.stdout.split_once("wrong   amazon-q: ").unwrap();
    assert_snapshot!(said, @r#"
    no entry calls hookbox ([HOME]/.aws/amazonq/cli-agents is there; no program qchat or kiro-cli on PATH), since its hooks are in the files of its agents, which you maintain (~/.aws/amazonq/cli-agents/*.json, ~/.kiro/agents/*.json): write this into each of them
    "hooks": {
      "agentSpawn": [{"command":"[BIN]/hookbox run --agent amazon-q --home [HOME]","timeout_ms":30000}],
      "userPromptSubmit": [{"command":"[BIN]/hookbox run --agent amazon-q --home [HOME]","timeout_ms":30000}],
      "preToolUse": [{"matcher":"*","command":"trap '[ $? = 0 ] || exit 2' 0; [BIN]/hookbox run --agent amazon-q --home [HOME] || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }","timeout_ms":30000}],
      "postToolUse": [{"matcher":"*","command":"[BIN]/hookbox run --agent amazon-q --home [HOME]","timeout_ms":30000}],
      "stop": [{"command":"[BIN]/hookbox run --agent amazon-q --home [HOME]","timeout_ms":30000}]
    }
    "#);
    let (_, member) = said.split_once('\n').unwrap();
    bed.write_file("[HOME]/.aws/amazonq/cli-agents/mine.json", &format!("{{\"name\": \"mine\", {member}}}"));
    let (code, said) = lines_about(&bed, &["amazon-q"]);
    assert_eq!(code, 0, "{said}");
    assert_snapshot!(said, @"
    ok      amazon-q: hooks that a project brings for it (.amazonq/cli-agents/, .kiro/agents/) run when an agent is started that the project brings; its trust is for that agent, never for the content of a script, and hookbox is not called for them: `hookbox trust` shows them
    ok      amazon-q: [HOME]/.aws/amazonq/cli-agents/mine.json calls hookbox for 5 events
    ok      amazon-q: a recorded `rm -rf /` is denied: guard-shell: `rm -rf /` removes /.
    ");
}

#[test]
fn doctor_says_what_each_agent_does_with_hooks_of_a_project() {
    let bed = TestBed::new();
    for folder in [".claude", ".codex", ".gemini", ".cursor", ".config/opencode", ".kimi-code"] {
        fs::create_dir_all(bed.resolve_path(&format!("[HOME]/{folder}"))).unwrap();
    }
    let ran = bed.run_hookbox(&["doctor"]);
    for said in [
        "claude-code: hooks that a project brings for it (.claude/settings.json, .claude/settings.local.json) run once you trust",
        "codex: hooks that a project brings for it (.codex/hooks.json) run hook by hook",
        "cursor: hooks that a project brings for it (.cursor/hooks.json) run in a workspace that you trust",
        "opencode: hooks that a project brings for it (.opencode/plugins/, .opencode/plugin/) run without asking",
        "kimi-code: it runs hooks of a project in no case that was seen",
        "hookbox is not called for them: `hookbox trust` shows them",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {ran}");
    }
}
