//! Merging the texts of several hooks.

use hookbox::{
    ChainEnd, ChainPolicy, Kept, Order, PlainTexts, Roles, Texts, VerdictMerge,
    model::{Answer, EventName, Outcome},
};

use super::bed::*;

type ByEvent = fn(&EventName) -> Texts;

const LABELLED: ByEvent = |_| Texts::Labelled;
const LINES: ByEvent = |_| Texts::Plain(PlainTexts::LINES);
const FIRST: ByEvent =
    |_| Texts::Plain(PlainTexts { contexts: Kept::Lines, ..PlainTexts::keep_all(Kept::First) });
const PARAGRAPHS: ByEvent = |_| Texts::Plain(PlainTexts { reasons: Kept::Paragraphs, ..PlainTexts::LINES });
const ALL: ByEvent = |_| Texts::Plain(PlainTexts { of_every_hook: true, ..PlainTexts::LINES });
const LAST: ByEvent =
    |_| Texts::Plain(PlainTexts { of_every_hook: true, ..PlainTexts::keep_all(Kept::Last) });

/// Returns the outcome of two hooks with a reason, a context, a notice and a stop each.
fn run_two(name: &EventName, texts: ByEvent, merge: fn(&EventName) -> VerdictMerge) -> Outcome {
    let policy = ChainPolicy {
        texts,
        order: Order::Together,
        end: ChainEnd::Never,
        roles: Roles::Ignored,
        verdicts: merge,
        ..ChainPolicy::NATIVE
    };
    let make_answer = |at: u8| Answer {
        notice: Some(format!("notice {at}")),
        context: Some(format!("context {at}")),
        stop: Some(format!("stop {at}")),
        ..deny_with(&format!("reason {at}"))
    };
    let host = Chain::with_policy(policy)
        .add_answer(on_event(name.clone(), make_gate("a")), make_answer(1))
        .add_answer(on_event(name.clone(), make_gate("b")), make_answer(2))
        .host();
    dispatch_event(&host, make_event(name.clone(), Some("ls")))
}

/// Returns reasons, contexts, notices, stop.
fn format_outcome(outcome: &Outcome) -> [String; 4] {
    let reasons: Vec<_> =
        outcome.reasons.iter().map(|label| format!("{}={}", label.hook, label.value.text())).collect();
    let stop = outcome.stop.as_ref().map(|label| format!("{}={}", label.hook, label.value));
    [
        reasons.join("|"),
        format_texts(&outcome.contexts).join("|"),
        format_texts(&outcome.notices).join("|"),
        stop.unwrap_or_default(),
    ]
}

fn merge_strictest(_: &EventName) -> VerdictMerge {
    VerdictMerge::Strictest
}

fn merge_last(_: &EventName) -> VerdictMerge {
    VerdictMerge::Last
}

#[test]
fn labelled_texts_stand_each_under_the_name_of_their_hook() {
    assert_eq!(
        format_outcome(&run_two(&EventName::ToolBefore, LABELLED, merge_strictest)),
        ["a=reason 1|b=reason 2", "a=context 1|b=context 2", "a=notice 1|b=notice 2", "a=stop 1"]
    );
}

#[test]
fn plain_texts_are_lines_without_a_name() {
    assert_eq!(
        format_outcome(&run_two(&EventName::ToolBefore, LINES, merge_strictest)),
        ["=reason 1\nreason 2", "=context 1\ncontext 2", "=notice 1\nnotice 2", "=stop 1"]
    );
}

#[test]
fn the_first_hooks_texts_stand_alone_and_the_context_of_all() {
    assert_eq!(
        format_outcome(&run_two(&EventName::ToolBefore, FIRST, merge_strictest)),
        ["=reason 1", "=context 1\ncontext 2", "=notice 1", "=stop 1"]
    );
}

#[test]
fn feedback_is_a_paragraph_for_each_hook() {
    assert_eq!(
        format_outcome(&run_two(&EventName::ToolAfter, PARAGRAPHS, merge_strictest)),
        ["=reason 1\n\nreason 2", "=context 1\ncontext 2", "=notice 1\nnotice 2", "=stop 1"]
    );
}

#[test]
fn how_texts_become_one_is_asked_for_each_event() {
    let texts: ByEvent =
        |event| if *event == EventName::AgentStop { PARAGRAPHS(event) } else { FIRST(event) };
    let reasons = |name| format_outcome(&run_two(&name, texts, merge_strictest))[0].clone();
    assert_eq!(reasons(EventName::AgentStop), "=reason 1\n\nreason 2");
    assert_eq!(reasons(EventName::ToolBefore), "=reason 1");
}

#[test]
fn all_stops_are_joined_where_all_texts_are() {
    assert_eq!(
        format_outcome(&run_two(&EventName::ToolBefore, ALL, merge_strictest)),
        ["=reason 1\nreason 2", "=context 1\ncontext 2", "=notice 1\nnotice 2", "=stop 1\nstop 2"]
    );
}

#[test]
fn where_the_last_verdict_wins_the_last_text_of_each_kind_does() {
    assert_eq!(
        format_outcome(&run_two(&EventName::ToolBefore, LAST, merge_last)),
        ["=reason 2", "=context 2", "=notice 2", "=stop 2"]
    );
}

#[test]
fn reasons_of_lower_rank_are_kept_only_where_all_texts_are() {
    for (texts, reasons) in [(LINES, "=no"), (ALL, "=sure?\nno"), (LABELLED, "b=no")] {
        let policy = ChainPolicy { texts, order: Order::Together, ..ChainPolicy::NATIVE };
        let outcome = Chain::with_policy(policy)
            .add_answer(make_gate("a"), ask_with("sure?"))
            .add_answer(make_gate("b"), deny_with("no"))
            .run();
        assert_eq!(format_outcome(&outcome)[0], reasons);
    }
}

#[test]
fn an_empty_text_makes_no_empty_line() {
    let policy = ChainPolicy { texts: LINES, order: Order::Together, ..ChainPolicy::NATIVE };
    let outcome = Chain::with_policy(policy)
        .add_answer(make_gate("a"), deny_with(""))
        .add_answer(make_gate("b"), deny_with("no"))
        .run();
    assert_eq!(format_outcome(&outcome)[0], "=no");
}
