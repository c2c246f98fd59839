//! `hookbox import`: an agent's own hooks as hookbox's configuration.

use insta::assert_snapshot;

use crate::{LS, Ran, START, TestBed};

/// What carries over, in every kind.
const CARRIED: &str = r#"{"hooks": {
    "PreToolUse": [
        {"matcher": "Bash|Edit", "hooks": [
            {"type": "command", "command": "grep -q '\"tool_name\":\"Bash\"' && echo \"it's no\" >&2 && exit 2", "timeout": 5},
            {"type": "command", "command": "./beside.sh", "args": ["a b"], "timeout": 1.5, "onFailure": "block"},
            {"type": "command", "command": "/opt/hookbox run --agent claude-code"}]},
        {"matcher": "^mcp__.*\\.write", "hooks": [
            {"type": "http", "url": "https://hooks.example/x", "headers": {"X-Token": "${HOOK_TOKEN}"},
             "allowedEnvVars": ["HOOK_TOKEN"]}]}],
    "SessionStart": [{"hooks": [{"type": "command", "command": "echo welcome"}]}]}}"#;

/// What does not.
const LOST: &str = r#"{"hooks": {
    "PreToolUse": [
        {"matcher": "Bash", "hooks": [
            {"type": "command", "command": "echo 'a\nb'", "if": "Bash(git *)"},
            {"type": "prompt", "prompt": "is this wise?"},
            {"type": "command", "command": "true", "timeout": 3600}]},
        {"matcher": "[é]", "hooks": [{"type": "command", "command": "true"}]},
        {"hooks": [{"type": "http", "url": "http://far.example/"}]}],
    "SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "echo welcome"}]}]}}"#;

fn run_import(file: &str) -> Ran {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/settings.json", file);
    bed.run_hookbox(&["import", "claude-code", "[PROJECT]/settings.json"])
}

/// A home with the imported hooks.
fn bed_with_imported() -> TestBed {
    let bed = TestBed::with_config(&run_import(CARRIED).stdout).with_variable("HOOK_TOKEN", "t");
    bed.write_file("[PROJECT]/beside.sh", "");
    bed
}

