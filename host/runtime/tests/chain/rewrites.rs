//! Changes made by hooks.

use std::sync::{Arc, Mutex};

use hookbox::{
    Callback,
    model::{Answer, EventName, Json, Rewrite},
};

use super::bed::*;

fn merge(text: &str) -> Answer {
    Answer { rewrite: Some(Rewrite::Merge(json(text))), ..nothing() }
}

#[test]
fn changes_of_several_transforms_add_up() {
    let outcome = Chain::new()
        .says(transform("a"), merge(r#"{"timeout":5}"#))
        .says(transform("b"), merge(r#"{"quiet":true}"#))
        .run();
    assert_eq!(rewrite(&outcome), r#"{"command":"ls","timeout":5,"quiet":true}"#);
}

#[test]
fn a_null_takes_a_member_away() {
    let outcome = Chain::new().says(transform("a"), merge(r#"{"command":null,"script":"x"}"#)).run();
    assert_eq!(rewrite(&outcome), r#"{"script":"x"}"#);
}

#[test]
fn arguments_that_are_no_object_are_a_failed_hook_and_the_event_stays() {
    let (outcome, calls) = Chain::new()
        .says(
            on_failure(hookbox::model::OnFailure::Allow, transform("a")),
            Answer { rewrite: Some(Rewrite::Replace(json("[1]"))), ..nothing() },
        )
        .says(gate("g"), nothing())
        .traced();
    assert_eq!(statuses(&outcome), ["a bad-output", "g answered"]);
    assert_eq!((calls[1].as_str(), rewrite(&outcome)), ("g ls", ""));
}

/// A guard that reads `command` and not the arguments would otherwise be bypassed by a hook that changes the arguments.
#[test]
fn the_command_that_later_hooks_see_is_the_changed_one() {
    let seen = Arc::new(Mutex::new(None));
    let in_hook = Arc::clone(&seen);
    let looks = Callback::sync(move |call| {
        *in_hook.lock().unwrap() = call.event.tool.as_ref().and_then(|tool| tool.command.clone());
        Ok(nothing())
    });
    Chain::new().says(transform("a"), command("rm -rf /")).calls(gate("g"), looks).run();
    assert_eq!(seen.lock().unwrap().as_deref(), Some("rm -rf /"));
}

#[test]
fn the_part_as_it_came_is_known_to_all_that_come_after_any_number_of_changes() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let looks = || {
        let seen = Arc::clone(&seen);
        Callback::sync(move |call| {
            seen.lock().unwrap().push(call.original.map(|part| part.as_str().to_owned()));
            Ok(nothing())
        })
    };
    Chain::new()
        .calls(transform("first"), looks())
        .says(transform("one"), command("pwd"))
        .says(transform("two"), command("id"))
        .calls(transform("last"), looks())
        .calls(gate("gate"), looks())
        .run();
    let original = Some(r#"{"command":"ls"}"#.to_owned());
    assert_eq!(*seen.lock().unwrap(), [None, original.clone(), original]);
}

#[test]
fn a_transform_that_denies_changes_nothing_for_those_that_hear_of_it() {
    let both = Answer { rewrite: command("pwd").rewrite, ..deny("no") };
    let (outcome, calls) = Chain::new().says(transform("a"), both).says(observer("o"), nothing()).traced();
    assert_eq!((calls[1].as_str(), rewrite(&outcome)), ("o ls", ""));
}

#[test]
fn what_the_event_did_not_carry_can_be_put_there_where_it_is_an_answer() {
    let path = Answer { rewrite: Some(Rewrite::Replace(json(r#""/code/tree""#))), ..nothing() };
    let host = Chain::new().says(at(EventName::WorktreeCreate, transform("t")), path).host();
    let outcome = dispatch(&host, event(EventName::WorktreeCreate, None));
    assert_eq!(outcome.rewrite.as_ref().map(Json::as_str), Some(r#""/code/tree""#), "{outcome:?}");
}

#[test]
fn a_gates_change_is_taken_out_and_told() {
    let outcome = Chain::new().says(gate("g"), command("pwd")).run();
    assert_eq!(rewrite(&outcome), "");
    assert_eq!(outcome.reports[0].clamped, [hookbox::model::Effect::Rewrite]);
}
