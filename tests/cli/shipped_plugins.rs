//! The shipped plugins as their READMEs say.

use std::{fs, path::Path};

use hookbox::dialect::settings::Base;

use crate::TestBed;

/// The first block of TOML.
fn example(readme: &str) -> String {
    let block = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    block.unwrap().replace("plugins/", "[PLUGINS]/")
}

#[test]
fn the_first_example_of_every_plugin_is_a_good_configuration() {
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins");
    let mut checked = Vec::new();
    for entry in fs::read_dir(plugins).unwrap() {
        let readme = entry.unwrap().path().join("README.md");
        let Ok(text) = fs::read_to_string(&readme) else { continue };
        let ran = TestBed::with(&example(&text)).hookbox(&["check"]);
        assert!(ran.code == 0 && !ran.stderr.contains("warning"), "{}: {ran}", readme.display());
        assert!(!ran.stdout.contains("manifest"), "{}: {ran}", readme.display());
        checked.push(readme);
    }
    assert!(checked.len() >= 9, "{checked:?}");
}

#[test]
fn every_plugin_says_who_it_is_and_asks_for_what_it_needs_alone() {
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins");
    let folders = fs::read_dir(plugins).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|folder| folder.join("plugin.toml").exists()) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let ran = TestBed::new().hookbox(&["plugin", "inspect", "--json", &format!("[PLUGINS]/{name}.wasm")]);
        let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let manifest = &told["manifest"];
        assert_eq!(manifest["name"], format!("hookbox/{name}"), "{ran}");
        let asks: &[&str] = match name.as_str() {
            "ask-server" => &["http *", "secret *"],
            "limit-calls" => &["kv session"],
            _ => &[],
        };
        assert_eq!((&manifest["asks"], ran.code), (&serde_json::json!(asks), 0), "{name}");
    }
}

const LOGS: &str = r#"
    [[hook]]
    name = "log-request"
    on = "model.request"
    role = "observe"
    wasm = { path = "[PLUGINS]/log-request.wasm" }
    config = { verbose = true }

    [[hook]]
    name = "log-response"
    on = "model.response"
    role = "observe"
    wasm = { path = "[PLUGINS]/log-response.wasm" }
"#;

/// What the one hook of this event writes to its log.
fn logged(event: &str) -> Vec<String> {
    let bed = TestBed::with(LOGS);
    let ran = bed.feed(&mut bed.command(&["explain", "--json"]), event.as_bytes());
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let lines = told["hooks"][0]["log"].as_array().unwrap();
    lines
        .iter()
        .map(|line| format!("{}: {}", line["level"].as_str().unwrap(), line["message"].as_str().unwrap()))
        .collect()
}

#[test]
fn requests_and_responses_are_logged_into_the_report() {
    let request = r#"{"event":"pre_request","model":"groq/llama3","request_id":"0123456789","timestamp":1,
        "messages":[{"role":"user","content":"hi"}]}"#;
    assert_eq!(
        logged(request),
        ["info: [REQ] groq/llama3 | 1 messages | id=01234567", "info:   Last message (user): hi"]
    );
    let response = r#"{"event":"post_response","model":"groq/llama3","request_id":"r","timestamp":1,
        "response":{"usage":{"total_tokens":7}}}"#;
    assert_eq!(logged(response), ["info: [RESP] groq/llama3 | tokens: 7"]);
}

const GUARDS: &str = r#"
    [[hook]]
    name = "guard-paths"
    on = "tool.before"
    tool = { class = "file-write" }
    wasm = { path = "[PLUGINS]/guard-paths.wasm" }

    [[hook]]
    name = "guard-shell"
    on = "tool.before"
    tool = { class = "shell" }
    wasm = { path = "[PLUGINS]/guard-shell.wasm" }
    limits = { fuel = 100000000000 }
"#;

/// What the one guard for this call of a tool says, and what it cost.
fn guarded(bed: &TestBed, tool: &str, input: &serde_json::Value) -> serde_json::Value {
    let event = serde_json::json!({
        "session_id": "s", "transcript_path": "/tmp/t", "cwd": "/code/project",
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
    });
    let ran = bed.feed(&mut bed.command(&["explain", "--json"]), event.to_string().as_bytes());
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let hooks = told["hooks"].as_array().unwrap();
    assert_eq!(hooks.len(), 1, "{ran}");
    hooks[0].clone()
}

/// An agent whose folder is in no list of the guards could be told other hooks by its own tools.
#[test]
fn the_settings_of_every_agent_are_written_by_no_tool_and_by_no_command() {
    let bed = TestBed::with(GUARDS);
    for settings in hookbox::dialect::settings::all() {
        let base = match settings.user.base {
            Base::Home => "/home/me",
            Base::Config => "/home/me/.config",
        };
        for folder in
            [format!("/code/project/{}", settings.project), format!("{base}/{}", settings.user.path)]
        {
            let path = format!("{folder}/{}", settings.file);
            let write = guarded(&bed, "Write", &serde_json::json!({"file_path": path, "content": "{}"}));
            let shell =
                guarded(&bed, "Bash", &serde_json::json!({"command": format!("echo '{{}}' > {path}")}));
            for (guard, told) in [("guard-paths", write), ("guard-shell", shell)] {
                assert_eq!(
                    told["answer"]["code"], "agent-config",
                    "{guard}, {}: {path}: {told}",
                    settings.agent
                );
            }
        }
    }
}

/// Fuel counts instructions, so the same line always costs the same.
#[test]
fn a_command_line_ten_times_as_long_costs_the_guard_no_more_than_twelve_times_as_much() {
    let bed = TestBed::with(GUARDS);
    let shapes = [
        ("one word", "a", ""),
        ("words", "a ", ""),
        ("quoted", "'a b' ", ""),
        ("double quoted", "\"a $x\" ", ""),
        ("lists", "ls abcdef; ", "ls"),
        ("pipes", "cat abcdef | ", "cat"),
        ("either", "ls abcdef && ", "ls"),
        ("variables", "$x ", ""),
        ("assigned", "x=$x; y=1; ", "ls"),
        ("substitutions", "$(a) ", ""),
        ("continued", "a \\\n ", ""),
        ("options", "-a ", ""),
        ("braces", "{a,b} ", ""),
        ("comments", "\n# a b c\n", ""),
        ("tests", "; [[ $x == y ]] ", ""),
        ("branches", "; if a; then x=1; else x=2; fi ", ""),
        ("documents", "; cat <<E\na\nE\n: ", ""),
        ("redirections", " > .git/x", ""),
    ];
    for (name, piece, end) in shapes {
        let cost = |bytes: usize| {
            let line = format!("echo {}{end}", piece.repeat((bytes - 32) / piece.len()));
            let told = guarded(&bed, "Bash", &serde_json::json!({"command": line}));
            assert_eq!(told["status"], "answered", "{name}: {told}");
            told["used"]["fuel"].as_u64().unwrap()
        };
        let (short, long) = (cost(6_554), cost(65_536));
        assert!(long <= 12 * short, "{name}: {long} is more than 12 times {short}");
    }
}
