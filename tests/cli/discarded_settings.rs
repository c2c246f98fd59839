//! Settings files that an agent discards as a whole, so that none of their hooks runs.

use std::fs;

use insta::assert_snapshot;

use crate::TestBed;

/// Files that an agent discards, and a part of what is said of each. `MINE` is a group with a hook of the user's.
const DISCARDED: [(&str, &str, &str); 16] = [
    (
        "claude-code",
        r#"{"hooks": {"Notification": [{"type": "command", "command": "x"}]}}"#,
        "line 1: `hooks.Notification[0]` has no `hooks`",
    ),
    (
        "claude-code",
        r#"{"hooks": {"Stop": [{"matcher": {"tool": "Bash"}, "hooks": []}]}}"#,
        "line 1: `hooks.Stop[0].matcher` is not a string",
    ),
    ("claude-code", "{\"hooks\":\n {\"Stop\": [\n  7]}}", "line 3: `hooks.Stop[0]` is not an object"),
    ("claude-code", r#"{"hooks": {"Stop": {"hooks": []}}}"#, "`hooks.Stop` is not a list"),
    (
        "claude-code",
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}"#,
        "`hooks.Stop[0].hooks[0]` has no `command`",
    ),
    (
        "claude-code",
        r#"{"hooks": {"Stop": [], "PreToolUse": [], "Stop": []}}"#,
        "the key hooks.Stop is there twice",
    ),
    ("claude-code", r#"{"hooks": {}, "hooks": {}}"#, "the key hooks is there twice"),
    ("codex", r#"{"version": 1, "hooks": {}}"#, "`version` is not a member that the agent knows"),
    (
        "codex",
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 15.0}]}]}}"#,
        "`hooks.Stop[0].hooks[0].timeout` is not a whole number",
    ),
    ("codex", r#"{"hooks": {"Stop": [{"matcher": 1}]}}"#, "`hooks.Stop[0].matcher` is not a string"),
    ("codex", "\u{feff}{\"hooks\": {}}", "the file begins with a byte order mark (U+FEFF)"),
    (
        "cursor",
        r#"{"version": 1, "hooks": {"onStop": []}}"#,
        "`hooks.onStop` is not a known event of the agent",
    ),
    ("openhands", r#"{"hooks": {}, "other": 1}"#, "`other` is not a member that the agent knows"),
    ("droid", r#"{"Stopp": []}"#, "`Stopp` is not a known event of the agent"),
    (
        "kimi-code",
        "[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\nname = \"mine\"\n",
        "line 4: `hooks[0].name` is not a member that the agent knows",
    ),
    ("code-forge", r#"{"hooks": [{"event": "tool:*"}]}"#, "`hooks[0]` has no `command`"),
];

fn file_of(agent: &str) -> &'static str {
    match agent {
        "claude-code" => "[HOME]/.claude/settings.json",
        "codex" => "[HOME]/.codex/hooks.json",
        "cursor" => "[HOME]/.cursor/hooks.json",
        "openhands" => "[HOME]/.openhands/hooks.json",
        "droid" => "[HOME]/.factory/hooks.json",
        "kimi-code" => "[HOME]/.kimi-code/config.toml",
        _ => "[HOME]/.config/forge/hooks.json",
    }
}

#[test]
fn install_refuses_a_file_that_the_agent_discards_and_names_the_member() {
    for (agent, text, fault) in DISCARDED {
        let bed = TestBed::new();
        bed.write_file(file_of(agent), text);
        let ran = bed.run_hookbox(&["install", agent, "--yes"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{agent}: {text}: {}", ran.stderr);
        assert!(ran.stderr.contains(fault), "{agent}: {text}: {}", ran.stderr);
        assert_eq!(fs::read_to_string(bed.resolve_path(file_of(agent))).unwrap(), text);
    }
}

/// Installs hookbox, then changes the file as a user or another program would, and returns what `doctor` and `check` say of the agent.
fn report_after_change(agent: &str, (old, new): (&str, &str)) -> String {
    let bed = TestBed::new();
    assert_eq!(bed.run_hookbox(&["install", agent, "--yes"]).code, 0);
    let installed = fs::read_to_string(bed.resolve_path(file_of(agent))).unwrap();
    let changed = installed.replacen(old, new, 1);
    assert_ne!(changed, installed);
    bed.write_file(file_of(agent), &changed);
    let doctor = bed.run_hookbox(&["doctor"]);
    let about = |line: &&str| line.contains(&format!(" {agent}: ")) && !line.contains("hooks that a project");
    let check = bed.run_hookbox(&["check"]);
    let said: Vec<_> = doctor.stdout.lines().filter(about).chain(check.stderr.lines()).collect();
    assert_eq!((doctor.code, check.code), (1, 1), "{said:?}");
    said.join("\n")
}

#[test]
fn doctor_and_check_report_entries_that_the_agent_discards_and_nothing_good_of_them() {
    let bad_group = ("{\n    \"SessionStart\"", "{\n    \"Setup\": [{}],\n    \"SessionStart\"");
    assert_snapshot!(report_after_change("claude-code", bad_group), @r#"
    wrong   claude-code: [HOME]/.claude/settings.json: line 3: `hooks.Setup[0]` has no `hooks` (hooks are in a list `hooks` of a group: `[{"hooks": [{"type": "command", "command": …}]}]`), and claude-code loads no hook of such a file, hookbox's entries included: correct it or take it out
    checked in [TIME]
    error: [HOME]/.claude/settings.json: line 3: `hooks.Setup[0]` has no `hooks` (hooks are in a list `hooks` of a group: `[{"hooks": [{"type": "command", "command": …}]}]`), and claude-code loads no hook of such a file, hookbox's entries included: correct it or take it out
    "#);
    let second_key = ("    \"SessionEnd\": [", "    \"PreToolUse\": [],\n    \"SessionEnd\": [");
    assert_snapshot!(report_after_change("claude-code", second_key), @"
    wrong   claude-code: [HOME]/.claude/settings.json: the key hooks.PreToolUse is there twice, and at most one of them counts: put both into one
    checked in [TIME]
    error: [HOME]/.claude/settings.json: the key hooks.PreToolUse is there twice, and at most one of them counts: put both into one
    ");
    assert_snapshot!(report_after_change("codex", ("{\n", "{\n  \"version\": 1,\n")), @"
    wrong   codex: [HOME]/.codex/hooks.json: line 2: `version` is not a member that the agent knows (it takes `description`, `hooks`), and codex loads no hook of such a file, hookbox's entries included: correct it or take it out
    checked in [TIME]
    error: [HOME]/.codex/hooks.json: line 2: `version` is not a member that the agent knows (it takes `description`, `hooks`), and codex loads no hook of such a file, hookbox's entries included: correct it or take it out
    ");
    assert_snapshot!(report_after_change("codex", ("{\n", "\u{feff}{\n")), @"
    wrong   codex: [HOME]/.codex/hooks.json: the file begins with a byte order mark (U+FEFF), and codex loads no hook of such a file, hookbox's entries included: correct it or take it out
    checked in [TIME]
    error: [HOME]/.codex/hooks.json: the file begins with a byte order mark (U+FEFF), and codex loads no hook of such a file, hookbox's entries included: correct it or take it out
    ");
}

#[test]
fn check_reports_an_own_file_that_the_agent_discards() {
    for (agent, text, fault) in
        DISCARDED.iter().filter(|(agent, ..)| ["claude-code", "codex"].contains(agent))
    {
        let bed = TestBed::new();
        bed.write_file("[PROJECT]/own.json", text);
        let ran = bed.run_hookbox(&["check", "--agent", agent, "--source", "[PROJECT]/own.json"]);
        let fault = fault.rsplit(": ").next().unwrap_or_default();
        let said = ran.stderr.contains(fault) || ran.stderr.contains("acceptable JSON");
        assert!(ran.code == 1 && said, "{agent}: {text}: {}", ran.stderr);
    }
}

#[test]
fn a_file_that_only_looks_odd_is_loaded() {
    for (agent, text) in [
        (
            "claude-code",
            r#"{"env": 7, "hooks": {"Later": 7, "Stop": [{"hooks": [], "matcher": "", "other": 1}]}}"#,
        ),
        ("claude-code", "\u{feff}{}"),
        (
            "codex",
            r#"{"description": "mine", "hooks": {"Stop": [{"matcher": null, "hooks": [], "other": 1}]}}"#,
        ),
        ("gemini-cli", r#"{"hooks": {"AfterAgent": [{"matcher": 7}]}}"#),
        ("qwen-code", r#"{"ui": {}, "hooks": {"stop": []}}"#),
    ] {
        let bed = TestBed::new();
        let file = match agent {
            "gemini-cli" => "[HOME]/.gemini/settings.json",
            "qwen-code" => "[HOME]/.qwen/settings.json",
            _ => file_of(agent),
        };
        bed.write_file(file, text);
        let ran = bed.run_hookbox(&["install", agent, "--yes"]);
        assert_eq!(ran.code, 0, "{agent}: {text}: {}", ran.stderr);
    }
}
