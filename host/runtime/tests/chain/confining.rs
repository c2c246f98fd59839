//! Commands that run confined: the outcome of several hooks, and of a command that cannot be confined.

use std::sync::Arc;

use hookbox::{
    CONFINE,
    interfaces::{ConfineError, Confiner},
    model::{Answer, Effect, Event, EventName, Outcome, ProfileName, Role, TrustLevel, Verdict},
};

use super::bed::*;

/// A confiner that knows two profiles.
#[derive(Debug)]
struct Known;

impl Confiner for Known {
    fn words(&self, profile: &ProfileName, _: &Event) -> Result<Vec<String>, ConfineError> {
        match profile.as_str() {
            "a" | "b" => Ok(vec!["confined".to_owned(), profile.to_string()]),
            other => Err(ConfineError::new_repairable(format!("no {other}"))),
        }
    }
}

fn confining_chain() -> Chain {
    Chain::new().configure_with(|builder| builder.confiner(Arc::new(Known)))
}

fn confine_with(profile: &str) -> Answer {
    Answer::confine(ProfileName::new(profile).unwrap())
}

/// Returns each profile as `a=profile`.
fn list_profiles(outcome: &Outcome) -> Vec<String> {
    outcome.confine.iter().map(|label| format!("{}={}", label.hook, label.value)).collect()
}

const CONFINED: &str = r#"{"command":"confined a /bin/sh -c ls"}"#;

#[test]
fn the_command_is_started_confined() {
    let outcome = confining_chain().add_answer(make_gate("g"), confine_with("a")).run();
    assert_eq!((format_verdict(&outcome).as_str(), rewritten_part(&outcome)), ("none: ", CONFINED));
    assert_eq!(list_profiles(&outcome), ["g=a"]);
}

