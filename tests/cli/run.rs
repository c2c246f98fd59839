//! `hookbox run`: the recorded events of real agents, and how an answer looks.

use std::{
    fs,
    io::{ErrorKind, Write},
    os::unix::{fs::PermissionsExt, process::CommandExt},
};

use insta::assert_snapshot;

use crate::{
    LS, START, TestBed, bad_config::make_fifo, format_gate, guests, processes::long_sleep, shell_gate,
};

/// The shipped plugins, as a user would install them.
const SHIPPED: &str = r#"
[[hook]]
name = "guard-shell"
on = "tool.before"
tool = { class = "shell" }
wasm = { path = "[PLUGINS]/guard-shell.wasm" }

[[hook]]
name = "guard-paths"
on = "tool.before"
tool = { class = ["file-read", "file-write", "search", "shell"] }
wasm = { path = "[PLUGINS]/guard-paths.wasm" }

[[hook]]
name = "house-rules"
on = ["session.start", "prompt.submit"]
wasm = { path = "[PLUGINS]/context.wasm" }
config = { session = "Test before you push." }
"#;

/// One line per recorded event: its file, the exit code and the answer. Nothing may be said on standard error.
fn answer_recorded(agent: &str) -> String {
    let bed = TestBed::with_config(SHIPPED);
    let mut lines = Vec::new();
    for entry in fs::read_dir(guests::repository_folder("tests/data/events").join(agent)).unwrap() {
        let path = entry.unwrap().path();
        let event = fs::read_to_string(&path).unwrap().replace("/home/dev/project", "[PROJECT]");
        let ran = bed.answer_as(agent, &event);
        assert_eq!(ran.stderr, "", "{}", path.display());
        lines.push(format!("{} {} {}", path.file_stem().unwrap().display(), ran.code, ran.stdout));
    }
    lines.sort();
    lines.concat()
}

#[test]
fn the_recorded_events_of_claude_code_are_answered_and_rm_root_is_denied() {
    assert_snapshot!(answer_recorded("claude-code"), @r#"
    00-SessionStart 0 {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"[hookbox: house-rules]\nTest before you push."}}
    01-UserPromptSubmit 0 {}
    02-PreToolUse-Bash 0 {}
    03-PostToolUse-Bash 0 {}
    04-PostToolBatch-Bash 0 {}
    05-PreToolUse-Write 0 {}
    06-PostToolUse-Write 0 {}
    07-PostToolBatch-Write 0 {}
    08-PreToolUse-Read 0 {}
    09-PostToolUse-Read 0 {}
    10-PostToolBatch-Read 0 {}
    11-PreToolUse-Edit 0 {}
    12-PostToolUse-Edit 0 {}
    13-PostToolBatch-Edit 0 {}
    14-PreToolUse-Bash-blocked 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard-shell: `rm -rf / --no-preserve-root` removes /. Instead: name the files or folders inside the project that are to go. The user can allow it: this once with `hookbox allow --once`, always with `off = [\"rm-root\"]` under `[hook.config]` of this hook in hooks.toml (rm-root)"}}
    15-PostToolBatch-Bash-blocked 0 {}
    16-SessionEnd 0 {}
    17-PostToolUseFailure-Bash 0 {}
    18-Stop 0 {}
    "#);
}

#[test]
fn the_recorded_events_of_gemini_cli_are_answered_and_rm_root_is_denied() {
    assert_snapshot!(answer_recorded("gemini-cli"), @r#"
    00-SessionStart 0 {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"[hookbox: house-rules]\nTest before you push."}}
    01-BeforeAgent 0 {}
    02-PreCompress 0 {}
    03-BeforeModel 0 {}
    04-BeforeToolSelection 0 {}
    05-AfterModel 0 {}
    06-BeforeTool-run_shell_command 0 {}
    07-AfterTool-run_shell_command 0 {}
    08-PreCompress 0 {}
    09-BeforeModel 0 {}
    10-BeforeToolSelection 0 {}
    11-AfterModel 0 {}
    12-BeforeTool-write_file 0 {}
    13-AfterTool-write_file 0 {}
    18-BeforeTool-run_shell_command-blocked 0 {"decision":"deny","reason":"guard-shell: `rm -rf / --no-preserve-root` removes /. Instead: name the files or folders inside the project that are to go. The user can allow it: this once with `hookbox allow --once`, always with `off = [\"rm-root\"]` under `[hook.config]` of this hook in hooks.toml (rm-root)"}
    23-AfterAgent 0 {}
    24-SessionEnd 0 {}
    "#);
}