#[test]
fn a_matcher_of_anything_is_imported_as_none() {
    for (agent, matcher) in
        [("claude-code", ".*"), ("claude-code", "^.*$"), ("claude-code", "*"), ("codex", ".*")]
    {
        let hooks =
            format!(r#"[{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "true"}}]}}]"#);
        let bed = TestBed::new();
        bed.write_file(
            "[PROJECT]/hooks.json",
            &format!(r#"{{"hooks": {{"SessionStart": {hooks}, "PreToolUse": {hooks}}}}}"#),
        );
        let ran = bed.run_hookbox(&["import", agent, "[PROJECT]/hooks.json"]);
        assert_eq!(ran.stdout.matches("\n[[hook]]\n").count(), 2, "{agent} {matcher}: {ran}");
        assert!(!ran.stdout.contains("tool = "), "{agent} {matcher}: {ran}");
    }
}

#[test]
fn hooks_keep_their_contract_their_tools_their_time_and_what_failure_means() {
    assert_snapshot!(run_import(CARRIED), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of claude-code, [PROJECT]/settings.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: with a deny of PostToolUse, nothing is rewritten.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "claude-code-PreToolUse-1"
    on = "claude-code:PreToolUse"
    tool = { name = ["Bash", "Edit"] }
    timeout = "5s"
    on-failure = "allow"
    shell = { command = "grep -q '\"tool_name\":\"Bash\"' && echo \"it's no\" >&2 && exit 2", speaks = "claude-code" }

    [[hook]]
    name = "claude-code-PreToolUse-2"
    on = "claude-code:PreToolUse"
    tool = { name = ["Bash", "Edit"] }
    timeout = "1500ms"
    on-failure = "deny"
    shell = { argv = ["env", "./beside.sh", "a b"], speaks = "claude-code" }

    [[hook]]
    name = "claude-code-PreToolUse-3"
    on = "claude-code:PreToolUse"
    tool = { regex = '(?s:.*)(?:^mcp__.*\.write)(?s:.*)' }
    timeout = "600s"
    on-failure = "allow"
    webhook = { url = "https://hooks.example/x", headers = { "X-Token" = "${HOOK_TOKEN}" }, env = ["HOOK_TOKEN"], speaks = "claude-code" }

    [[hook]]
    name = "claude-code-SessionStart-1"
    on = "claude-code:SessionStart"
    timeout = "600s"
    shell = { command = "echo welcome", speaks = "claude-code" }
    --- stderr
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: with a deny of PostToolUse, nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    4 hooks of [PROJECT]/settings.json; take them out there, else they run twice
    "#);
}

#[test]
fn a_setting_without_an_exact_equivalent_becomes_a_comment_and_is_reported() {
    assert_snapshot!(run_import(LOST), @r#"
    exit code 1
    --- stdout
    version = 1

    # The hooks of claude-code, [PROJECT]/settings.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: with a deny of PostToolUse, nothing is rewritten.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.
    # Not carried over: `hooks.PreToolUse[0].hooks[1]` is a hook of type `prompt`, which only Claude Code can run; it is left out
    # Not carried over: `hooks.PreToolUse[0].hooks[2]` may take 600 s at most, not 3600 s

    # Not carried over: `hooks.PreToolUse[0].hooks[0]`: hookbox's configuration cannot say its matcher `Bash, if "Bash(git *)"` exactly
    # [[hook]]
    # name = "claude-code-PreToolUse-1"
    # on = "claude-code:PreToolUse"
    # timeout = "600s"
    # on-failure = "allow"
    # shell = { command = "echo 'a\nb'", speaks = "claude-code" }

    [[hook]]
    name = "claude-code-PreToolUse-2"
    on = "claude-code:PreToolUse"
    tool = { name = "Bash" }
    timeout = "600s"
    on-failure = "allow"
    shell = { command = "true", speaks = "claude-code" }

    # Not carried over: `hooks.PreToolUse[1].hooks[0]`: hookbox's configuration cannot say its matcher `[é]` exactly
    # [[hook]]
    # name = "claude-code-PreToolUse-3"
    # on = "claude-code:PreToolUse"
    # timeout = "600s"
    # on-failure = "allow"
    # shell = { command = "true", speaks = "claude-code" }

    # Not carried over: `hooks.PreToolUse[2].hooks[0]`: the url is plain http to `far.example`: use https (http is for 127.0.0.1, [::1] and localhost only)
    # [[hook]]
    # name = "claude-code-PreToolUse-4"
    # on = "claude-code:PreToolUse"
    # timeout = "600s"
    # on-failure = "allow"
    # webhook = { url = "http://far.example/", speaks = "claude-code" }

    # Not carried over: `hooks.SessionStart[0].hooks[0]`: hookbox's configuration cannot say its matcher `startup` exactly
    # [[hook]]
    # name = "claude-code-SessionStart-1"
    # on = "claude-code:SessionStart"
    # timeout = "600s"
    # shell = { command = "echo welcome", speaks = "claude-code" }
    --- stderr
    not carried over: `hooks.PreToolUse[0].hooks[1]` is a hook of type `prompt`, which only Claude Code can run; it is left out
    not carried over: `hooks.PreToolUse[0].hooks[2]` may take 600 s at most, not 3600 s
    not carried over: `hooks.PreToolUse[0].hooks[0]`: hookbox's configuration cannot say its matcher `Bash, if "Bash(git *)"` exactly
    not carried over: `hooks.PreToolUse[1].hooks[0]`: hookbox's configuration cannot say its matcher `[é]` exactly
    not carried over: `hooks.PreToolUse[2].hooks[0]`: the url is plain http to `far.example`: use https (http is for 127.0.0.1, [::1] and localhost only)
    not carried over: `hooks.SessionStart[0].hooks[0]`: hookbox's configuration cannot say its matcher `startup` exactly
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: with a deny of PostToolUse, nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [PROJECT]/settings.json; take them out there, else they run twice
    "#);
}

#[test]
fn import_reports_variables_patterns_and_values_that_a_hook_does_not_receive() {
    let bed = TestBed::new();
    bed.write_file(
        "[PROJECT]/hooks.json",
        r#"{"hooks": [{"event": "tool:*:write,session:start", "command": "./x", "env": {"A": "b c"}, "working_dir": "/srv"},
            {"event": "tool:pre_execute:mcp__*", "command": "./y"}]}"#,
    );
    bed.write_file(
        "[PROJECT]/hooks.toml",
        "[[hooks]]\nevent = 'PreToolUse'\ntool_matcher = 'mcp__*'\nname = 'quiet one'\nshell.command = 'check'\n",
    );
    assert_snapshot!(bed.run_hookbox(&["import", "code-forge", "[PROJECT]/hooks.json"]), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of code-forge, [PROJECT]/hooks.json.
    # In hookbox's chain: the reason of a block names the hook by its name, not by its pattern.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "tool---write-session-start"
    on = ["code-forge:tool:pre_execute", "code-forge:tool:post_execute", "code-forge:tool:error"]
    tool = { regex = "(?s:.*):write|write" }
    timeout = "10s"
    on-failure = "deny"
    shell = { argv = ["env", "FORGE_WORKING_DIR=/srv", "A=b c", "/bin/sh", "-c", "./x"], cwd = "/srv", speaks = "code-forge" }

    [[hook]]
    name = "tool---write-session-start-2"
    on = "code-forge:session:start"
    timeout = "10s"
    shell = { argv = ["env", "FORGE_WORKING_DIR=/srv", "A=b c", "/bin/sh", "-c", "./x"], cwd = "/srv", speaks = "code-forge" }

    [[hook]]
    name = "tool-pre_execute-mcp__-"
    on = "code-forge:tool:pre_execute"
    tool = { glob = "mcp__*" }
    timeout = "10s"
    on-failure = "deny"
    shell = { command = "./y", speaks = "code-forge" }
    --- stderr
    in hookbox's chain: the reason of a block names the hook by its name, not by its pattern
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    3 hooks of [PROJECT]/hooks.json; take them out there, else they run twice
    "#);
    assert_snapshot!(bed.run_hookbox(&["import", "cocode", "[PROJECT]/hooks.toml"]), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of cocode, [PROJECT]/hooks.toml.
    # In hookbox's chain: a hook that takes too long rejects, where cocode passes it over.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "quiet-one"
    on = "cocode:PreToolUse"
    tool = { glob = "mcp__*" }
    timeout = "600s"
    on-failure = "deny"
    shell = { command = "exec </dev/null >/dev/null; check", speaks = "cocode" }
    --- stderr
    in hookbox's chain: a hook that takes too long rejects, where cocode passes it over
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [PROJECT]/hooks.toml; take them out there, else they run twice
    "#);
}

#[test]
fn the_result_is_sound_configuration() {
    assert_snapshot!(bed_with_imported().run_hookbox(&["check"]), @r#"
    exit code 0
    --- stdout
    ok    claude-code-PreToolUse-1: shell grep -q '"tool_name":"Bash"' && echo "it's no" >&2 && exit 2
    ok    claude-code-PreToolUse-2: shell env ./beside.sh a b
    ok    claude-code-PreToolUse-3: webhook https://hooks.example/x
    ok    claude-code-SessionStart-1: shell echo welcome
    4 hooks checked: 0 errors, 0 warnings, 0 that cannot run
    --- stderr
    checked in [TIME]
    "#);
}

#[test]
fn an_imported_hook_receives_and_returns_the_format_of_its_agent() {
    let bed = bed_with_imported();
    assert_snapshot!(bed.answer_as("claude-code", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"claude-code-PreToolUse-1: it's no"}}
    --- stderr
    "#);
    assert_snapshot!(bed.answer_as("claude-code", START), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"[hookbox: claude-code-SessionStart-1]\nwelcome"}}
    --- stderr
    "#);
}

#[test]
fn another_agents_event_is_not_for_it() {
    let event = r#"{"session_id":"s","transcript_path":"/h/.gemini/t","cwd":"[PROJECT]","hook_event_name":"BeforeTool",
        "timestamp":"2026-01-01T00:00:00Z","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    assert_snapshot!(bed_with_imported().answer_as("gemini-cli", event), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    ");
}

#[test]
fn without_a_file_it_is_the_users() {
    let bed = TestBed::new();
    bed.write_file(
        "[HOME]/.claude/settings.json",
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#,
    );
    assert_snapshot!(bed.run_hookbox(&["import", "claude-code"]), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of claude-code, [HOME]/.claude/settings.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: with a deny of PostToolUse, nothing is rewritten.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "claude-code-Stop-1"
    on = "claude-code:Stop"
    timeout = "600s"
    on-failure = "allow"
    shell = { command = "x", speaks = "claude-code" }
    --- stderr
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: with a deny of PostToolUse, nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [HOME]/.claude/settings.json; take them out there, else they run twice
    "#);
    assert_snapshot!(bed.run_hookbox(&["import", "gemini-cli"]), @"
    exit code 1
    --- stdout
    --- stderr
    [HOME]/.gemini/settings.json: error: the file cannot be read: No such file or directory (os error 2)
    ");
    assert_snapshot!(bed.run_hookbox(&["import", "run-claude"]), @"
    exit code 1
    --- stdout
    --- stderr
    [HOME]/.config/run-claude/hooks.yaml: error: the file cannot be read: No such file or directory (os error 2)
    ");
    assert_snapshot!(bed.run_hookbox(&["import", "cursor"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: hookbox cannot read cursor's own hook files
    ");
    assert_snapshot!(bed.run_hookbox(&["import", "codeforge"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: unknown agent `codeforge`; did you mean `code-forge`? allowed: claude-code, codex, gemini-cli, llxprt, cursor, copilot, windsurf, cline, amazon-q, qwen-code, droid, kimi-code, openhands, opencode, cocode, code-forge, run-claude, litellm, native
    ");
}

#[test]
fn an_invalid_hook_file_gives_no_configuration() {
    assert_snapshot!(run_import("{"), @"
    exit code 1
    --- stdout
    --- stderr
    error: [PROJECT]/settings.json: the file is not acceptable JSON: it ends too early, at line 1 column 1
    ");
}

#[test]
fn a_duplicate_hook_counts_once_and_is_reported() {
    let bed = TestBed::new();
    let twin = r#"{"hooks": [{"type": "command", "command": "true", "timeout": 5}]}"#;
    let other = twin.replace("true", "false");
    let file = format!(r#"{{"hooks": {{"PreToolUse": [{twin}, {other}, {twin}], "Stop": [{twin}]}}}}"#);
    bed.write_file("[PROJECT]/hooks.json", &file);
    let ran = bed.run_hookbox(&["import", "codex", "[PROJECT]/hooks.json"]);
    assert_eq!(ran.code, 1, "{ran}");
    let twin = "it does the same as a hook before it, and hookbox calls that once";
    assert_eq!(ran.stderr.lines().filter(|line| line.ends_with(twin)).count(), 1, "{ran}");
    assert!(ran.stderr.contains("\n3 hooks of [PROJECT]/hooks.json; "), "{ran}");
    let bed = TestBed::with_config(&ran.stdout);
    assert!(
        bed.run_hookbox(&["check"])
            .stdout
            .ends_with("3 hooks checked: 0 errors, 0 warnings, 0 that cannot run\n")
    );
}

/// What is imported of one file of this agent.
fn imported_of(agent: &str, name: &str, file: &str) -> Ran {
    let bed = TestBed::new();
    bed.write_file(&format!("[PROJECT]/{name}"), file);
    bed.run_hookbox(&["import", agent, &format!("[PROJECT]/{name}")])
}

#[test]
fn a_hook_that_its_file_switches_off_is_carried_over_switched_off() {
    for (agent, name, file) in [
        (
            "gemini-cli",
            "settings.json",
            r#"{"hooksConfig": {"disabled": ["off"]}, "hooks": {"BeforeTool": [{"hooks": [
                {"type": "command", "name": "off", "command": "true"}]}]}}"#,
        ),
        (
            "llxprt",
            "settings.json",
            r#"{"tools": {"enableHooks": false}, "hooks": {"BeforeTool": [{"hooks": [
                {"type": "command", "command": "true"}]}]}}"#,
        ),
        (
            "code-forge",
            "hooks.json",
            r#"{"hooks": [{"event": "tool:pre_execute", "command": "true", "enabled": false}]}"#,
        ),
    ] {
        let ran = imported_of(agent, name, file);
        assert_eq!(ran.stdout.matches("\nenabled = false\n").count(), 1, "{agent}: {ran}");
        let bed = TestBed::with_config(&ran.stdout);
        assert!(bed.run_hookbox(&["check"]).stdout.starts_with("0 hooks checked: "), "{agent}: {ran}");
    }
}

#[test]
fn every_setting_of_a_file_is_imported_or_reported() {
    for (agent, name, file, told) in [
        (
            "gemini-cli",
            "settings.json",
            r#"{"hooks": {"Whenever": [], "BeforeTool": [{"matcher": "a", "when": "now", "hooks": [
                {"type": "command", "command": "true", "env": {"A": []}, "timeout": "1s", "retry": 2}]}]}}"#,
            &[
                "`hooks.Whenever`",
                "`when`",
                "`retry`",
                "`hooks.BeforeTool[0].hooks[0].env.A`",
                ".timeout` is not a number",
            ][..],
        ),
        (
            "gemini-cli",
            "settings.json",
            r#"{"hooks": {"BeforeTool": [{"matcher": 7, "hooks": [{"type": "plugin", "command": "x"}]}]}}"#,
            &["`hooks.BeforeTool[0].matcher` is not a text", "`hooks.BeforeTool[0].hooks[0]` is not a hook"],
        ),
        (
            "code-forge",
            "hooks.json",
            r#"{"hooks": [{"event": "tool:*", "command": "true", "retry": 2}, {"event": "x", "command": "true"}]}"#,
            &["`retry`", "`hooks[1]`: no event of Code-Forge matches"],
        ),
        (
            "cocode",
            "hooks.toml",
            "[[hooks]]\nevent = \"PreCompact\"\nwhen = 1\nshell = { command = \"true\", cwd = \"/\" }\n",
            &["`when`", "`hooks[0].shell` has a member `cwd`"],
        ),
        (
            "run-claude",
            "hooks.yaml",
            "mode: x\nhooks:\n  pre_request:\n    - {name: a, module: m, function: f, order: 1}\n",
            &["no key `mode`", "`hooks.pre_request[0]` has a member `order`"],
        ),
    ] {
        let ran = imported_of(agent, name, file);
        for part in told {
            assert!(ran.stderr.contains(part), "{agent}: {part}\n{ran}");
            assert!(
                ran.stdout.lines().any(|line| line.starts_with("# ") && line.contains(part)),
                "{agent}: {part}\n{ran}"
            );
        }
    }
}