#[test]
fn confined_is_what_the_hooks_left_of_the_command() {
    let outcome = confining_chain()
        .add_answer(make_transform("t"), replace_command("pwd; ls"))
        .add_answer(make_gate("g"), confine_with("a"))
        .run();
    assert_eq!(rewritten_part(&outcome), r#"{"command":"confined a /bin/sh -c 'pwd; ls'"}"#);
}

/// The rank is deny > defer > ask > confine > allow > none.
#[test]
fn a_deny_and_a_defer_drop_a_confinement_and_an_ask_and_an_allow_keep_it() {
    for (answer, expected, part) in [
        (empty_answer(), "none: ", CONFINED),
        (allow_with("fine"), "allow: h=fine", CONFINED),
        (ask_with("?"), "ask: h=?", CONFINED),
        (defer_with("later"), "defer: h=later", ""),
        (deny_with("no"), "deny: h=no", ""),
    ] {
        for first in [true, false] {
            let (one, other) = ((make_gate("h"), answer.clone()), (make_gate("g"), confine_with("a")));
            let [one, other] = if first { [one, other] } else { [other, one] };
            let outcome = confining_chain().add_answer(one.0, one.1).add_answer(other.0, other.1).run();
            assert_eq!(
                (format_verdict(&outcome).as_str(), rewritten_part(&outcome)),
                (expected, part),
                "{answer:?}"
            );
            assert_eq!(outcome.confine.is_empty(), part.is_empty(), "{answer:?}");
        }
    }
}

#[test]
fn hooks_that_agree_are_one_and_hooks_that_do_not_are_a_question() {
    let outcome = confining_chain()
        .add_answer(make_gate("g"), confine_with("a"))
        .add_answer(make_gate("h"), confine_with("a"))
        .run();
    assert_eq!(
        (list_profiles(&outcome), rewritten_part(&outcome)),
        (vec!["g=a".into(), "h=a".into()], CONFINED)
    );
    let outcome = confining_chain()
        .add_answer(make_gate("g"), confine_with("a"))
        .add_answer(make_gate("h"), confine_with("b"))
        .run();
    let asked = "ask: confine=g, h would have this run confined, and that cannot be: hooks name different profiles (`a`, `b`). If \
                 it runs, it runs unconfined";
    assert_eq!((format_verdict(&outcome).as_str(), rewritten_part(&outcome)), (asked, ""));
    assert_eq!(format_texts(&outcome.notices).len(), 1);
}

fn is_asked(outcome: &Outcome, why: &str) {
    let verdict = format_verdict(outcome);
    assert!(verdict.starts_with("ask: ") && verdict.contains(why), "{verdict}");
    assert!(outcome.confine.is_empty() && outcome.reports.iter().any(|report| report.hook == CONFINE));
}

#[test]
fn what_cannot_be_confined_is_asked_about_whatever_allowed_it() {
    let outcome = confining_chain()
        .add_answer(make_gate("g"), confine_with("c"))
        .add_answer(make_gate("h"), allow_with("fine"))
        .run();
    is_asked(&outcome, "confine=g would have this run confined, and that cannot be: no c.");
    assert_eq!((format_texts(&outcome.notices).len(), rewritten_part(&outcome)), (1, ""));
    // The request of another hook is reported, too.
    let outcome = confining_chain()
        .add_answer(make_gate("h"), ask_with("?"))
        .add_answer(make_gate("g"), confine_with("c"))
        .run();
    is_asked(&outcome, "ask: h=?, confine=g would have");
    let outcome = Chain::new().add_answer(make_gate("g"), confine_with("a")).run();
    is_asked(&outcome, "this program has no `hookbox` that could do it");
}

#[test]
fn only_a_command_that_is_about_to_run_can_be_confined() {
    let asked = |event: Event, why: &str| {
        let host = confining_chain()
            .add_answer(on_event(event.name.clone(), make_gate("g")), confine_with("a"))
            .host();
        is_asked(&dispatch_event(&host, event), why);
    };
    asked(make_event(EventName::PermissionRequest, Some("ls")), "only a command that is about to run can be");
    let call = |change: &dyn Fn(&mut Event)| {
        let mut event = shell_event();
        change(&mut event);
        event
    };
    let with = |input: &str| {
        let input = parse_json(input);
        call(&|event| event.tool.as_mut().unwrap().input = input.clone())
    };
    asked(
        call(&|event| event.tool.as_mut().unwrap().class = hookbox::model::ToolClass::Mcp),
        "not that of a shell",
    );
    asked(
        call(&|event| event.agent = "cursor".into()),
        "it is not sure that cursor runs this as a hook changes it",
    );
    asked(call(&|event| event.agent = "evil\u{1b}".into()), "that this agent runs this");
    for input in [
        r#"{"command":["ls"]}"#,
        r#"{"commands":["ls"]}"#,
        "{}",
        r#"{"command":"ls","args":["x"]}"#,
        r#"{"command":"ls","cmd":"ls"}"#,
    ] {
        asked(with(input), "in more than one text, or in none");
    }
    asked(with(r#"{"command":"a\u0000b"}"#), "no argument can have");
    asked(with(&format!(r#"{{"command":"{}"}}"#, "x".repeat(100 << 10))), "too long to be an argument");
}

/// Confinement is a milder ask, so every hook that may ask may request it. An untrusted hook may not choose the
/// profile.
#[test]
fn it_takes_a_hook_that_may_ask_and_that_someone_has_reviewed() {
    for trust_level in [TrustLevel::Reviewed, TrustLevel::Signed, TrustLevel::Own] {
        for role in [Role::Gate, Role::Transform] {
            let outcome = confining_chain()
                .add_answer(with_trust_level(trust_level, make_hook("h", role)), confine_with("a"))
                .run();
            assert_eq!(rewritten_part(&outcome), CONFINED, "{trust_level} {role}");
        }
    }
    let outcome = confining_chain()
        .add_answer(with_trust_level(TrustLevel::Untrusted, make_gate("h")), confine_with("a"))
        .run();
    assert_eq!((outcome.verdict.as_str(), rewritten_part(&outcome)), ("ask", ""));
    let theirs = Answer { confine: ProfileName::new("a"), ..deny_with("no") };
    let outcome =
        confining_chain().add_answer(with_trust_level(TrustLevel::Untrusted, make_gate("h")), theirs).run();
    assert_eq!(outcome.verdict.as_str(), "deny");
    let outcome = confining_chain().add_answer(make_observer("o"), confine_with("a")).run();
    assert_eq!((&outcome.verdict, rewritten_part(&outcome)), (&Verdict::None, ""));
    assert_eq!(outcome.reports[0].clamped, [Effect::Ask]);
}
