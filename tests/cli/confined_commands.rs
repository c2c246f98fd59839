//! Hooks that say `confine`: what each agent is sample, and what the command then does, started as the agent would start it.

use std::{
    fs::{self, File},
    io::Read,
    os::unix::process::ExitStatusExt,
    process::Stdio,
};

use hookbox::agents::{
    self, Written,
    self_test::{SelfTestResult, find_self_test},
};
use nix::pty::openpty;
use serde_json::Value;

use crate::{Ran, TestBed};

/// A gate that answers this, and a profile that leaves out where the tests' own folders are.
fn format_answering_gate(answer: &str) -> String {
    format!(
        "[[hook]]\nname = \"unsure\"\non = [\"tool.before\"]\nshell = {{ command = '''printf '%s' '{answer}' ''' }}\n\
         [confine.tests]\nread = [\"project\", \"/usr\", \"/etc\", \"/dev\"]\nwrite = [\"project\", \"/dev/null\"]\nnetwork = false\n"
    )
}

fn create_bed() -> TestBed {
    TestBed::with_config(&format_answering_gate(r#"{"confine":"tests"}"#))
}

/// Claude Code is about to run this.
fn format_event(command: &str) -> String {
    let command = Value::from(command);
    format!(
        r#"{{"session_id":"s","transcript_path":"/h/.claude/s.jsonl","cwd":"[PROJECT]","hook_event_name":"PreToolUse",
        "tool_name":"Bash","tool_input":{{"timeout":5,"command":{command}}},"tool_use_id":"t"}}"#
    )
}

/// What Claude Code is sample about it.
fn answer_command(bed: &TestBed, command: &str) -> Value {
    let ran = bed.answer_event(&format_event(command));
    assert_eq!(ran.code, 0, "{ran}");
    serde_json::from_str::<Value>(&ran.stdout).unwrap()["hookSpecificOutput"].take()
}

/// The line that it runs in the place of this one.
fn find_rewritten_line(bed: &TestBed, command: &str) -> String {
    let sample = answer_command(bed, command);
    bed.expand_placeholders(sample["updatedInput"]["command"].as_str().unwrap_or_else(|| panic!("{sample}")))
}

/// Runs it as Claude Code does.
fn run(bed: &TestBed, command: &str) -> Ran {
    let line = find_rewritten_line(bed, &bed.expand_placeholders(command));
    bed.run_with_input(&mut bed.command_of("/bin/bash".as_ref(), &["-c", &line]), b"typed\n")
}

#[test]
fn the_agent_receives_the_command_in_its_confined_form() {
    let bed = create_bed();
    let sample = answer_command(&bed, "ls -la | head");
    let expected = "[BIN]/hookbox confine --home [HOME] --cache-home [CACHE] --profile tests --project [PROJECT] -- /bin/bash -c \
                    'ls -la | head'";
    assert_eq!(sample["updatedInput"]["command"], expected, "{sample}");
    assert_eq!(
        (&sample["updatedInput"]["timeout"], &sample["permissionDecision"]),
        (&5.into(), &Value::Null)
    );
}

#[test]
fn the_command_writes_the_project_and_reaches_nothing_else() {
    let bed = create_bed();
    bed.write_file("[HOME]/.ssh/id", "secret");
    let socket = "python3 -S -c 'import socket; socket.socket(); print(\"open\")'";
    let lines = format!(
        "echo \"it's\" > 'a b'; cat '[HOME]/.ssh/id'; echo evil > '[HOME]/.bashrc'; {socket}; [[ -d . ]] && echo \"end $((1+1))\""
    );
    let ran = run(&bed, &lines);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "end 2\n"), "{ran}");
    assert_eq!(fs::read_to_string(bed.resolve_path("[PROJECT]/a b")).unwrap(), "it's\n");
    assert!(!bed.resolve_path("[HOME]/.bashrc").exists());
}

#[test]
fn input_exit_codes_and_signals_are_the_commands_own() {
    let bed = create_bed();
    for (command, code, stdout, stderr) in [
        ("exit 7", 7, "", ""),
        ("cat", 0, "typed\n", ""),
        ("echo a; echo b >&2; false", 1, "a\n", "b\n"),
        ("", 0, "", ""),
    ] {
        let ran = run(&bed, command);
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
            (code, stdout, stderr),
            "{command}: {ran}"
        );
    }
    // A shell before it would tell of a signal by a code.
    for (signal, number) in [("TERM", 15), ("PIPE", 13), ("INT", 2)] {
        let line = find_rewritten_line(&bed, &format!("kill -{signal} $$"));
        let status =
            bed.command_of("/bin/bash".as_ref(), &["-c", &line]).stdin(Stdio::null()).status().unwrap();
        assert_eq!(status.signal(), Some(number), "{status}");
    }
}