#[test]
fn a_description_is_a_comment() {
    let ran = imported_of(
        "gemini-cli",
        "settings.json",
        r#"{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "true", "description": "keeps\nus safe"}]}]}}"#,
    );
    assert!(ran.stdout.contains("\n# keeps us safe\n[[hook]]\n"), "{ran}");
}

#[test]
fn a_hook_of_gemini_cli_runs_by_bash_in_hookboxs_chain_too() {
    let file = r#"{"hooks": {"BeforeTool": [{"hooks": [
        {"type": "command", "command": "[[ ls == l* ]] && exit 2", "env": {"A": "1"}},
        {"type": "command", "command": "[[ ls == l* ]] && exit 2"}]}]}}"#;
    let ran = imported_of("llxprt", "settings.json", file);
    assert!(ran.stdout.contains("/bash\", \"-c\""), "{ran}");
    let event = r#"{"session_id": "s", "transcript_path": "/home/u/.llxprt/tmp/x.jsonl", "cwd": "/",
        "hook_event_name": "BeforeTool", "tool_name": "x", "tool_input": {}}"#;
    let bed = TestBed::with_config(&ran.stdout);
    let denied = bed.run_with_input(&mut bed.build_command(&["run", "--agent", "llxprt"]), event.as_bytes());
    assert!(denied.stdout.contains(r#""decision":"deny""#), "{denied}");
}

#[test]
fn a_built_in_of_run_claude_is_carried_over_and_the_plugin_that_does_the_same_is_named() {
    let bed = TestBed::new();
    bed.write_file(
        "[PROJECT]/hooks.yaml",
        "hooks:\n  pre_request:\n    - {name: log, module: run_claude.hooks.builtin, function: log_request}\n",
    );
    let ran = bed.run_hookbox(&["import", "run-claude", "[PROJECT]/hooks.yaml"]);
    let line = r#"python = { module = "run_claude.hooks.builtin", function = "log_request", speaks = "run-claude" }"#;
    assert!(ran.stdout.contains(line), "{ran}");
    assert!(ran.stderr.contains(r#"`wasm = { plugin = "log-request" }` in place of `python`"#), "{ran}");
    assert_eq!(ran.code, 0);
}

/// What a guard that is named by its project, an observer and a plugin's hook come to.
const PLACED: &str = r#"{"hooks": {"PreToolUse": [{"hooks": [
    {"type": "command", "command": "${CLAUDE_PROJECT_DIR}/guard.sh", "args": ["$x"], "statusMessage": "looking"},
    {"type": "command", "command": "true", "async": true, "surprise": 1},
    {"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/guard.sh", "args": []},
    {"type": "command", "command": "echo ${CLAUDE_PROJECT_DIR}", "shell": "bash"}]},
    {"matcher": "^(?!Read)", "hooks": [{"type": "command", "command": "false"}]}]}}"#;

