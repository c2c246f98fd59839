//! Many answers become one.

use hookbox::model::{Answer, EventName};

use super::bed::*;

#[test]
fn the_higher_of_any_two_verdicts_wins_in_either_order() {
    let ranks = [nothing(), allow("x"), ask("x"), defer("x"), deny("x")];
    for (low, lower) in ranks.iter().enumerate() {
        for higher in &ranks[low..] {
            let both = [[lower, higher], [higher, lower]];
            for [a, b] in both {
                let outcome = Chain::new().says(gate("a"), a.clone()).says(gate("b"), b.clone()).run();
                assert_eq!(outcome.verdict.as_str(), higher.verdict.as_str(), "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn reasons_of_the_winning_rank_are_kept_in_chain_order_and_no_others() {
    let outcome = Chain::new()
        .says(gate("a"), ask("one"))
        .says(gate("b"), allow("fine"))
        .says(gate("c"), ask("two"))
        .run();
    assert_eq!(verdict(&outcome), "ask: a=one, c=two");
}

#[test]
fn a_higher_verdict_that_comes_later_takes_the_reasons_of_the_lower_with_it() {
    let outcome = Chain::new().says(gate("a"), allow("fine")).says(gate("b"), ask("sure?")).run();
    assert_eq!(verdict(&outcome), "ask: b=sure?");
}

#[test]
fn texts_of_all_hooks_are_kept_under_their_names() {
    let both = |text: &str| Answer { notice: Some(text.to_uppercase()), ..context(text) };
    let outcome = Chain::new().says(gate("a"), both("x")).says(gate("b"), both("y")).run();
    assert_eq!(texts(&outcome.contexts), ["a=x", "b=y"]);
    assert_eq!(texts(&outcome.notices), ["a=X", "b=Y"]);
}

#[test]
fn the_first_stop_is_the_one_that_counts_and_does_not_end_the_chain() {
    let stop = |text: &str| Answer { stop: Some(text.to_owned()), ..nothing() };
    let outcome = Chain::new().says(gate("a"), stop("first")).says(gate("b"), stop("second")).run();
    let stop = outcome.stop.as_ref().unwrap();
    assert_eq!((stop.hook.as_str(), stop.value.as_str()), ("a", "first"));
    assert_eq!(statuses(&outcome), ["a answered", "b answered"]);
}

#[test]
fn extras_are_handed_on_in_chain_order() {
    let extra = |text: &str| Answer { extra: Some(json(text)), ..nothing() };
    let outcome = Chain::new().says(gate("a"), extra("1")).says(gate("b"), extra("2")).run();
    let extras: Vec<_> =
        outcome.extras.iter().map(|said| (said.hook.as_str(), said.value.as_str())).collect();
    assert_eq!(extras, [("a", "1"), ("b", "2")]);
}

#[test]
fn a_rewrite_stands_beside_an_ask_and_falls_with_a_deny() {
    let with = |answer| Chain::new().says(transform("t"), command("pwd")).says(gate("g"), answer).run();
    assert_eq!(rewrite(&with(ask("?"))), r#"{"command":"pwd"}"#);
    assert_eq!(rewrite(&with(deny("no"))), "");
}

#[test]
fn a_rewrite_of_an_event_that_has_nothing_to_rewrite_is_a_failed_hook_that_changes_nothing() {
    let spec = at(EventName::SessionStart, transform("t"));
    let host = Chain::new().says(spec, command("pwd")).host();
    let outcome = dispatch(&host, event(EventName::SessionStart, None));
    assert_eq!((statuses(&outcome), rewrite(&outcome)), (vec!["t bad-output".into()], ""));
    assert_eq!(outcome.verdict.as_str(), "none", "nothing is kept from happening here");
}

#[test]
fn a_skipped_hook_says_nothing() {
    let outcome = Chain::new().says(transform("t"), deny("no")).says(gate("g"), context("look")).run();
    assert_eq!(texts(&outcome.contexts), Vec::<String>::new());
}