#[test]
fn a_terminal_is_the_commands_own() {
    let bed = create_bed();
    let line = find_rewritten_line(&bed, "test -t 0 && test -t 1 && test -t 2 && echo a terminal");
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut command = bed.command_of("/bin/bash".as_ref(), &["-c", &line]);
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    drop((command, terminal.slave));
    let mut shown = Vec::new();
    drop(File::from(terminal.master).read_to_end(&mut shown));
    child.wait().unwrap();
    assert_eq!(String::from_utf8(shown).unwrap(), "a terminal\r\n");
}

/// What an agent makes of the answer.
#[derive(Debug, PartialEq)]
enum Made {
    Confined,
    Asked,
    Denied,
}

/// The one word for each agent. Where it is not sure that the agent runs what a hook made of the command, nothing else may happen than
/// that a person is asked, or that it does not run.
#[test]
fn every_agent_runs_it_confined_or_has_it_asked_about_or_does_not_run_it() {
    use Made::{Asked, Confined, Denied};
    let bed = create_bed();
    let expected = [
        ("claude-code", Confined),
        ("codex", Confined),
        ("gemini-cli", Confined),
        ("llxprt", Confined),
        ("cursor", Denied),
        ("copilot", Confined),
        ("windsurf", Denied),
        ("cline", Denied),
        ("amazon-q", Denied),
        ("qwen-code", Denied),
        ("droid", Denied),
        ("kimi-code", Denied),
        ("openhands", Denied),
        ("opencode", Confined),
        ("cocode", Denied),
        ("code-forge", Denied),
        ("run-claude", Denied),
        ("litellm", Denied),
        ("native", Confined),
    ];
    let names: Vec<_> = expected.iter().map(|(agent, _)| *agent).collect();
    let all: Vec<_> = agents::all_dialects().iter().map(|dialect| dialect.name()).collect();
    assert_eq!(names, all);
    for (agent, expected) in expected {
        let made = made_of(&bed, agent);
        assert_eq!(made, expected, "{agent}");
    }
    // The same where hooks ask: of those that can ask the confined command is what the person is asked about.
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &format_answering_gate(r#"{"confine":"none"}"#));
    for (agent, expected) in
        [("claude-code", Asked), ("codex", Denied), ("gemini-cli", Asked), ("llxprt", Denied)]
    {
        assert_eq!(made_of(&bed, agent), expected, "{agent}");
    }
}

fn made_of(bed: &TestBed, agent: &str) -> Made {
    let (ran, result) = if let Some(self_test) = find_self_test(agent) {
        let sample = self_test.build_event(agent, "ls -la", &bed.expand_placeholders("[PROJECT]")).unwrap();
        let mut command = bed.build_command(&["run", "--agent", agent]);
        command.envs(sample.variables.clone());
        let ran = bed.run_with_input(&mut command, sample.input.as_bytes());
        let exit = u8::try_from(ran.code).unwrap();
        let written =
            Written { stdout: ran.stdout.clone(), stderr: ran.stderr.clone(), exit, ..Written::default() };
        let result = sample.interpret_answer(&written);
        (ran, result)
    } else {
        let ran = bed.answer_as(agent, by_hand(agent));
        let denied = ran.stdout.contains("would have this run confined") || ran.code == 2;
        let result = if denied { SelfTestResult::Denied(String::new()) } else { SelfTestResult::NotDenied };
        (ran, result)
    };
    let is_confined = ran.stdout.contains("[BIN]/hookbox confine --home [HOME] ");
    let is_asked =
        ["\"permissionDecision\":\"ask\"", "\"decision\":\"ask\""].iter().any(|ask| ran.stdout.contains(ask));
    match result {
        SelfTestResult::Denied(_) if !is_confined => Made::Denied,
        SelfTestResult::NotDenied if is_confined && !is_asked => Made::Confined,
        SelfTestResult::NotDenied if is_asked && !is_confined => Made::Asked,
        _ => panic!("{agent}: {ran}"),
    }
}

/// Returns an event of an agent that has no self-test.
fn by_hand(agent: &str) -> &'static str {
    match agent {
        "native" => {
            r#"{"event":"tool.before","cwd":"[PROJECT]","tool":{"name":"Bash","input":{"command":"ls -la"}}}"#
        }
        "run-claude" => {
            r#"{"event":"pre_tool_call","model":"groq/llama3","provider":"groq","request_id":"r","timestamp":1.5,"metadata":{},"tool_name":"Bash","tool_args":{"command":"ls"}}"#
        }
        "litellm" => {
            r#"{"litellm_hook":"async_pre_call_hook","cwd":"/","call_type":"mcp_call","data":{"mcp_tool_name":"read","mcp_arguments":{"path":"a"}}}"#
        }
        other => panic!("{other}"),
    }
}