#[test]
fn code_forge_and_run_claude_are_found_from_their_events_and_kept_from_rm_root() {
    let bed = TestBed::with_config(SHIPPED);
    let forge = r#"{"type":"tool:pre_execute","timestamp":1.5,"tool_name":"bash","session_id":null,
        "data":{"tool_args":{"command":"rm -rf /"}}}"#;
    let proxy = r#"{"event":"pre_tool_call","model":"m","request_id":"r","timestamp":1.5,
        "tool_name":"Bash","tool_args":{"command":"rm -rf /"}}"#;
    let answers = [forge, proxy]
        .map(|event| bed.run_with_input(&mut bed.build_command(&["run"]), event.as_bytes()).to_string());
    assert_snapshot!(answers.concat(), @r#"
    exit code 2
    --- stdout
    guard-shell: `rm -rf /` removes /. Instead: name the files or folders inside the project that are to go. The user can allow it: this once with `hookbox allow --once`, always with `off = ["rm-root"]` under `[hook.config]` of this hook in hooks.toml (rm-root)
    --- stderr
    guard-shell: `rm -rf /` removes /. Instead: name the files or folders inside the project that are to go. The user can allow it: this once with `hookbox allow --once`, always with `off = ["rm-root"]` under `[hook.config]` of this hook in hooks.toml (rm-root)
    exit code 2
    --- stdout
    {"event":"pre_tool_call","model":"m","request_id":"r","timestamp":1.5,"tool_name":"Bash","tool_args":{"command":"rm -rf /"},"stop_chain":true,"error":"guard-shell: `rm -rf /` removes /. Instead: name the files or folders inside the project that are to go. The user can allow it: this once with `hookbox allow --once`, always with `off = [\"rm-root\"]` under `[hook.config]` of this hook in hooks.toml (rm-root)"}
    --- stderr
    guard-shell: `rm -rf /` removes /. Instead: name the files or folders inside the project that are to go. The user can allow it: this once with `hookbox allow --once`, always with `off = ["rm-root"]` under `[hook.config]` of this hook in hooks.toml (rm-root)
    "#);
}

#[test]
fn an_agents_own_event_name_may_have_a_colon() {
    let event = r#"{"type":"tool:pre_execute","timestamp":1.5,"tool_name":"bash","data":{"tool_args":{}}}"#;
    for on in ["tool:pre_execute", "code-forge:tool:pre_execute", "code-forge:tool:*"] {
        let bed = TestBed::with_config(&format_gate("denies").replace("tool.before", on));
        assert_eq!(bed.answer_as("code-forge", event).stdout, "denies: because (no)\n", "{on}");
    }
}

