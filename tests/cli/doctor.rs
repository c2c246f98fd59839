//! `hookbox doctor`: what an installation is made of, and what is wrong with it.

use std::{fs, os::unix::fs::PermissionsExt};

use hookbox::{dialect::settings, handler::shell::confine::KernelSupport};
use insta::assert_snapshot;

use crate::{TestBed, gate};

/// The report without the versions and without what this machine's memory and kernel allow.
fn examined(bed: &TestBed) -> String {
    let ran = bed.hookbox(&["doctor"]);
    let here = [" version: ", " program: ", " sandbox: ", " shell hooks: "];
    let told = |line: &&str| !here.iter().any(|what| line.contains(what));
    let lines: Vec<_> = ran.stdout.lines().filter(told).collect();
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
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    ok      compiler: [BIN]/hookbox-compile
    ok      hook: none
    odd     agents: none asks hookbox anything; `hookbox install AGENT` writes it into an agent's settings
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
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    wrong   compiler: [BIN]/hookbox-compile is not there; install hookbox-compile beside hookbox
    odd     agents: none asks hookbox anything; `hookbox install AGENT` writes it into an agent's settings
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
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    wrong   cache: the cache [HOME]/.cache/hookbox/compiled is not used: its mode is 777; make it yours alone with `chmod 700`
    ok      compiler: [BIN]/hookbox-compile
    odd     agents: none asks hookbox anything; `hookbox install AGENT` writes it into an agent's settings
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
    ok      log: [HOME]/.local/state/hookbox/log.jsonl, shown by `hookbox log`
    ok      cache: [HOME]/.cache/hookbox/compiled, 0 compiled plugins, 0 KiB
    ok      compiler: [BIN]/hookbox-compile
    wrong   hook: gone: missing: cannot read the plugin [HOME]/.config/hookbox/plugins/gone.wasm: No such file or directory (os error 2)
    odd     agents: none asks hookbox anything; `hookbox install AGENT` writes it into an agent's settings
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
fn what_shell_hooks_can_be_confined_by_is_told() {
    let ran = TestBed::new().with_own_cache().hookbox(&["doctor"]);
    let line = ran.stdout.lines().find(|line| line.contains(" shell hooks: ")).unwrap();
    let machine = KernelSupport::here();
    assert!(line.contains("shell hooks: own sessions"), "{line}");
    let missing = line.split_once("; not here: ").map_or("", |(_, missing)| missing);
    assert_eq!(missing.contains("Landlock"), !machine.confines_files(), "{line}");
    assert_eq!(missing.contains("seccomp"), !machine.seccomp, "{line}");
    assert_eq!(missing.contains("a limit on processes"), !machine.counts_processes, "{line}");
}

/// What is said of the agents, with the command installed for this one and its entries changed so.
fn of_agents(bed: &TestBed, agent: &str, change: impl Fn(String) -> String) -> (i32, String) {
    let ran = bed.hookbox(&["install", agent, "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let settings = settings::named(agent).unwrap();
    let file = bed.path("[HOME]").join(settings.user.path).join(settings.file);
    fs::write(&file, change(fs::read_to_string(&file).unwrap())).unwrap();
    let ran = bed.hookbox(&["doctor"]);
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
        let (code, said) = of_agents(&TestBed::new().with_own_cache(), agent, |text| text);
        assert!(
            code == 0
                && said.starts_with("ok      ")
                && said.contains(&format!("asks hookbox at {count} events")),
            "{said}"
        );
    }
}

#[test]
fn an_entry_that_a_variable_or_another_user_could_bend_is_wrong() {
    let bed = TestBed::new().with_own_cache();
    let said = |agent: &str, from: &str, to: &str| {
        let (code, said) = of_agents(&bed, agent, |text| text.replace(&bed.real(from), &bed.real(to)));
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
    wrong   cursor: [HOME]/.cursor/hooks.json: sessionStart: `hookbox` is looked up by PATH, so whoever sets that decides what is started; `hookbox install cursor` mends it
    wrong   cursor: [HOME]/.cursor/hooks.json: sessionStart: /nonexistent/hookbox is not there, so nothing is asked; `hookbox install cursor` mends it
    wrong   windsurf: [HOME]/.codeium/windsurf/hooks.json: pre_read_code: it reads /nonexistent/.config/hookbox/hooks.toml, but HOME and XDG_CONFIG_HOME say [HOME]/.config/hookbox/hooks.toml here; `hookbox install windsurf` mends it
    wrong   gemini-cli: [HOME]/.gemini/settings.json: BeforeTool: it does not set BASH_ENV to nothing, by which a shell is made to run something else first; `hookbox install gemini-cli` mends it
    wrong   copilot: [HOME]/.copilot/hooks/hookbox.json: SessionStart: a shell replaces or redirects something in `[BIN]/hookbox run --report $LOG --agent copilot --home [HOME]`: write it without that
    ");
    let line = bed.real("\"[BIN]/hookbox run --agent claude-code --home [HOME]\"");
    let (_, shell) = of_agents(&bed, "claude-code", |_| {
        format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"command": {line}}}]}}]}}}}"#)
    });
    assert_snapshot!(shell.lines().next().unwrap(), @"wrong   claude-code: [HOME]/.claude/settings.json: Stop: a shell reads it, and variables decide what that does first; `hookbox install claude-code` mends it");
}

