//! Many answers become one.

use hookbox::model::{Answer, EventName};

use super::bed::*;

#[test]
fn the_higher_of_any_two_verdicts_wins_in_either_order() {
    let ranks = [empty_answer(), allow_with("x"), ask_with("x"), defer_with("x"), deny_with("x")];
    for (low, lower) in ranks.iter().enumerate() {
        for higher in &ranks[low..] {
            let both = [[lower, higher], [higher, lower]];
            for [a, b] in both {
                let outcome = Chain::new()
                    .add_answer(make_gate("a"), a.clone())
                    .add_answer(make_gate("b"), b.clone())
                    .run();
                assert_eq!(outcome.verdict.as_str(), higher.verdict.as_str(), "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn reasons_of_the_winning_rank_are_kept_in_chain_order_and_no_others() {
    let outcome = Chain::new()
        .add_answer(make_gate("a"), ask_with("one"))
        .add_answer(make_gate("b"), allow_with("fine"))
        .add_answer(make_gate("c"), ask_with("two"))
        .run();
    assert_eq!(format_verdict(&outcome), "ask: a=one, c=two");
}

#[test]
fn a_higher_verdict_that_comes_later_takes_the_reasons_of_the_lower_with_it() {
    let outcome = Chain::new()
        .add_answer(make_gate("a"), allow_with("fine"))
        .add_answer(make_gate("b"), ask_with("sure?"))
        .run();
    assert_eq!(format_verdict(&outcome), "ask: b=sure?");
}

#[test]
fn texts_of_all_hooks_are_kept_under_their_names() {
    let both = |text: &str| Answer { notice: Some(text.to_uppercase()), ..add_context(text) };
    let outcome =
        Chain::new().add_answer(make_gate("a"), both("x")).add_answer(make_gate("b"), both("y")).run();
    assert_eq!(format_texts(&outcome.contexts), ["a=x", "b=y"]);
    assert_eq!(format_texts(&outcome.notices), ["a=X", "b=Y"]);
}

#[test]
fn the_first_stop_is_the_one_that_counts_and_does_not_end_the_chain() {
    let stop = |text: &str| Answer { stop: Some(text.to_owned()), ..empty_answer() };
    let outcome = Chain::new()
        .add_answer(make_gate("a"), stop("first"))
        .add_answer(make_gate("b"), stop("second"))
        .run();
    let stop = outcome.stop.as_ref().unwrap();
    assert_eq!((stop.hook.as_str(), stop.value.as_str()), ("a", "first"));
    assert_eq!(list_statuses(&outcome), ["a answered", "b answered"]);
}

#[test]
fn extras_are_handed_on_in_chain_order() {
    let extra = |text: &str| Answer { extra: Some(parse_json(text)), ..empty_answer() };
    let outcome =
        Chain::new().add_answer(make_gate("a"), extra("1")).add_answer(make_gate("b"), extra("2")).run();
    let extras: Vec<_> =
        outcome.extras.iter().map(|label| (label.hook.as_str(), label.value.as_str())).collect();
    assert_eq!(extras, [("a", "1"), ("b", "2")]);
}

#[test]
fn a_rewrite_is_kept_with_an_ask_and_dropped_with_a_deny() {
    let with = |answer| {
        Chain::new()
            .add_answer(make_transform("t"), replace_command("pwd"))
            .add_answer(make_gate("g"), answer)
            .run()
    };
    assert_eq!(rewritten_part(&with(ask_with("?"))), r#"{"command":"pwd"}"#);
    assert_eq!(rewritten_part(&with(deny_with("no"))), "");
}

#[test]
fn a_rewrite_of_an_event_that_has_nothing_to_rewrite_is_a_failed_hook_that_changes_nothing() {
    let spec = on_event(EventName::SessionStart, make_transform("t"));
    let host = Chain::new().add_answer(spec, replace_command("pwd")).host();
    let outcome = dispatch_event(&host, make_event(EventName::SessionStart, None));
    assert_eq!((list_statuses(&outcome), rewritten_part(&outcome)), (vec!["t bad-output".into()], ""));
    assert_eq!(outcome.verdict.as_str(), "none", "nothing is kept from happening here");
}

#[test]
fn a_skipped_hook_has_no_opinion() {
    let outcome = Chain::new()
        .add_answer(make_transform("t"), deny_with("no"))
        .add_answer(make_gate("g"), add_context("look"))
        .run();
    assert_eq!(format_texts(&outcome.contexts), Vec::<String>::new());
}
