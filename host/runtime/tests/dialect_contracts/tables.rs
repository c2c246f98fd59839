//! The dialects that are one table, on the events of their conformance cases.

use std::{collections::HashSet, path::PathBuf};

use hookbox::agents::{self, Dialect, Part};
use hookbox_model::{Event, Verdict};

use crate::case_archive;

use super::{
    detect_agent, native_event, outcome_with_verdict, parse_json, read_event, reading::format_event,
};

const TABLES: [&str; 10] = [
    "cursor",
    "copilot",
    "windsurf",
    "cline",
    "amazon-q",
    "qwen-code",
    "droid",
    "kimi-code",
    "openhands",
    "opencode",
];

fn find_dialect(agent: &str) -> &'static dyn Dialect {
    agents::find_dialect(agent).unwrap()
}

/// Returns the agent's input in this case.
fn read_input(agent: &str, case: &str) -> String {
    case_archive::read_file(&case_folder(agent).join(format!("{case}.txt")), "event.json").unwrap().unwrap()
}

fn case_folder(agent: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/cases").join(agent)
}

/// Returns the agent's inputs in its cases `event-…`, one for each event.
fn read_inputs(agent: &str) -> Vec<String> {
    let archives = case_archive::of_dialect(&case_folder(agent)).unwrap();
    let cases = archives.iter().map(|case| case.file_stem().unwrap().to_str().unwrap());
    cases.filter(|case| case.starts_with("event-")).map(|case| read_input(agent, case)).collect()
}

fn read_case(agent: &str, case: &str) -> Event {
    read_event(find_dialect(agent), &read_input(agent, case)).unwrap()
}

#[test]
fn every_event_has_a_case_and_is_one_that_every_hook_can_read() {
    for agent in TABLES {
        let mut seen = HashSet::new();
        for text in read_inputs(agent) {
            let event = read_event(find_dialect(agent), &text).unwrap();
            native_event(&event);
            seen.insert((event.agent_event, event.name));
        }
        for (name, canonical) in find_dialect(agent).events() {
            // In camel case, too, Copilot calls it `Notification` in the input.
            let known = name == "notification" || seen.contains(&(name.to_owned(), canonical.clone()));
            assert!(known, "{agent} {name} {canonical}");
        }
    }
}

#[test]
fn the_tables_agents_give_themselves_away_but_for_those_that_must_be_named() {
    for agent in TABLES {
        let named = ["copilot", "amazon-q"].contains(&agent);
        for text in read_inputs(agent) {
            let expected = if named {
                detect_agent(&text) != Some("claude-code")
            } else {
                detect_agent(&text) == Some(agent)
            };
            assert!(expected, "{agent}: {text}");
        }
    }
}

#[test]
fn gates_of_agents_that_must_be_named_have_no_recognised_sender() {
    for (agent, case) in [
        ("copilot", "event-pre-tool-use"),
        ("copilot", "event-pre-tool-use-pascal"),
        ("copilot", "event-permission-request-pascal"),
        ("amazon-q", "event-pre-tool-use"),
    ] {
        assert_eq!(detect_agent(&read_input(agent, case)), None, "{agent} {case}");
    }
}

#[test]
fn a_tool_call_is_the_same_whatever_the_agent_calls_it() {
    for (agent, case, expected) in [
        ("cursor", "event-pre-tool-use", "tool.before: Shell shell ls /w"),
        ("cursor", "event-before-shell-execution", "tool.before: Shell shell ls"),
        ("cursor", "event-before-mcp-execution", "tool.before: MCP:query mcp -"),
        ("cursor", "event-before-read-file", "tool.before: Read file-read - /w/a"),
        ("cursor", "event-after-file-edit", "tool.after: Write file-write - /w/a"),
        ("copilot", "event-pre-tool-use", "tool.before: bash shell ls"),
        ("copilot", "event-pre-tool-use-pascal", "tool.before: Bash shell ls"),
        ("copilot", "event-permission-request", "permission.request: bash shell ls"),
        ("windsurf", "event-pre-run-command", "tool.before: run_command shell ls /w"),
        ("windsurf", "event-pre-read-code", "tool.before: read_code file-read - /w/a"),
        ("windsurf", "event-pre-mcp-tool-use", "tool.before: mcp__github__create_issue mcp -"),
        ("cline", "event-pre-tool-use", "tool.before: execute_command shell ls"),
        ("cline", "event-tool-call", "tool.before: run_commands shell ls"),
        ("amazon-q", "event-pre-tool-use", "tool.before: execute_bash shell ls"),
        ("amazon-q", "event-post-tool-use-of-a-turn", "tool.batch-after"),
    ] {
        assert_eq!(format_event(&read_case(agent, case)), expected, "{agent} {case}");
    }
}

/// Agents that name an event as Claude Code does.
const LIKE_CLAUDE_CODE: [&str; 10] = [
    "claude-code",
    "codex",
    "gemini-cli",
    "llxprt",
    "cursor",
    "copilot",
    "amazon-q",
    "qwen-code",
    "droid",
    "kimi-code",
];