#[test]
fn the_agent_is_found_from_its_event() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let event = |path: &str| fs::read(guests::repository_folder("tests/data/events").join(path)).unwrap();
    let claude =
        bed.run_with_input(&mut bed.build_command(&["run"]), &event("claude-code/02-PreToolUse-Bash.json"));
    let gemini = bed.run_with_input(
        &mut bed.build_command(&["run"]),
        &event("gemini-cli/06-BeforeTool-run_shell_command.json"),
    );
    assert_snapshot!(format!("{claude}{gemini}"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: because (no)"}}
    --- stderr
    exit code 0
    --- stdout
    {"decision":"deny","reason":"denies: because (no)"}
    --- stderr
    "#);
}

#[test]
fn a_native_event_that_no_hook_denies_ends_with_exit_code_zero() {
    let ran = TestBed::with_config(&format_gate("none"))
        .answer_as("native", r#"{"event":"tool.before","tool":{"name":"Bash","input":{"command":"ls"}}}"#);
    assert_snapshot!(ran, @r#"
    exit code 0
    --- stdout
    {"verdict":"none","hooks":[{"hook":"none","status":"answered"}]}
    --- stderr
    "#);
}

#[test]
fn a_native_event_that_is_denied_ends_with_two() {
    let ran = TestBed::with_config(&format_gate("denies"))
        .answer_as("native", r#"{"event":"tool.before","tool":{"name":"Bash","input":{"command":"ls"}}}"#);
    assert_snapshot!(ran, @r#"
    exit code 2
    --- stdout
    {"verdict":"deny","reasons":[{"hook":"denies","code":"no","text":"because"}],"hooks":[{"hook":"denies","status":"answered"}]}
    --- stderr
    denies: because (no)
    "#);
}

#[test]
fn without_any_hook_there_is_nothing_to_say() {
    assert_snapshot!(TestBed::new().answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    ");
}

#[test]
fn without_a_home_the_users_hooks_are_unknown_and_what_can_be_denied_is() {
    let bed = TestBed::new();
    let run = |option: &str| {
        let mut command = bed.bare_command(&["run", "--home", "[HOME]", option, "[HOME]/gone"]);
        bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes())
    };
    assert_snapshot!(run("--config-home"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: <user>: the user's hooks cannot be read, since [HOME]/gone is not a folder; run `hookbox check` (bad-configuration)"}}
    --- stderr
    hookbox: <user>: the user's hooks cannot be read, since [HOME]/gone is not a folder
    "#);
    let mut command = bed.bare_command(&["run", "--home", "[HOME]/gone"]);
    let ran = bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes());
    assert!(ran.stdout.contains("since [HOME]/gone is not a folder"), "{ran}");
    // What is kept, and native code, are made where they are missing.
    assert_eq!(run("--state-home").stdout, "{}\n");
}

#[test]
fn a_home_that_is_relative_or_goes_about_is_wrong_usage() {
    for home in ["home", "/proc/self/cwd", "/home/../project", ""] {
        let ran = TestBed::new().run_hookbox(&["run", "--home", home]);
        assert_eq!(ran.code, 2, "{ran}");
    }
}

/// Only root can become somebody else.
#[test]
fn a_user_without_a_database_entry_is_refused_with_the_argument_to_write() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let bed = TestBed::new();
    let mut command = bed.bare_command(&["run", "--cache-home", "/nonexistent"]);
    command.uid(4_000_000_000).current_dir("/");
    let ran = match command.spawn() {
        Ok(child) => {
            drop(child.stdin.as_ref().unwrap().write_all(LS.replace("[PROJECT]", "/").as_bytes()));
            bed.wait_for(child)
        }
        // The build is in a folder of root's own.
        Err(error) => return assert_eq!(error.kind(), ErrorKind::PermissionDenied),
    };
    assert!(
        ran.stdout.contains(
            "/etc/passwd does not have the user 4000000000, and the hook's command has no `--home DIR`"
        ),
        "{ran}"
    );
    assert!(ran.stdout.contains("\"permissionDecision\":\"deny\""), "{ran}");
}

#[test]
fn all_that_an_answer_can_hold_reaches_the_agent() {
    let config = format_gate("allows").replace("wasm =", "role = \"transform\"\nwasm =");
    assert_snapshot!(TestBed::with_config(&config).answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"true"},"additionalContext":"[hookbox: allows]\ntexts"},"continue":false,"stopReason":"allows: texts","systemMessage":"allows: texts"}
    --- stderr
    "#);
}

#[test]
fn a_cold_cache_is_filled_within_the_budget_and_the_hook_runs() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: because (no)"}}
    --- stderr
    "#);
    let cached = fs::read_dir(bed.resolve_path("[HOME]/.cache/hookbox/compiled")).unwrap();
    let mut kinds: Vec<_> =
        cached.map(|entry| entry.unwrap().path().extension().unwrap().display().to_string()).collect();
    kinds.sort();
    assert_eq!(kinds, ["cwasm", "lock", "memo", "seal"]);
}

#[test]
fn without_the_compiler_a_gate_that_is_not_compiled_denies_and_says_what_to_run() {
    let bed = TestBed::with_config(&format_gate("none")).with_own_cache().without_compiler();
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"none: the hook failed, and its failure policy decides (not-compiled: the plugin [GUESTS]/none.wasm is not compiled yet (the compiler [BIN]/hookbox-compile cannot be started: No such file or directory (os error 2); install it next to hookbox); run `hookbox check`) (hook-failed)"}}
    --- stderr
    hookbox: the hook `none` failed: not-compiled: the plugin [GUESTS]/none.wasm is not compiled yet (the compiler [BIN]/hookbox-compile cannot be started: No such file or directory (os error 2); install it next to hookbox); run `hookbox check`
    "#);
}

#[test]
fn without_the_compiler_an_event_that_cannot_be_blocked_passes() {
    let config = format_gate("none").replace("tool.before", "session.start");
    let bed = TestBed::with_config(&config).with_own_cache().without_compiler();
    assert_snapshot!(bed.answer_event(START), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the hook `none` failed: not-compiled: the plugin [GUESTS]/none.wasm is not compiled yet (the compiler [BIN]/hookbox-compile cannot be started: No such file or directory (os error 2); install it next to hookbox); run `hookbox check`
    ");
}

#[test]
fn a_backtrace_is_never_printed() {
    let bed = TestBed::with_config(&format_gate("traps")).with_variable("RUST_BACKTRACE", "1");
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"traps: the hook failed, and its failure policy decides (trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed) (hook-failed)"}}
    --- stderr
    hookbox: the hook `traps` failed: trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed
    "#);
}

