//! Answers for Claude Code.

use std::time::Duration;

use hookbox::dialect::{Dialect, claude_code::ClaudeCode};
use hookbox_model::{Event, EventName, Outcome, Verdict};

use super::{blocks, extra, read, rewrite, said, samples, shown, texts, verdict};

fn event(name: &str) -> Event {
    let known = samples::CLAUDE_CODE.iter().find(|(sample, _)| *sample == name);
    read(&ClaudeCode, &samples::input(name, known.map_or(r#""x":1"#, |(_, members)| members))).unwrap()
}

fn told(name: &str, outcome: &Outcome) -> String {
    shown(&ClaudeCode.write(&event(name), outcome))
}

#[test]
fn an_empty_outcome_is_an_empty_object() {
    for (name, _) in samples::CLAUDE_CODE.iter().filter(|(name, _)| *name != "WorktreeCreate") {
        assert_eq!(told(name, &Outcome::default()), "0 {}", "{name}");
    }
    assert_eq!(told("FutureEvent", &Outcome::default()), "0 {}");
}

#[test]
fn a_deny_is_said_in_the_way_that_the_event_has() {
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
        assert_eq!(told(name, &verdict(Verdict::Deny)), expected, "{name}");
    }
}

#[test]
fn a_deny_an_ask_and_a_failure_block_whatever_can_be_blocked() {
    let names = samples::CLAUDE_CODE.iter().map(|(name, _)| *name).chain(["FutureEvent"]);
    for name in names {
        let event = event(name);
        let can = event.name.traits().block;
        let deny = ClaudeCode.write(&event, &verdict(Verdict::Deny));
        assert_eq!((blocks(&deny), deny.unexpressed.is_empty()), (can, can), "{name}");
        assert!(!can || format!("{deny:?}").contains("this erases the disk"), "{name}");
        let ask = ClaudeCode.write(&event, &verdict(Verdict::Ask));
        let asks = ["PreToolUse", "PreModelSwitch", "PermissionRequest"].contains(&name);
        assert_eq!(blocks(&ask), can && !asks, "{name}");
        let failure = ClaudeCode.write_failure(Some(name), "no configuration");
        assert_eq!(blocks(&failure), can, "{name}");
    }
    assert!(blocks(&ClaudeCode.write_failure(None, "no configuration")));
}

#[test]
fn ask_allow_and_defer_are_said_where_claude_code_knows_them() {
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
        let told = told(name, &verdict(word));
        assert!(told.contains(expected), "{name}: {told}");
    }
}

#[test]
fn a_rewrite_goes_where_the_event_takes_it_untouched_and_never_brings_an_allow() {
    let allowed = |part: &str| Outcome { rewrite: Some(super::json(part)), ..verdict(Verdict::Allow) };
    for (name, outcome, expected) in [
        (
            "PreToolUse",
            rewrite(r#"{"command": "ls",  "n":1.50}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command": "ls",  "n":1.50}}}"#,
        ),
        (
            "PostToolUse",
            rewrite(r#""cut""#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"cut"}}"#,
        ),
        (
            "MessageDisplay",
            rewrite(r#""***""#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"MessageDisplay","displayContent":"***"}}"#,
        ),
        ("MessageDisplay", rewrite("7"), "0 {} | lost rewrite"),
        ("PermissionRequest", rewrite("{}"), "0 {} | lost rewrite"),
        (
            "PermissionRequest",
            allowed(r#"{"a":1}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"a":1}}}}"#,
        ),
        (
            "Elicitation",
            rewrite(r#"{"action":"accept","content":{"a":1}}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"a":1}}}"#,
        ),
        ("ElicitationResult", rewrite(r#"{"action":"shout"}"#), "0 {} | lost rewrite"),
        ("WorktreeCreate", rewrite(r#""/w/x""#), "0 /w/x"),
        ("UserPromptSubmit", rewrite(r#""other words""#), "0 {} | lost rewrite"),
    ] {
        assert_eq!(told(name, &outcome), expected, "{name}");
    }
    let deferred = Outcome { rewrite: Some(super::json("{}")), ..verdict(Verdict::Defer) };
    assert!(told("PreToolUse", &deferred).ends_with("| lost rewrite"));
}

#[test]
fn a_worktree_is_where_a_hook_says_or_is_refused_with_what_to_do() {
    let refusal = "2  | no hook said where the worktree is; let one rewrite `path` to an absolute path, or take \
                   WorktreeCreate out of the settings";
    for outcome in [Outcome::default(), rewrite(r#""w""#), rewrite(r#""/w\n/x""#), rewrite("{}")] {
        assert_eq!(told("WorktreeCreate", &outcome), refusal);
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
        assert_eq!(told(name, &texts()), expected, "{name}");
    }
}

#[test]
fn a_rewrite_and_a_context_come_beside_an_ask() {
    let mut outcome = verdict(Verdict::Ask);
    outcome.rewrite = Some(super::json(r#"{"command":"ls"}"#));
    outcome.contexts = vec![said("rules", "Mind the gap.".into())];
    assert_eq!(
        told("PreToolUse", &outcome),
        r#"0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"guard-shell: this erases the disk (rm-root)","updatedInput":{"command":"ls"},"additionalContext":"[hookbox: rules]\nMind the gap."}}"#
    );
}

#[test]
fn extras_are_passed_for_the_events_that_read_them_if_they_are_of_their_kind() {
    let allow = |fields: &str| Outcome { extras: extra(fields).extras, ..verdict(Verdict::Allow) };
    for (name, outcome, expected) in [
        (
            "SessionStart",
            extra(r#"{"sessionTitle":"t\u001b[2J","watchPaths":["a"],"reloadSkills":true}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"SessionStart","sessionTitle":"t[2J","watchPaths":["a"],"reloadSkills":true}}"#,
        ),
        ("SessionStart", extra(r#"{"watchPaths":"a"}"#), "0 {} | lost extra"),
        ("UserPromptSubmit", extra(r#"{"watchPaths":["a"]}"#), "0 {} | lost extra"),
        ("PreToolUse", extra(r#"{"permissionDecision":"allow"}"#), "0 {} | lost extra"),
        (
            "PermissionDenied",
            extra(r#"{"retry":true}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}"#,
        ),
        (
            "PermissionRequest",
            allow(r#"{"updatedPermissions":[],"interrupt":true}"#),
            r#"0 {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[]}}} | lost extra"#,
        ),
        ("FutureEvent", extra(r#"{"retry":true}"#), "0 {} | lost extra"),
    ] {
        assert_eq!(told(name, &outcome), expected, "{name}");
    }
}

#[test]
fn of_two_hooks_the_first_has_the_extra() {
    let mut outcome = extra(r#"{"sessionTitle":"first"}"#);
    outcome.extras.push(said("second", super::json(r#"{"sessionTitle":"second"}"#)));
    let expected =
        r#"0 {"hookSpecificOutput":{"hookEventName":"SessionStart","sessionTitle":"first"}} | lost extra"#;
    assert_eq!(told("SessionStart", &outcome), expected);
}

#[test]
fn a_failure_is_told_where_it_is_heard() {
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
        assert_eq!(shown(&ClaudeCode.write_failure(name, "hooks.toml:3: no such event")), expected);
    }
}

#[test]
fn patience_is_shorter_for_what_the_person_waits_for() {
    for (event, patience) in [
        (EventName::ToolBefore, Duration::from_mins(10)),
        (EventName::PromptSubmit, Duration::from_secs(30)),
        (EventName::MessageDisplay, Duration::from_secs(10)),
        (EventName::SessionEnd, Duration::from_millis(1500)),
    ] {
        assert_eq!(ClaudeCode.patience(&event), patience);
    }
}
