//! Changes made by hooks.

use std::sync::{Arc, Mutex};

use hookbox::{
    Callback,
    model::{Answer, EventName, Json, Rewrite},
};

use super::bed::*;

fn merge_with(text: &str) -> Answer {
    Answer { rewrite: Some(Rewrite::Merge(parse_json(text))), ..empty_answer() }
}

#[test]
fn changes_of_several_transforms_add_up() {
    let outcome = Chain::new()
        .add_answer(make_transform("a"), merge_with(r#"{"timeout":5}"#))
        .add_answer(make_transform("b"), merge_with(r#"{"quiet":true}"#))
        .run();
    assert_eq!(rewritten_part(&outcome), r#"{"command":"ls","timeout":5,"quiet":true}"#);
}

#[test]
fn a_null_takes_a_member_away() {
    let outcome =
        Chain::new().add_answer(make_transform("a"), merge_with(r#"{"command":null,"script":"x"}"#)).run();
    assert_eq!(rewritten_part(&outcome), r#"{"script":"x"}"#);
}

#[test]
fn a_rewrite_that_is_not_an_object_is_a_failed_hook_and_the_event_is_unchanged() {
    let (outcome, calls) = Chain::new()
        .add_answer(
            on_failure(hookbox::model::OnFailure::Allow, make_transform("a")),
            Answer { rewrite: Some(Rewrite::Replace(parse_json("[1]"))), ..empty_answer() },
        )
        .add_answer(make_gate("g"), empty_answer())
        .traced();
    assert_eq!(list_statuses(&outcome), ["a bad-output", "g answered"]);
    assert_eq!((calls[1].as_str(), rewritten_part(&outcome)), ("g ls", ""));
}

/// A guard that reads `command` and not the arguments would otherwise be bypassed by a hook that changes the arguments.
#[test]
fn the_command_that_later_hooks_see_is_the_changed_one() {
    let seen = Arc::new(Mutex::new(None));
    let in_hook = Arc::clone(&seen);
    let looks = Callback::sync(move |call| {
        *in_hook.lock().unwrap() = call.event.tool.as_ref().and_then(|tool| tool.command.clone());
        Ok(empty_answer())
    });
    Chain::new()
        .add_answer(make_transform("a"), replace_command("rm -rf /"))
        .add_callback(make_gate("g"), looks)
        .run();
    assert_eq!(seen.lock().unwrap().as_deref(), Some("rm -rf /"));
}

#[test]
fn the_part_as_it_came_is_known_to_all_that_come_after_any_number_of_changes() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let looks = || {
        let seen = Arc::clone(&seen);
        Callback::sync(move |call| {
            seen.lock().unwrap().push(call.original.map(|part| part.as_str().to_owned()));
            Ok(empty_answer())
        })
    };
    Chain::new()
        .add_callback(make_transform("first"), looks())
        .add_answer(make_transform("one"), replace_command("pwd"))
        .add_answer(make_transform("two"), replace_command("id"))
        .add_callback(make_transform("last"), looks())
        .add_callback(make_gate("gate"), looks())
        .run();
    let original = Some(r#"{"command":"ls"}"#.to_owned());
    assert_eq!(*seen.lock().unwrap(), [None, original.clone(), original]);
}

#[test]
fn a_transform_that_denies_changes_nothing_for_those_that_hear_of_it() {
    let both = Answer { rewrite: replace_command("pwd").rewrite, ..deny_with("no") };
    let (outcome, calls) = Chain::new()
        .add_answer(make_transform("a"), both)
        .add_answer(make_observer("o"), empty_answer())
        .traced();
    assert_eq!((calls[1].as_str(), rewritten_part(&outcome)), ("o ls", ""));
}

#[test]
fn what_the_event_did_not_carry_can_be_put_there_where_it_is_an_answer() {
    let path = Answer { rewrite: Some(Rewrite::Replace(parse_json(r#""/code/tree""#))), ..empty_answer() };
    let host = Chain::new().add_answer(on_event(EventName::WorktreeCreate, make_transform("t")), path).host();
    let outcome = dispatch_event(&host, make_event(EventName::WorktreeCreate, None));
    assert_eq!(outcome.rewrite.as_ref().map(Json::as_str), Some(r#""/code/tree""#), "{outcome:?}");
}

#[test]
fn the_rewrite_of_a_gate_is_removed_and_reported() {
    let outcome = Chain::new().add_answer(make_gate("g"), replace_command("pwd")).run();
    assert_eq!(rewritten_part(&outcome), "");
    assert_eq!(outcome.reports[0].clamped, [hookbox::model::Effect::Rewrite]);
}
