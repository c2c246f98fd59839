//! How the texts of several hooks become one.

use hookbox::{
    ChainEnd, ChainPolicy, Order, Roles, Texts, VerdictMerge,
    model::{Answer, EventName, Outcome},
};

use crate::bed::*;

/// Two hooks with a reason, a context, a notice and a stop each.
fn two(name: &EventName, texts: Texts, merge: fn(&EventName) -> VerdictMerge) -> Outcome {
    let policy = ChainPolicy {
        texts,
        order: Order::Together,
        end: ChainEnd::Never,
        roles: Roles::Ignored,
        verdicts: merge,
        ..ChainPolicy::NATIVE
    };
    let says = |at: u8| Answer {
        notice: Some(format!("notice {at}")),
        context: Some(format!("context {at}")),
        stop: Some(format!("stop {at}")),
        ..deny(&format!("reason {at}"))
    };
    let host = Chain::with(policy)
        .says(at(name.clone(), gate("a")), says(1))
        .says(at(name.clone(), gate("b")), says(2))
        .host();
    dispatch(&host, event(name.clone(), Some("ls")))
}

/// Reasons, contexts, notices, stop.
fn shown(outcome: &Outcome) -> [String; 4] {
    let reasons: Vec<_> =
        outcome.reasons.iter().map(|said| format!("{}={}", said.hook, said.value.text())).collect();
    let stop = outcome.stop.as_ref().map(|said| format!("{}={}", said.hook, said.value));
    [
        reasons.join("|"),
        texts(&outcome.contexts).join("|"),
        texts(&outcome.notices).join("|"),
        stop.unwrap_or_default(),
    ]
}

fn strictest(_: &EventName) -> VerdictMerge {
    VerdictMerge::Strictest
}

fn last(_: &EventName) -> VerdictMerge {
    VerdictMerge::Last
}

#[test]
fn labelled_texts_stand_each_under_the_name_of_their_hook() {
    assert_eq!(
        shown(&two(&EventName::ToolBefore, Texts::Labelled, strictest)),
        ["a=reason 1|b=reason 2", "a=context 1|b=context 2", "a=notice 1|b=notice 2", "a=stop 1"]
    );
}

#[test]
fn plain_texts_are_lines_without_a_name() {
    assert_eq!(
        shown(&two(&EventName::ToolBefore, Texts::Plain, strictest)),
        ["=reason 1\nreason 2", "=context 1\ncontext 2", "=notice 1\nnotice 2", "=stop 1"]
    );
}

#[test]
fn the_first_hooks_texts_stand_alone_and_the_context_of_all() {
    assert_eq!(
        shown(&two(&EventName::ToolBefore, Texts::First, strictest)),
        ["=reason 1", "=context 1\ncontext 2", "=notice 1", "=stop 1"]
    );
}

#[test]
fn feedback_is_a_paragraph_for_each_hook_where_the_thing_has_happened() {
    for name in [EventName::ToolAfter, EventName::AgentStop, EventName::SubagentStop] {
        let [reasons, ..] = shown(&two(&name, Texts::PlainFeedback, strictest));
        assert_eq!(reasons, "=reason 1\n\nreason 2", "{name}");
    }
    let [reasons, contexts, notices, _] =
        shown(&two(&EventName::ToolBefore, Texts::PlainFeedback, strictest));
    assert_eq!([reasons, contexts, notices], ["=reason 1", "=context 1\ncontext 2", "=notice 1\nnotice 2"]);
}

#[test]
fn all_stops_are_joined_where_all_texts_are() {
    assert_eq!(
        shown(&two(&EventName::ToolBefore, Texts::PlainAll, strictest)),
        ["=reason 1\nreason 2", "=context 1\ncontext 2", "=notice 1\nnotice 2", "=stop 1\nstop 2"]
    );
}

#[test]
fn where_the_last_verdict_wins_the_last_text_of_each_kind_does() {
    assert_eq!(
        shown(&two(&EventName::ToolBefore, Texts::PlainAll, last)),
        ["=reason 2", "=context 2", "=notice 2", "=stop 2"]
    );
}

#[test]
fn reasons_of_lower_rank_are_kept_only_where_all_texts_are() {
    for (texts, reasons) in
        [(Texts::Plain, "=no"), (Texts::PlainAll, "=sure?\nno"), (Texts::Labelled, "b=no")]
    {
        let policy = ChainPolicy { texts, order: Order::Together, ..ChainPolicy::NATIVE };
        let outcome = Chain::with(policy).says(gate("a"), ask("sure?")).says(gate("b"), deny("no")).run();
        assert_eq!(shown(&outcome)[0], reasons, "{texts:?}");
    }
}

#[test]
fn an_empty_text_makes_no_empty_line() {
    let policy = ChainPolicy { texts: Texts::Plain, order: Order::Together, ..ChainPolicy::NATIVE };
    let outcome = Chain::with(policy).says(gate("a"), deny("")).says(gate("b"), deny("no")).run();
    assert_eq!(shown(&outcome)[0], "=no");
}
