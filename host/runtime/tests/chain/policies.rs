//! Chains with a policy other than hookbox's default: the effect of each value of a policy.

use hookbox::{
    ChainEnd, ChainPolicy, MAX_CONSECUTIVE_STOPS, Order, StopLimit, VerdictMerge,
    model::{Answer, EventName, Json},
};

use super::bed::*;

const NATIVE: ChainPolicy = ChainPolicy::NATIVE;

fn in_order(order: Order) -> ChainPolicy {
    ChainPolicy { order, roles: hookbox::Roles::Ignored, ..NATIVE }
}

fn mark_last(answer: Answer) -> Answer {
    Answer { last: true, ..answer }
}

fn mark_unseen(answer: Answer) -> Answer {
    Answer { unseen: true, ..answer }
}

#[test]
fn in_order_each_hook_sees_the_event_as_the_one_before_left_it() {
    let (outcome, calls) = Chain::with_policy(in_order(Order::InOrderChanged))
        .add_answer(make_gate("a"), replace_command("pwd"))
        .add_answer(make_gate("b"), replace_command("id"))
        .add_answer(make_gate("c"), empty_answer())
        .traced();
    assert_eq!(calls, ["a ls", "b pwd", "c id"]);
    assert_eq!(rewritten_part(&outcome), r#"{"command":"id"}"#);
}

#[test]
fn in_order_on_the_original_each_sees_the_event_as_it_came_and_the_last_change_stays() {
    let (outcome, calls) = Chain::with_policy(in_order(Order::InOrderOriginal))
        .add_answer(make_gate("a"), replace_command("pwd"))
        .add_answer(make_gate("b"), replace_command("id"))
        .add_answer(make_gate("c"), empty_answer())
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c ls"]);
    assert_eq!(rewritten_part(&outcome), r#"{"command":"id"}"#);
}

#[test]
fn together_all_see_the_event_as_it_came_and_a_deny_ends_nothing() {
    let (outcome, calls) = Chain::with_policy(in_order(Order::Together))
        .add_answer(make_gate("a"), deny_with("no"))
        .add_answer(make_gate("b"), replace_command("id"))
        .add_answer(make_gate("c"), empty_answer())
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c ls"]);
    assert_eq!((format_verdict(&outcome).as_str(), rewritten_part(&outcome)), ("deny: a=no", ""));
}

#[test]
fn a_change_that_later_hooks_do_not_see_counts_in_the_end() {
    let (outcome, calls) = Chain::with_policy(in_order(Order::InOrderChanged))
        .add_answer(make_gate("a"), mark_unseen(replace_command("pwd")))
        .add_answer(make_gate("b"), empty_answer())
        .traced();
    assert_eq!(calls, ["a ls", "b ls"]);
    assert_eq!(rewritten_part(&outcome), r#"{"command":"pwd"}"#);
}

#[test]
fn a_later_change_that_is_seen_takes_the_place_of_an_unseen_one() {
    let outcome = Chain::with_policy(in_order(Order::InOrderChanged))
        .add_answer(make_gate("a"), mark_unseen(replace_command("pwd")))
        .add_answer(make_gate("b"), replace_command("id"))
        .run();
    assert_eq!(rewritten_part(&outcome), r#"{"command":"id"}"#);
}

#[test]
fn a_chain_ends_at_a_deny_or_on_request_or_never() {
    let called = |end, first: Answer| {
        let policy = ChainPolicy { end, ..in_order(Order::InOrderChanged) };
        let (_, calls) = Chain::with_policy(policy)
            .add_answer(make_gate("a"), first)
            .add_answer(make_gate("b"), empty_answer())
            .traced();
        calls.len()
    };
    assert_eq!(called(ChainEnd::Deny, deny_with("no")), 1);
    assert_eq!(called(ChainEnd::Deny, mark_last(empty_answer())), 2);
    assert_eq!(called(ChainEnd::OnRequest, deny_with("no")), 2);
    assert_eq!(called(ChainEnd::OnRequest, mark_last(empty_answer())), 1);
    assert_eq!(called(ChainEnd::Never, mark_last(deny_with("no"))), 2);
}

#[test]
fn a_failure_ends_a_chain_that_ends_at_a_deny_and_none_that_an_answer_ends() {
    for (end, called) in [(ChainEnd::Deny, 1), (ChainEnd::OnRequest, 2), (ChainEnd::Never, 2)] {
        let policy = ChainPolicy { end, ..in_order(Order::InOrderChanged) };
        let (_, calls) = Chain::with_policy(policy)
            .add_failing(make_gate("a"))
            .add_answer(make_gate("b"), empty_answer())
            .traced();
        assert_eq!(calls.len(), called, "{end:?}");
    }
}

#[test]
fn once_a_chain_has_ended_no_later_hook_begins_it_again() {
    let policy = ChainPolicy { end: ChainEnd::OnRequest, ..in_order(Order::InOrderChanged) };
    let outcome = Chain::with_policy(policy)
        .add_answer(make_gate("a"), mark_last(empty_answer()))
        .add_answer(make_gate("b"), empty_answer())
        .add_answer(make_gate("c"), empty_answer())
        .run();
    assert_eq!(list_statuses(&outcome), ["a answered", "b skipped", "c skipped"]);
}

#[test]
fn where_the_last_verdict_wins_an_allow_undoes_a_deny_and_silence_undoes_nothing() {
    let policy = ChainPolicy {
        verdicts: |_| VerdictMerge::Last,
        end: ChainEnd::Never,
        ..in_order(Order::InOrderChanged)
    };
    let two = |first, second| {
        format_verdict(
            &Chain::with_policy(policy)
                .add_answer(make_gate("a"), first)
                .add_answer(make_gate("b"), second)
                .run(),
        )
    };
    assert_eq!(two(deny_with("no"), allow_with("fine")), "allow: b=fine");
    assert_eq!(two(allow_with("fine"), deny_with("no")), "deny: b=no");
    assert_eq!(two(deny_with("no"), empty_answer()), "deny: a=no");
}

#[test]
fn which_verdict_wins_may_depend_on_the_event() {
    fn merge_by_event(event: &EventName) -> VerdictMerge {
        if *event == EventName::ToolBefore { VerdictMerge::Strictest } else { VerdictMerge::Last }
    }
    let policy = ChainPolicy { verdicts: merge_by_event, ..in_order(Order::Together) };
    let verdict_at = |name: EventName| {
        let host = Chain::with_policy(policy)
            .add_answer(on_event(name.clone(), make_gate("a")), deny_with("no"))
            .add_answer(on_event(name.clone(), make_gate("b")), allow_with("fine"))
            .host();
        dispatch_event(&host, make_event(name, Some("ls"))).verdict.as_str()
    };
    assert_eq!(verdict_at(EventName::ToolBefore), "deny");
    assert_eq!(verdict_at(EventName::PermissionCheck), "allow");
}

/// Joins the parts, each of which is a whole part; a merge gets them in chain order.
fn join_parts(parts: &[Json]) -> Json {
    let parts: Vec<_> = parts.iter().map(Json::as_str).collect();
    parse_json(&format!(r#"{{"of":[{}]}}"#, parts.join(",")))
}

#[test]
fn changes_that_are_merged_are_whole_answers_to_the_event_as_it_came() {
    for order in [Order::InOrderChanged, Order::InOrderOriginal, Order::Together] {
        let policy = ChainPolicy { rewrites: |_| Some(join_parts), ..in_order(order) };
        let (outcome, calls) = Chain::with_policy(policy)
            .add_answer(make_gate("a"), replace_command("pwd"))
            .add_answer(make_gate("b"), empty_answer())
            .add_answer(make_gate("c"), replace_command("id"))
            .traced();
        assert_eq!(calls, ["a ls", "b ls", "c ls"], "{order:?}");
        assert_eq!(rewritten_part(&outcome), r#"{"of":[{"command":"pwd"},{"command":"id"}]}"#, "{order:?}");
    }
}

#[test]
fn a_change_that_does_not_fit_is_left_out_of_the_merge_and_its_hook_has_failed() {
    let policy = ChainPolicy { rewrites: |_| Some(join_parts), ..in_order(Order::Together) };
    let bad = Answer { rewrite: Some(hookbox::model::Rewrite::Replace(parse_json("1"))), ..empty_answer() };
    let outcome = Chain::with_policy(policy)
        .add_answer(on_failure(hookbox::model::OnFailure::Allow, make_gate("a")), bad)
        .add_answer(make_gate("b"), replace_command("id"))
        .run();
    assert_eq!(list_statuses(&outcome), ["a bad-output", "b answered"]);
    assert_eq!(rewritten_part(&outcome), r#"{"of":[{"command":"id"}]}"#);
}

#[test]
fn without_a_change_there_is_nothing_to_merge() {
    let policy = ChainPolicy { rewrites: |_| Some(join_parts), ..in_order(Order::Together) };
    assert_eq!(
        rewritten_part(&Chain::with_policy(policy).add_answer(make_gate("a"), empty_answer()).run()),
        ""
    );
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
        Chain::with_policy(policy)
            .add_answer(make_gate("a"), add_context("left"))
            .add_answer(make_gate("b"), empty_answer())
            .traced()
            .1
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
    let chain = Chain::with_policy(policy)
        .add_answer(make_gate("a"), mark_unseen(add_context("c")))
        .add_answer(make_gate("b"), empty_answer());
    assert_eq!(chain.traced().1, ["a ls", "b ls"]);
}

#[test]
fn a_rewrite_with_a_deny_counts_if_the_policy_allows_it() {
    let both = || Answer { rewrite: replace_command("pwd").rewrite, ..deny_with("no") };
    let policy = ChainPolicy { rewrite_with_deny: |_| true, ..in_order(Order::Together) };
    assert_eq!(
        rewritten_part(&Chain::with_policy(policy).add_answer(make_gate("a"), both()).run()),
        r#"{"command":"pwd"}"#
    );
    assert_eq!(
        rewritten_part(
            &Chain::with_policy(in_order(Order::Together)).add_answer(make_gate("a"), both()).run()
        ),
        ""
    );
}

#[test]
fn how_often_an_agent_is_kept_from_stopping_is_bounded_unless_that_is_the_agents_matter() {
    let is_kept_at_last = |stop_limit| {
        let policy = ChainPolicy { stop_limit, ..NATIVE };
        let host = Chain::with_policy(policy)
            .add_answer(on_event(EventName::AgentStop, make_gate("g")), deny_with("go on"))
            .host();
        let stop = || dispatch_event(&host, make_event(EventName::AgentStop, None));
        (0..MAX_CONSECUTIVE_STOPS).for_each(|_| drop(stop()));
        stop().verdict.as_str() == "deny"
    };
    assert!(!is_kept_at_last(StopLimit::Bounded));
    assert!(is_kept_at_last(StopLimit::Unlimited));
}