#[test]
fn nothing_that_an_entry_says_is_left_out_without_a_line() {
    assert_snapshot!(run_import(PLACED), @r##"
    exit code 1
    --- stdout
    version = 1

    # The hooks of claude-code, [PROJECT]/settings.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: with a deny of PostToolUse, nothing is rewritten.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.
    # Not carried over: `hooks.PreToolUse[0].hooks[1].surprise` is not known here, and nothing is done about it

    # `hooks.PreToolUse[0].hooks[0].statusMessage` is for claude-code alone
    # `hooks.PreToolUse[0].hooks[0]` is looked for in the project of each event; where it is missing, the event passes: write `on-failure = "deny"` if it is a guard
    [[hook]]
    name = "claude-code-PreToolUse-1"
    on = "claude-code:PreToolUse"
    timeout = "600s"
    on-failure = "allow"
    shell = { argv = ["env", "${CLAUDE_PROJECT_DIR}/guard.sh", "$x"], speaks = "claude-code" }

    [[hook]]
    name = "claude-code-PreToolUse-2"
    on = "claude-code:PreToolUse"
    role = "observe"
    timeout = "600s"
    shell = { command = "true", speaks = "claude-code" }

    # Not carried over: `hooks.PreToolUse[0].hooks[2]`: it needs `${CLAUDE_PLUGIN_ROOT}`, which claude-code alone sets, and not for every hook: write the path
    # [[hook]]
    # name = "claude-code-PreToolUse-3"
    # on = "claude-code:PreToolUse"
    # timeout = "600s"
    # on-failure = "allow"
    # shell = { argv = ["env", "${CLAUDE_PLUGIN_ROOT}/guard.sh"], speaks = "claude-code" }

    # `hooks.PreToolUse[0].hooks[3]` is looked for in the project of each event; where it is missing, the event passes: write `on-failure = "deny"` if it is a guard
    [[hook]]
    name = "claude-code-PreToolUse-4"
    on = "claude-code:PreToolUse"
    timeout = "600s"
    on-failure = "allow"
    shell = { argv = ["bash", "-c", "echo ${CLAUDE_PROJECT_DIR:-}"], speaks = "claude-code" }

    # Not carried over: `hooks.PreToolUse[1].hooks[0]`: hookbox's configuration cannot say its matcher `^(?!Read)` exactly
    # [[hook]]
    # name = "claude-code-PreToolUse-5"
    # on = "claude-code:PreToolUse"
    # timeout = "600s"
    # on-failure = "allow"
    # shell = { command = "false", speaks = "claude-code" }
    --- stderr
    not carried over: `hooks.PreToolUse[0].hooks[1].surprise` is not known here, and nothing is done about it
    not carried over: `hooks.PreToolUse[0].hooks[2]`: it needs `${CLAUDE_PLUGIN_ROOT}`, which claude-code alone sets, and not for every hook: write the path
    not carried over: `hooks.PreToolUse[1].hooks[0]`: hookbox's configuration cannot say its matcher `^(?!Read)` exactly
    `hooks.PreToolUse[0].hooks[0].statusMessage` is for claude-code alone
    `hooks.PreToolUse[0].hooks[0]` is looked for in the project of each event; where it is missing, the event passes: write `on-failure = "deny"` if it is a guard
    `hooks.PreToolUse[0].hooks[3]` is looked for in the project of each event; where it is missing, the event passes: write `on-failure = "deny"` if it is a guard
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: with a deny of PostToolUse, nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    3 hooks of [PROJECT]/settings.json; take them out there, else they run twice
    "##);
}

/// A guard that ends with 127 if it is missing, as a shell does.
const BY_PROJECT: &str = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/bin/sh",
    "args": ["-c", "[ -e \"$0\" ] || exit 127; . \"$0\"", "${CLAUDE_PROJECT_DIR}/guard.sh"]}]}]}}"#;

#[test]
fn a_guard_with_a_path_in_its_project_is_found_and_a_missing_guard_is_reported() {
    let bed = TestBed::with_config(&run_import(BY_PROJECT).stdout);
    let ran = bed.answer_event(LS);
    assert!(ran.stdout == "{}\n" && ran.stderr.contains("exit code 127"), "{ran}");
    bed.write_file("[PROJECT]/guard.sh", "echo found >&2\nexit 2\n");
    let ran = bed.answer_event(LS);
    assert!(ran.stdout.contains(r#""permissionDecisionReason":"claude-code-PreToolUse-1: found""#), "{ran}");
}

#[test]
fn a_file_without_hooks_makes_no_new_file() {
    let bed = TestBed::new();
    for file in ["{}", r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "?"}]}]}}"#] {
        bed.write_file("[PROJECT]/settings.json", file);
        let ran = bed.run_hookbox(&[
            "import",
            "claude-code",
            "[PROJECT]/settings.json",
            "--output",
            "[PROJECT]/new.toml",
        ]);
        let said = "error: there is no hook to write, so [PROJECT]/new.toml was not written\n";
        assert!(ran.code == 1 && ran.stderr.ends_with(said), "{ran}");
        assert!(!bed.resolve_path("[PROJECT]/new.toml").exists());
    }
}

#[test]
fn an_observer_gets_no_failure_policy_that_would_be_warned_of_at_each_run() {
    let bed = TestBed::new();
    let file =
        r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true", "async": true}]}]}}"#;
    bed.write_file("[PROJECT]/settings.json", file);
    let made = bed.run_hookbox(&["import", "claude-code", "[PROJECT]/settings.json"]);
    assert!(made.stdout.contains("role = \"observe\""), "{made}");
    assert!(!made.stdout.contains("on-failure"), "{made}");
    let ran = TestBed::with_config(&made.stdout).answer_event(LS);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
}

