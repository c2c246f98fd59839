//! Input that is no event: a clear error, and the agent is kept from acting where it can be.

use std::{io::Write, process::Stdio};

use insta::assert_snapshot;

use crate::{LS, Ran, TestBed, format_gate};

/// What Claude Code is told about this input; a hook is there that would say nothing.
fn answer_input(input: &[u8]) -> Ran {
    let bed = TestBed::with_config(&format_gate("none"));
    bed.run_with_input(&mut bed.build_command(&["run", "--agent", "claude-code"]), input)
}

#[test]
fn truncated_json_is_denied() {
    assert_snapshot!(answer_input(&LS.as_bytes()[..100]), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: it ends too early, at line 2 column 24
    ");
}

#[test]
fn empty_input_is_denied() {
    assert_snapshot!(answer_input(b""), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: it is empty
    ");
}

#[test]
fn no_input_at_all_is_denied() {
    let bed = TestBed::new();
    assert_snapshot!(bed.run_with_input(&mut bed.build_shell_command(r#""$0" run --agent claude-code <&-"#), b""), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: it is empty
    ");
}

#[test]
fn input_that_is_not_utf8_is_denied() {
    assert_snapshot!(answer_input(b"{\"hook_event_name\":\"PreToolUse\xff\"}"), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the input is not UTF-8 (byte 30)
    ");
}

#[test]
fn input_that_is_a_folder_is_denied() {
    let bed = TestBed::new();
    let ran = bed.run_with_input(&mut bed.build_shell_command(r#""$0" run --agent claude-code < ."#), b"");
    assert_snapshot!(ran, @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the event cannot be read: Is a directory (os error 21)
    ");
}

/// A buffer that grew until it held the input would not fit into the memory that the process gets, whatever the program's own size.
#[test]
fn a_hundred_megabytes_are_denied_and_not_kept_in_memory() {
    let bed = TestBed::new();
    let mut command = bed.build_shell_command(r#"ulimit -d 90000; exec "$0" run --agent claude-code"#);
    let head = LS.trim_end_matches('}').replace("ls", "echo ");
    let mut input = head.into_bytes();
    input.resize(100_000_000, b'x');
    assert_snapshot!(bed.run_with_input(&mut command, &input), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the event is longer than 33554432 bytes
    ");
}

#[test]
fn an_event_is_denied_with_the_reason_where_memory_is_short() {
    let bed = TestBed::with_config(&crate::format_gate("denies"));
    let event = bed.expand_placeholders(LS);
    let run_with_limit = |kibibytes: u32| {
        let line = format!(r#"ulimit -d {kibibytes}; exec "$0" run --agent claude-code"#);
        bed.run_with_input(&mut bed.build_shell_command(&line), event.as_bytes())
    };
    let short = run_with_limit(12_000);
    assert!(short.code == 2 && short.stderr.contains("hookbox needs 16 MiB of memory"), "{short}");
    for kibibytes in (10_000..=40_000).step_by(2_000) {
        let ran = run_with_limit(kibibytes);
        let is_denied = ran.code == 2 || ran.stdout.contains(r#""permissionDecision":"deny""#);
        assert!(is_denied && !ran.stderr.contains("memory allocation"), "{kibibytes} KiB: {ran}");
    }
}

#[test]
fn the_longest_event_that_is_read_has_32_mib() {
    let padded = |length: usize| {
        let bed = TestBed::new();
        let mut event = bed.expand_placeholders(LS).into_bytes();
        event.resize(length, b' ');
        bed.run_with_input(&mut bed.build_command(&["run"]), &event)
    };
    assert_eq!(padded(32 << 20).stdout, "{}\n");
    assert_snapshot!(padded((32 << 20) + 1), @"
    exit code 2
    --- stdout
    --- stderr
    hookbox: VALIDATION_FAILURE: the event is longer than 33554432 bytes
    ");
}

#[test]
fn deep_nesting_is_denied() {
    let deep = format!(r#"{{"hook_event_name":"PreToolUse","x":{}"#, "[".repeat(1_000_000));
    assert_snapshot!(answer_input(deep.as_bytes()), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: it is nested deeper than 100 levels, at line 1 column 136
    ");
}

#[test]
fn a_key_that_is_there_twice_is_denied() {
    let twice = LS.replace(r#""command":"ls""#, r#""command":"ls","command":"rm -rf /""#);
    assert_snapshot!(answer_input(twice.as_bytes()), @r#"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: the key "command" appears twice, at line 2 column 92
    "#);
}

#[test]
fn an_array_is_denied() {
    assert_snapshot!(answer_input(format!("[{LS}]").as_bytes()), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: it is not a JSON object
    ");
}

#[test]
fn a_member_that_is_missing_is_named() {
    let missing = LS.replace(r#""tool_name":"Bash","#, "");
    assert_snapshot!(answer_input(missing.as_bytes()), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE in PreToolUse, field `tool_name`: it is missing; it must be a string that is not empty
    ");
}

#[test]
fn a_member_of_another_kind_is_named() {
    let wrong = LS.replace(r#"{"command":"ls"}"#, "7");
    assert_snapshot!(answer_input(wrong.as_bytes()), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE in PreToolUse, field `tool_input`: it is a number, but must be an object
    ");
}

#[test]
fn a_permission_request_is_denied_in_json_because_its_exit_code_is_not_read() {
    let event = r#"{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Bash"}"#;
    assert_snapshot!(answer_input(event.as_bytes()), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"VALIDATION_FAILURE in PermissionRequest, field `tool_input`: it is missing; it must be an object"}}}
    --- stderr
    VALIDATION_FAILURE in PermissionRequest, field `tool_input`: it is missing; it must be an object
    "#);
}

#[test]
fn the_person_hears_of_an_invalid_event_that_cannot_be_blocked() {
    assert_snapshot!(answer_input(br#"{"hook_event_name":"SessionStart","session_id":7}"#), @r#"
    exit code 1
    --- stdout
    {"systemMessage":"VALIDATION_FAILURE in SessionStart, field `source`: it is missing; it must be a string"}
    --- stderr
    VALIDATION_FAILURE in SessionStart, field `source`: it is missing; it must be a string
    "#);
}

#[test]
fn gemini_cli_and_native_callers_are_answered_in_their_own_words() {
    let bed = TestBed::new();
    let answers = ["gemini-cli", "native"].map(|agent| bed.answer_as(agent, "{").to_string());
    assert_snapshot!(answers.concat(), @r#"
    exit code 2
    --- stdout
    {"decision":"deny","reason":"VALIDATION_FAILURE: the input is not acceptable JSON: it ends too early, at line 1 column 1"}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: it ends too early, at line 1 column 1
    exit code 2
    --- stdout
    {"verdict":"deny","failure":"VALIDATION_FAILURE: the input is not acceptable JSON: it ends too early, at line 1 column 1","hooks":[]}
    --- stderr
    VALIDATION_FAILURE: the input is not acceptable JSON: it ends too early, at line 1 column 1
    "#);
}

#[test]
fn an_event_that_no_table_knows_passes_unless_a_hook_asks_for_it() {
    let event = r#"{"hook_event_name":"FromTheFuture","session_id":"s","cwd":"[PROJECT]",
        "transcript_path":"/h/.claude/s.jsonl"}"#;
    assert_snapshot!(TestBed::with_config(&format_gate("denies")).answer_event(event), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    ");
    let asked = format_gate("denies").replace("tool.before", "custom:FromTheFuture");
    assert_snapshot!(TestBed::with_config(&asked).answer_event(event), @r#"
    exit code 2
    --- stdout
    {"decision":"block","reason":"denies: because (no)"}
    --- stderr
    denies: because (no)
    "#);
}

#[test]
fn an_unknown_agent_name_is_refused_in_the_format_of_the_sender_of_the_event() {
    for name in ["claud-code", "claude", "hal"] {
        let ran = TestBed::with_config(&format_gate("none")).answer_as(name, LS);
        assert!(ran.code == 2 && ran.stderr.contains(&format!("unknown agent `{name}`")), "{ran}");
        assert_eq!(ran.stderr.contains("did you mean `claude-code`?"), name != "hal", "{ran}");
    }
    // Cline heeds no exit code, and Gemini CLI's input says whose it is although the name is near nobody's.
    let cline = r#"{"clineVersion":"3","hookName":"PreToolUse","timestamp":"1","taskId":"t","workspaceRoots":["/"],
        "userId":"u","preToolUse":{"toolName":"execute_command","parameters":{"command":"ls"}}}"#;
    let gemini = r#"{"hook_event_name":"BeforeTool","session_id":"s","transcript_path":"/h/.gemini/s.json","cwd":"/",
        "timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls"}}"#;
    for (name, event, refused) in [
        ("Cline", cline, r#""cancel":true"#),
        ("clyne", cline, r#""cancel":true"#),
        ("cline-code", cline, r#""cancel":true"#),
        ("hal", gemini, r#""decision":"deny""#),
    ] {
        let ran = TestBed::new().answer_as(name, event);
        assert!(ran.stdout.contains(refused) || ran.code == 2, "{name}: {ran}");
        assert!(
            ran.stdout.contains("unknown agent") || ran.stderr.contains("unknown agent"),
            "{name}: {ran}"
        );
    }
    // Nobody's marks: the name that was meant decides.
    let ran = TestBed::new().answer_as("clin", r#"{"hookName":"PreToolUse"}"#);
    assert!(ran.stdout.contains(r#""cancel":true"#), "{ran}");
}

#[test]
fn an_event_of_another_agent_than_the_named_one_is_refused_in_the_words_of_its_sender() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let claude = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"[PROJECT]","transcript_path":"/h/.claude/s.jsonl",
        "tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    assert_snapshot!(bed.answer_as("gemini-cli", claude), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    VALIDATION_FAILURE: `PreToolUse` is an event of claude-code, and --agent says gemini-cli, which has none of that name; write `hookbox run --agent claude-code`
    ");
    let cline = r#"{"clineVersion":"3","hookName":"PreToolUse","timestamp":"1","taskId":"t","workspaceRoots":["/"],
        "userId":"u","preToolUse":{"toolName":"execute_command","parameters":{"command":"ls"}}}"#;
    for named in ["claude-code", "gemini-cli", "copilot", "cursor", "windsurf"] {
        let ran = bed.answer_as(named, cline);
        assert!(ran.code != 0 || ran.stdout.contains(r#""cancel":true"#), "{named}: {ran}");
    }
    // An event that nobody has passes, unless it carries a call: that is judged.
    let future = claude.replace("PreToolUse", "FromTheFuture");
    assert_eq!(bed.answer_as("gemini-cli", &future).code, 2);
    let (without_call, _) = future.rsplit_once(",\n").unwrap();
    assert_eq!(bed.answer_as("gemini-cli", &format!("{without_call}}}")).code, 0);
}

#[test]
fn an_event_of_an_unidentified_agent_is_denied_in_the_form_that_most_agents_understand() {
    let bed = TestBed::new();
    assert_snapshot!(bed.run_with_input(&mut bed.build_command(&["run"]), b"{\"hook_event_name\":\"Unheard\"}"), @"
    exit code 2
    --- stdout
    --- stderr
    hookbox: VALIDATION_FAILURE: no agent is known that writes such an event; name it with --agent (claude-code, codex, gemini-cli, llxprt, cursor, copilot, windsurf, cline, amazon-q, qwen-code, droid, kimi-code, openhands, opencode, cocode, code-forge, run-claude, litellm, native)
    ");
}

#[test]
fn a_misspelt_option_is_wrong_usage() {
    let bed = TestBed::new();
    let ran = bed.run_with_input(&mut bed.bare_command(&["run", "--agnet", "claude-code"]), b"");
    assert_snapshot!(ran, @"
    exit code 2
    --- stdout
    --- stderr
    error: unexpected argument '--agnet' found

      tip: a similar argument exists: '--agent'

    Usage: hookbox run --agent <NAME>

    For more information, try '--help'.
    ");
}

#[test]
fn an_event_that_comes_slowly_and_in_pieces_is_read_to_its_end() {
    let bed = TestBed::new();
    let event = bed.write_file("[HOME]/event.json", LS);
    let line = format!(
        "for at in 1 51 101 151 201 251 301 351; do tail -c +$at {0} | head -c 50; done | \"$0\" run",
        event.display()
    );
    let ran = bed.wait_for(bed.build_shell_command(&line).stdin(Stdio::null()).spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "{}\n"), "{ran}");
}

#[test]
fn input_that_never_ends_is_denied_before_the_agent_gives_up() {
    for begun in ["", r#"{"hook_event_name":"#, LS] {
        let bed = TestBed::with_config(&format_gate("none"));
        let mut command = bed.build_command(&["run", "--agent", "claude-code", "--agent-timeout", "300ms"]);
        let mut child = command.spawn().unwrap();
        let mut held_open = child.stdin.take().unwrap();
        held_open.write_all(bed.expand_placeholders(begun).as_bytes()).unwrap();
        let said = "VALIDATION_FAILURE: the event cannot be read: the time to read it is over, and standard input is \
                    still open; the caller of hookbox must close it";
        assert_eq!(
            bed.wait_for(child).to_string(),
            format!("exit code 2\n--- stdout\n{{}}\n--- stderr\n{said}\n")
        );
        drop(held_open);
    }
}
