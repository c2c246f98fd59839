//! Events that dialects read from an agent's bytes.

use std::{fs, path::PathBuf};

use hookbox::{
    Clock,
    agents::{self, Dialect, claude_code::ClaudeCode, codex::Codex, gemini_cli::GeminiCli, native},
    interfaces::Call,
};
use hookbox_model::{Event, EventName, Json, Limits, RawObject};
use serde_json::{Value, json};

use super::{detect_agent, read_event, samples};

/// Returns the recorded events of an agent: file name without its extension, and text.
pub(crate) fn recorded_events(agent: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/events").join(agent);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// Returns the dialects whose format is Claude Code's, or nearly.
fn claude_like_agents() -> [&'static dyn Dialect; 3] {
    [&ClaudeCode, &GeminiCli, &Codex]
}

pub(crate) fn format_event(event: &Event) -> String {
    let tool = event.tool.as_ref().map(|tool| {
        let command = tool.command.as_deref().unwrap_or("-");
        format!(": {} {} {command} {}", tool.name, tool.class, tool.paths.join(" "))
    });
    format!("{}{}", event.name, tool.unwrap_or_default()).trim_end().to_owned()
}

#[track_caller]
fn read_as(dialect: &dyn Dialect, expected: &[(&str, &str)]) {
    let recorded = recorded_events(dialect.name());
    let read: Vec<_> = recorded
        .iter()
        .map(|(file, text)| (file.as_str(), format_event(&read_event(dialect, text).unwrap())))
        .collect();
    let read: Vec<_> = read.iter().map(|(file, event)| (*file, event.as_str())).collect();
    assert_eq!(read, expected);
}

#[test]
fn every_recorded_event_of_claude_code_is_read() {
    read_as(
        &ClaudeCode,
        &[
            ("00-SessionStart", "session.start"),
            ("01-UserPromptSubmit", "prompt.submit"),
            ("02-PreToolUse-Bash", "tool.before: Bash shell ls -la"),
            ("03-PostToolUse-Bash", "tool.after: Bash shell ls -la"),
            ("04-PostToolBatch-Bash", "tool.batch-after"),
            ("05-PreToolUse-Write", "tool.before: Write file-write - /home/dev/project/notes.txt"),
            ("06-PostToolUse-Write", "tool.after: Write file-write - /home/dev/project/notes.txt"),
            ("07-PostToolBatch-Write", "tool.batch-after"),
            ("08-PreToolUse-Read", "tool.before: Read file-read - /home/dev/project/notes.txt"),
            ("09-PostToolUse-Read", "tool.after: Read file-read - /home/dev/project/notes.txt"),
            ("10-PostToolBatch-Read", "tool.batch-after"),
            ("11-PreToolUse-Edit", "tool.before: Edit file-write - /home/dev/project/notes.txt"),
            ("12-PostToolUse-Edit", "tool.after: Edit file-write - /home/dev/project/notes.txt"),
            ("13-PostToolBatch-Edit", "tool.batch-after"),
            ("14-PreToolUse-Bash-blocked", "tool.before: Bash shell rm -rf / --no-preserve-root"),
            ("15-PostToolBatch-Bash-blocked", "tool.batch-after"),
            ("16-SessionEnd", "session.end"),
            ("17-PostToolUseFailure-Bash", "tool.error: Bash shell false"),
            ("18-Stop", "agent.stop"),
        ],
    );
}

#[test]
fn every_recorded_event_of_gemini_cli_is_read() {
    read_as(
        &GeminiCli,
        &[
            ("00-SessionStart", "session.start"),
            ("01-BeforeAgent", "prompt.submit"),
            ("02-PreCompress", "compact.before"),
            ("03-BeforeModel", "model.request"),
            ("04-BeforeToolSelection", "model.select-tools"),
            ("05-AfterModel", "model.response"),
            ("06-BeforeTool-run_shell_command", "tool.before: run_shell_command shell ls -la"),
            ("07-AfterTool-run_shell_command", "tool.after: run_shell_command shell ls -la"),
            ("08-PreCompress", "compact.before"),
            ("09-BeforeModel", "model.request"),
            ("10-BeforeToolSelection", "model.select-tools"),
            ("11-AfterModel", "model.response"),
            ("12-BeforeTool-write_file", "tool.before: write_file file-write - /home/dev/project/notes.txt"),
            ("13-AfterTool-write_file", "tool.after: write_file file-write - /home/dev/project/notes.txt"),
            (
                "18-BeforeTool-run_shell_command-blocked",
                "tool.before: run_shell_command shell rm -rf / --no-preserve-root",
            ),
            ("23-AfterAgent", "agent.stop"),
            ("24-SessionEnd", "session.end"),
        ],
    );
}

#[test]
fn every_recorded_event_of_codex_is_read() {
    read_as(
        &Codex,
        &[
            ("00-SessionStart", "session.start"),
            ("01-UserPromptSubmit", "prompt.submit"),
            ("02-PreToolUse-Bash", "tool.before: Bash shell ls -la"),
            ("03-PostToolUse-Bash", "tool.after: Bash shell ls -la"),
            ("04-PreToolUse-Bash", "tool.before: Bash shell echo hi > notes.txt"),
            ("05-PostToolUse-Bash", "tool.after: Bash shell echo hi > notes.txt"),
            ("06-PreToolUse-Bash-blocked", "tool.before: Bash shell rm -rf / --no-preserve-root"),
            ("07-Stop", "agent.stop"),
            ("08-SessionEnd", "session.end"),
        ],
    );
}

#[test]
fn the_files_of_a_patch_are_the_paths_of_the_call_and_follow_a_rewrite() {
    let patch = r#""tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: ../.ssh/config\n@@\n-a\n+b\n*** End Patch"}"#;
    let mut event = read_event(&Codex, &samples::make_input("PreToolUse", patch)).unwrap();
    assert_eq!(format_event(&event), "tool.before: apply_patch file-write - /p/src/a.rs /.ssh/config");
    event.set_rewritable(super::parse_json(r#"{"command":"*** Delete File: b"}"#));
    agents::tools::redescribe_call(&mut event);
    assert_eq!(format_event(&event), "tool.before: apply_patch file-write - /p/b");
}

#[test]
fn a_patch_that_names_too_many_files_is_refused() {
    let patch: Vec<_> = (0..5000).map(|n| format!("*** Add File: f{n}")).collect();
    let input = json!({ "command": patch.join("\n+\n") });
    let members = format!(r#""tool_name":"apply_patch","tool_input":{input}"#);
    let error = read_event(&Codex, &samples::make_input("PreToolUse", &members)).unwrap_err();
    let expected =
        "VALIDATION_FAILURE in PreToolUse, field `tool_input`: it names more than 4096 files; name fewer";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_recorded_event_is_recognised_by_its_own_dialect_alone() {
    for agent in claude_like_agents() {
        for (file, text) in recorded_events(agent.name()) {
            assert_eq!(detect_agent(&text), Some(agent.name()), "{file}");
        }
    }
}

#[test]
fn no_member_of_a_recorded_event_is_lost() {
    for agent in claude_like_agents() {
        for (file, text) in recorded_events(agent.name()) {
            let event = read_event(agent, &text).unwrap();
            assert_eq!(event.source.as_str(), text);
            let header =
                [&event.session, &event.cwd, &event.agent_event].map(|t| Json::from_value(&json!(t)));
            let tool = event.tool.map(|t| (Json::from_value(&json!(t.name)), t.input, t.output));
            let tool = tool
                .into_iter()
                .flat_map(|(name, input, output)| [Some(name), Some(input), output].into_iter().flatten());
            let places: Vec<Json> = header.into_iter().chain(tool).collect();
            let payload = event.payload.members().unwrap();
            for (key, value) in RawObject::parse(&text).unwrap().iter() {
                let kept = places.iter().map(Json::as_str).chain(payload.iter().map(|(_, v)| v.get()));
                assert!(kept.into_iter().any(|text| text == value.get()), "{file}: {key}");
            }
        }
    }
}

#[test]
fn header_and_payload_of_an_event_are_separated() {
    let (_, text) = recorded_events("gemini-cli").remove(2);
    let event = read_event(&GeminiCli, &text).unwrap();
    assert_eq!(
        (event.id.as_str(), event.agent.as_ref(), event.agent_event.as_str(), event.session.as_str()),
        ("e1", "gemini-cli", "PreCompress", "f285b95f-e0db-48c8-984b-4026588ab4e8")
    );
    assert_eq!((event.cwd.as_str(), event.time), ("/home/dev/project", 1_795_294_435_363));
    assert_eq!(
        event.payload.as_str(),
        "{\"transcript_path\":\"/home/dev/.gemini/tmp/project/chats/session-2026-11-21T20-53-f285b95f.jsonl\",\
         \"timestamp\":\"2026-11-21T20:53:55.363Z\",\"trigger\":\"auto\"}"
    );
}

#[test]
fn members_with_a_canonical_name_are_renamed_untouched() {
    for (dialect, event, members, expected) in [
        (
            claude_like_agents()[1],
            "AfterModel",
            r#""llm_request":{"model":"m" },"llm_response":{"n":1.50},"request":"mine""#,
            r#"{"request":{"model":"m" },"response":{"n":1.50}}"#,
        ),
        (
            claude_like_agents()[1],
            "AfterAgent",
            r#""prompt":"p","prompt_response":"done","stop_hook_active":true"#,
            r#"{"prompt":"p","last_assistant_message":"done","stop_hook_active":true}"#,
        ),
        (
            claude_like_agents()[1],
            "BeforeToolSelection",
            r#""llm_request":{"toolConfig":{"mode":"ANY"}}"#,
            r#"{"request":{"toolConfig":{"mode":"ANY"}},"tool_config":{"mode":"ANY"}}"#,
        ),
        (
            claude_like_agents()[1],
            "AfterTool",
            r#""tool_name":"t","tool_input":{},"tool_response":{"error":{"message":"no"}}"#,
            r#"{"error":"no"}"#,
        ),
        (claude_like_agents()[0], "MessageDisplay", r#""delta":"d","index":0"#, r#"{"text":"d","index":0}"#),
        (
            claude_like_agents()[0],
            "ElicitationResult",
            r#""mcp_server_name":"s","action":"accept","content":{"a": 1}"#,
            r#"{"mcp_server_name":"s","answer":{"action":"accept","content":{"a": 1}}}"#,
        ),
    ] {
        let event = read_event(dialect, &samples::make_input(event, members)).unwrap();
        assert_eq!(event.payload.as_str(), expected);
    }
}

#[test]
fn a_failed_gemini_cli_tool_is_a_tool_error_and_an_mcp_tool_is_identified_by_its_context() {
    let [_, after, failed] = [0, 1, 2].map(|n| samples::GEMINI_CLI[n]);
    let name =
        |sample: (&str, &str)| read_event(&GeminiCli, &samples::make_input(sample.0, sample.1)).unwrap().name;
    assert_eq!((name(after), name(failed)), (EventName::ToolAfter, EventName::ToolError));
    let mcp = r#""tool_name":"search","tool_input":{},"mcp_context":{"server_name":"s"}"#;
    let event = read_event(&GeminiCli, &samples::make_input("BeforeTool", mcp)).unwrap();
    assert_eq!(event.tool.unwrap().class.as_str(), "mcp");
}

#[test]
fn the_working_directory_of_the_arrival_counts_if_the_caller_names_none() {
    let text = r#"{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"a"}}"#;
    let event = read_event(&ClaudeCode, text).unwrap();
    assert_eq!((event.cwd.as_str(), event.session.as_str()), ("/arrived", ""));
    assert_eq!(event.tool.unwrap().paths, ["/arrived/a"]);
}

#[test]
fn every_event_reads_to_its_canonical_name_and_satisfies_its_canonical_schema() {
    let samples: [(&dyn Dialect, &[_]); 3] =
        [(&ClaudeCode, &samples::CLAUDE_CODE), (&GeminiCli, &samples::GEMINI_CLI), (&Codex, &samples::CODEX)];
    for (dialect, samples) in samples {
        for (sample, members) in samples {
            let event = read_event(dialect, &samples::make_input(sample, members)).unwrap();
            let known = dialect.events();
            assert!(known.contains(&(sample, event.name.clone())), "{sample}");
            let config = Json::empty_object();
            let limits = Limits::default();
            let call = Call {
                hook: "h",
                event: &event,
                original: None,
                outcome: None,
                config: &config,
                limits: &limits,
                clock: Clock::machine(),
                facts: None,
            };
            let again = read_event(&native::Native, &native::event_json(&call)).unwrap();
            assert_eq!((again.name, again.payload, again.tool), (event.name, event.payload, event.tool));
        }
        assert_eq!(dialect.events().len(), samples.len());
    }
}

#[test]
fn an_event_of_the_future_is_a_custom_event() {
    for dialect in claude_like_agents() {
        let event = read_event(dialect, r#"{"hook_event_name":"FutureEvent","x":1}"#).unwrap();
        assert_eq!(event.name, EventName::Custom("FutureEvent".into()));
        assert_eq!(event.payload.as_str(), r#"{"x":1}"#);
    }
}

#[test]
fn invalid_input_names_the_event_and_the_field() {
    for (dialect, text, expected) in [
        (
            claude_like_agents()[0],
            "{}",
            ", field `hook_event_name`: it is missing; it must be a string that is not empty",
        ),
        (
            claude_like_agents()[0],
            r#"{"hook_event_name":"tool.before"}"#,
            ", field `hook_event_name`: \"tool.before\" is not the name of an event",
        ),
        (
            claude_like_agents()[0],
            r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":[]}"#,
            " in PreToolUse, field `tool_input`: it is an array, but must be an object",
        ),
        (
            claude_like_agents()[0],
            r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}"#,
            " in PostToolUse, field `tool_response`: it is missing; it must be there",
        ),
        (
            claude_like_agents()[0],
            r#"{"hook_event_name":"UserPromptSubmit","prompt":null}"#,
            " in UserPromptSubmit, field `prompt`: it is null, but must be a string",
        ),
        (
            claude_like_agents()[0],
            r#"{"hook_event_name":"Future","cwd":"project"}"#,
            " in Future, field `cwd`: \"project\" is not an absolute path",
        ),
        (
            claude_like_agents()[0],
            r#"{"hook_event_name":"Future","session_id":7}"#,
            " in Future, field `session_id`: it is a number, but must be a string",
        ),
        (
            claude_like_agents()[1],
            r#"{"hook_event_name":"BeforeTool","tool_name":"","tool_input":{}}"#,
            " in BeforeTool, field `tool_name`: it is an empty string, but must be a string that is not empty",
        ),
        (
            claude_like_agents()[1],
            r#"{"hook_event_name":"BeforeTool","tool_name":"t","tool_input":{},"mcp_context":{}}"#,
            " in BeforeTool, field `server_name`: it is missing; it must be a string that is not empty",
        ),
        (
            claude_like_agents()[1],
            r#"{"hook_event_name":"AfterAgent","prompt":"p","prompt_response":"r"}"#,
            " in AfterAgent, field `stop_hook_active`: it is missing; it must be `true` or `false`",
        ),
        (
            claude_like_agents()[1],
            r#"{"hook_event_name":"Notification","notification_type":null,"message":"m","details":[]}"#,
            " in Notification, field `details`: it is an array, but must be an object",
        ),
        (claude_like_agents()[0], "[]", ": the input is not acceptable JSON: it is not a JSON object"),
    ] {
        let error = read_event(dialect, text).unwrap_err().to_string();
        assert_eq!(error, format!("VALIDATION_FAILURE{expected}"), "{text}");
    }
}

#[test]
fn a_call_that_names_too_many_files_is_refused() {
    let names: Vec<_> = (0..5000).map(|n| format!("f{n}")).collect();
    let members = format!(r#""tool_name":"read_many_files","tool_input":{}"#, json!({ "include": names }));
    let error = read_event(&GeminiCli, &samples::make_input("BeforeTool", &members)).unwrap_err();
    let expected =
        "VALIDATION_FAILURE in BeforeTool, field `tool_input`: it names more than 4096 files; name fewer";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_damaged_event_is_read_or_refused_by_name_whatever_is_damaged() {
    for agent in claude_like_agents() {
        for (file, text) in recorded_events(agent.name()) {
            let whole: Value = serde_json::from_str(&text).unwrap();
            for key in whole.as_object().unwrap().keys() {
                for damage in [json!(null), json!(7), json!(""), json!([]), json!({}), json!({"error": 1})] {
                    let mut damaged = whole.clone();
                    damaged[key] = damage;
                    if let Err(error) = read_event(agent, &damaged.to_string()) {
                        assert_eq!(error.field.as_ref(), Some(key), "{file}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_name_stands_for_the_events_of_every_dialect_that_knows_it() {
    for (name, expected) in [
        ("PreToolUse", &["tool.before"][..]),
        ("AfterTool", &["tool.after", "tool.error"]),
        ("SessionStart", &["session.start"]),
        ("tool.before", &["tool.before"]),
        ("PreTolUse", &[]),
    ] {
        let found = agents::find_canonical_events(name);
        assert_eq!(found.iter().map(EventName::as_str).collect::<Vec<_>>(), expected);
    }
    for dialect in agents::all_dialects() {
        assert_eq!(agents::find_dialect(dialect.name()).unwrap().name(), dialect.name());
    }
}

#[test]
fn command_and_paths_follow_a_rewrite() {
    let shell = r#""tool_name":"run_shell_command","tool_input":{"command":"rm x","dir_path":"a"}"#;
    let mut event = read_event(&GeminiCli, &samples::make_input("BeforeTool", shell)).unwrap();
    event.set_rewritable(super::parse_json(r#"{"command":"ls","dir_path":"../b"}"#));
    agents::tools::redescribe_call(&mut event);
    assert_eq!(format_event(&event), "tool.before: run_shell_command shell ls /b");
    event.set_rewritable(super::parse_json("{}"));
    agents::tools::redescribe_call(&mut event);
    assert_eq!(format_event(&event), "tool.before: run_shell_command shell -");
}
