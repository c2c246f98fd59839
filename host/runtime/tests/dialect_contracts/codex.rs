//! Answers for Codex.

use std::time::Duration;

use hookbox::agents::{Dialect, Part, Written, codex::Codex};
use hookbox_model::{Event, EventName, Labelled, Outcome, Reason, Verdict};
use serde_json::Value;

use super::{
    blocks_event, format_answer, outcome_with_extra, outcome_with_rewrite, outcome_with_texts,
    outcome_with_verdict, read_event, samples,
};

fn sample_event(name: &str) -> Event {
    let known = samples::CODEX.iter().find(|(sample, _)| *sample == name);
    read_event(&Codex, &samples::make_input(name, known.map_or(r#""x":1"#, |(_, members)| members))).unwrap()
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&Codex.write(&sample_event(name), outcome))
}

fn sample_names() -> impl Iterator<Item = &'static str> {
    samples::CODEX.iter().map(|(name, _)| *name).chain(["FutureEvent"])
}

/// Returns true if the answer prevents the event. Before a compaction only the end of the run does.
fn prevents_event(name: &str, written: &Written) -> bool {
    let output: Value = serde_json::from_str(&written.stdout).unwrap();
    blocks_event(written) || name == "PreCompact" && output.get("continue") == Some(&Value::Bool(false))
}

#[test]
fn an_empty_outcome_is_an_empty_object() {
    for name in sample_names() {
        assert_eq!(answer_to(name, &Outcome::default()), "0 {}", "{name}");
    }
}

#[test]
fn a_deny_is_written_in_the_form_of_the_event() {
    const REASON: &str = "guard-shell: this erases the disk (rm-root)";
    for (name, expected) in [
        (
            "PreToolUse",
            format!(
                r#"0 {{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"{REASON}"}}}}"#
            ),
        ),
        (
            "PermissionRequest",
            format!(
                r#"0 {{"hookSpecificOutput":{{"hookEventName":"PermissionRequest","decision":{{"behavior":"deny","message":"{REASON}"}}}}}}"#
            ),
        ),
        ("UserPromptSubmit", format!(r#"0 {{"decision":"block","reason":"{REASON}"}}"#)),
        ("PostToolUse", format!(r#"0 {{"decision":"block","reason":"{REASON}"}}"#)),
        ("Stop", format!(r#"0 {{"decision":"block","reason":"{REASON}"}}"#)),
        ("SubagentStop", format!(r#"0 {{"decision":"block","reason":"{REASON}"}}"#)),
        ("PreCompact", format!(r#"0 {{"continue":false,"stopReason":"{REASON}"}}"#)),
        ("FutureEvent", format!("2 {{}} | {REASON}")),
        ("SessionStart", "0 {} | lost deny".to_owned()),
        ("Interrupt", "0 {} | lost deny".to_owned()),
        ("StopFailure", "0 {} | lost deny".to_owned()),
    ] {
        assert_eq!(answer_to(name, &outcome_with_verdict(Verdict::Deny)), expected, "{name}");
    }
}

#[test]
fn a_deny_an_ask_and_a_failure_block_whatever_can_be_blocked() {
    for name in sample_names() {
        let event = sample_event(name);
        let can = event.name.traits().block;
        let deny = Codex.write(&event, &outcome_with_verdict(Verdict::Deny));
        assert_eq!((prevents_event(name, &deny), deny.unexpressed.is_empty()), (can, can), "{name}");
        // Codex has no ask except the one that is already pending.
        let ask = Codex.write(&event, &outcome_with_verdict(Verdict::Ask));
        assert_eq!(prevents_event(name, &ask), can && name != "PermissionRequest", "{name}");
        let failure = Codex.write_failure(Some(name), "no configuration");
        assert_eq!(prevents_event(name, &failure), can, "{name}");
    }
    assert!(blocks_event(&Codex.write_failure(None, "no configuration")));
}

#[test]
fn a_deny_never_goes_without_a_reason() {
    for reason in ["", " \n"] {
        let outcome = Outcome { verdict: Verdict::Deny(Reason::new("", reason)), ..Outcome::default() };
        let expected = r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"a hook of hookbox said so without a reason"}}"#;
        assert_eq!(answer_to("PreToolUse", &outcome), expected);
        assert_eq!(format_answer(&Codex.write_failure(Some("PreToolUse"), reason)), "2 {} | hookbox failed");
    }
}

#[test]
fn an_allow_is_written_for_a_permission_request_alone_and_for_unchanged_arguments() {
    let changed =
        |part| Outcome { rewrite: Some(super::parse_json(part)), ..outcome_with_verdict(Verdict::Allow) };
    for (name, outcome, expected) in [
        ("PreToolUse", outcome_with_verdict(Verdict::Allow), "0 {}"),
        (
            "PreToolUse",
            changed(r#"{"command":"ls"}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}"#,
        ),
        (
            "PermissionRequest",
            outcome_with_verdict(Verdict::Allow),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#,
        ),
        ("PermissionRequest", changed(r#"{"command":"ls"}"#), "0 {} | lost rewrite"),
        ("Stop", outcome_with_verdict(Verdict::Allow), "0 {}"),
    ] {
        assert_eq!(answer_to(name, &outcome), expected, "{name}");
    }
}

#[test]
fn a_rewrite_goes_where_the_event_takes_it_untouched() {
    for (name, part, expected) in [
        (
            "PreToolUse",
            r#"{"command": "ls",  "n":1.50}"#,
            r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command": "ls",  "n":1.50}}}"#,
        ),
        ("PostToolUse", r#""cut""#, "0 {} | lost rewrite"),
        ("UserPromptSubmit", r#""other words""#, "0 {} | lost rewrite"),
        ("FutureEvent", "{}", "0 {} | lost rewrite"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_rewrite(part)), expected, "{name}");
    }
    let mcp = r#""turn_id":"t","tool_name":"mcp__fs__read","tool_input":{},"tool_response":{}"#;
    let event = read_event(&Codex, &samples::make_input("PostToolUse", mcp)).unwrap();
    assert_eq!(
        format_answer(&Codex.write(&event, &outcome_with_rewrite(r#"{"content":[]}"#))),
        "0 {} | lost rewrite"
    );
}

#[test]
fn effects_next_to_an_unsupported_rewrite_are_written() {
    let context = Labelled { hook: "h".to_owned(), value: "note".to_owned() };
    let outcome = Outcome { contexts: vec![context], ..outcome_with_rewrite(r#""cut""#) };
    assert_eq!(
        answer_to("PostToolUse", &outcome),
        "0 {\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"additionalContext\":\"[hookbox: h]\\nnote\"}} | lost rewrite"
    );
}

#[test]
fn an_ask_takes_the_rewrite_with_it() {
    let outcome = Outcome { rewrite: Some(super::parse_json("{}")), ..outcome_with_verdict(Verdict::Ask) };
    let expected = r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard-shell: this erases the disk (rm-root)"}} | lost rewrite"#;
    assert_eq!(answer_to("PreToolUse", &outcome), expected);
}

#[test]
fn texts_go_only_where_codex_accepts_them() {
    for (name, expected) in [
        (
            "UserPromptSubmit",
            r#"0 {"continue":false,"stopReason":"budget: Enough.","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"[hookbox: house-rules]\nBe kind."},"systemMessage":"watcher: I saw it."}"#,
        ),
        // A tool call cannot end the run, but can be denied.
        (
            "PreToolUse",
            r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"budget: Enough.","additionalContext":"[hookbox: house-rules]\nBe kind."},"systemMessage":"watcher: I saw it."} | lost stop"#,
        ),
        (
            "PermissionRequest",
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"budget: Enough."}},"systemMessage":"watcher: I saw it."} | lost stop context"#,
        ),
        (
            "Stop",
            r#"0 {"continue":false,"stopReason":"budget: Enough.","systemMessage":"watcher: I saw it."} | lost context"#,
        ),
        (
            "PreCompact",
            r#"0 {"continue":false,"stopReason":"budget: Enough.","systemMessage":"watcher: I saw it."} | lost context"#,
        ),
        ("Interrupt", r#"0 {"systemMessage":"watcher: I saw it."} | lost stop context"#),
        ("FutureEvent", "2 {} | budget: Enough. | lost stop context notice"),
        ("SessionEnd", "0 {} | lost stop context notice"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_texts()), expected, "{name}");
    }
}

#[test]
fn what_codex_rejects_is_in_no_answer() {
    let everything = |word: fn(Reason) -> Verdict| Outcome {
        rewrite: Some(super::parse_json("{}")),
        extras: outcome_with_extra(r#"{"suppressOutput":true,"interrupt":true,"updatedPermissions":[]}"#)
            .extras,
        ..Outcome {
            verdict: outcome_with_verdict(word).verdict,
            reasons: outcome_with_verdict(word).reasons,
            ..outcome_with_texts()
        }
    };
    for name in sample_names() {
        for word in [Verdict::Deny as fn(_) -> _, Verdict::Ask, Verdict::Allow, Verdict::Defer] {
            let written = Codex.write(&sample_event(name), &everything(word));
            for never in ["suppressOutput", "interrupt", "updatedPermissions", r#""ask""#, r#""defer""#] {
                assert!(!written.stdout.contains(never), "{name}: {}", written.stdout);
            }
            assert!(written.unexpressed.contains(&Part::Extra), "{name}");
        }
    }
}

#[test]
fn a_failure_is_reported_where_the_agent_reads_it() {
    for (name, expected) in [
        (Some("PreToolUse"), "2 {} | broken"),
        (Some("Future"), "2 {} | broken"),
        (None, "2 {} | broken"),
        // An exit code would not block it.
        (Some("PreCompact"), r#"0 {"continue":false,"stopReason":"broken"} | broken"#),
        // Codex reads no JSON at another exit code.
        (Some("SessionStart"), r#"0 {"systemMessage":"broken"} | broken"#),
        (Some("SessionEnd"), "1 {} | broken"),
    ] {
        assert_eq!(format_answer(&Codex.write_failure(name, "broken")), expected);
    }
}

#[test]
fn the_agent_timeout_is_short_for_the_last_events() {
    for (event, agent_timeout) in [
        (EventName::ToolBefore, Duration::from_mins(10)),
        (EventName::SessionEnd, Duration::from_secs(3)),
        (EventName::PromptInterrupt, Duration::from_secs(3)),
    ] {
        assert_eq!(Codex.agent_timeout(&event), agent_timeout);
    }
}
