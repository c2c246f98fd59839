//! Guards before agents that spell things in many ways, or that nobody named.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::TestBed;

const GUARDS: &str = r#"
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
"#;

/// Cline's CLI is about to call this tool with these arguments.
fn format_event(tool: &str, input: &Value) -> String {
    json!({
        "clineVersion": "", "taskId": "t", "workspaceRoots": ["[PROJECT]"], "hookName": "tool_call",
        "tool_call": {"id": "c", "name": tool, "input": input},
    })
    .to_string()
}

/// What Cline is told: is the call cancelled?
fn is_cancelled(bed: &TestBed, tool: &str, input: &Value) -> bool {
    let ran = bed.answer_as("cline", &format_event(tool, input));
    assert_eq!(ran.code, 0, "{ran}");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    answer["cancel"] == true
}

#[test]
fn cline_runs_no_command_past_a_guard_however_it_is_spelled() {
    let bed = TestBed::with_config(GUARDS);
    for input in [
        json!({"commands": ["rm -rf /"]}),
        json!({"commands": [{"command": "rm", "args": ["-rf", "/"]}]}),
        json!({"commands": {"command": "rm", "args": ["-rf", "/"]}}),
        json!({"commands": {"command": "rm -rf /"}}),
        json!({"commands": "rm -rf /"}),
        json!({"command": "rm -rf /"}),
        json!({"command": "rm", "args": ["-rf", "/"]}),
        json!({"cmd": "rm -rf /"}),
        json!(["rm -rf /"]),
        json!([{"command": "rm", "args": ["-rf", "/"]}]),
        json!("rm -rf /"),
        json!({"commands": ["ls", "rm -rf /"]}),
        json!({"commands": ["ls"], "cmd": "rm -rf /"}),
        // What one command begins ends with it, so it must not hide the next.
        json!({"commands": ["echo \\", "rm -rf /"]}),
        json!({"commands": ["echo 'a", "rm -rf /"]}),
        json!({"commands": ["cat <<E", "rm -rf /"]}),
        json!({"commands": ["cd /tmp/x", "rm -rf /"]}),
        json!({"commands": ["exit", "rm -rf /"]}),
        // Those that are a here-document together are one command, and to an older Cline one each.
        json!({"commands": ["sh <<E", "r\\", "m -rf /", "E"]}),
        json!({"commands": ["cat <<E", "rm -rf /", "E"]}),
        // What cannot be read is not judged, but refused.
        json!({"commands": [7]}),
        json!({"commands": [["ls"], {"run": "rm -rf /"}]}),
        json!({}),
    ] {
        assert!(is_cancelled(&bed, "run_commands", &input), "{input}");
    }
    for input in [
        json!({"commands": ["ls -la", "cargo test"]}),
        json!({"commands": [{"command": "git", "args": ["commit", "-m", "rm -rf / is bad"]}]}),
        json!({"command": "echo hello world > notes.txt"}),
    ] {
        assert!(!is_cancelled(&bed, "run_commands", &input), "{input}");
    }
}

#[test]
fn clines_file_tools_do_not_pass_a_guard_of_files() {
    let bed = TestBed::with_config(GUARDS);
    for (tool, input) in [
        ("editor", json!({"path": "[PROJECT]/.hookbox/hooks.toml", "new_text": "x"})),
        ("editor", json!({"path": ".env", "new_text": "x"})),
        ("read_files", json!({"files": [{"path": "[PROJECT]/a"}, {"path": "[PROJECT]/.env"}]})),
        ("read_files", json!({"files": ["[PROJECT]/.env"]})),
        ("read_files", json!({"files": {"file_path": "[PROJECT]/.env"}})),
        ("read_files", json!({"file_paths": "[PROJECT]/.env"})),
        ("read_files", json!({"paths": [{"filePath": "[PROJECT]/.env"}]})),
        ("read_files", json!({"filePath": "[PROJECT]/.env"})),
        ("read_files", json!(["[PROJECT]/.env"])),
        ("read_files", json!("[PROJECT]/.env")),
        ("apply_patch", json!({"input": "*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch"})),
        ("apply_patch", json!("*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch")),
    ] {
        assert!(is_cancelled(&bed, tool, &input), "{tool} {input}");
    }
    assert!(!is_cancelled(&bed, "read_files", &json!({"files": [{"path": "[PROJECT]/src/main.rs"}]})));
    assert!(!is_cancelled(&bed, "editor", &json!({"path": "[PROJECT]/src/main.rs", "new_text": "x"})));
}

