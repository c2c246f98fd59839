//! Order of the hooks, and the changes of others that each sees.

use std::sync::{Arc, Mutex};

use hookbox::{
    Callback,
    model::{Answer, TrustLevel},
};
use tokio::sync::Barrier;

use super::bed::*;

#[test]
fn roles_run_in_their_order_whatever_order_they_were_given_in() {
    let (_, calls) = Chain::new()
        .add_answer(make_observer("observer"), empty_answer())
        .add_answer(make_gate("gate"), empty_answer())
        .add_answer(make_transform("transform"), empty_answer())
        .traced();
    assert_eq!(calls, ["transform ls", "gate ls", "observer ls"]);
}

#[test]
fn the_change_of_a_transform_is_seen_by_all_later_hooks_and_by_no_earlier_hook() {
    let (_, calls) = Chain::new()
        .add_answer(make_transform("a"), empty_answer())
        .add_answer(make_transform("b"), replace_command("pwd"))
        .add_answer(make_transform("c"), empty_answer())
        .add_answer(make_gate("gate"), empty_answer())
        .add_answer(make_observer("observer"), empty_answer())
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c pwd", "gate pwd", "observer pwd"]);
}

/// Returns a callback that waits until the other was called, too: called one after the other they would wait for ever.
fn meet_at(barrier: &Arc<Barrier>) -> Callback {
    let barrier = Arc::clone(barrier);
    Callback::asynchronous(move |_| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            Ok(Answer::default())
        }
    })
}

#[test]
fn gates_run_side_by_side_and_observers_do_too() {
    for role in [make_gate, make_observer] {
        let barrier = Arc::new(Barrier::new(2));
        let outcome = Chain::new()
            .add_callback(role("a"), meet_at(&barrier))
            .add_callback(role("b"), meet_at(&barrier))
            .run();
        assert_eq!(list_statuses(&outcome), ["a answered", "b answered"]);
    }
}

#[test]
fn transforms_run_one_after_another() {
    let under_way = Arc::new(Mutex::new(0));
    let most = Arc::new(Mutex::new(0));
    let alone = || {
        let (under_way, most) = (Arc::clone(&under_way), Arc::clone(&most));
        Callback::asynchronous(move |_| {
            let (under_way, most) = (Arc::clone(&under_way), Arc::clone(&most));
            async move {
                *under_way.lock().unwrap() += 1;
                tokio::task::yield_now().await;
                let now = *under_way.lock().unwrap();
                let most_so_far = *most.lock().unwrap();
                *most.lock().unwrap() = now.max(most_so_far);
                *under_way.lock().unwrap() -= 1;
                Ok(Answer::default())
            }
        })
    };
    Chain::new().add_callback(make_transform("a"), alone()).add_callback(make_transform("b"), alone()).run();
    assert_eq!(*most.lock().unwrap(), 1);
}

#[test]
fn a_transform_that_denies_ends_the_chain_for_transforms_and_gates_and_observers_hear_of_it() {
    let (outcome, calls) = Chain::new()
        .add_answer(make_transform("a"), deny_with("no"))
        .add_answer(make_transform("b"), empty_answer())
        .add_answer(make_gate("gate"), empty_answer())
        .add_answer(make_observer("observer"), empty_answer())
        .traced();
    assert_eq!(calls, ["a ls", "observer ls"]);
    assert_eq!(list_statuses(&outcome), ["a answered", "b skipped", "gate skipped", "observer answered"]);
    assert_eq!(format_verdict(&outcome), "deny: a=no");
}

#[test]
fn an_ask_ends_nothing() {
    let (_, calls) = Chain::new()
        .add_answer(make_transform("a"), ask_with("?"))
        .add_answer(make_gate("b"), ask_with("?"))
        .add_answer(make_gate("c"), ask_with("?"))
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c ls"]);
}

/// A quick deny behind a slow one must not decide which reasons are reported.
#[test]
fn of_two_gates_that_deny_the_first_in_the_chain_counts_though_the_second_was_quicker() {
    let slow = Callback::asynchronous(|_| async {
        tokio::task::yield_now().await;
        Ok(deny_with("slow"))
    });
    let outcome =
        Chain::new().add_callback(make_gate("a"), slow).add_answer(make_gate("b"), deny_with("quick")).run();
    assert_eq!(format_verdict(&outcome), "deny: a=slow");
    assert_eq!(list_statuses(&outcome), ["a answered", "b skipped"]);
}

#[test]
fn gates_before_the_deny_keep_their_other_texts() {
    let outcome = Chain::new()
        .add_answer(make_gate("a"), add_context("look"))
        .add_answer(make_gate("b"), deny_with("no"))
        .run();
    assert_eq!(
        (format_verdict(&outcome), format_texts(&outcome.contexts)),
        ("deny: b=no".into(), vec!["a=look".into()])
    );
}

#[test]
fn an_observer_gets_the_outcome_and_the_others_do_not() {
    let observed = Arc::new(Mutex::new(Vec::new()));
    let listener = || {
        let observed = Arc::clone(&observed);
        Callback::sync(move |call| {
            observed.lock().unwrap().push((call.hook.to_owned(), call.outcome.map(format_verdict)));
            Ok(ask_with("?"))
        })
    };
    Chain::new()
        .add_callback(make_transform("t"), listener())
        .add_callback(make_gate("g"), listener())
        .add_callback(make_observer("o"), listener())
        .run();
    let expected =
        [("t".to_owned(), None), ("g".to_owned(), None), ("o".to_owned(), Some("ask: t=?, g=?".to_owned()))];
    assert_eq!(*observed.lock().unwrap(), expected);
}

#[test]
fn no_answer_of_an_observer_changes_the_outcome() {
    let everything = Answer {
        rewrite: replace_command("rm").rewrite,
        context: Some("c".into()),
        notice: Some("n".into()),
        stop: Some("s".into()),
        extra: Some(parse_json("{}")),
        ..deny_with("no")
    };
    let alone = || Chain::new().add_answer(make_gate("g"), allow_with("yes"));
    let expected = alone().run();
    let outcomes = [
        alone().add_answer(make_observer("o"), everything).run(),
        alone().add_failing(make_observer("o")).run(),
        alone().add_callback(make_observer("o"), Callback::sync(|_| panic!("boom"))).run(),
        alone().add_failing(on_failure(hookbox::model::OnFailure::Deny, make_observer("o"))).run(),
    ];
    for mut outcome in outcomes {
        assert_eq!(outcome.reports.pop().unwrap().hook, "o");
        outcome.wall = expected.wall;
        outcome.reports.clone_from(&expected.reports);
        assert_eq!(outcome, expected);
    }
}

#[test]
fn an_untrusted_gate_runs_after_the_users_gates_whatever_its_priority() {
    let first =
        hookbox::HookSpec { priority: 100, ..with_trust_level(TrustLevel::Untrusted, make_gate("theirs")) };
    let (_, calls) =
        Chain::new().add_answer(first, empty_answer()).add_answer(make_gate("ours"), empty_answer()).traced();
    assert_eq!(calls, ["ours ls", "theirs ls"]);
}

#[test]
fn an_untrusted_transform_changes_nothing_and_runs_among_the_gates() {
    let theirs = with_trust_level(TrustLevel::Untrusted, make_transform("theirs"));
    let (outcome, calls) = Chain::new()
        .add_answer(theirs, replace_command("rm"))
        .add_answer(make_transform("ours"), empty_answer())
        .add_answer(make_gate("g"), empty_answer())
        .traced();
    assert_eq!(calls, ["ours ls", "g ls", "theirs ls"]);
    assert_eq!(rewritten_part(&outcome), "");
}