#[test]
fn a_reader_that_has_gone_changes_nothing_about_the_exit_code() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let event =
        bed.write_file("[HOME]/event.json", r#"{"event":"tool.before","tool":{"name":"x","input":{}}}"#);
    for line in [
        r#"("$0" run < event; echo $? >&2) | :"#,
        r#""$0" run < event >&-; echo $? >&2"#,
        r#""$0" run < event >/dev/full; echo $? >&2"#,
    ] {
        let line = line.replace("event", &event.display().to_string());
        let ran = bed.run_with_input(&mut bed.build_shell_command(&line), b"");
        assert_eq!((ran.code, ran.stderr.as_str()), (0, "denies: because (no)\n2\n"), "{line}");
    }
}

#[test]
fn a_hook_is_given_the_variables_that_it_names_and_no_others() {
    let bed = TestBed::with_config(&shell_gate("echo \"$MINE-$YOURS-$HOME\" >&2; exit 2", ""));
    let bed = bed.with_variable("MINE", "m").with_variable("YOURS", "y");
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: --[HOME] (exit-2)"}}
    --- stderr
    "#);
    let config = "[[hook]]\nname = \"sh\"\non = \"tool.before\"\n\
                  shell = { command = 'echo \"$MINE-$YOURS\" >&2; exit 2', env = [\"MINE\"] }\n";
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", config);
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: m- (exit-2)"}}
    --- stderr
    "#);
}

#[test]
fn an_agent_with_a_short_timeout_gets_its_answer_in_time() {
    let sleep = long_sleep();
    let config = shell_gate(&format!("sleep {sleep}"), "").replace("tool.before", "session.end");
    let end = r#"{"session_id":"s","transcript_path":"/h/.claude/s.jsonl","cwd":"[PROJECT]",
        "hook_event_name":"SessionEnd","reason":"other"}"#;
    assert_snapshot!(TestBed::with_config(&config).answer_event(end), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the hook `sh` failed: budget: the chain's time was used up: the agent would have given up on all hooks; make the earlier ones faster
    ");
    crate::processes::expect_none(&sleep);
}

#[test]
fn an_agent_that_says_how_long_it_waits_gets_its_answer_in_that_time() {
    let sleep = long_sleep();
    let bed = TestBed::with_config(&shell_gate(&format!("sleep {sleep}"), "timeout = \"10m\""));
    let mut command = bed.build_command(&["run", "--agent-timeout", "500ms"]);
    assert_snapshot!(bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes()), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sh: the hook failed, and its failure policy decides (budget: the chain's time was used up: the agent would have given up on all hooks; make the earlier ones faster) (hook-failed)"}}
    --- stderr
    hookbox: the hook `sh` failed: budget: the chain's time was used up: the agent would have given up on all hooks; make the earlier ones faster
    "#);
    crate::processes::expect_none(&sleep);
}

#[test]
fn a_report_is_a_line_of_json_per_event() {
    let bed = TestBed::with_config(&(format_gate("denies") + &shell_gate("true", "")));
    for _ in 0..2 {
        let mut command = bed.build_command(&["run", "--report", "[HOME]/report.jsonl"]);
        assert!(
            bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes())
                .stdout
                .contains("denies: because (no)")
        );
    }
    let report = fs::read_to_string(bed.resolve_path("[HOME]/report.jsonl")).unwrap();
    let verdicts = report.lines().map(|line| {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{} {}", event["event"]["name"], event["verdict"])
    });
    assert_eq!(verdicts.collect::<Vec<_>>(), [r#""tool.before" "deny""#; 2]);
}

#[test]
fn a_report_says_when_in_which_session_and_what_exactly_decided() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let reported = |bed: &TestBed| -> serde_json::Value {
        let mut command = bed.build_command(&["run", "--report", "[HOME]/report.jsonl"]);
        bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes());
        let report = fs::read_to_string(bed.resolve_path("[HOME]/report.jsonl")).unwrap();
        serde_json::from_str(report.lines().last().unwrap()).unwrap()
    };
    let first = reported(&bed);
    let event = &first["event"];
    assert!(event["time_ms"].as_u64().unwrap() > 1_600_000_000_000, "{event}");
    assert!(!event["id"].as_str().unwrap().is_empty() && event["session"].is_string(), "{event}");
    let inspected = bed.run_hookbox(&["plugin", "inspect", "--json", "[GUESTS]/denies.wasm"]).stdout;
    let inspected: serde_json::Value = serde_json::from_str(&inspected).unwrap();
    assert_eq!(first["hooks"][0]["plugin_sha256"], inspected["sha256"]);
    // Another configuration is another digest, of the same plugin.
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &(format_gate("denies") + "config = { a = 1 }\n"));
    let second = reported(&bed);
    let digest = |report: &serde_json::Value| report["hooks"][0]["hook_sha256"].as_str().unwrap().to_owned();
    assert_eq!(digest(&first).len(), 64);
    assert_ne!(digest(&first), digest(&second));
    assert_eq!(first["hooks"][0]["plugin_sha256"], second["hooks"][0]["plugin_sha256"]);
}