#[test]
fn with_an_ask_the_user_is_asked_about_the_confined_command() {
    let bed = create_bed();
    for (answer, decision, is_confined) in [
        (r#"{"verdict":"ask","reason":"?","confine":"tests"}"#, "ask", true),
        (r#"{"verdict":"allow","reason":"fine","confine":"tests"}"#, "allow", true),
        (r#"{"verdict":"deny","reason":"no","confine":"tests"}"#, "deny", false),
    ] {
        bed.write_file("[HOME]/.config/hookbox/hooks.toml", &format_answering_gate(answer));
        let sample = answer_command(&bed, "ls");
        assert_eq!(sample["permissionDecision"], decision, "{sample}");
        assert_eq!(sample["updatedInput"]["command"].is_string(), is_confined, "{sample}");
    }
}

fn expect_ask(bed: &TestBed, why: &str) {
    let ran = bed.answer_event(&format_event("ls"));
    let said: Value = serde_json::from_str(&ran.stdout).unwrap();
    let sample = &said["hookSpecificOutput"];
    assert_eq!(sample["permissionDecision"], "ask", "{ran}");
    let reason = sample["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("unsure would have this run confined") && reason.contains(why), "{ran}");
    assert!(sample["updatedInput"].is_null(), "{ran}");
    // A person is sample what can be mended.
    assert!(said["systemMessage"].as_str().unwrap().contains(why), "{ran}");
}

#[test]
fn a_profile_that_there_is_not_or_that_cannot_hold_is_asked_about() {
    let bed = create_bed();
    let config = |text: &str| bed.write_file("[HOME]/.config/hookbox/hooks.toml", text);
    config(&format_answering_gate(r#"{"confine":"test"}"#));
    expect_ask(&bed, "unknown profile `test`; did you mean `tests`?");
    config(&(format_answering_gate(r#"{"confine":"a"}"#) + "[confine.a]\nread = [\"/not/there\"]\n"));
    expect_ask(&bed, "`/not/there` by `confine.read`, which does not exist");
    // A project's profiles are not there, and neither are those of a file that only `run` is sample.
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", "[confine.theirs]\n");
    config(&format_answering_gate(r#"{"confine":"theirs"}"#));
    expect_ask(&bed, "unknown profile `theirs`");
}

#[test]
fn an_answer_that_names_no_profile_is_a_failure() {
    let bed = TestBed::with_config(&format_answering_gate(r#"{"confine":"-x"}"#));
    let sample = answer_command(&bed, "ls");
    assert_eq!(sample["permissionDecision"], "deny", "{sample}");
}

#[test]
fn a_confinement_is_explained_and_logged() {
    let bed = create_bed();
    let ran = bed.run_hookbox(&["explain", "--call-all", "--agent", "claude-code", "--command", "ls"]);
    assert!(ran.stdout.contains("confine: by the profile `tests`"), "{ran}");
    assert!(ran.stdout.contains("no opinion; confined to `tests` by unsure"), "{ran}");
    answer_command(&bed, "ls");
    let ran = bed.run_hookbox(&["log"]);
    assert!(ran.stdout.contains("unsure confine: by the profile `tests`"), "{ran}");
}

/// Only what the guard cannot tell; what it asks about for a reason that it knows stays an ask.
#[test]
fn guard_shell_has_confined_what_it_is_unsure_about() {
    let guard = "[[hook]]\nname = \"guard-shell\"\non = \"tool.before\"\nwasm = { plugin = \"guard-shell\" }\n\
                 config = { on-unsure = \"confine\", confine-profile = \"tests\" }\n";
    let profile = format_answering_gate("")
        .split_once("[confine.tests]")
        .map(|(_, rest)| format!("[confine.tests]{rest}"))
        .unwrap();
    let bed = TestBed::with_config(&format!("{guard}{profile}"));
    for (command, decision, is_confined) in [
        ("ls", Value::Null, false),
        ("eval \"$(cat x)\"", Value::Null, true),
        ("git push -f", "ask".into(), false),
        ("rm -rf /", "deny".into(), false),
        ("eval \"$(cat x)\"; git push -f", "ask".into(), false),
    ] {
        let ran = bed.answer_event(&format_event(command));
        let sample = serde_json::from_str::<Value>(&ran.stdout).unwrap()["hookSpecificOutput"].take();
        assert_eq!(sample["permissionDecision"], decision, "{command}: {ran}");
        assert_eq!(sample["updatedInput"]["command"].is_string(), is_confined, "{command}: {ran}");
    }
    let ran = run(&bed, "eval \"$(cat x 2>/dev/null)\"; printf ran");
    assert_eq!(ran.stdout, "ran", "{ran}");
}
