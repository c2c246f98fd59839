//! The declared support of a dialect agrees with the effects of its answers.

use hookbox::agents::{self, Dialect, Part, Written, claude_code::ClaudeCode};
use hookbox_model::{Event, EventName, Json, Outcome, ToolCall, ToolClass, Verdict};

use super::{format_answer, outcome_with_texts, outcome_with_verdict, parse_json};

#[test]
fn a_deny_and_a_context_are_lost_exactly_where_the_dialect_lacks_support() {
    for dialect in agents::all_dialects() {
        for (name, canonical) in dialect.events() {
            let support = dialect.support(name, &canonical);
            let lost = |outcome: Outcome| {
                let event = make_event(*dialect, name, &canonical);
                dialect.write(&event, &outcome).unexpressed
            };
            let denied = !lost(outcome_with_verdict(Verdict::Deny)).contains(&Part::Deny);
            let context = !lost(Outcome { stop: None, ..outcome_with_texts() }).contains(&Part::Context);
            let (who, stated) = (dialect.name(), (support.block, support.context));
            assert_eq!((denied, context), stated, "{who} {name}: block, context");
        }
    }
}

/// Events whose ask has been observed to reach the user, or leaves the question to the agent that is asking already.
const ASKS: [&str; 8] = [
    "claude-code PreToolUse",
    "claude-code PermissionRequest",
    "claude-code PreModelSwitch",
    "codex PermissionRequest",
    "gemini-cli BeforeTool",
    "copilot preToolUse",
    "copilot PreToolUse",
    "native",
];

#[test]
fn an_ask_is_a_deny_if_the_agent_does_not_ask_the_user() {
    for dialect in agents::all_dialects() {
        for (name, canonical) in dialect.events() {
            let support = dialect.support(name, &canonical);
            let event = make_event(*dialect, name, &canonical);
            let (ask, deny) = (outcome_with_verdict(Verdict::Ask), outcome_with_verdict(Verdict::Deny));
            let (ask, deny) = (dialect.write(&event, &ask), dialect.write(&event, &deny));
            let who = format!("{} {name}", dialect.name());
            let asks = ASKS.contains(&who.as_str()) || ASKS.contains(&dialect.name()) && support.block;
            assert_eq!(support.ask, asks, "{who} is said to ask");
            let answers = |written: &Written| (written.stdout.clone(), written.stderr.clone(), written.exit);
            let same = answers(&ask) == answers(&deny);
            assert!(!support.block || same != asks, "{who}: {}", format_answer(&ask));
        }
    }
}

#[test]
fn claude_codes_ask_is_a_deny_in_the_modes_that_say_yes_themselves() {
    let answer_in_mode = |mode: &str| {
        let mut event = make_event(&ClaudeCode, "PreToolUse", &EventName::ToolBefore);
        event.payload = parse_json(&format!(r#"{{"permission_mode":"{mode}"}}"#));
        format_answer(&ClaudeCode.write(&event, &outcome_with_verdict(Verdict::Ask)))
    };
    for (mode, word) in [
        ("default", "ask"),
        ("acceptEdits", "ask"),
        ("plan", "ask"),
        ("dontAsk", "ask"),
        ("bypassPermissions", "deny"),
        ("auto", "deny"),
    ] {
        let expected = format!(
            "0 {{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"{word}\",\
             \"permissionDecisionReason\":\"guard-shell: this erases the disk (rm-root)\"}}}}"
        );
        assert_eq!(answer_in_mode(mode), expected, "{mode}");
    }
}

fn make_event(dialect: &dyn Dialect, name: &str, canonical: &EventName) -> Event {
    let source = parse_json(r#"{"model":"m","messages":[],"data":{"messages":[]}}"#);
    Event {
        id: "1".to_owned(),
        agent_event: name.to_owned(),
        session: "s".to_owned(),
        cwd: "/".to_owned(),
        tool: Some(ToolCall {
            name: "Bash".to_owned(),
            class: ToolClass::Shell,
            command: None,
            paths: Vec::new(),
            input: Json::empty_object(),
            output: None,
        }),
        payload: parse_json(r#"{"request":{"messages":[]}}"#),
        source,
        ..Event::new(canonical.clone(), dialect.name())
    }
}
