//! Equal answers give an equal outcome, in any order of completion.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use hookbox::{
    Callback, CallbackHook, Host,
    model::{Answer, Event, EventName, Outcome, Reason, Verdict},
};
use proptest::prelude::*;
use tokio::sync::Semaphore;

const MOST: usize = 6;

/// Returns a host with gates that finish one after another in this order.
fn make_host(answers: &[Result<Answer, String>], order: &[usize]) -> Host {
    let turns: Arc<Vec<_>> = Arc::new(answers.iter().map(|_| Semaphore::new(0)).collect());
    let order: Arc<[usize]> = order.into();
    turns[order[0]].add_permits(1);
    answers
        .iter()
        .enumerate()
        .fold(Host::builder(), |builder, (at, answer)| {
            let (turns, order, answer) = (Arc::clone(&turns), Arc::clone(&order), answer.clone());
            let gate = Callback::asynchronous(move |_| {
                let (turns, order, answer) = (Arc::clone(&turns), Arc::clone(&order), answer.clone());
                async move {
                    turns[at].acquire().await.unwrap().forget();
                    let place = order.iter().position(|gate| *gate == at).unwrap();
                    if let Some(next) = order.get(place + 1) {
                        turns[*next].add_permits(1);
                    }
                    answer.map_err(Into::into)
                }
            });
            builder.callback(CallbackHook::gate(&format!("gate-{at}"), [EventName::ToolBefore]), gate)
        })
        .build()
}

/// Returns the parts that do not depend on clocks.
fn format_outcome(outcome: &Outcome) -> String {
    let reports: Vec<_> =
        outcome.reports.iter().map(|report| (&report.hook, &report.status, &report.clamped)).collect();
    let Outcome { verdict, reasons, rewrite, contexts, notices, stop, extras, .. } = outcome;
    format!("{verdict:?} {reasons:?} {rewrite:?} {contexts:?} {notices:?} {stop:?} {extras:?} {reports:?}")
}

fn dispatch_in_order(answers: &[Result<Answer, String>], order: &[usize]) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    format_outcome(&runtime.block_on(make_host(answers, order).dispatch(make_event())))
}

fn make_event() -> Event {
    Event {
        id: "1".to_owned(),
        agent_event: "tool.before".to_owned(),
        session: "s".to_owned(),
        cwd: "/".to_owned(),
        ..Event::new(EventName::ToolBefore, "native")
    }
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    (0_usize..5, "[a-c]").prop_map(|(kind, text)| {
        let reason = Reason::new(&text, &format!("because {text}"));
        [
            Verdict::None,
            Verdict::Allow(reason.clone()),
            Verdict::Ask(reason.clone()),
            Verdict::Defer(reason.clone()),
            Verdict::Deny(reason),
        ]
        .into_iter()
        .nth(kind)
        .unwrap()
    })
}

fn any_answer() -> impl Strategy<Value = Result<Answer, String>> {
    let text = || proptest::option::of("[a-c]{1,3}");
    let parts = (any_verdict(), text(), text(), text()).prop_map(|(verdict, context, notice, stop)| {
        Ok(Answer { verdict, context, notice, stop, ..Answer::default() })
    });
    prop_oneof![8 => parts, 1 => Just(Err("broken".to_owned()))]
}

fn answers_in_an_order() -> impl Strategy<Value = (Vec<Result<Answer, String>>, Vec<usize>)> {
    proptest::collection::vec(any_answer(), 1..=MOST).prop_flat_map(|answers| {
        let order: Vec<_> = (0..answers.len()).collect();
        (Just(answers), Just(order).prop_shuffle())
    })
}

proptest! {
    #[test]
    fn the_outcome_does_not_depend_on_which_hook_answers_first((answers, order) in answers_in_an_order()) {
        let in_order: Vec<_> = (0..answers.len()).collect();
        prop_assert_eq!(dispatch_in_order(&answers, &order), dispatch_in_order(&answers, &in_order));
    }
}