#[test]
fn comments_are_read_where_their_agent_reads_them() {
    let commented = r#"// mine
{
  /* "hooks": none yet */
  "hooks": {
    "BeforeTool": [ // all tools
      { "hooks": [{ "type": "command", "command": "echo 'http://x' /* no comment */" }] }
    ]
  }
}
"#;
    for agent in ["gemini-cli", "llxprt"] {
        let bed = TestBed::new();
        bed.write_file("[PROJECT]/settings.json", commented);
        let made = bed.run_hookbox(&["import", agent, "[PROJECT]/settings.json"]);
        assert_eq!(made.code, 0, "{agent}: {made}");
        assert!(made.stdout.contains("http://x' /* no comment */"), "{agent}: {made}");
        let listed =
            bed.run_hookbox(&["list", "--json", "--agent", agent, "--source", "[PROJECT]/settings.json"]);
        assert!(listed.code == 0 && listed.stdout.contains("\"line\": 6"), "{agent}: {listed}");
    }
    // A comma that stays behind is none of JSON's, with comments or without.
    for (agent, text) in
        [("gemini-cli", "{\"hooks\": {}, // last\n}"), ("claude-code", "{} // mine"), ("codex", "{} // mine")]
    {
        let bed = TestBed::new();
        bed.write_file("[PROJECT]/settings.json", text);
        let made = bed.run_hookbox(&["import", agent, "[PROJECT]/settings.json"]);
        assert!(made.code == 1 && made.stderr.contains("not acceptable JSON"), "{agent}: {made}");
    }
}

/// Claude Code's list, Gemini CLI's folder and Codex's, each with a plugin that is called `guard`.
fn bed_with_plugins() -> TestBed {
    let bed = TestBed::new();
    let claude = "[HOME]/.claude/plugins/cache/market/guard/1.0.0";
    bed.write_file(
        "[HOME]/.claude/plugins/installed_plugins.json",
        &format!(
            r#"{{"version":2,"plugins":{{"guard@market":[{{"scope":"user","installPath":"{claude}"}}]}}}}"#
        ),
    );
    bed.write_file(&format!("{claude}/.claude-plugin/plugin.json"), r#"{"name":"guard"}"#);
    bed.write_file(
        &format!("{claude}/hooks/hooks.json"),
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[
            {"type":"command","command":"\"${CLAUDE_PLUGIN_ROOT}/guard.sh\" --strict","timeout":5},
            {"type":"prompt","prompt":"is this wise?"}]}]}}"#,
    );
    bed.write_file(
        "[HOME]/.gemini/extensions/guard/gemini-extension.json",
        r#"{"name":"guard","version":"1.0.0"}"#,
    );
    bed.write_file(
        "[HOME]/.gemini/extensions/guard/hooks/hooks.json",
        r#"{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"sh ${extensionPath}/guard.sh","timeout":5000}]}]}}"#,
    );
    let codex = "[HOME]/.codex/plugins/cache/market/guard/1.0.0";
    bed.write_file(&format!("{codex}/.codex-plugin/plugin.json"), r#"{"name":"guard"}"#);
    bed.write_file(
        &format!("{codex}/hooks/hooks.json"),
        r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"$PLUGIN_ROOT/guard.sh $PLUGIN_ROOTS"}]}]}}"#,
    );
    bed
}

