//! Answers for Claude Code.

use std::time::Duration;

use hookbox::agents::{Dialect, claude_code::ClaudeCode};
use hookbox_model::{Event, EventName, Outcome, Verdict};

use super::{
    blocks_event, format_answer, label_value, outcome_with_extra, outcome_with_rewrite, outcome_with_texts,
    outcome_with_verdict, read_event, samples,
};

fn sample_event(name: &str) -> Event {
    let known = samples::CLAUDE_CODE.iter().find(|(sample, _)| *sample == name);
    read_event(&ClaudeCode, &samples::make_input(name, known.map_or(r#""x":1"#, |(_, members)| members)))
        .unwrap()
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&ClaudeCode.write(&sample_event(name), outcome))
}

#[test]
fn an_empty_outcome_is_an_empty_object() {
    for (name, _) in samples::CLAUDE_CODE.iter().filter(|(name, _)| *name != "WorktreeCreate") {
        assert_eq!(answer_to(name, &Outcome::default()), "0 {}", "{name}");
    }
    assert_eq!(answer_to("FutureEvent", &Outcome::default()), "0 {}");
}

#[test]
fn a_deny_is_written_in_the_form_of_the_event() {
    for (name, expected) in [
        (
            "PreToolUse",
            r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard-shell: this erases the disk (rm-root)"}}"#,
        ),
        (
            "PermissionRequest",
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"guard-shell: this erases the disk (rm-root)"}}}"#,
        ),
        (
            "UserPromptSubmit",
            r#"0 {"decision":"block","reason":"guard-shell: this erases the disk (rm-root)"}"#,
        ),
        ("Stop", r#"0 {"decision":"block","reason":"guard-shell: this erases the disk (rm-root)"}"#),
        ("TaskCreated", r#"0 {"decision":"block","reason":"guard-shell: this erases the disk (rm-root)"}"#),
        ("TaskCompleted", "2 {} | guard-shell: this erases the disk (rm-root)"),
        ("TeammateIdle", "2 {} | guard-shell: this erases the disk (rm-root)"),
        ("WorktreeCreate", "2  | guard-shell: this erases the disk (rm-root)"),
        (
            "Elicitation",
            r#"0 {"hookSpecificOutput":{"hookEventName":"Elicitation","action":"decline"},"systemMessage":"guard-shell: this erases the disk (rm-root)"}"#,
        ),
        (
            "PreModelSwitch",
            r#"2 {"hookSpecificOutput":{"hookEventName":"PreModelSwitch","permissionDecision":"deny","permissionDecisionReason":"guard-shell: this erases the disk (rm-root)"}} | guard-shell: this erases the disk (rm-root)"#,
        ),
        (
            "FutureEvent",
            r#"2 {"decision":"block","reason":"guard-shell: this erases the disk (rm-root)"} | guard-shell: this erases the disk (rm-root)"#,
        ),
        ("SessionStart", "0 {} | lost deny"),
        ("StopFailure", "0 {} | lost deny"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_verdict(Verdict::Deny)), expected, "{name}");
    }
}

#[test]
fn a_deny_an_ask_and_a_failure_block_whatever_can_be_blocked() {
    let names = samples::CLAUDE_CODE.iter().map(|(name, _)| *name).chain(["FutureEvent"]);
    for name in names {
        let event = sample_event(name);
        let can = event.name.traits().block;
        let deny = ClaudeCode.write(&event, &outcome_with_verdict(Verdict::Deny));
        assert_eq!((blocks_event(&deny), deny.unexpressed.is_empty()), (can, can), "{name}");
        assert!(!can || format!("{deny:?}").contains("this erases the disk"), "{name}");
        let ask = ClaudeCode.write(&event, &outcome_with_verdict(Verdict::Ask));
        let asks = ["PreToolUse", "PreModelSwitch", "PermissionRequest"].contains(&name);
        assert_eq!(blocks_event(&ask), can && !asks, "{name}");
        let failure = ClaudeCode.write_failure(Some(name), "no configuration");
        assert_eq!(blocks_event(&failure), can, "{name}");
    }
    assert!(blocks_event(&ClaudeCode.write_failure(None, "no configuration")));
}

