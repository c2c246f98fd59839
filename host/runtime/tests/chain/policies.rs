//! Chains with a policy other than hookbox's default: the effect of each value of a policy.

use hookbox::{
    ChainEnd, ChainPolicy, MOST_STOPS_KEPT, Order, Stops, VerdictMerge,
    model::{Answer, EventName, Json},
};

use super::bed::*;

const NATIVE: ChainPolicy = ChainPolicy::NATIVE;

fn in_order(order: Order) -> ChainPolicy {
    ChainPolicy { order, roles: hookbox::Roles::Ignored, ..NATIVE }
}

fn last(answer: Answer) -> Answer {
    Answer { last: true, ..answer }
}

fn unseen(answer: Answer) -> Answer {
    Answer { unseen: true, ..answer }
}

#[test]
fn in_order_each_hook_sees_the_event_as_the_one_before_left_it() {
    let (outcome, calls) = Chain::with(in_order(Order::InOrderChanged))
        .says(gate("a"), command("pwd"))
        .says(gate("b"), command("id"))
        .says(gate("c"), nothing())
        .traced();
    assert_eq!(calls, ["a ls", "b pwd", "c id"]);
    assert_eq!(rewrite(&outcome), r#"{"command":"id"}"#);
}

#[test]
fn in_order_on_the_original_each_sees_the_event_as_it_came_and_the_last_change_stays() {
    let (outcome, calls) = Chain::with(in_order(Order::InOrderOriginal))
        .says(gate("a"), command("pwd"))
        .says(gate("b"), command("id"))
        .says(gate("c"), nothing())
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c ls"]);
    assert_eq!(rewrite(&outcome), r#"{"command":"id"}"#);
}

#[test]
fn together_all_see_the_event_as_it_came_and_a_deny_ends_nothing() {
    let (outcome, calls) = Chain::with(in_order(Order::Together))
        .says(gate("a"), deny("no"))
        .says(gate("b"), command("id"))
        .says(gate("c"), nothing())
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c ls"]);
    assert_eq!((verdict(&outcome).as_str(), rewrite(&outcome)), ("deny: a=no", ""));
}

#[test]
fn a_change_that_later_hooks_do_not_see_counts_in_the_end() {
    let (outcome, calls) = Chain::with(in_order(Order::InOrderChanged))
        .says(gate("a"), unseen(command("pwd")))
        .says(gate("b"), nothing())
        .traced();
    assert_eq!(calls, ["a ls", "b ls"]);
    assert_eq!(rewrite(&outcome), r#"{"command":"pwd"}"#);
}

#[test]
fn a_later_change_that_is_seen_takes_the_place_of_an_unseen_one() {
    let outcome = Chain::with(in_order(Order::InOrderChanged))
        .says(gate("a"), unseen(command("pwd")))
        .says(gate("b"), command("id"))
        .run();
    assert_eq!(rewrite(&outcome), r#"{"command":"id"}"#);
}

#[test]
fn a_chain_ends_at_a_deny_or_where_an_answer_says_so_or_never() {
    let called = |end, first: Answer| {
        let policy = ChainPolicy { end, ..in_order(Order::InOrderChanged) };
        let (_, calls) = Chain::with(policy).says(gate("a"), first).says(gate("b"), nothing()).traced();
        calls.len()
    };
    assert_eq!(called(ChainEnd::Deny, deny("no")), 1);
    assert_eq!(called(ChainEnd::Deny, last(nothing())), 2);
    assert_eq!(called(ChainEnd::Said, deny("no")), 2);
    assert_eq!(called(ChainEnd::Said, last(nothing())), 1);
    assert_eq!(called(ChainEnd::Never, last(deny("no"))), 2);
}

#[test]
fn a_failure_ends_a_chain_that_ends_at_a_deny_and_none_that_an_answer_ends() {
    for (end, called) in [(ChainEnd::Deny, 1), (ChainEnd::Said, 2), (ChainEnd::Never, 2)] {
        let policy = ChainPolicy { end, ..in_order(Order::InOrderChanged) };
        let (_, calls) = Chain::with(policy).fails(gate("a")).says(gate("b"), nothing()).traced();
        assert_eq!(calls.len(), called, "{end:?}");
    }
}

#[test]
fn once_a_chain_has_ended_no_later_hook_begins_it_again() {
    let policy = ChainPolicy { end: ChainEnd::Said, ..in_order(Order::InOrderChanged) };
    let outcome = Chain::with(policy)
        .says(gate("a"), last(nothing()))
        .says(gate("b"), nothing())
        .says(gate("c"), nothing())
        .run();
    assert_eq!(statuses(&outcome), ["a answered", "b skipped", "c skipped"]);
}

#[test]
fn where_the_last_verdict_wins_an_allow_undoes_a_deny_and_silence_undoes_nothing() {
    let policy = ChainPolicy {
        verdicts: |_| VerdictMerge::Last,
        end: ChainEnd::Never,
        ..in_order(Order::InOrderChanged)
    };
    let two =
        |first, second| verdict(&Chain::with(policy).says(gate("a"), first).says(gate("b"), second).run());
    assert_eq!(two(deny("no"), allow("fine")), "allow: b=fine");
    assert_eq!(two(allow("fine"), deny("no")), "deny: b=no");
    assert_eq!(two(deny("no"), nothing()), "deny: a=no");
}

#[test]
fn which_verdict_wins_may_depend_on_the_event() {
    fn merge(event: &EventName) -> VerdictMerge {
        if *event == EventName::ToolBefore { VerdictMerge::Strictest } else { VerdictMerge::Last }
    }
    let policy = ChainPolicy { verdicts: merge, ..in_order(Order::Together) };
    let verdict_at = |name: EventName| {
        let host = Chain::with(policy)
            .says(at(name.clone(), gate("a")), deny("no"))
            .says(at(name.clone(), gate("b")), allow("fine"))
            .host();
        dispatch(&host, event(name, Some("ls"))).verdict.as_str()
    };
    assert_eq!(verdict_at(EventName::ToolBefore), "deny");
    assert_eq!(verdict_at(EventName::PermissionCheck), "allow");
}

/// Joins the parts, each of which is a whole part; a merge gets them in chain order.
fn joined(parts: &[Json]) -> Json {
    let parts: Vec<_> = parts.iter().map(Json::as_str).collect();
    json(&format!(r#"{{"of":[{}]}}"#, parts.join(",")))
}

#[test]
fn changes_that_are_merged_are_whole_answers_to_the_event_as_it_came() {
    for order in [Order::InOrderChanged, Order::InOrderOriginal, Order::Together] {
        let policy = ChainPolicy { rewrites: |_| Some(joined), ..in_order(order) };
        let (outcome, calls) = Chain::with(policy)
            .says(gate("a"), command("pwd"))
            .says(gate("b"), nothing())
            .says(gate("c"), command("id"))
            .traced();
        assert_eq!(calls, ["a ls", "b ls", "c ls"], "{order:?}");
        assert_eq!(rewrite(&outcome), r#"{"of":[{"command":"pwd"},{"command":"id"}]}"#, "{order:?}");
    }
}

#[test]
fn a_change_that_does_not_fit_is_left_out_of_the_merge_and_its_hook_has_failed() {
    let policy = ChainPolicy { rewrites: |_| Some(joined), ..in_order(Order::Together) };
    let bad = Answer { rewrite: Some(hookbox::model::Rewrite::Replace(json("1"))), ..nothing() };
    let outcome = Chain::with(policy)
        .says(on_failure(hookbox::model::OnFailure::Allow, gate("a")), bad)
        .says(gate("b"), command("id"))
        .run();
    assert_eq!(statuses(&outcome), ["a bad-output", "b answered"]);
    assert_eq!(rewrite(&outcome), r#"{"of":[{"command":"id"}]}"#);
}

#[test]
fn without_a_change_there_is_nothing_to_merge() {
    let policy = ChainPolicy { rewrites: |_| Some(joined), ..in_order(Order::Together) };
    assert_eq!(rewrite(&Chain::with(policy).says(gate("a"), nothing()).run()), "");
}

#[test]
fn what_an_answer_leaves_in_the_event_is_seen_by_later_hooks_where_these_see_changes() {
    let carries = |order| {
        let policy = ChainPolicy {
            carry: |event, answer| {
                let text = answer.context.clone().unwrap_or_default();
                event.tool.as_mut().unwrap().command = Some(text);
            },
            ..in_order(order)
        };
        Chain::with(policy).says(gate("a"), context("left")).says(gate("b"), nothing()).traced().1
    };
    assert_eq!(carries(Order::InOrderChanged), ["a ls", "b left"]);
    assert_eq!(carries(Order::InOrderOriginal), ["a ls", "b ls"]);
    assert_eq!(carries(Order::Together), ["a ls", "b ls"]);
}

#[test]
fn an_answer_that_later_hooks_do_not_see_leaves_them_nothing() {
    let policy = ChainPolicy {
        carry: |event, _| event.tool.as_mut().unwrap().command = Some("left".into()),
        ..in_order(Order::InOrderChanged)
    };
    let chain = Chain::with(policy).says(gate("a"), unseen(context("c"))).says(gate("b"), nothing());
    assert_eq!(chain.traced().1, ["a ls", "b ls"]);
}

#[test]
fn a_change_beside_a_deny_counts_where_the_policy_says_so() {
    let both = || Answer { rewrite: command("pwd").rewrite, ..deny("no") };
    let policy = ChainPolicy { rewrite_beside_deny: |_| true, ..in_order(Order::Together) };
    assert_eq!(rewrite(&Chain::with(policy).says(gate("a"), both()).run()), r#"{"command":"pwd"}"#);
    assert_eq!(rewrite(&Chain::with(in_order(Order::Together)).says(gate("a"), both()).run()), "");
}

#[test]
fn how_often_an_agent_is_kept_from_stopping_is_bounded_unless_that_is_the_agents_matter() {
    let is_kept_at_last = |stops| {
        let policy = ChainPolicy { stops, ..NATIVE };
        let host = Chain::with(policy).says(at(EventName::AgentStop, gate("g")), deny("go on")).host();
        let stop = || dispatch(&host, event(EventName::AgentStop, None));
        (0..MOST_STOPS_KEPT).for_each(|_| drop(stop()));
        stop().verdict.as_str() == "deny"
    };
    assert!(!is_kept_at_last(Stops::Bounded));
    assert!(is_kept_at_last(Stops::AsSaid));
}