#[test]
fn the_hooks_of_a_plugin_that_is_installed_get_a_place_limits_and_a_switch() {
    let bed = bed_with_plugins();
    assert_snapshot!(bed.run_hookbox(&["import", "claude-code", "--plugin", "guard"]), @r#"
    exit code 1
    --- stdout
    version = 1

    # The hooks of claude-code, [HOME]/.claude/plugins/cache/market/guard/1.0.0/hooks/hooks.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: with a deny of PostToolUse, nothing is rewritten.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.
    # Not carried over: `hooks.PreToolUse[0].hooks[1]` is a hook of type `prompt`, which only Claude Code can run; it is left out

    [[hook]]
    name = "claude-code-PreToolUse-1"
    on = "claude-code:PreToolUse"
    tool = { name = "Bash" }
    timeout = "5s"
    on-failure = "allow"
    shell = { argv = ["env", "CLAUDE_PLUGIN_ROOT=[HOME]/.claude/plugins/cache/market/guard/1.0.0", "/bin/sh", "-c", '"[HOME]/.claude/plugins/cache/market/guard/1.0.0/guard.sh" --strict'], speaks = "claude-code" }
    --- stderr
    not carried over: `hooks.PreToolUse[0].hooks[1]` is a hook of type `prompt`, which only Claude Code can run; it is left out
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: with a deny of PostToolUse, nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [HOME]/.claude/plugins/cache/market/guard/1.0.0/hooks/hooks.json; `claude plugin disable guard` switches the whole plugin off, else they run twice. What they call stays where the agent keeps it: import it again after an update of the plugin
    "#);
    assert_snapshot!(bed.run_hookbox(&["import", "gemini-cli", "--plugin", "guard"]), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of gemini-cli, [HOME]/.gemini/extensions/guard/hooks/hooks.json.
    # In hookbox's chain: hooks that ran side by side run one after another, each on the event as the one before left it, and the first deny ends the chain.
    # In hookbox's chain: with a deny, nothing is rewritten.
    # In hookbox's chain: before and after a request to the model the strictest answer wins, not the last.
    # In hookbox's chain: of several choices of tools the last one counts.
    # In hookbox's chain: in order too, later hooks do not see the context that earlier ones gave.
    # In hookbox's chain: of two entries with one command and two matchers, both run where both match.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "gemini-cli-BeforeTool-1"
    on = "gemini-cli:BeforeTool"
    timeout = "5s"
    on-failure = "allow"
    shell = { command = "sh [HOME]/.gemini/extensions/guard/guard.sh", speaks = "gemini-cli" }
    --- stderr
    in hookbox's chain: hooks that ran side by side run one after another, each on the event as the one before left it, and the first deny ends the chain
    in hookbox's chain: with a deny, nothing is rewritten
    in hookbox's chain: before and after a request to the model the strictest answer wins, not the last
    in hookbox's chain: of several choices of tools the last one counts
    in hookbox's chain: in order too, later hooks do not see the context that earlier ones gave
    in hookbox's chain: of two entries with one command and two matchers, both run where both match
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [HOME]/.gemini/extensions/guard/hooks/hooks.json; `gemini extensions disable guard` switches the whole extension off, else they run twice. What they call stays where the agent keeps it: import it again after an update of the plugin
    "#);
    assert_snapshot!(bed.run_hookbox(&["import", "codex", "--plugin", "guard@market"]), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of codex, [HOME]/.codex/plugins/cache/market/guard/1.0.0/hooks/hooks.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: the same hook twice for one event runs once.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "codex-PreToolUse-1"
    on = "codex:PreToolUse"
    timeout = "600s"
    on-failure = "allow"
    shell = { argv = ["env", "PLUGIN_ROOT=[HOME]/.codex/plugins/cache/market/guard/1.0.0", "CLAUDE_PLUGIN_ROOT=[HOME]/.codex/plugins/cache/market/guard/1.0.0", "/bin/sh", "-c", "[HOME]/.codex/plugins/cache/market/guard/1.0.0/guard.sh $PLUGIN_ROOTS"], speaks = "codex" }
    --- stderr
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: the same hook twice for one event runs once
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [HOME]/.codex/plugins/cache/market/guard/1.0.0/hooks/hooks.json; switch the hooks of guard@market off in `/hooks`, or the plugin by `enabled = false` in config.toml, else they run twice. What they call stays where the agent keeps it: import it again after an update of the plugin
    "#);
}

/// By the user's settings, which stand elsewhere than the plugin's hooks.
#[test]
fn a_hook_of_a_plugin_that_its_user_switched_off_stays_off() {
    let bed = bed_with_plugins();
    bed.write_file(
        "[HOME]/.gemini/extensions/guard/hooks/hooks.json",
        r#"{"hooks":{"BeforeTool":[{"hooks":[
            {"type":"command","name":"off","command":"sh ${extensionPath}/off.sh"},
            {"type":"command","name":"on","command":"sh ${extensionPath}/on.sh"}]}]}}"#,
    );
    bed.write_file(
        "[HOME]/.gemini/settings.json",
        r#"{"hooksConfig":{"disabled":["off"]},
            "hooks":{"AfterTool":[{"hooks":[{"type":"command","command":"mine","odd":1}]}]}}"#,
    );
    let ran = bed.run_hookbox(&["import", "gemini-cli", "--plugin", "guard"]);
    assert_eq!(ran.code, 0, "{ran}");
    let is_told = |line: &&str| ["enabled", "shell"].iter().any(|key| line.starts_with(key));
    assert_snapshot!(ran.stdout.lines().filter(is_told).collect::<Vec<_>>().join("\n"), @r#"
    shell = { command = "sh [HOME]/.gemini/extensions/guard/on.sh", speaks = "gemini-cli" }
    enabled = false
    shell = { command = "sh [HOME]/.gemini/extensions/guard/off.sh", speaks = "gemini-cli" }
    "#);
    // In settings that are not understood nobody finds a switch, and that is told.
    bed.write_file("[HOME]/.gemini/settings.json", "{");
    let ran = bed.run_hookbox(&["import", "gemini-cli", "--plugin", "guard"]);
    let why = "not carried over: [HOME]/.gemini/settings.json: the file is not acceptable JSON";
    assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
    bed.write_file(
        "[HOME]/.codex/config.toml",
        "[hooks.state.\"[HOME]/.codex/plugins/cache/market/guard/1.0.0/hooks/hooks.json:pre_tool_use:0:0\"]\nenabled = false\n",
    );
    let ran = bed.run_hookbox(&["import", "codex", "--plugin", "guard"]);
    let why =
        "not carried over: `hooks.PreToolUse[0].hooks[0]` is switched off in config.toml; it is left out";
    assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
}

#[test]
fn import_reports_by_name_how_to_disable_a_plugin_that_is_passed_as_a_folder() {
    let bed = bed_with_plugins();
    let off = |agent: &str, folder: &str| {
        let ran = bed.run_hookbox(&["import", agent, "--plugin", folder]);
        let line = ran.stderr.lines().find_map(|line| line.split_once("hooks.json; ")).unwrap().1;
        line.split_once(", else").unwrap().0.to_owned()
    };
    let claude = "[HOME]/.claude/plugins/cache/market/guard/1.0.0";
    assert_eq!(off("claude-code", claude), "`claude plugin disable guard` switches the whole plugin off");
    let gemini = "[HOME]/.gemini/extensions/guard";
    let said = "`gemini extensions disable guard` switches the whole extension off";
    assert_eq!(off("gemini-cli", gemini), said);
    bed.write_file(&format!("{gemini}/gemini-extension.json"), r#"{"name":"`reboot`"}"#);
    assert_eq!(off("gemini-cli", gemini), said.replace("guard", "NAME"));
}

/// What the user's settings switch off is off in the file that is carried over, whichever it is.
#[test]
fn a_hook_disabled_in_the_users_settings_is_imported_as_disabled_and_reported() {
    let hook = r#"{"type": "command", "command": "./guard.sh", "name": "guard"}"#;
    let hooks = format!(r#""hooks": {{"BeforeTool": [{{"hooks": [{hook}]}}]}}"#);
    for (agent, folder) in [("gemini-cli", ".gemini"), ("llxprt", ".llxprt")] {
        let off = r#""hooksConfig": {"enabled": true, "disabled": ["guard"]}"#;
        let bed = TestBed::new();
        bed.write_file(&format!("[PROJECT]/{folder}/settings.json"), &format!("{{{hooks}}}"));
        bed.write_file(&format!("[HOME]/{folder}/settings.json"), &format!("{{{hooks}, {off}}}"));
        for file in ["[PROJECT]", "[HOME]"] {
            let ran = bed.run_hookbox(&["import", agent, &format!("{file}/{folder}/settings.json")]);
            let note = format!(
                "`hooks.BeforeTool[0].hooks[0]` is switched off in the settings of {agent}, and here by `enabled = false`"
            );
            assert!(ran.stdout.contains("enabled = false") && ran.stderr.contains(&note), "{file}: {ran}");
        }
    }
}

#[test]
fn variables_of_a_plugin_are_put_in_where_its_folder_is_known_and_reported_elsewhere() {
    let bed = TestBed::new();
    let claude = |line: &str| {
        format!(
            r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{{"type": "command", "command": "{line}"}}]}}]}}}}"#
        )
    };
    let gemini = |line: &str| claude(line).replace("PreToolUse", "BeforeTool");
    for (agent, mark, text, variable) in [
        ("gemini-cli", "gemini-extension.json", gemini("sh ${extensionPath}/g.sh"), "extensionPath"),
        ("llxprt", "gemini-extension.json", gemini("sh ${extensionPath}/g.sh"), "extensionPath"),
        ("codex", ".codex-plugin/plugin.json", claude("sh ${PLUGIN_ROOT}/g.sh"), "PLUGIN_ROOT"),
        ("codex", ".claude-plugin/plugin.json", claude("sh $CLAUDE_PLUGIN_ROOT/g.sh"), "CLAUDE_PLUGIN_ROOT"),
        (
            "claude-code",
            ".claude-plugin/plugin.json",
            claude("sh ${CLAUDE_PLUGIN_ROOT}/g.sh"),
            "CLAUDE_PLUGIN_ROOT",
        ),
    ] {
        let folder = format!("[PROJECT]/{agent}-{}", mark.replace(['/', '.'], "-"));
        let own = format!("{folder}/hooks/hooks.json");
        bed.write_file(&format!("{folder}/{mark}"), "{}");
        bed.write_file(&own, &text);
        bed.write_file(&format!("{folder}/g.sh"), "cat >/dev/null; echo seen >&2; exit 2");
        let event = match agent {
            "gemini-cli" | "llxprt" => LS.replace("PreToolUse", "BeforeTool"),
            _ => LS.to_owned(),
        };
        let arguments = ["run", "--agent", agent, "--source", &own];
        let ran = bed
            .run_with_input(&mut bed.build_command(&arguments), bed.expand_placeholders(&event).as_bytes());
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains("seen"), "{agent}: {ran}");
        let imported = bed.run_hookbox(&["import", agent, &own]);
        assert!(imported.code == 0 && imported.stdout.contains(&folder), "{agent}: {imported}");
        // The same text as a user's file.
        bed.write_file("[PROJECT]/user.json", &text);
        let imported = bed.run_hookbox(&["import", agent, "[PROJECT]/user.json"]);
        let lost = format!("it needs `${{{variable}}}`, which {agent} alone sets");
        assert!(imported.code == 1 && imported.stderr.contains(&lost), "{agent}: {imported}");
        let checked = bed.run_hookbox(&["check", "--agent", agent, "--source", "[PROJECT]/user.json"]);
        assert!(checked.stderr.contains(&format!("uses `${{{variable}}}`")), "{agent}: {checked}");
    }
}