#[test]
fn ask_allow_and_defer_are_written_where_claude_code_supports_them() {
    for (name, word, expected) in [
        ("PreToolUse", Verdict::Ask as fn(_) -> _, r#""permissionDecision":"ask""#),
        ("PreToolUse", Verdict::Allow, r#""permissionDecision":"allow""#),
        ("PreToolUse", Verdict::Defer, r#""permissionDecision":"defer""#),
        ("PreModelSwitch", Verdict::Ask, r#""permissionDecision":"ask""#),
        ("PreModelSwitch", Verdict::Defer, r#""permissionDecision":"deny""#),
        ("PermissionRequest", Verdict::Allow, r#""decision":{"behavior":"allow"}"#),
        // Without an answer Claude Code asks the user.
        ("PermissionRequest", Verdict::Ask, "0 {}"),
        ("UserPromptSubmit", Verdict::Ask, r#""decision":"block""#),
        ("UserPromptSubmit", Verdict::Allow, "0 {}"),
        ("SessionEnd", Verdict::Ask, "0 {} | lost ask"),
    ] {
        let answer = answer_to(name, &outcome_with_verdict(word));
        assert!(answer.contains(expected), "{name}: {answer}");
    }
}

#[test]
fn a_rewrite_goes_where_the_event_takes_it_untouched_and_never_brings_an_allow() {
    let allowed = |part: &str| Outcome {
        rewrite: Some(super::parse_json(part)),
        ..outcome_with_verdict(Verdict::Allow)
    };
    for (name, outcome, expected) in [
        (
            "PreToolUse",
            outcome_with_rewrite(r#"{"command": "ls",  "n":1.50}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command": "ls",  "n":1.50}}}"#,
        ),
        (
            "PostToolUse",
            outcome_with_rewrite(r#""cut""#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"cut"}}"#,
        ),
        (
            "MessageDisplay",
            outcome_with_rewrite(r#""***""#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"MessageDisplay","displayContent":"***"}}"#,
        ),
        ("MessageDisplay", outcome_with_rewrite("7"), "0 {} | lost rewrite"),
        ("PermissionRequest", outcome_with_rewrite("{}"), "0 {} | lost rewrite"),
        (
            "PermissionRequest",
            allowed(r#"{"a":1}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"a":1}}}}"#,
        ),
        (
            "Elicitation",
            outcome_with_rewrite(r#"{"action":"accept","content":{"a":1}}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"a":1}}}"#,
        ),
        ("ElicitationResult", outcome_with_rewrite(r#"{"action":"shout"}"#), "0 {} | lost rewrite"),
        ("WorktreeCreate", outcome_with_rewrite(r#""/w/x""#), "0 /w/x"),
        ("UserPromptSubmit", outcome_with_rewrite(r#""other words""#), "0 {} | lost rewrite"),
    ] {
        assert_eq!(answer_to(name, &outcome), expected, "{name}");
    }
    let deferred = Outcome { rewrite: Some(super::parse_json("{}")), ..outcome_with_verdict(Verdict::Defer) };
    assert!(answer_to("PreToolUse", &deferred).ends_with("| lost rewrite"));
}

#[test]
fn a_worktree_is_at_the_path_of_a_hook_or_is_refused_with_advice() {
    let refusal = "2  | no hook said where the worktree is; let one rewrite `path` to an absolute path, or take \
                   WorktreeCreate out of the settings";
    for outcome in [
        Outcome::default(),
        outcome_with_rewrite(r#""w""#),
        outcome_with_rewrite(r#""/w\n/x""#),
        outcome_with_rewrite("{}"),
    ] {
        assert_eq!(answer_to("WorktreeCreate", &outcome), refusal);
    }
}

#[test]
fn texts_go_to_the_model_the_person_and_the_end_of_the_run() {
    for (name, expected) in [
        (
            "UserPromptSubmit",
            r#"0 {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"[hookbox: house-rules]\nBe kind."},"continue":false,"stopReason":"budget: Enough.","systemMessage":"watcher: I saw it."}"#,
        ),
        (
            "Notification",
            r#"0 {"continue":false,"stopReason":"budget: Enough.","systemMessage":"watcher: I saw it."} | lost context"#,
        ),
        // Its run cannot be ended, but the task can be kept from being created.
        (
            "TaskCreated",
            r#"0 {"decision":"block","reason":"budget: Enough.","systemMessage":"watcher: I saw it."} | lost stop context"#,
        ),
        ("WorktreeCreate", "2  | budget: Enough. | lost stop context notice"),
        ("StopFailure", "0 {} | lost stop context notice"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_texts()), expected, "{name}");
    }
}

#[test]
fn a_rewrite_and_a_context_are_written_with_an_ask() {
    let mut outcome = outcome_with_verdict(Verdict::Ask);
    outcome.rewrite = Some(super::parse_json(r#"{"command":"ls"}"#));
    outcome.contexts = vec![label_value("rules", "Mind the gap.".into())];
    assert_eq!(
        answer_to("PreToolUse", &outcome),
        r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"guard-shell: this erases the disk (rm-root)","updatedInput":{"command":"ls"},"additionalContext":"[hookbox: rules]\nMind the gap."}}"#
    );
}

#[test]
fn extras_are_passed_for_the_events_that_read_them_if_they_are_of_their_kind() {
    let allow = |fields: &str| Outcome {
        extras: outcome_with_extra(fields).extras,
        ..outcome_with_verdict(Verdict::Allow)
    };
    for (name, outcome, expected) in [
        (
            "SessionStart",
            outcome_with_extra(r#"{"sessionTitle":"t\u001b[2J","watchPaths":["a"],"reloadSkills":true}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"SessionStart","sessionTitle":"t[2J","watchPaths":["a"],"reloadSkills":true}}"#,
        ),
        ("SessionStart", outcome_with_extra(r#"{"watchPaths":"a"}"#), "0 {} | lost extra"),
        ("UserPromptSubmit", outcome_with_extra(r#"{"watchPaths":["a"]}"#), "0 {} | lost extra"),
        ("PreToolUse", outcome_with_extra(r#"{"permissionDecision":"allow"}"#), "0 {} | lost extra"),
        (
            "PermissionDenied",
            outcome_with_extra(r#"{"retry":true}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}"#,
        ),
        (
            "PermissionRequest",
            allow(r#"{"updatedPermissions":[],"interrupt":true}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[]}}} | lost extra"#,
        ),
        ("FutureEvent", outcome_with_extra(r#"{"retry":true}"#), "0 {} | lost extra"),
    ] {
        assert_eq!(answer_to(name, &outcome), expected, "{name}");
    }
}

#[test]
fn of_two_hooks_the_first_has_the_extra() {
    let mut outcome = outcome_with_extra(r#"{"sessionTitle":"first"}"#);
    outcome.extras.push(label_value("second", super::parse_json(r#"{"sessionTitle":"second"}"#)));
    let expected =
        r#"0 {"hookSpecificOutput":{"hookEventName":"SessionStart","sessionTitle":"first"}} | lost extra"#;
    assert_eq!(answer_to("SessionStart", &outcome), expected);
}

#[test]
fn a_failure_is_reported_where_the_agent_reads_it() {
    for (name, expected) in [
        (Some("PreToolUse"), "2 {} | hooks.toml:3: no such event"),
        (Some("Future"), "2 {} | hooks.toml:3: no such event"),
        (None, "2 {} | hooks.toml:3: no such event"),
        (Some("WorktreeCreate"), "2  | hooks.toml:3: no such event"),
        (
            Some("SessionStart"),
            r#"1 {"systemMessage":"hooks.toml:3: no such event"} | hooks.toml:3: no such event"#,
        ),
        // The exit code does not count for this one.
        (
            Some("PermissionRequest"),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"hooks.toml:3: no such event"}}} | hooks.toml:3: no such event"#,
        ),
    ] {
        assert_eq!(format_answer(&ClaudeCode.write_failure(name, "hooks.toml:3: no such event")), expected);
    }
}

#[test]
fn the_agent_timeout_is_shorter_for_events_that_the_user_waits_for() {
    for (event, agent_timeout) in [
        (EventName::ToolBefore, Duration::from_mins(10)),
        (EventName::PromptSubmit, Duration::from_secs(30)),
        (EventName::MessageDisplay, Duration::from_secs(10)),
        (EventName::SessionEnd, Duration::from_millis(1500)),
    ] {
        assert_eq!(ClaudeCode.agent_timeout(&event), agent_timeout);
    }
}