#[test]
fn another_program_in_hookboxs_place_is_not_run() {
    let bed = TestBed::new().with_own_cache();
    let other = bed.write("[CACHE]/../other/hookbox", "#!/bin/sh\n: > [HOME]/ran\n");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, said) =
        of_agents(&bed, "cursor", |text| text.replace(&bed.real("[BIN]/hookbox"), other.to_str().unwrap()));
    assert!(code == 1 && said.contains("is another program than this one, [BIN]/hookbox"), "{said}");
    assert!(!bed.path("[HOME]/ran").exists());
}

#[test]
fn what_is_left_open_by_an_agent_is_odd_and_says_what_to_do() {
    let (code, said) = of_agents(&TestBed::new().with_own_cache(), "llxprt", |text| text);
    assert_eq!(code, 0, "{said}");
    assert_snapshot!(said, @"
    ok      llxprt: [HOME]/.llxprt/settings.json asks hookbox at 11 events
    odd     llxprt: a project that you trust can get in front of it by BASH_ENV, SHELLOPTS, LD_PRELOAD, LD_AUDIT, LD_LIBRARY_PATH, LD_DEBUG in its .env, unless they are set already: start it by `env BASH_ENV= SHELLOPTS= LD_PRELOAD= LD_AUDIT= LD_LIBRARY_PATH= LD_DEBUG= llxprt`
    odd     llxprt: a project that you trust can keep it from being asked at all by LD_TRACE_LOADED_OBJECTS in its .env (the shell lists its libraries instead of running hookbox), and no entry can prevent that: look into its .env files before you trust it
    ");
}

#[test]
fn an_agent_that_waits_for_trust_is_wrong() {
    let (code, said) = of_agents(&TestBed::new().with_own_cache(), "codex", |text| text);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    ok      codex: [HOME]/.codex/hooks.json asks hookbox at 9 events
    wrong   codex: codex skips SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, SubagentStart, SubagentStop, PreCompact, Stop without a word until you trust them: start `codex`, enter `/hooks` and trust hookbox's (`codex exec` never asks)
    ");
}

#[test]
fn an_agent_that_is_there_and_asks_nothing_is_odd() {
    let (code, said) = of_agents(&TestBed::new().with_own_cache(), "gemini-cli", |_| "{}".to_owned());
    assert_eq!(code, 0, "{said}");
    assert_snapshot!(said, @"
    odd     agents: none asks hookbox anything; `hookbox install AGENT` writes it into an agent's settings
    odd     gemini-cli: [HOME]/.gemini/settings.json has no entry of hookbox's; `hookbox install gemini-cli` writes them
    ");
    let (code, said) = of_agents(&TestBed::new().with_own_cache(), "cursor", |_| "{".to_owned());
    assert!(code == 1 && said.contains("hooks.json: line 1, column 1"), "{said}");
}

/// An installation in which this guard is the user's, and these entries are there.
fn guarded(installs: &[&[&str]]) -> TestBed {
    let bed = TestBed::with(&gate("none")).with_own_cache();
    for install in installs {
        let words: Vec<_> = ["install"].into_iter().chain(install.iter().copied()).chain(["--yes"]).collect();
        let ran = bed.hookbox(&words);
        assert_eq!(ran.code, 0, "{ran}");
    }
    bed
}

/// The lines of the report about these.
fn lines_about(bed: &TestBed, whom: &[&str]) -> (i32, String) {
    let ran = bed.hookbox(&["doctor"]);
    let about = |line: &&str| whom.iter().any(|who| line.contains(&format!(" {who}: ")));
    let lines: Vec<_> = ran.stdout.lines().filter(about).collect();
    (ran.code, lines.join("\n"))
}

#[test]
fn agents_whose_settings_are_no_json_are_looked_at_too() {
    let bed = guarded(&[&["cline"], &["cocode"]]);
    assert_snapshot!(lines_about(&bed, &["cline", "cocode", "agents"]).1, @"
    ok      cocode: [HOME]/.config/cocode/hooks.toml asks hookbox at 10 events
    ok      cline: [HOME]/Documents/Cline/Hooks asks hookbox at 8 events
    ");
    let file = bed.path("[HOME]/Documents/Cline/Hooks/PreToolUse");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let cocode = fs::read_to_string(bed.path("[HOME]/.config/cocode/hooks.toml")).unwrap();
    bed.write("[HOME]/.config/cocode/hooks.toml", &cocode.replace(&bed.real("[BIN]/"), ""));
    let (code, said) = lines_about(&bed, &["cline", "cocode"]);
    assert_eq!(code, 1, "{said}");
    assert_snapshot!(said, @"
    wrong   cocode: [HOME]/.config/cocode/hooks.toml: SessionStart: `hookbox` is looked up by PATH, so whoever sets that decides what is started; `hookbox install cocode` mends it
    ok      cocode: [HOME]/.config/cocode/hooks.toml asks hookbox at 10 events
    wrong   cline: [HOME]/Documents/Cline/Hooks: PreToolUse: the file is not executable, so it is passed over; `hookbox install cline` mends it
    ok      cline: [HOME]/Documents/Cline/Hooks asks hookbox at 8 events
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
        let bed = guarded(&[&[agent, "--events", event]]);
        let (code, said) = lines_about(&bed, &[agent]);
        let line = format!(
            "wrong   {agent}: {gate} has no entry, so {agent} does not ask none there; `hookbox install {agent}` writes it"
        );
        assert!(code == 1 && said.contains(&line), "{said}");
        bed.hookbox(&["install", agent, "--yes"]);
        let (_, said) = lines_about(&bed, &[agent]);
        assert!(!said.contains("has no entry"), "{said}");
        // Without such a hook it may be meant.
        bed.write("[HOME]/.config/hookbox/hooks.toml", "# no hooks\n");
        bed.hookbox(&["uninstall", agent, "--yes"]);
        bed.hookbox(&["install", agent, "--yes", "--events", event]);
        let (code, said) = lines_about(&bed, &[agent, "hooks"]);
        assert!(
            code == 0
                && said.contains(&format!(
                    "odd     {agent}: {gate} has no entry, so no tool call can be stopped"
                )),
            "{said}"
        );
        assert!(said.contains("odd     hooks: agents ask hookbox, and you have no hook"), "{said}");
    }
}

#[test]
fn the_entries_of_the_user_and_of_the_project_count_together() {
    let bed = guarded(&[&["gemini-cli"], &["gemini-cli", "--project", "--events", "AfterAgent"]]);
    let (code, said) = lines_about(&bed, &["gemini-cli"]);
    assert!(code == 0 && !said.contains("has no entry"), "{said}");
}

#[test]
fn an_entry_that_runs_hookbox_for_another_agent_is_wrong() {
    let bed = guarded(&[&["cursor"]]);
    let file = bed.path("[HOME]/.cursor/hooks.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("--agent cursor", "--agent cursr", 1)).unwrap();
    let (code, said) = lines_about(&bed, &["cursor"]);
    assert!(code == 1 && said.contains("sessionStart: it runs hookbox for `cursr`"), "{said}");
    assert!(said.contains("write `--agent cursor` there"), "{said}");
}

#[test]
fn a_folder_of_an_agent_that_is_gone_with_its_entries_is_told_until_it_is_uninstalled() {
    for (agent, folder) in [
        ("gemini-cli", "[HOME]/.gemini"),
        ("cline", "[HOME]/Documents/Cline/Hooks"),
        ("cocode", "[HOME]/.config/cocode"),
    ] {
        let bed = guarded(&[&[agent]]);
        fs::remove_dir_all(bed.path(folder)).unwrap();
        let (code, said) = lines_about(&bed, &[agent]);
        assert!(code == 0 && said.contains(&format!("{folder} is gone: this agent asks nothing")), "{said}");
        bed.hookbox(&["uninstall", agent, "--yes"]);
        assert_eq!(lines_about(&bed, &[agent]).1, "");
    }
}
