//! Commands that run confined: the outcome of several hooks, and of a command that cannot be confined.

use std::sync::Arc;

use hookbox::{
    CONFINE,
    model::{Answer, Effect, Event, EventName, Outcome, ProfileName, Role, Tier, Verdict},
    port::{Confiner, Unconfined},
};

use super::bed::*;

/// A confiner that knows two profiles.
#[derive(Debug)]
struct Known;

impl Confiner for Known {
    fn words(&self, profile: &ProfileName, _: &Event) -> Result<Vec<String>, Unconfined> {
        match profile.as_str() {
            "a" | "b" => Ok(vec!["confined".to_owned(), profile.to_string()]),
            other => Err(Unconfined::until_mended(format!("no {other}"))),
        }
    }
}

fn chain() -> Chain {
    Chain::new().built(|builder| builder.confiner(Arc::new(Known)))
}

fn confine(profile: &str) -> Answer {
    Answer::confine(ProfileName::new(profile).unwrap())
}

/// Returns each profile as `a=profile`.
fn profiles(outcome: &Outcome) -> Vec<String> {
    outcome.confine.iter().map(|said| format!("{}={}", said.hook, said.value)).collect()
}

const CONFINED: &str = r#"{"command":"confined a /bin/sh -c ls"}"#;

#[test]
fn the_command_is_started_confined() {
    let outcome = chain().says(gate("g"), confine("a")).run();
    assert_eq!((verdict(&outcome).as_str(), rewrite(&outcome)), ("none: ", CONFINED));
    assert_eq!(profiles(&outcome), ["g=a"]);
}

#[test]
fn confined_is_what_the_hooks_left_of_the_command() {
    let outcome = chain().says(transform("t"), command("pwd; ls")).says(gate("g"), confine("a")).run();
    assert_eq!(rewrite(&outcome), r#"{"command":"confined a /bin/sh -c 'pwd; ls'"}"#);
}

/// The rank is deny > defer > ask > confine > allow > none.
#[test]
fn a_deny_and_a_defer_drop_it_an_ask_stands_beside_it_and_an_allow_is_of_what_is_confined() {
    for (said, expected, part) in [
        (nothing(), "none: ", CONFINED),
        (allow("fine"), "allow: h=fine", CONFINED),
        (ask("?"), "ask: h=?", CONFINED),
        (defer("later"), "defer: h=later", ""),
        (deny("no"), "deny: h=no", ""),
    ] {
        for first in [true, false] {
            let (one, other) = ((gate("h"), said.clone()), (gate("g"), confine("a")));
            let [one, other] = if first { [one, other] } else { [other, one] };
            let outcome = chain().says(one.0, one.1).says(other.0, other.1).run();
            assert_eq!((verdict(&outcome).as_str(), rewrite(&outcome)), (expected, part), "{said:?}");
            assert_eq!(outcome.confine.is_empty(), part.is_empty(), "{said:?}");
        }
    }
}

#[test]
fn hooks_that_agree_are_one_and_hooks_that_do_not_are_a_question() {
    let outcome = chain().says(gate("g"), confine("a")).says(gate("h"), confine("a")).run();
    assert_eq!((profiles(&outcome), rewrite(&outcome)), (vec!["g=a".into(), "h=a".into()], CONFINED));
    let outcome = chain().says(gate("g"), confine("a")).says(gate("h"), confine("b")).run();
    let asked = "ask: confine=g, h would have this run confined, and that cannot be: hooks name different profiles (`a`, `b`). If \
                 it runs, it runs unconfined";
    assert_eq!((verdict(&outcome).as_str(), rewrite(&outcome)), (asked, ""));
    assert_eq!(texts(&outcome.notices).len(), 1);
}

fn is_asked(outcome: &Outcome, why: &str) {
    let said = verdict(outcome);
    assert!(said.starts_with("ask: ") && said.contains(why), "{said}");
    assert!(outcome.confine.is_empty() && outcome.reports.iter().any(|report| report.hook == CONFINE));
}

#[test]
fn what_cannot_be_confined_is_asked_about_whatever_allowed_it() {
    let outcome = chain().says(gate("g"), confine("c")).says(gate("h"), allow("fine")).run();
    is_asked(&outcome, "confine=g would have this run confined, and that cannot be: no c.");
    assert_eq!((texts(&outcome.notices).len(), rewrite(&outcome)), (1, ""));
    // The request of another hook is reported, too.
    let outcome = chain().says(gate("h"), ask("?")).says(gate("g"), confine("c")).run();
    is_asked(&outcome, "ask: h=?, confine=g would have");
    let outcome = Chain::new().says(gate("g"), confine("a")).run();
    is_asked(&outcome, "this program has no `hookbox` that could do it");
}

#[test]
fn only_a_command_that_is_about_to_run_can_be_confined() {
    let asked = |event: Event, why: &str| {
        let host = chain().says(at(event.name.clone(), gate("g")), confine("a")).host();
        is_asked(&dispatch(&host, event), why);
    };
    asked(event(EventName::PermissionRequest, Some("ls")), "only a command that is about to run can be");
    let call = |change: &dyn Fn(&mut Event)| {
        let mut event = shell_event();
        change(&mut event);
        event
    };
    let with = |input: &str| {
        let input = json(input);
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
    for tier in [Tier::Reviewed, Tier::Installed, Tier::Own] {
        for role in [Role::Gate, Role::Transform] {
            let outcome = chain().says(of_tier(tier, hook("h", role)), confine("a")).run();
            assert_eq!(rewrite(&outcome), CONFINED, "{tier} {role}");
        }
    }
    let outcome = chain().says(of_tier(Tier::Unknown, gate("h")), confine("a")).run();
    assert_eq!((outcome.verdict.as_str(), rewrite(&outcome)), ("ask", ""));
    let theirs = Answer { confine: ProfileName::new("a"), ..deny("no") };
    let outcome = chain().says(of_tier(Tier::Unknown, gate("h")), theirs).run();
    assert_eq!(outcome.verdict.as_str(), "deny");
    let outcome = chain().says(observer("o"), confine("a")).run();
    assert_eq!((&outcome.verdict, rewrite(&outcome)), (&Verdict::None, ""));
    assert_eq!(outcome.reports[0].clamped, [Effect::Ask]);
}