#[test]
fn a_report_is_readable_by_its_owner_only_and_does_not_wait_for_a_reader() {
    let bed = TestBed::new();
    let run = |file: &str| {
        bed.run_with_input(
            &mut bed.build_command(&["run", "--report", file]),
            bed.expand_placeholders(LS).as_bytes(),
        )
    };
    run("[HOME]/report.jsonl");
    assert_eq!(
        fs::metadata(bed.resolve_path("[HOME]/report.jsonl")).unwrap().permissions().mode() & 0o777,
        0o600
    );
    make_fifo(&bed.resolve_path("[HOME]/fifo"));
    assert_snapshot!(run("[HOME]/fifo"), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the report cannot be written to [HOME]/fifo: No such device or address (os error 6)
    ");
}

#[test]
fn a_report_that_cannot_be_written_is_reported_and_does_not_change_the_answer() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let mut command = bed.build_command(&["run", "--report", "[HOME]"]);
    assert_snapshot!(bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes()), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: because (no)"}}
    --- stderr
    hookbox: the report cannot be written to [HOME]: Is a directory (os error 21)
    "#);
}

/// In a container `HOME` may be another folder than that of the user database, and hooks there are not called.
#[test]
fn hooks_in_a_home_other_than_that_of_the_user_database_are_reported() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let arguments =
        ["run", "--agent", "claude-code", "--state-home", "[HOME]/state", "--cache-home", "[CACHE]"];
    let told = |bed: &TestBed| {
        let ran =
            bed.run_with_input(&mut bed.bare_command(&arguments), bed.expand_placeholders(LS).as_bytes());
        ran.stderr.contains("[HOME]/.config/hookbox/hooks.toml were not called")
            && ran.stderr.contains("--home [HOME]")
    };
    assert!(told(&bed));
    fs::remove_file(bed.resolve_path("[HOME]/.config/hookbox/hooks.toml")).unwrap();
    assert!(!told(&bed));
}

#[test]
fn a_home_that_is_not_there_is_not_made() {
    let bed = TestBed::new();
    for verb in [
        &["run", "--agent", "claude-code", "--home", "[HOME]/nowhere"][..],
        &["run", "--agent", "native", "--home", "[HOME]/nowhere"],
    ] {
        let ran = bed.run_with_input(&mut bed.bare_command(verb), LS.as_bytes());
        assert!(ran.stdout.contains("deny") || ran.code == 2, "{ran}");
        assert!(!bed.resolve_path("[HOME]/nowhere").exists());
    }
    for verb in [&["check"][..], &["doctor"], &["list"], &["log"], &["trust", "list"]] {
        let mut command = bed.build_command(verb);
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        command.env("HOME", bed.resolve_path("[HOME]/nowhere"));
        bed.run_with_input(&mut command, b"");
        assert!(!bed.resolve_path("[HOME]/nowhere").exists(), "{verb:?}");
    }
}

#[test]
fn a_word_of_any_length_that_is_not_known_is_shown_by_its_beginning() {
    let long = "x".repeat(1 << 20);
    let events = [
        format!(r#"{{"event":"tool.before","{long}":1}}"#),
        format!(r#"{{"event":"{long}"}}"#),
        format!(r#"{{"event":"tool.before","tool":{{"name":"x","input":{{}},"{long}":1}}}}"#),
    ];
    let bed = TestBed::new();
    for event in events {
        let ran = bed.run_with_input(&mut bed.build_command(&["run", "--agent", "native"]), event.as_bytes());
        let shown = ran.stdout.len() + ran.stderr.len();
        assert!(ran.code == 2 && shown < 4096 && ran.stderr.contains("xxx…`"), "{shown}: {ran:.500}");
    }
    let hook = shell_gate("cat >/dev/null; printf '{\"%01000000d\": 1}' 7", "");
    let ran = TestBed::with_config(&hook).answer_event(LS);
    assert!(ran.stdout.contains("deny") && ran.stdout.len() + ran.stderr.len() < 4096, "{ran:.500}");
}
