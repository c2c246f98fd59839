//! Switches that stop all hooks of an agent: no call sets one, without any guard, and other edits of the files pass.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{is_refused, run};
use crate::TestBed;

/// An agent, its event before a tool, and its tool that writes a file.
type Writer = (&'static str, &'static str, &'static str);

const CLAUDE: Writer = ("claude-code", "PreToolUse", "Write");
const GEMINI: Writer = ("gemini-cli", "BeforeTool", "write_file");

fn create_bed() -> TestBed {
    TestBed::with_config("# no hooks\n")
}

/// Returns true if the agent's call of this tool is refused.
fn refuses_call(bed: &TestBed, (agent, event, tool): Writer, input: &Value) -> bool {
    let event = json!({
        "session_id": "s", "transcript_path": "/h/s.jsonl", "cwd": "[PROJECT]", "hook_event_name": event,
        "timestamp": "2026-11-21T20:53:55.918Z", "tool_name": tool, "tool_input": input, "tool_use_id": "t"
    });
    let answer = bed.answer_as(agent, &event.to_string());
    assert!(is_refused(&answer) || answer.code == 0, "{answer}");
    is_refused(&answer)
}

/// Returns true if the agent may not write this content.
fn refuses_content(bed: &TestBed, writer: Writer, (file, content): (&str, &str)) -> bool {
    refuses_call(bed, writer, &json!({ "file_path": file, "content": content }))
}

/// Returns true if Codex may not apply these lines to a file.
fn refuses_patch(bed: &TestBed, file: &str, lines: &str) -> bool {
    let patch = format!("*** Begin Patch\n*** Update File: {file}\n@@\n{lines}\n*** End Patch");
    refuses_call(bed, ("codex", "PreToolUse", "apply_patch"), &json!({ "command": patch }))
}

#[test]
fn claude_code_switches_its_hooks_off_in_no_settings_file() {
    let bed = create_bed();
    let files = ["[PROJECT]/.claude", "[PROJECT]/sub/.claude", "[HOME]/.claude"]
        .map(|folder| ["settings.json", "settings.local.json"].map(|file| format!("{folder}/{file}")));
    for file in files.as_flattened() {
        let refuses = |content: &str| refuses_content(&bed, CLAUDE, (file.as_str(), content));
        assert!(refuses(r#"{"disableAllHooks": true}"#), "{file}");
        assert!(refuses("{\"model\": \"opus\", \"disable\\u0041llHooks\": true}"), "{file}");
        for harmless in ["", "{}", r#"{"disableAllHooks": false}"#, r#"{"env": {"disableAllHooks": "true"}}"#]
        {
            assert!(!refuses(harmless), "{file}: {harmless}");
        }
        let written = json!({ "path": file, "content": "{\"disableAllHooks\": true}" });
        assert!(
            refuses_call(&bed, ("claude-code", "PreToolUse", "mcp__files__write_file"), &written),
            "{file}"
        );
    }
    for file in ["[PROJECT]/settings.json", "[PROJECT]/.claude/agents/settings.json", "[PROJECT]/notes.md"] {
        assert!(!refuses_content(&bed, CLAUDE, (file, r#"{"disableAllHooks": true}"#)), "{file}");
    }
}

#[test]
fn an_edit_is_refused_if_a_switch_is_off_after_it_and_was_not_before() {
    let bed = create_bed();
    let file = "[PROJECT]/.claude/settings.local.json";
    let edit = |old: &str, new: &str| {
        let input = json!({ "file_path": file, "old_string": old, "new_string": new });
        refuses_call(&bed, ("claude-code", "PreToolUse", "Edit"), &input)
    };
    bed.write_file(file, r#"{"model": "opus", "disableAllHooks": false}"#);
    assert!(edit("false", "true"));
    assert!(!edit("opus", "haiku") && !edit(", \"disableAllHooks\": false", ""));
    // The text is not there once, so the result is unknown, and the file has the switch.
    assert!(edit("sonnet", "haiku"));
    bed.write_file(file, r#"{"model": "opus", "disableAllHooks": true}"#);
    assert!(!edit("opus", "haiku") && !edit("true", "false"));
    bed.write_file(file, r#"{"model": "opus"}"#);
    assert!(!edit("sonnet", "haiku") && edit("sonnet", "x\", \"disableAllHooks\": true, \"y\": \""));
}

#[test]
fn a_command_that_writes_such_a_file_is_refused_if_it_names_the_switch() {
    let bed = create_bed();
    for command in [
        "echo '{\"disableAllHooks\": true}' > .claude/settings.json",
        "cd .claude && echo '{\"disableAllHooks\": true}' | tee settings.local.json",
        "jq '.disable\"\"AllHooks = true' x.json > ./.claude/settings.json",
        "echo '{\"disableAllHooks\": true}' > ~/.claude/settings.local.json",
    ] {
        assert!(is_refused(&run(&bed, command)), "{command}");
    }
    for command in [
        "echo '{}' > .claude/settings.json",
        "jq '.model = \"opus\"' x.json > .claude/settings.local.json",
        "cat .claude/settings.json | grep disableAllHooks",
        "grep -r disableAllHooks .claude > found.txt",
        "echo '{\"disableAllHooks\": true}' > settings.json",
    ] {
        assert!(!is_refused(&run(&bed, command)), "{command}");
    }
    // A change of one letter could set it.
    bed.write_file("[PROJECT]/.claude/settings.json", r#"{"disableAllHooks": false}"#);
    assert!(is_refused(&run(&bed, "sed -i s/false/true/ .claude/settings.json")));
    assert!(!is_refused(&run(&bed, "sed -i s/false/true/ .claude/settings.local.json")));
}

#[test]
fn gemini_cli_switches_neither_all_hooks_off_nor_hookboxs() {
    let bed = create_bed();
    for file in ["[PROJECT]/.gemini/settings.json", "[HOME]/.gemini/settings.json"] {
        let refuses = |content: Value| refuses_content(&bed, GEMINI, (file, content.to_string().as_str()));
        assert!(refuses(json!({ "hooksConfig": { "enabled": false } })), "{file}");
        assert!(refuses(json!({ "hooks": { "enabled": false } })), "{file}");
        let own = "/opt/hookbox run --agent gemini-cli";
        assert!(refuses(json!({ "hooksConfig": { "disabled": ["mine", own] } })), "{file}");
        assert!(!refuses(json!({ "hooksConfig": { "enabled": true, "disabled": ["mine"] } })), "{file}");
        assert!(!refuses(json!({ "ui": { "theme": "dark" }, "telemetry": { "enabled": false } })), "{file}");
    }
    bed.write_file("[PROJECT]/.gemini/settings.json", r#"{"hooksConfig": {"enabled": true}, "ui": 1}"#);
    let replace = |old: &str, new: &str| {
        let input =
            json!({ "file_path": "[PROJECT]/.gemini/settings.json", "old_string": old, "new_string": new });
        refuses_call(&bed, ("gemini-cli", "BeforeTool", "replace"), &input)
    };
    assert!(replace("true", "false") && !replace("\"ui\": 1", "\"ui\": 2"));
}

#[test]
fn codex_switches_its_hooks_off_by_no_patch() {
    let bed = create_bed();
    for file in ["[PROJECT]/.codex/config.toml", "[HOME]/.codex/config.toml"] {
        assert!(refuses_patch(&bed, file, "+[features]\n+hooks = false"), "{file}");
        assert!(refuses_patch(&bed, file, "+features.codex_hooks = false"), "{file}");
        assert!(!refuses_patch(&bed, file, "+model = \"x\""), "{file}");
        bed.write_file(file, "model = \"x\"\n\n[features]\nsearch = true\n");
        assert!(refuses_patch(&bed, file, " [features]\n+hooks = false"), "{file}");
        assert!(!refuses_patch(&bed, file, "-search = true\n+search = false"), "{file}");
        let whole = |content: &str| refuses_content(&bed, CLAUDE, (file, content));
        // hookbox is not installed for Codex here.
        assert!(!whole("[features]\nhooks = false\n"), "{file}");
    }
    assert!(!refuses_patch(&bed, "[PROJECT]/config.toml", "+[features]\n+hooks = false"));
    for (command, refused) in [
        ("printf '[features]\\nhooks = false\\n' >> ~/.codex/config.toml", true),
        ("echo 'model = \"y\"' >> ~/.codex/config.toml", false),
    ] {
        let input = json!({ "command": command });
        assert_eq!(refuses_call(&bed, ("codex", "PreToolUse", "Bash"), &input), refused, "{command}");
    }
}

#[test]
fn no_agent_ends_the_trust_that_codex_has_in_hookboxs_entries() {
    let bed = create_bed();
    let (hooks, config) = ("[HOME]/.codex/hooks.json", "[HOME]/.codex/config.toml");
    assert_eq!(bed.run_hookbox(&["install", "codex", "--events", "Stop", "--yes"]).code, 0);
    let written: Value = serde_json::from_str(&fs::read_to_string(bed.resolve_path(hooks)).unwrap()).unwrap();
    let handler = &written["hooks"]["Stop"][0]["hooks"][0];
    let identity = format!(
        r#"{{"event_name":"stop","hooks":[{{"async":false,"command":{},"timeout":{},"type":"command"}}]}}"#,
        handler["command"], handler["timeout"]
    );
    let hash =
        Sha256::digest(identity).iter().fold(String::new(), |hash, byte| hash + &format!("{byte:02x}"));
    let trusted = |enabled: bool| {
        format!("[hooks.state.\"{hooks}:stop:0:0\"]\nenabled = {enabled}\ntrusted_hash = \"sha256:{hash}\"\n")
    };
    bed.write_file(config, &trusted(true));
    let refuses = |content: &str| refuses_content(&bed, CLAUDE, (config, content));
    assert!(!refuses(&format!("model = \"x\"\n{}", trusted(true))));
    assert!(
        refuses(&trusted(false)) && refuses("") && refuses(&trusted(true).replace("sha256:", "sha256:0"))
    );
    assert!(refuses("[features]\nhooks = false\n"));
    assert!(refuses_patch(&bed, config, "-trusted_hash = \"sha256:0\""));
    assert!(!refuses_patch(&bed, config, "+model = \"x\""));
}

#[test]
fn an_agent_without_hookbox_may_be_switched_off_and_one_with_hookbox_may_not() {
    let bed = create_bed();
    let off = r#"{"hooksConfig": {"enabled": false}}"#;
    let refuses = || refuses_content(&bed, CLAUDE, ("[PROJECT]/.gemini/settings.json", off));
    assert!(!refuses());
    bed.write_file("[HOME]/.gemini/settings.json", "{}");
    for (verb, refused) in [("install", true), ("uninstall", false)] {
        let ran = bed.run_hookbox(&[verb, "gemini-cli", "--yes"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(refuses(), refused, "{verb}");
    }
}

#[test]
fn a_folder_that_a_variable_names_and_the_target_of_a_link_are_such_files_too() {
    let bed = create_bed();
    let off = r#"{"disableAllHooks": true}"#;
    let elsewhere = "[HOME]/elsewhere/settings.json";
    assert!(!refuses_content(&bed, CLAUDE, (elsewhere, off)));
    let folder = bed.expand_placeholders("[HOME]/elsewhere");
    let bed = bed.with_variable("CLAUDE_CONFIG_DIR", &folder);
    assert!(refuses_content(&bed, CLAUDE, (elsewhere, off)));
    let shared = bed.write_file("[HOME]/dotfiles/shared.json", "{}");
    fs::create_dir(bed.resolve_path("[PROJECT]/.claude")).unwrap();
    symlink(&shared, bed.resolve_path("[PROJECT]/.claude/settings.json")).unwrap();
    assert!(refuses_content(&bed, CLAUDE, ("[HOME]/dotfiles/shared.json", off)));
    assert!(!refuses_content(&bed, CLAUDE, ("[HOME]/dotfiles/shared.json", "{\"model\": \"opus\"}")));
    let other = bed.write_file("[PROJECT]/other.json", "{}");
    fs::hard_link(&other, bed.resolve_path("[PROJECT]/.claude/settings.local.json")).unwrap();
    assert!(refuses_content(&bed, CLAUDE, ("[PROJECT]/other.json", off)));
}