#[test]
fn a_variable_that_no_agent_sets_is_reported() {
    let bed = TestBed::new();
    for (agent, variable, instead) in [
        ("claude-code", "$CLAUDE_TOOL_INPUT", "a hook is passed its event as JSON on standard input"),
        ("claude-code", "${CLAUDE_FILE_PATHS}", "a hook is passed its event as JSON on standard input"),
        ("codex", "${CODEX_PLUGIN_ROOT}", "Codex's is `${PLUGIN_ROOT}`"),
    ] {
        let hook = format!(r#"{{"type": "command", "command": "echo \"{variable}\""}}"#);
        let text = format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{hook}]}}]}}}}"#);
        bed.write_file("[PROJECT]/own.json", &text);
        let ran = bed.run_hookbox(&["import", agent, "[PROJECT]/own.json"]);
        let told = format!("which no agent sets: {instead}");
        assert!(ran.code == 0 && ran.stderr.contains(&told) && ran.stdout.contains(&told), "{agent}: {ran}");
    }
}

#[test]
fn a_plugin_whose_manifest_is_a_pipe_or_a_device_is_refused_and_not_waited_for() {
    let bed = bed_with_plugins();
    let manifest = bed.resolve_path("[HOME]/.gemini/extensions/guard/gemini-extension.json");
    std::fs::remove_file(&manifest).unwrap();
    let made =
        bed.run_with_input(&mut bed.build_shell_command(&format!("mkfifo {}", manifest.display())), b"");
    assert_eq!(made.code, 0, "{made}");
    let ran = bed.run_hookbox(&["import", "gemini-cli", "--plugin", "guard"]);
    assert!(ran.code == 2 && ran.stderr.contains("gemini-extension.json cannot be read as JSON"), "{ran}");
    std::fs::remove_file(&manifest).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &manifest).unwrap();
    let ran = bed.run_hookbox(&["import", "gemini-cli", "--plugin", "guard"]);
    assert!(ran.code == 2 && ran.stderr.contains("gemini-extension.json cannot be read as JSON"), "{ran}");
}

#[test]
fn a_plugin_that_is_not_there_or_cannot_be_carried_over_is_refused() {
    let bed = bed_with_plugins();
    let mut said = String::new();
    let mut tried = |words: &[&str]| {
        let ran = bed.run_hookbox(&[&["import"], words].concat());
        said.push_str(&[&ran.code.to_string(), " ", &ran.stderr].concat());
    };
    tried(&["claude-code", "--plugin", "nobody"]);
    tried(&["copilot", "--plugin", "guard"]);
    tried(&["cocode", "--plugin", "guard"]);
    bed.write_file("[HOME]/.codex/plugins/cache/other/guard/1.0.0/hooks/hooks.json", "{}");
    tried(&["codex", "--plugin", "guard"]);
    bed.write_file("[HOME]/.gemini/extensions/a$(b)/hooks/hooks.json", "{}");
    tried(&["gemini-cli", "--plugin", "a$(b)"]);
    bed.write_file("[HOME]/.gemini/extensions/none/gemini-extension.json", "{}");
    tried(&["gemini-cli", "--plugin", "none"]);
    bed.write_file("[HOME]/.gemini/extensions/ours/hooks.toml", "");
    tried(&["gemini-cli", "--plugin", "ours"]);
    bed.write_file(
        "[HOME]/.claude/plugins/cache/market/guard/1.0.0/.claude-plugin/plugin.json",
        r#"{"hooks":{}}"#,
    );
    tried(&["claude-code", "--plugin", "guard"]);
    assert_snapshot!(said, @"
    2 error: claude-code has no plugin `nobody` installed; name its folder
    2 error: hookbox cannot read copilot's own hook files
    2 error: the plugin folder of cocode is unknown; it is known for claude-code, codex, gemini-cli
    2 error: there are several: name one by its folder: [HOME]/.codex/plugins/cache/market/guard/1.0.0, [HOME]/.codex/plugins/cache/other/guard/1.0.0
    1 error: [HOME]/.gemini/extensions/a$(b) holds a character that a shell may read; copy the plugin to a folder of letters, digits and `/._-+@`, and name that
    2 error: [HOME]/.gemini/extensions/none has no hooks/hooks.json, so it has no hooks
    2 error: [HOME]/.gemini/extensions/ours was made by `hookbox export`, so its plugins are hookbox's already: `hookbox plugin add [HOME]/.gemini/extensions/ours/plugins/NAME.wasm` makes one yours
    2 error: the manifest in [HOME]/.claude/plugins/cache/market/guard/1.0.0 has hooks outside of hooks/hooks.json; copy them to a file, and name the file: `hookbox import AGENT FILE`
    ");
}

#[test]
fn a_hook_that_runs_once_does_so_in_hookboxs_configuration_too() {
    let bed = TestBed::new();
    let file = "[[hooks]]\nevent = \"PreToolUse\"\nonce = true\n[hooks.shell]\ncommand = \"echo ran >> $HOME/ran\"\n";
    bed.write_file("[PROJECT]/own.toml", file);
    let imported = bed.run_hookbox(&["import", "cocode", "[PROJECT]/own.toml"]);
    assert_eq!(imported.code, 0, "{imported}");
    assert!(imported.stdout.contains("\nonce = true\n"), "{imported}");
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &imported.stdout);
    for (session, times) in [("s", 1), ("s", 1), ("t", 2), ("s", 2)] {
        let event = format!(
            r#"{{"event":"PreToolUse","session_id":"{session}","cwd":"/","env":{{}},"tool_name":"Bash","tool_input":{{"command":"ls"}}}}"#
        );
        bed.run_with_input(&mut bed.build_command(&["run", "--agent", "cocode"]), event.as_bytes());
        let ran = std::fs::read_to_string(bed.resolve_path("[HOME]/ran")).unwrap();
        assert_eq!(ran.lines().count(), times, "{session}");
    }
}