/// The recorded calls that a hook must deny: file and text.
fn recorded_attacks() -> Vec<(PathBuf, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/events");
    let agents = fs::read_dir(folder).unwrap().map(|agent| agent.unwrap().path());
    let files = agents.flat_map(|agent| fs::read_dir(agent).unwrap().map(|file| file.unwrap().path()));
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
    let attacks = files.filter(|file| name(file).ends_with("-blocked.json") && !name(file).contains("Post"));
    attacks.map(|file| (file.clone(), fs::read_to_string(file).unwrap())).collect()
}

/// Exit code 2, or a deny in one of the agents' words.
fn is_denied(ran: &crate::Ran) -> bool {
    let said = ["\"deny\"", "\"block\"", "\"cancel\":true"];
    ran.code == 2 || said.iter().any(|word| ran.stdout.contains(word))
}

#[test]
fn a_recorded_attack_is_denied_for_every_sender_and_every_assumed_agent() {
    let bed = TestBed::with_config(GUARDS);
    let attacks = recorded_attacks();
    assert!(attacks.len() >= 9, "{}", attacks.len());
    for (file, text) in attacks {
        let ran = bed.run_with_input(&mut bed.build_command(&["run"]), text.as_bytes());
        assert!(is_denied(&ran), "{}: {ran}", file.display());
        if text.contains("hook_event_name") && text.contains("PreToolUse") {
            for agent in ["claude-code", "codex", "qwen-code", "droid", "kimi-code"] {
                let ran = bed.answer_as(agent, &text);
                assert!(is_denied(&ran), "{} as {agent}: {ran}", file.display());
            }
        }
    }
}

#[test]
fn a_tool_that_no_table_knows_is_judged_by_its_arguments() {
    let bed = TestBed::with_config(GUARDS);
    let call = |tool: &str, input: Value| {
        let event = json!({
            "session_id": "s", "transcript_path": "/h/.claude/s.jsonl", "cwd": "[PROJECT]",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
        });
        is_denied(&bed.answer_event(&event.to_string()))
    };
    assert!(call("Newest", json!({"command": "rm -rf /"})));
    assert!(call("Newest", json!({"command": ["rm", "-rf", "/"]})));
    assert!(call("Newest", json!({"path": ".hookbox/hooks.toml", "content": "x"})));
    assert!(call("ReadNewest", json!({"path": ".env"})));
    assert!(!call("Newest", json!({"command": "ls"})));
    assert!(!call("Newest", json!({"query": "rm -rf /"})));
    assert!(!call("Newest", json!({"path": "src/main.rs"})));
}

#[test]
fn an_event_with_the_marks_of_two_agents_or_of_an_unknown_agent_is_refused_with_a_message() {
    let bed = TestBed::with_config(GUARDS);
    let refused = |event: &str| {
        let ran = bed.run_with_input(&mut bed.build_command(&["run"]), event.as_bytes());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        ran.stderr
    };
    assert_eq!(
        refused(r#"{"agent_action_name":"a","trajectory_id":"t","litellm_hook":"h","timestamp":"now"}"#),
        "hookbox: VALIDATION_FAILURE: the event may come from litellm or windsurf; name the agent with --agent\n"
    );
    let strange = r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/.strange/x","tool_name":"Bash",
        "tool_input":{"command":"ls"}}"#;
    let expected =
        "hookbox: VALIDATION_FAILURE: no agent is known that writes such an event; name it with --agent (";
    assert!(refused(strange).starts_with(expected), "{}", refused(strange));
}
