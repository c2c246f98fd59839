//! Events and answers of cocode.

use hookbox::{
    Clock,
    agents::{self, Dialect, cocode::Cocode, native},
    interfaces::Call,
};
use hookbox_model::{Event, EventName, Json, Limits, Outcome, Reason, Verdict};

use super::{
    blocks_event, detect_agent, format_answer, label_value, outcome_with_extra, outcome_with_rewrite,
    outcome_with_texts, outcome_with_verdict, read_event,
};

/// cocode's events and the members that they set; the others are `null`.
const EVENTS: [(&str, &str); 13] = [
    ("PreToolUse", r#""tool_name":"Bash","tool_input":{"command":"ls"},"tool_output":null,"error":null"#),
    (
        "PostToolUse",
        r#""tool_name":"Bash","tool_input":{"command":"ls"},"tool_output":{"text":"a"},"error":null"#,
    ),
    ("PostToolUseFailure", r#""tool_name":"Bash","tool_input":{},"tool_output":null,"error":"no""#),
    ("PrePromptSubmit", r#""tool_name":null,"tool_input":null,"user_prompt":"go""#),
    ("PostUserMessage", r#""user_prompt":"go""#),
    ("SessionStart", r#""agent_id":null"#),
    ("SessionEnd", r#""agent_id":null"#),
    ("SubagentStart", r#""agent_id":"a1""#),
    ("SubagentStop", r#""agent_id":"a1""#),
    ("PreCompact", r#""agent_id":null"#),
    ("NotificationEvent", r#""agent_id":null"#),
    ("StatusLine", r#""agent_id":null"#),
    ("FileSuggestion", r#""agent_id":null"#),
];

fn make_input(event: &str, members: &str) -> String {
    format!(r#"{{"event":"{event}",{members},"session_id":"s","cwd":"/p","env":{{"TOKEN":"secret"}}}}"#)
}

fn sample_event(name: &str) -> Event {
    let known = EVENTS.iter().find(|(sample, _)| *sample == name);
    read_event(&Cocode, &make_input(name, known.map_or(r#""x":1"#, |(_, members)| members))).unwrap()
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&Cocode.write(&sample_event(name), outcome))
}

#[test]
fn every_event_reads_to_its_canonical_name_and_payload() {
    let read: Vec<_> = EVENTS
        .iter()
        .map(|(name, _)| {
            let event = sample_event(name);
            format!("{name}: {} {}", event.name, event.payload.as_str())
        })
        .collect();
    assert_eq!(
        read,
        [
            "PreToolUse: tool.before {}",
            "PostToolUse: tool.after {}",
            r#"PostToolUseFailure: tool.error {"error":"no"}"#,
            r#"PrePromptSubmit: prompt.submit {"prompt":"go"}"#,
            r#"PostUserMessage: session.message {"prompt":"go"}"#,
            "SessionStart: session.start {}",
            "SessionEnd: session.end {}",
            r#"SubagentStart: subagent.start {"agent_id":"a1"}"#,
            r#"SubagentStop: subagent.stop {"agent_id":"a1"}"#,
            "PreCompact: compact.before {}",
            r#"NotificationEvent: notification {"message":""}"#,
            "StatusLine: ui.status-line {}",
            "FileSuggestion: ui.file-suggestion {}",
        ]
    );
    let names: Vec<_> = Cocode.events().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, EVENTS.map(|(name, _)| name));
}

#[test]
fn every_event_satisfies_its_canonical_schema() {
    let (config, limits) = (Json::empty_object(), Limits::default());
    for (name, _) in EVENTS {
        let event = sample_event(name);
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
}

#[test]
fn the_header_and_the_tool_call_have_places_of_their_own() {
    let event = sample_event("PostToolUse");
    assert_eq!(
        (event.agent.as_ref(), event.agent_event.as_str(), event.session.as_str(), event.cwd.as_str()),
        ("cocode", "PostToolUse", "s", "/p")
    );
    let tool = event.tool.unwrap();
    assert_eq!((tool.class.as_str(), tool.command.as_deref()), ("shell", Some("ls")));
    assert_eq!(tool.output.unwrap().as_str(), r#"{"text":"a"}"#);
}

#[test]
fn a_null_result_is_ignored_before_the_tool_has_run() {
    assert_eq!(sample_event("PreToolUse").tool.unwrap().output, None);
    let silent = r#""tool_name":"Bash","tool_input":{},"tool_output":null"#;
    let after = read_event(&Cocode, &make_input("PostToolUse", silent)).unwrap();
    assert_eq!(after.tool.unwrap().output.unwrap().as_str(), "null");
}

#[test]
fn the_environment_of_the_agent_reaches_no_hook() {
    for (name, members) in EVENTS {
        let event = sample_event(name);
        assert!(!event.payload.as_str().contains("secret"), "{name}");
        let rest = format!(r#"{{"event":"{name}",{members},"session_id":"s","cwd":"/p"}}"#);
        assert_eq!(event.source.as_str(), rest);
    }
}

#[test]
fn it_is_recognised_by_the_members_that_a_context_always_has() {
    for (text, expected) in [
        (make_input("PreToolUse", r#""x":1"#), Some("cocode")),
        (make_input("FutureEvent", r#""x":1"#), Some("cocode")),
        (r#"{"event":"PreToolUse","session_id":"s","cwd":"/p"}"#.into(), Some("native")),
        (r#"{"event":"tool.before","session":"s","cwd":"/p","payload":{"env":{}}}"#.into(), Some("native")),
        (
            r#"{"event":"x","hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","env":{}}"#.into(),
            Some("claude-code"),
        ),
        (r#"{"session_id":"s","cwd":"/p","env":{}}"#.into(), None),
    ] {
        assert_eq!(detect_agent(&text), expected, "{text}");
    }
    assert_eq!(agents::find_dialect("cocode").unwrap().name(), "cocode");
}

#[test]
fn an_event_of_the_future_is_a_custom_event() {
    let event = sample_event("FutureEvent");
    assert_eq!(event.name, EventName::Custom("FutureEvent".into()));
    assert_eq!(event.payload.as_str(), r#"{"x":1}"#);
}

#[test]
fn invalid_input_names_the_event_and_the_field() {
    for (text, expected) in [
        ("{}".to_owned(), ", field `event`: it is missing; it must be a string that is not empty"),
        (
            make_input("tool.before", r#""x":1"#),
            r#", field `event`: "tool.before" is not the name of an event"#,
        ),
        (
            make_input("PreToolUse", r#""tool_name":"Bash","tool_input":null"#),
            " in PreToolUse, field `tool_input`: it is null, but must be an object",
        ),
        (
            make_input("PostToolUse", r#""tool_name":"Bash","tool_input":{}"#),
            " in PostToolUse, field `tool_output`: it is missing; it must be there",
        ),
        (
            make_input("PostToolUseFailure", r#""tool_name":"Bash","tool_input":{},"error":null"#),
            " in PostToolUseFailure, field `error`: it is null, but must be a string",
        ),
        (
            make_input("PrePromptSubmit", r#""x":1"#),
            " in PrePromptSubmit, field `user_prompt`: it is missing; it must be a string",
        ),
        (
            r#"{"event":"SessionStart","session_id":"s","cwd":"p","env":{}}"#.into(),
            " in SessionStart, field `cwd`: \"p\" is not an absolute path",
        ),
    ] {
        let error = read_event(&Cocode, &text).unwrap_err().to_string();
        assert_eq!(error, format!("VALIDATION_FAILURE{expected}"), "{text}");
    }
}

#[test]
fn an_empty_outcome_is_continue() {
    for (name, _) in EVENTS {
        assert_eq!(answer_to(name, &Outcome::default()), r#"0 "Continue""#, "{name}");
    }
    assert_eq!(answer_to("FutureEvent", &Outcome::default()), r#"0 "Continue""#);
}

#[test]
fn a_deny_an_ask_and_a_defer_reject_and_an_allow_cannot_be_written() {
    const REASON: &str = "guard-shell: this erases the disk (rm-root)";
    let rejected = format!(r#"2 {{"Reject":{{"reason":"{REASON}"}}}} | {REASON}"#);
    for word in [Verdict::Deny as fn(_) -> _, Verdict::Ask, Verdict::Defer] {
        for name in ["PreToolUse", "PrePromptSubmit", "SubagentStop", "PreCompact", "FutureEvent"] {
            assert_eq!(answer_to(name, &outcome_with_verdict(word)), rejected, "{name}");
        }
    }
    assert_eq!(
        answer_to("PreToolUse", &outcome_with_verdict(Verdict::Allow)),
        r#"0 "Continue" | lost allow"#
    );
    assert_eq!(answer_to("PostToolUse", &outcome_with_verdict(Verdict::Deny)), r#"0 "Continue" | lost deny"#);
    assert_eq!(answer_to("StatusLine", &outcome_with_verdict(Verdict::Ask)), r#"0 "Continue" | lost ask"#);
}

#[test]
fn a_rejection_holds_whether_or_not_cocode_parses_the_answer() {
    // Without `parse_result` the exit code decides and stderr has the reason.
    let written = Cocode.write(&sample_event("PreToolUse"), &outcome_with_verdict(Verdict::Deny));
    assert_ne!(written.exit, 0);
    assert_eq!(written.stderr, "guard-shell: this erases the disk (rm-root)\n");
    assert_eq!(written.stdout, "{\"Reject\":{\"reason\":\"guard-shell: this erases the disk (rm-root)\"}}\n");
}

#[test]
fn a_deny_and_a_failure_reject_whatever_can_be_rejected() {
    let can = ["PreToolUse", "PrePromptSubmit", "SubagentStop", "PreCompact", "FutureEvent"];
    for name in EVENTS.iter().map(|(name, _)| *name).chain(["FutureEvent"]) {
        let can = can.contains(&name);
        let deny = Cocode.write(&sample_event(name), &outcome_with_verdict(Verdict::Deny));
        assert_eq!((blocks_event(&deny), deny.unexpressed.is_empty()), (can, can), "{name}");
        let expected =
            if can { r#"2 {"Reject":{"reason":"broken"}} | broken"# } else { r#"0 "Continue" | broken"# };
        assert_eq!(format_answer(&Cocode.write_failure(Some(name), "broken")), expected, "{name}");
    }
    assert!(blocks_event(&Cocode.write_failure(None, "broken")));
}

#[test]
fn a_rewrite_is_the_whole_new_input_untouched() {
    for (name, part, expected) in [
        ("PreToolUse", r#"{"n": 1.50}"#, r#"0 {"ModifyInput":{"new_input":{"n": 1.50}}}"#),
        ("PrePromptSubmit", r#""other words""#, r#"0 {"ModifyInput":{"new_input":"other words"}}"#),
        ("StatusLine", r#""main *""#, r#"0 {"ModifyInput":{"new_input":"main *"}}"#),
        ("FileSuggestion", r#"["a.rs"]"#, r#"0 {"ModifyInput":{"new_input":["a.rs"]}}"#),
        ("PrePromptSubmit", "{}", r#"0 "Continue" | lost rewrite"#),
        ("PostToolUse", r#"{"text":"cut"}"#, r#"0 "Continue" | lost rewrite"#),
        ("FutureEvent", "{}", r#"0 "Continue" | lost rewrite"#),
    ] {
        assert_eq!(answer_to(name, &outcome_with_rewrite(part)), expected, "{name}");
    }
}

#[test]
fn a_rewrite_is_lost_with_a_rejection_and_written_with_an_allow() {
    let reason = || Reason::new("why", "because");
    let with = |verdict| Outcome { verdict, ..outcome_with_rewrite(r#"{"command":"ls"}"#) };
    assert_eq!(
        answer_to("PreToolUse", &with(Verdict::Ask(reason()))),
        r#"2 {"Reject":{"reason":"because"}} | because | lost rewrite"#
    );
    assert_eq!(
        answer_to("PreToolUse", &with(Verdict::Allow(reason()))),
        r#"0 {"ModifyInput":{"new_input":{"command":"ls"}}} | lost allow"#
    );
}

#[test]
fn a_stop_rejects_where_it_can_and_what_has_no_words_is_lost() {
    for (name, expected) in [
        (
            "PreToolUse",
            r#"2 {"Reject":{"reason":"budget: Enough."}} | budget: Enough. | lost stop context notice"#,
        ),
        ("PostToolUse", r#"0 "Continue" | lost stop context notice"#),
        ("SessionStart", r#"0 "Continue" | lost stop context notice"#),
    ] {
        assert_eq!(answer_to(name, &outcome_with_texts()), expected, "{name}");
    }
    assert_eq!(
        answer_to("PreToolUse", &outcome_with_extra(r#"{"new_input":{}}"#)),
        r#"0 "Continue" | lost extra"#
    );
    let denied = Outcome {
        stop: Some(label_value("budget", "Enough.".to_owned())),
        ..outcome_with_verdict(Verdict::Deny)
    };
    assert_eq!(
        answer_to("PreToolUse", &denied),
        "2 {\"Reject\":{\"reason\":\"guard-shell: this erases the disk (rm-root)\"}} | guard-shell: this erases the \
         disk (rm-root) | lost stop"
    );
}

#[test]
fn cocode_waits_ten_minutes_and_llxprt_one() {
    let agent_timeout =
        |agent: &str| agents::find_dialect(agent).unwrap().agent_timeout(&EventName::ToolBefore).as_secs();
    assert_eq!(["cocode", "llxprt"].map(agent_timeout), [600, 60]);
}