#[test]
fn a_tool_call_in_an_event_that_the_agent_does_not_have_is_judged_as_one() {
    let calls = [
        r#""tool_name":"Bash","tool_input":{"command":"ls"}"#,
        r#""toolName":"Bash","toolArgs":{"command":"ls"}"#,
        r#""tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":null"#,
    ];
    for agent in LIKE_CLAUDE_CODE {
        for call in calls {
            let text = format!(r#"{{"hook_event_name":"FutureEvent","session_id":"s","cwd":"/w",{call}}}"#);
            let event = read_event(find_dialect(agent), &text).unwrap();
            assert_eq!(
                (event.name.as_str(), event.agent_event.as_str()),
                ("tool.before", "FutureEvent"),
                "{agent}"
            );
            assert_eq!(
                event.tool.as_ref().and_then(|tool| tool.command.as_deref()),
                Some("ls"),
                "{agent} {call}"
            );
            native_event(&event);
            let denied = find_dialect(agent).write(&event, &outcome_with_verdict(Verdict::Deny));
            assert!(denied.exit == 2 && !denied.unexpressed.contains(&Part::Deny), "{agent}: {denied:?}");
        }
    }
}

#[test]
fn an_event_without_arguments_is_not_a_call_and_arguments_without_a_tool_are_an_error() {
    for agent in LIKE_CLAUDE_CODE {
        let of = |members: &str| {
            let text =
                format!(r#"{{"hook_event_name":"FutureEvent","session_id":"s","cwd":"/w",{members}}}"#);
            read_event(find_dialect(agent), &text)
                .map(|event| event.name.to_string())
                .map_err(|error| error.to_string())
        };
        for members in [r#""x":1"#, r#""tool_name":"Bash""#, r#""tool_name":null,"tool_input":null"#] {
            assert_eq!(of(members).unwrap(), "FutureEvent", "{agent} {members}");
        }
        for members in [r#""tool_input":{"command":"ls"}"#, r#""tool_name":"Bash","tool_input":7"#] {
            assert!(
                of(members).unwrap_err().starts_with("VALIDATION_FAILURE in FutureEvent"),
                "{agent} {members}"
            );
        }
    }
}

#[test]
fn session_folder_and_time_are_found_in_each_agents_words() {
    for (agent, case, expected) in [
        ("cursor", "event-before-submit-prompt", ("c", "/w", 1_700_000_000_000)),
        ("copilot", "event-pre-tool-use", ("s", "/w", 1_704_614_600_000)),
        ("copilot", "event-pre-tool-use-pascal", ("s", "/w", 1_704_614_600_000)),
        ("windsurf", "event-pre-read-code", ("t", "/arrived", 1_795_294_435_314)),
        ("windsurf", "event-pre-run-command", ("t", "/w", 1_795_294_435_314)),
        ("cline", "event-pre-tool-use", ("1", "/w", 1_704_614_600_000)),
        ("amazon-q", "event-pre-tool-use", ("", "/w", 1_700_000_000_000)),
    ] {
        let event = read_case(agent, case);
        assert_eq!((event.session.as_str(), event.cwd.as_str(), event.time), expected, "{agent} {case}");
    }
}

#[test]
fn what_has_no_place_of_its_own_stays_in_the_payload_under_one_name() {
    for (agent, case, expected) in [
        (
            "windsurf",
            "event-pre-user-prompt",
            r#"{"prompt":"go","execution_id":"e","timestamp":"2026-11-21T20:53:55.314Z"}"#,
        ),
        (
            "cursor",
            "event-after-agent-response",
            r#"{"response":{"text":"done"},"generation_id":"g","model":"m","cursor_version":"2.0","workspace_roots":["/w"],"user_email":null,"transcript_path":null}"#,
        ),
        ("amazon-q", "event-user-prompt-submit", r#"{"prompt":"go"}"#),
        ("amazon-q", "event-post-tool-use", "{}"),
        (
            "copilot",
            "event-subagent-stop-pascal",
            r#"{"timestamp":"2024-01-07T08:03:20.000Z","agent_name":"explore","last_assistant_message":"done","stop_reason":"end_turn"}"#,
        ),
    ] {
        assert_eq!(
            read_case(agent, case).payload.to_value(),
            parse_json(expected).to_value(),
            "{agent} {case}"
        );
    }
    let twice = r#"{"agent_action_name":"pre_user_prompt","prompt":"theirs","tool_info":{"prompt":"x","user_prompt":"go"}}"#;
    let event = read_event(find_dialect("windsurf"), twice).unwrap();
    assert_eq!(event.payload.as_str(), r#"{"prompt":"go"}"#);
}

#[test]
fn an_unnamed_copilot_event_is_identified_by_its_members_or_is_invalid() {
    let error =
        read_event(find_dialect("copilot"), r#"{"sessionId":"s","timestamp":1,"cwd":"/w"}"#).unwrap_err();
    let expected =
        "VALIDATION_FAILURE, field `hook_event_name`: it is missing; it must be a string that is not empty";
    assert_eq!(error.to_string(), expected);
    assert_eq!(read_case("copilot", "event-agent-stop").agent_event, "agentStop");
}