const OF_RUN_CLAUDE: &str = "
python_path: ['${HOME}/hooks', /opt/hooks]
hooks:
  pre_request:
    - {name: shortens, module: house.requests, function: shorten, timeout: 2.5, config: {limits: {m: 3}, on: [a, 1.5, true]}}
    - {name: unused, module: house, function: unused, enabled: false}
  post_response:
    - {name: shortens, module: house, function: 'Class.answer'}
";

#[test]
fn a_python_function_is_carried_over_with_its_name_place_timeout_and_settings() {
    assert_snapshot!(imported_of("run-claude", "hooks.yaml", OF_RUN_CLAUDE), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of run-claude, [PROJECT]/hooks.yaml.
    # In hookbox's chain: `stop_chain` ends the caller's chain, and no hook of hookbox's.
    # In hookbox's chain: `list_hooks` lists no hook of the file.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "shortens"
    on = "run-claude:pre_request"
    timeout = "2500ms"
    on-failure = "allow"
    config = { "limits" = { "m" = 3 }, "on" = ["a", 1.5, true] }
    python = { module = "house.requests", function = "shorten", path = ["${HOME}/hooks", "/opt/hooks"], speaks = "run-claude" }

    [[hook]]
    name = "shortens-2"
    on = "run-claude:post_response"
    timeout = "600s"
    on-failure = "allow"
    python = { module = "house", function = "Class.answer", path = ["${HOME}/hooks", "/opt/hooks"], speaks = "run-claude" }

    # `hooks.pre_request[1]` is switched off in the settings of run-claude, and here by `enabled = false`
    [[hook]]
    name = "unused"
    on = "run-claude:pre_request"
    timeout = "600s"
    on-failure = "allow"
    enabled = false
    python = { module = "house", function = "unused", path = ["${HOME}/hooks", "/opt/hooks"], speaks = "run-claude" }
    --- stderr
    `hooks.pre_request[1]` is switched off in the settings of run-claude, and here by `enabled = false`
    in hookbox's chain: `stop_chain` ends the caller's chain, and no hook of hookbox's
    in hookbox's chain: `list_hooks` lists no hook of the file
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    3 hooks of [PROJECT]/hooks.yaml; take them out there, else they run twice
    "#);
}

#[test]
fn a_python_function_that_cannot_be_carried_over_is_reported_with_what_to_write() {
    for (path, config, told) in [
        ("hooks", "{a: 1}", "its module is looked for in `hooks`, relative to where run-claude is started"),
        ("/hooks", "{a: null}", "its `config` is not a table without nulls"),
        ("/hooks", "[1]", "its `config` is not a table without nulls"),
    ] {
        let file = format!(
            "python_path: ['{path}']\nhooks: {{pre_request: [{{name: a, module: m, function: f, config: {config}}}]}}\n"
        );
        let ran = imported_of("run-claude", "hooks.yaml", &file);
        assert_eq!(ran.code, 1, "{ran}");
        assert!(ran.stderr.contains(told), "{ran}");
        let line = format!(
            "# python = {{ module = \"m\", function = \"f\", path = \"{path}\", speaks = \"run-claude\" }}"
        );
        assert!(ran.stdout.contains(&line), "{ran}");
    }
}

#[test]
fn imported_functions_of_run_claude_answer_as_before_for_contexts_and_for_the_proxy() {
    let functions = "
async def shorten(ctx):
    ctx.messages = ctx.messages[-ctx.metadata['hook_config']['limits'][ctx.model]:]
    ctx.metadata['left'] = True
    return ctx

def sees(ctx):
    assert ctx.metadata['left']
    ctx.messages.append({'role': 'user', 'content': ctx.event.value})

def answer(ctx):
    ctx.response = {'seen': ctx.event.value}
";
    let file = "
python_path: ['${HOME}/hooks']
hooks:
  pre_request:
    - {name: shortens, module: house, function: shorten, config: {limits: {m: 1}}}
    - {name: sees, module: house, function: sees}
  post_response:
    - {name: answers, module: house, function: answer}
";
    let messages = r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#;
    let context = r#""model":"m","request_id":"r","timestamp":1.5,"metadata":{}"#;
    let events = [
        ("run-claude", format!(r#"{{"event":"pre_request",{context},"messages":{messages}}}"#)),
        (
            "run-claude",
            format!(r#"{{"event":"pre_request",{context},"messages":{messages},"stop_chain":true}}"#),
        ),
        ("run-claude", format!(r#"{{"event":"post_response",{context},"response":{{"a":1}}}}"#)),
        (
            "litellm",
            format!(
                r#"{{"litellm_hook":"async_pre_call_hook","call_type":"acompletion","data":{{"model":"m","messages":{messages}}}}}"#
            ),
        ),
        (
            "litellm",
            r#"{"litellm_hook":"async_post_call_success_hook","data":{"model":"m"},"response":{"a":1}}"#
                .to_owned(),
        ),
        (
            "litellm",
            r#"{"litellm_hook":"async_log_success_event","kwargs":{"stream":true},"response_obj":{"a":1}}"#
                .to_owned(),
        ),
    ];
    let bed = TestBed::new();
    bed.write_file("[HOME]/hooks/house.py", functions);
    bed.write_file("[HOME]/.config/run-claude/hooks.yaml", file);
    let answers = |more: &[&str]| {
        events.each_ref().map(|(agent, event)| {
            let words = [&["run", "--agent", agent], more].concat();
            let ran = bed.run_with_input(&mut bed.build_command(&words), event.as_bytes());
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{event}: {ran}");
            ran.stdout
        })
    };
    let before = answers(&["--source", "[HOME]/.config/run-claude/hooks.yaml"]);
    let imported = bed.run_hookbox(&["import", "run-claude"]);
    assert_eq!(imported.code, 0, "{imported}");
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &imported.stdout);
    assert_eq!(answers(&[]), before);
    assert!(before[0].contains("pre_request") && before[3].contains("pre_request"), "{before:?}");
    assert!(before[2].contains("seen") && before[4].contains("seen"), "{before:?}");
}
