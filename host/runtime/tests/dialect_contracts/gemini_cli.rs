//! Answers for Gemini CLI.

use hookbox::agents::{Dialect, gemini_cli::GeminiCli};
use hookbox_model::{Event, Outcome, Verdict};

use super::{
    blocks_event, format_answer, outcome_with_extra, outcome_with_rewrite, outcome_with_texts,
    outcome_with_verdict, read_event, samples,
};

fn sample_event(name: &str) -> Event {
    let known = samples::GEMINI_CLI.iter().find(|(sample, _)| *sample == name);
    read_event(&GeminiCli, &samples::make_input(name, known.map_or(r#""x":1"#, |(_, members)| members)))
        .unwrap()
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&GeminiCli.write(&sample_event(name), outcome))
}

#[test]
fn an_empty_outcome_is_an_empty_object() {
    for (name, _) in samples::GEMINI_CLI {
        assert_eq!(answer_to(name, &Outcome::default()), "0 {}", "{name}");
    }
    assert_eq!(answer_to("FutureEvent", &Outcome::default()), "0 {}");
}

#[test]
fn verdicts_are_written_where_gemini_cli_supports_them() {
    const REASON: &str = r#""reason":"guard-shell: this erases the disk (rm-root)""#;
    for (name, word, expected) in [
        ("BeforeTool", Verdict::Deny as fn(_) -> _, format!(r#"0 {{"decision":"deny",{REASON}}}"#)),
        ("BeforeTool", Verdict::Ask, format!(r#"0 {{"decision":"ask",{REASON}}}"#)),
        ("BeforeTool", Verdict::Allow, format!(r#"0 {{"decision":"allow",{REASON}}}"#)),
        ("BeforeTool", Verdict::Defer, format!(r#"0 {{"decision":"deny",{REASON}}}"#)),
        ("AfterTool", Verdict::Ask, format!(r#"0 {{"decision":"deny",{REASON}}}"#)),
        ("AfterAgent", Verdict::Deny, format!(r#"0 {{"decision":"deny",{REASON}}}"#)),
        ("BeforeModel", Verdict::Deny, format!(r#"0 {{"decision":"deny",{REASON}}}"#)),
        (
            "FutureEvent",
            Verdict::Deny,
            format!(r#"2 {{"decision":"deny",{REASON}}} | guard-shell: this erases the disk (rm-root)"#),
        ),
        ("PreCompress", Verdict::Deny, "0 {} | lost deny".into()),
        ("SessionStart", Verdict::Ask, "0 {} | lost ask".into()),
        ("BeforeToolSelection", Verdict::Allow, "0 {}".into()),
    ] {
        assert_eq!(answer_to(name, &outcome_with_verdict(word)), expected, "{name}");
    }
}

#[test]
fn a_deny_and_a_failure_block_whatever_can_be_blocked() {
    let names = samples::GEMINI_CLI.iter().map(|(name, _)| *name).chain(["FutureEvent"]);
    for name in names {
        let event = sample_event(name);
        // Gemini CLI does not wait for the answer to this one.
        let can = event.name.traits().block && name != "PreCompress";
        let deny = GeminiCli.write(&event, &outcome_with_verdict(Verdict::Deny));
        assert_eq!((blocks_event(&deny), deny.unexpressed.is_empty()), (can, can), "{name}");
        let failure = GeminiCli.write_failure(Some(name), "no configuration");
        assert_eq!(blocks_event(&failure), can, "{name}");
    }
    assert!(blocks_event(&GeminiCli.write_failure(None, "no configuration")));
}

#[test]
fn a_rewrite_goes_where_the_event_takes_it_untouched() {
    for (name, part, expected) in [
        (
            "BeforeTool",
            r#"{"n": 1.50}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"n": 1.50}}}"#,
        ),
        (
            "BeforeModel",
            r#"{"model":"small"}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request":{"model":"small"}}}"#,
        ),
        (
            "AfterModel",
            r#"{"candidates":[{"content":{"parts":["a"]}}]}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"AfterModel","llm_response":{"candidates":[{"content":{"parts":["a"]}}]}}}"#,
        ),
        (
            "AfterModel",
            r#"{"candidates":[]}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"AfterModel","llm_response":{"candidates":[]}}} | lost rewrite"#,
        ),
        (
            "BeforeToolSelection",
            r#"{"mode":"NONE"}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"BeforeToolSelection","toolConfig":{"mode":"NONE"}}}"#,
        ),
        ("AfterTool", r#"{"llmContent":"cut"}"#, "0 {} | lost rewrite"),
        ("BeforeAgent", r#""other words""#, "0 {} | lost rewrite"),
        ("BeforeModel", "[]", "0 {} | lost rewrite"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_rewrite(part)), expected, "{name}");
    }
}

#[test]
fn texts_go_to_the_model_the_person_and_the_end_of_the_run() {
    for (name, expected) in [
        (
            "BeforeAgent",
            r#"0 {"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"[hookbox: house-rules]\nBe kind."},"continue":false,"stopReason":"budget: Enough.","systemMessage":"watcher: I saw it."}"#,
        ),
        (
            "BeforeTool",
            r#"0 {"continue":false,"stopReason":"budget: Enough.","systemMessage":"watcher: I saw it."} | lost context"#,
        ),
        (
            "SessionStart",
            r#"0 {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"[hookbox: house-rules]\nBe kind."},"systemMessage":"watcher: I saw it."} | lost stop"#,
        ),
        ("BeforeToolSelection", "0 {} | lost context stop notice"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_texts()), expected, "{name}");
    }
}

#[test]
fn extras_are_passed_for_the_events_that_read_them_if_they_are_of_their_kind() {
    for (name, fields, expected) in [
        (
            "AfterAgent",
            r#"{"clearContext":true}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"AfterAgent","clearContext":true}}"#,
        ),
        (
            "AfterTool",
            r#"{"tailToolCallRequest":{"name":"glob","args":{}}}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"AfterTool","tailToolCallRequest":{"name":"glob","args":{}}}}"#,
        ),
        ("AfterAgent", r#"{"clearContext":"yes"}"#, "0 {} | lost extra"),
        ("Notification", r#"{"suppressOutput":true}"#, r#"0 {"suppressOutput":true}"#),
        ("Notification", r#"{"suppressOutput":false}"#, "0 {}"),
        ("Notification", r#"{"suppressOutput":1}"#, "0 {} | lost extra"),
        ("BeforeToolSelection", r#"{"suppressOutput":true}"#, "0 {} | lost extra"),
        ("BeforeTool", r#"{"clearContext":true}"#, "0 {} | lost extra"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_extra(fields)), expected, "{name}");
    }
}

#[test]
fn of_two_hooks_the_later_has_an_extra_and_any_of_them_a_flag() {
    let two = |first: &str, second: &str| {
        let extras = vec![
            super::label_value("a", super::parse_json(first)),
            super::label_value("b", super::parse_json(second)),
        ];
        Outcome { extras, ..Outcome::default() }
    };
    for (name, first, second, expected) in [
        ("AfterAgent", r#"{"clearContext":true}"#, r#"{"clearContext":false}"#, r#""clearContext":true"#),
        ("AfterAgent", r#"{"clearContext":false}"#, r#"{"clearContext":true}"#, r#""clearContext":true"#),
        (
            "BeforeModel",
            r#"{"llm_response":{"a":1}}"#,
            r#"{"llm_response":{"b":2}}"#,
            r#""llm_response":{"b":2}"#,
        ),
    ] {
        assert_eq!(
            answer_to(name, &two(first, second)),
            format!(r#"0 {{"hookSpecificOutput":{{"hookEventName":"{name}",{expected}}}}}"#)
        );
    }
    assert_eq!(
        answer_to("AfterTool", &two(r#"{"suppressOutput":true}"#, "{}")),
        r#"0 {"suppressOutput":true}"#
    );
}

#[test]
fn a_failure_is_reported_where_the_agent_reads_it() {
    for (name, expected) in [
        (Some("BeforeTool"), r#"2 {"decision":"deny","reason":"broken"} | broken"#),
        (None, r#"2 {"decision":"deny","reason":"broken"} | broken"#),
        (Some("SessionEnd"), r#"1 {"systemMessage":"broken"} | broken"#),
    ] {
        assert_eq!(format_answer(&GeminiCli.write_failure(name, "broken")), expected);
    }
}
