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

fn imported(file: &str) -> Ran {
    let bed = TestBed::new();
    bed.write("[PROJECT]/settings.json", file);
    bed.hookbox(&["import", "claude-code", "[PROJECT]/settings.json"])
}

/// A home with the imported hooks.
fn bed_with_imported() -> TestBed {
    let bed = TestBed::with(&imported(CARRIED).stdout).with_variable("HOOK_TOKEN", "t");
    bed.write("[PROJECT]/beside.sh", "");
    bed
}

#[test]
fn hooks_keep_their_contract_their_tools_their_time_and_what_failure_means() {
    assert_snapshot!(imported(CARRIED), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of claude-code, [PROJECT]/settings.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: beside a deny of PostToolUse nothing is rewritten.
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
    in hookbox's chain: beside a deny of PostToolUse nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    4 hooks of [PROJECT]/settings.json; take them out there, else they run twice
    "#);
}

#[test]
fn what_cannot_be_said_exactly_is_a_comment_and_told() {
    assert_snapshot!(imported(LOST), @r#"
    exit code 1
    --- stdout
    version = 1

    # The hooks of claude-code, [PROJECT]/settings.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: beside a deny of PostToolUse nothing is rewritten.
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

    # Not carried over: `hooks.PreToolUse[1].hooks[0]`: this is no regular expression: Unicode not allowed here
    # [[hook]]
    # name = "claude-code-PreToolUse-3"
    # on = "claude-code:PreToolUse"
    # tool = { regex = "(?s:.*)(?:[é])(?s:.*)" }
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
    not carried over: `hooks.PreToolUse[1].hooks[0]`: this is no regular expression: Unicode not allowed here
    not carried over: `hooks.PreToolUse[2].hooks[0]`: the url is plain http to `far.example`: use https (http is for 127.0.0.1, [::1] and localhost only)
    not carried over: `hooks.SessionStart[0].hooks[0]`: hookbox's configuration cannot say its matcher `startup` exactly
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: beside a deny of PostToolUse nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [PROJECT]/settings.json; take them out there, else they run twice
    "#);
}

#[test]
fn variables_patterns_and_what_a_hook_is_not_told_are_said() {
    let bed = TestBed::new();
    bed.write(
        "[PROJECT]/hooks.json",
        r#"{"hooks": [{"event": "tool:*:write,session:start", "command": "./x", "env": {"A": "b c"}, "working_dir": "/srv"},
            {"event": "tool:pre_execute:mcp__*", "command": "./y"}]}"#,
    );
    bed.write(
        "[PROJECT]/hooks.toml",
        "[[hooks]]\nevent = 'PreToolUse'\ntool_matcher = 'mcp__*'\nname = 'quiet one'\nshell.command = 'check'\n",
    );
    assert_snapshot!(bed.hookbox(&["import", "code-forge", "[PROJECT]/hooks.json"]), @r#"
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
    assert_snapshot!(bed.hookbox(&["import", "cocode", "[PROJECT]/hooks.toml"]), @r#"
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
    assert_snapshot!(bed_with_imported().hookbox(&["check"]), @r#"
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
fn an_imported_hook_is_told_and_understood_as_by_its_agent() {
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
    bed.write(
        "[HOME]/.claude/settings.json",
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#,
    );
    assert_snapshot!(bed.hookbox(&["import", "claude-code"]), @r#"
    exit code 0
    --- stdout
    version = 1

    # The hooks of claude-code, [HOME]/.claude/settings.json.
    # In hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain.
    # In hookbox's chain: beside a deny of PostToolUse nothing is rewritten.
    # In hookbox's chain: a hook that fails five times in a row rests for a minute.

    [[hook]]
    name = "claude-code-Stop-1"
    on = "claude-code:Stop"
    timeout = "600s"
    on-failure = "allow"
    shell = { command = "x", speaks = "claude-code" }
    --- stderr
    in hookbox's chain: hooks that ran side by side run one after another, and the first deny ends the chain
    in hookbox's chain: beside a deny of PostToolUse nothing is rewritten
    in hookbox's chain: a hook that fails five times in a row rests for a minute
    1 hook of [HOME]/.claude/settings.json; take them out there, else they run twice
    "#);
    assert_snapshot!(bed.hookbox(&["import", "gemini-cli"]), @"
    exit code 1
    --- stdout
    --- stderr
    [HOME]/.gemini/settings.json: error: the file cannot be read: No such file or directory (os error 2)
    ");
    assert_snapshot!(bed.hookbox(&["import", "run-claude"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: it is not known where run-claude has its hooks: `hookbox import run-claude FILE`
    ");
    assert_snapshot!(bed.hookbox(&["import", "cursor"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: hookbox cannot read cursor's own hook files
    ");
    assert_snapshot!(bed.hookbox(&["import", "codeforge"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: there is no agent `codeforge`; hookbox speaks claude-code, codex, gemini-cli, llxprt, cursor, copilot, windsurf, cline, amazon-q, cocode, code-forge, run-claude, litellm, native
    ");
}

#[test]
fn a_file_that_is_no_hook_file_gives_no_configuration() {
    assert_snapshot!(imported("{"), @"
    exit code 1
    --- stdout
    --- stderr
    error: [PROJECT]/settings.json: the file is not acceptable JSON: it ends too early, at line 1 column 1
    ");
}

#[test]
fn a_hook_that_is_there_twice_counts_once_and_that_is_told() {
    let bed = TestBed::new();
    let twin = r#"{"hooks": [{"type": "command", "command": "true", "timeout": 5}]}"#;
    let other = twin.replace("true", "false");
    let file = format!(r#"{{"hooks": {{"PreToolUse": [{twin}, {other}, {twin}], "Stop": [{twin}]}}}}"#);
    bed.write("[PROJECT]/hooks.json", &file);
    let ran = bed.hookbox(&["import", "codex", "[PROJECT]/hooks.json"]);
    assert_eq!(ran.code, 1, "{ran}");
    let twin = "it does the same as a hook before it, and hookbox calls that once";
    assert_eq!(ran.stderr.lines().filter(|line| line.ends_with(twin)).count(), 1, "{ran}");
    assert!(ran.stderr.contains("\n3 hooks of [PROJECT]/hooks.json; "), "{ran}");
    let bed = TestBed::with(&ran.stdout);
    assert!(
        bed.hookbox(&["check"])
            .stdout
            .ends_with("3 hooks checked: 0 errors, 0 warnings, 0 that cannot run\n")
    );
}

#[test]
fn a_built_in_of_run_claude_is_a_comment_with_the_line_that_calls_the_plugin() {
    let bed = TestBed::new();
    bed.write(
        "[PROJECT]/hooks.yaml",
        "hooks:\n  pre_request:\n    - {name: log, module: run_claude.hooks.builtin, function: log_request}\n",
    );
    let ran = bed.hookbox(&["import", "run-claude", "[PROJECT]/hooks.yaml"]);
    assert!(ran.stdout.contains("\n# wasm = { plugin = \"log-request\" }\n"), "{ran}");
    assert_eq!(ran.code, 1);
}
