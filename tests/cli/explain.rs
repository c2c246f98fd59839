//! `hookbox explain`: a dry run of an event, told hook by hook.

use insta::assert_snapshot;

use crate::{LS, Ran, START, TestBed, format_gate, gate_with, shell_gate};

fn run_explain(bed: &TestBed, arguments: &[&str], event: &str) -> Ran {
    bed.run_with_input(
        &mut bed.build_command(&[&["explain"], arguments].concat()),
        bed.expand_placeholders(event).as_bytes(),
    )
}

#[test]
fn explain_reports_why_each_hook_runs_and_its_answer() {
    let config = gate_with("allows", "role = \"transform\"")
        + &gate_with("traps", "on-failure = \"ask\"")
        + &gate_with("denies", "tool = { class = \"shell\" }")
        + &gate_with("logs_a_lot", "limits = { log-lines = 1 }")
        + &format_gate("none").replace("tool.before", "prompt.submit")
        + &gate_with("says_error", "tool = { name = \"Read\" }");
    assert_snapshot!(run_explain(&TestBed::with_config(&config), &["--verbose"], LS), @r#"
    exit code 0
    --- stdout
    decision deny by denies (no); context from allows; stop by allows
    reason   because
    event    PreToolUse of claude-code = tool.before
    tool     Bash (shell)
    command  ls
    chain    4 of 6 hooks match, in this order
      1. allows  transform, user (own), [HOME]/.config/hookbox/hooks.toml:1
         matches: tool.before
         no opinion
         rewrite: replace by {"command":"true"}
         context: texts
         notice: texts
         stop: texts
         clamped: allow (a transform of the trust level own may not do that, or its plugin does not ask to)
         used [TIME] of 10000 ms, 122 fuel of 1000000000, 64 KiB of 65536 KiB, 0 host calls of 1000, cold
      2. traps  gate, user (own), [HOME]/.config/hookbox/hooks.toml:6
         matches: tool.before
         failed (trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed); on failure: ask
         used [TIME] of 10000 ms, 27 fuel of 1000000000, 64 KiB of 65536 KiB, 0 host calls of 1000, cold
      3. denies  gate, user (own), [HOME]/.config/hookbox/hooks.toml:11
         matches: tool.before with tool class shell
         deny no
         used [TIME] of 10000 ms, 43 fuel of 1000000000, 64 KiB of 65536 KiB, 0 host calls of 1000, cold
      4. logs_a_lot  gate, user (own), [HOME]/.config/hookbox/hooks.toml:16
         matches: tool.before
         skipped: the chain had ended before its turn
      -  self-protection: not asked, since the call is denied already
      -  none: no match, it is for prompt.submit
      -  says_error: no match, its matcher wants name Read
    answer   to claude-code: exit code 0
      stdout  {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denies: because (no)","additionalContext":"[hookbox: allows]\ntexts"},"continue":false,"stopReason":"allows: texts","systemMessage":"allows: texts"}
    --- stderr
    "#);
}

/// Its reason is in one place, and costs and the raw answer are there on request.
#[test]
fn explain_begins_with_the_decision_and_has_each_reason_once() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let short = run_explain(&bed, &[], LS).stdout;
    assert!(short.starts_with("decision deny by denies (no)\nreason   because\nevent    "), "{short}");
    assert_eq!(short.matches("because").count(), 1, "{short}");
    assert!(!short.contains("     used ") && !short.contains("answer   to"), "{short}");
    let long = run_explain(&bed, &["--verbose"], LS).stdout;
    assert!(long.contains("     used ") && long.contains("answer   to claude-code: exit code 0\n"), "{long}");
}

#[test]
fn self_protection_is_a_step_of_the_chain() {
    let bed = TestBed::with_config(&format_gate("none"));
    let event = |command: &str| LS.replace("\"ls\"", &format!("\"{command}\""));
    let passed = run_explain(&bed, &[], &event("ls")).stdout;
    assert!(passed.contains("  -  self-protection: no objection: "), "{passed}");
    let denied = run_explain(&bed, &[], &event("rm [HOME]/.config/hookbox/hooks.toml")).stdout;
    assert!(denied.starts_with("decision deny by hookbox-files"), "{denied}");
    assert!(denied.contains("\n  2. hookbox-files  self-protection\n     deny"), "{denied}");
    assert_eq!(denied.matches("\nreason   ").count(), 1, "{denied}");
}

#[test]
fn an_event_without_hooks_is_explained_too() {
    assert_snapshot!(run_explain(&TestBed::new(), &[], START), @"
    exit code 0
    --- stdout
    decision no opinion
    event    SessionStart of claude-code = session.start
    chain    0 of 0 hooks match, in this order
    --- stderr
    ");
}

#[test]
fn as_json_everything_is_there_for_a_program() {
    let ran = run_explain(&TestBed::with_config(&format_gate("denies")), &["--json"], LS);
    let mut json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    for time in ["/wall_us", "/hooks/0/used/wall_us"] {
        *json.pointer_mut(time).unwrap() = 0.into();
    }
    assert_snapshot!(format!("{json:#}"), @r#"
    {
      "event": {
        "name": "tool.before",
        "agent": "claude-code",
        "agent_event": "PreToolUse",
        "tool": "Bash"
      },
      "verdict": "deny",
      "reasons": [
        {
          "hook": "denies",
          "code": "no",
          "text": "because"
        }
      ],
      "rewrite": null,
      "confine": [],
      "wall_us": 0,
      "hooks": [
        {
          "hook": "denies",
          "handler": "wasm",
          "role": "gate",
          "layer": "user",
          "trust_level": "own",
          "on_failure": "deny",
          "status": "answered",
          "answer": {
            "verdict": "deny",
            "code": "no",
            "reason": "because",
            "rewrite": null,
            "confine": null,
            "context": null,
            "notice": null,
            "stop": null,
            "extra": null
          },
          "failure": null,
          "clamped": [],
          "refused": [],
          "process": null,
          "log": [],
          "used": {
            "wall_us": 0,
            "fuel": 41,
            "peak_memory": 65536,
            "host_calls": 0,
            "requests": 0,
            "log_bytes": 0,
            "log_dropped": 0,
            "start": "cold"
          }
        }
      ],
      "answer": {
        "stdout": "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"denies: because (no)\"}}\n",
        "stderr": "",
        "exit": 0,
        "unexpressed": []
      }
    }
    "#);
}

#[test]
fn a_command_is_called_only_when_that_is_asked_for() {
    let bed = TestBed::with_config(&shell_gate("touch [HOME]/called; echo no >&2; exit 2", ""));
    assert_snapshot!(run_explain(&bed, &[], LS), @"
    exit code 0
    --- stdout
    decision no opinion
    event    PreToolUse of claude-code = tool.before
    tool     Bash (shell)
    command  ls
    chain    1 of 1 hook match, in this order
      1. sh  gate, user (own), [HOME]/.config/hookbox/hooks.toml:1
         matches: tool.before
         not called in a dry run (shell touch [HOME]/called; echo no >&2; exit 2); --call-all calls it
      -  self-protection: no objection: the call does not change hookbox's files
    --- stderr
    ");
    assert!(!bed.resolve_path("[HOME]/called").exists());
    let ran = run_explain(&bed, &["--call-all"], LS);
    assert!(ran.stdout.contains("reason   no\n") && ran.stdout.contains("     deny exit-2\n"), "{ran}");
    assert!(bed.resolve_path("[HOME]/called").exists());
}

#[test]
fn later_calls_are_measured_on_request() {
    let config = format!("{}\n{}", format_gate("allows"), shell_gate("touch [HOME]/called", ""));
    let bed = TestBed::with_config(&config);
    let json = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&run_explain(&bed, &[&["--json"], more].concat(), LS).stdout).unwrap()
    };
    let has_times = |json: &serde_json::Value| -> Vec<bool> {
        json["hooks"].as_array().unwrap().iter().map(|hook| hook["later_us"].is_u64()).collect()
    };
    assert_eq!(has_times(&json(&[])), [false, false]);
    assert_eq!(has_times(&json(&["--calls", "5"])), [true, false], "a hook that is not called has no time");
    assert!(!bed.resolve_path("[HOME]/called").exists());
    assert_eq!(has_times(&json(&["--calls", "5", "--call-all"])), [true, true]);
    let text = run_explain(&bed, &["--calls", "5"], LS).stdout;
    assert_eq!(text.matches(" µs, the median of 4").count(), 1, "{text}");
    for number in ["0", "10001"] {
        assert_eq!(run_explain(&bed, &["--calls", number], LS).code, 2);
    }
}

#[test]
fn a_dry_run_counts_no_failure() {
    let bed = TestBed::with_config(&format_gate("traps"));
    for _ in 0..5 {
        run_explain(&bed, &[], LS);
    }
    assert!(!bed.resolve_path("[HOME]/.local/state/hookbox").exists());
}

#[test]
fn a_broken_configuration_denies_in_a_dry_run_as_well() {
    let bed = TestBed::with_config("[[hook]\n");
    assert_snapshot!(run_explain(&bed, &[], LS), @"
    exit code 0
    --- stdout
    decision deny by configuration (bad-configuration)
    reason   [HOME]/.config/hookbox/hooks.toml:1:8: this is not TOML: unclosed array table, expected `]`; run `hookbox check`
    event    PreToolUse of claude-code = tool.before
    tool     Bash (shell)
    command  ls
    chain    1 of 1 hook match, in this order
      1. configuration  gate, session (own)
         matches: tool.before
         deny bad-configuration
      -  self-protection: not asked, since the call is denied already
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:1:8: error: this is not TOML: unclosed array table, expected `]`
      1 | [[hook]
        |        ^
    ");
}

#[test]
fn the_event_may_be_a_file() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/event.json", LS);
    assert_eq!(bed.run_hookbox(&["explain", "event.json"]).code, 0);
    assert_snapshot!(bed.run_hookbox(&["explain", "gone.json"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: cannot open gone.json: No such file or directory (os error 2)
    ");
}

#[test]
fn an_invalid_event_is_wrong_usage() {
    assert_snapshot!(run_explain(&TestBed::new(), &[], "{"), @"
    exit code 2
    --- stdout
    --- stderr
    error: VALIDATION_FAILURE: the input is not acceptable JSON: it ends too early, at line 1 column 1
    ");
    assert_snapshot!(run_explain(&TestBed::new(), &["--agent", "gemini"], LS), @"
    exit code 2
    --- stdout
    --- stderr
    error: unknown agent `gemini`; did you mean `gemini-cli`? allowed: claude-code, codex, gemini-cli, llxprt, cursor, copilot, windsurf, cline, amazon-q, qwen-code, droid, kimi-code, openhands, opencode, cocode, code-forge, run-claude, litellm, native
    ");
}

#[test]
fn a_hook_that_runs_only_once_is_explained_like_any_other() {
    let bed = TestBed::new();
    bed.write_file(
        "[HOME]/own.toml",
        "[[hooks]]\nevent = \"PreCompact\"\nonce = true\nshell.command = \"exit 1\"\n",
    );
    let event = r#"{"event":"PreCompact","session_id":"s","cwd":"/","env":{}}"#;
    let ran = run_explain(&bed, &["--agent", "cocode", "--source", "[HOME]/own.toml", "--call-all"], event);
    assert!(
        ran.stdout.contains("chain    1 of 1 hook match")
            && ran.stdout.contains("1. hooks[0]  transform, session (own), [HOME]/own.toml:1"),
        "{ran}"
    );
    assert!(ran.stdout.contains("reason   Hook failed: "), "{ran}");
}

#[test]
fn explain_and_list_report_the_grants_of_a_hook() {
    let config = gate_with("tells_time", "grant = { clock = true }") + &format_gate("none");
    let ran = run_explain(&TestBed::with_config(&config), &[], LS);
    assert_eq!(ran.stdout.matches("     granted ").count(), 1, "{ran}");
    assert!(ran.stdout.contains("\n     granted clock\n"), "{ran}");
    let list = TestBed::with_config(&config).run_hookbox(&["list", "--json"]);
    let hooks: serde_json::Value = serde_json::from_str(&list.stdout).unwrap();
    let grants: Vec<_> = hooks.as_array().unwrap().iter().map(|hook| &hook["grants"]).collect();
    assert_eq!(grants, [&serde_json::json!(["clock"]), &serde_json::json!([])]);
}

#[test]
fn a_dry_run_does_not_call_a_hook_that_may_change_something() {
    for grant in ["fs = { write = [\"project\"] }", "kv = { scopes = [\"user\"] }"] {
        let bed = TestBed::with_config(&gate_with("none", &format!("grant = {{ {grant} }}")));
        let explained =
            bed.run_with_input(&mut bed.build_command(&["explain"]), bed.expand_placeholders(LS).as_bytes());
        assert!(explained.stdout.contains("not called in a dry run (wasm "), "{explained}");
    }
}

#[test]
fn a_bare_command_line_is_explained_as_a_call_of_a_shell() {
    let bed = TestBed::with_config(&gate_with("denies", "tool = { class = \"shell\" }"));
    let said =
        bed.run_with_input(&mut bed.build_command(&["explain", "--command", "rm -rf \"x y\""]), b"").stdout;
    assert!(
        said.contains(
            "\nevent    tool.before of native = tool.before\ntool     shell (shell)\ncommand  rm -rf \"x y\"\n"
        ),
        "{said}"
    );
    assert!(said.starts_with("decision deny by denies (no)\nreason   because\n"), "{said}");
}

#[test]
fn a_bare_command_line_is_synthesized_in_the_form_of_the_named_agent() {
    let bed = TestBed::with_config(&gate_with("denies", "tool = { class = \"shell\" }"));
    let agents =
        [("claude-code", "PreToolUse"), ("cursor", "preToolUse"), ("code-forge", "tool:pre_execute")];
    for (agent, event) in agents {
        let line = "rm -rf \"$X\"/rm -rf / # {}";
        let said = bed
            .run_with_input(&mut bed.build_command(&["explain", "--command", line, "--agent", agent]), b"")
            .stdout;
        assert!(said.contains(&format!("\nevent    {event} of {agent} = tool.before\n")), "{said}");
        assert!(said.contains(&format!("\ncommand  {line}\n")), "{said}");
        assert!(said.starts_with("decision deny by denies (no)\nreason   because\n"), "{said}");
    }
}

#[test]
fn a_command_line_excludes_an_event_file_and_needs_an_agent_with_commands() {
    let bed = TestBed::new();
    let both = bed.run_with_input(&mut bed.build_command(&["explain", "--command", "ls", "event.json"]), b"");
    assert!(both.stderr.contains("cannot be used with '[FILE]'"), "{}", both.stderr);
    let proxy = bed
        .run_with_input(&mut bed.build_command(&["explain", "--command", "ls", "--agent", "litellm"]), b"");
    assert_eq!(
        proxy.stderr,
        "error: the format of litellm's events for commands is unknown; omit `--agent`, or name an event\n"
    );
}
