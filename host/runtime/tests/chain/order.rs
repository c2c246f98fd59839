//! Order of the hooks, and the changes of others that each sees.

use std::sync::{Arc, Mutex};

use hookbox::{
    Callback,
    model::{Answer, Tier},
};
use tokio::sync::Barrier;

use super::bed::*;

#[test]
fn roles_run_in_their_order_whatever_order_they_were_given_in() {
    let (_, calls) = Chain::new()
        .says(observer("observer"), nothing())
        .says(gate("gate"), nothing())
        .says(transform("transform"), nothing())
        .traced();
    assert_eq!(calls, ["transform ls", "gate ls", "observer ls"]);
}

#[test]
fn a_transforms_change_is_seen_by_all_that_come_after_it_and_by_nobody_before() {
    let (_, calls) = Chain::new()
        .says(transform("a"), nothing())
        .says(transform("b"), command("pwd"))
        .says(transform("c"), nothing())
        .says(gate("gate"), nothing())
        .says(observer("observer"), nothing())
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c pwd", "gate pwd", "observer pwd"]);
}

/// Returns a callback that waits until the other was called, too: called one after the other they would wait for ever.
fn meets(barrier: &Arc<Barrier>) -> Callback {
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
    for role in [gate, observer] {
        let barrier = Arc::new(Barrier::new(2));
        let outcome = Chain::new().calls(role("a"), meets(&barrier)).calls(role("b"), meets(&barrier)).run();
        assert_eq!(statuses(&outcome), ["a answered", "b answered"]);
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
    Chain::new().calls(transform("a"), alone()).calls(transform("b"), alone()).run();
    assert_eq!(*most.lock().unwrap(), 1);
}

#[test]
fn a_transform_that_denies_ends_the_chain_for_transforms_and_gates_and_observers_hear_of_it() {
    let (outcome, calls) = Chain::new()
        .says(transform("a"), deny("no"))
        .says(transform("b"), nothing())
        .says(gate("gate"), nothing())
        .says(observer("observer"), nothing())
        .traced();
    assert_eq!(calls, ["a ls", "observer ls"]);
    assert_eq!(statuses(&outcome), ["a answered", "b skipped", "gate skipped", "observer answered"]);
    assert_eq!(verdict(&outcome), "deny: a=no");
}

#[test]
fn an_ask_ends_nothing() {
    let (_, calls) = Chain::new()
        .says(transform("a"), ask("?"))
        .says(gate("b"), ask("?"))
        .says(gate("c"), ask("?"))
        .traced();
    assert_eq!(calls, ["a ls", "b ls", "c ls"]);
}

/// A quick deny behind a slow one must not decide which reasons are reported.
#[test]
fn of_two_gates_that_deny_the_first_in_the_chain_counts_though_the_second_was_quicker() {
    let slow = Callback::asynchronous(|_| async {
        tokio::task::yield_now().await;
        Ok(deny("slow"))
    });
    let outcome = Chain::new().calls(gate("a"), slow).says(gate("b"), deny("quick")).run();
    assert_eq!(verdict(&outcome), "deny: a=slow");
    assert_eq!(statuses(&outcome), ["a answered", "b skipped"]);
}

#[test]
fn gates_before_the_deny_keep_what_they_said_besides() {
    let outcome = Chain::new().says(gate("a"), context("look")).says(gate("b"), deny("no")).run();
    assert_eq!((verdict(&outcome), texts(&outcome.contexts)), ("deny: b=no".into(), vec!["a=look".into()]));
}

#[test]
fn an_observer_gets_the_outcome_and_the_others_do_not() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = || {
        let heard = Arc::clone(&heard);
        Callback::sync(move |call| {
            heard.lock().unwrap().push((call.hook.to_owned(), call.outcome.map(verdict)));
            Ok(ask("?"))
        })
    };
    Chain::new()
        .calls(transform("t"), listener())
        .calls(gate("g"), listener())
        .calls(observer("o"), listener())
        .run();
    let expected =
        [("t".to_owned(), None), ("g".to_owned(), None), ("o".to_owned(), Some("ask: t=?, g=?".to_owned()))];
    assert_eq!(*heard.lock().unwrap(), expected);
}

#[test]
fn whatever_an_observer_says_or_does_the_outcome_is_the_same() {
    let everything = Answer {
        rewrite: command("rm").rewrite,
        context: Some("c".into()),
        notice: Some("n".into()),
        stop: Some("s".into()),
        extra: Some(json("{}")),
        ..deny("no")
    };
    let alone = || Chain::new().says(gate("g"), allow("yes"));
    let expected = alone().run();
    let outcomes = [
        alone().says(observer("o"), everything).run(),
        alone().fails(observer("o")).run(),
        alone().calls(observer("o"), Callback::sync(|_| panic!("boom"))).run(),
        alone().fails(on_failure(hookbox::model::OnFailure::Deny, observer("o"))).run(),
    ];
    for mut outcome in outcomes {
        assert_eq!(outcome.reports.pop().unwrap().hook, "o");
        outcome.wall = expected.wall;
        outcome.reports.clone_from(&expected.reports);
        assert_eq!(outcome, expected);
    }
}

#[test]
fn a_strangers_gate_stands_behind_the_users_whatever_its_priority() {
    let first = hookbox::HookSpec { priority: 100, ..of_tier(Tier::Unknown, gate("theirs")) };
    let (_, calls) = Chain::new().says(first, nothing()).says(gate("ours"), nothing()).traced();
    assert_eq!(calls, ["ours ls", "theirs ls"]);
}

#[test]
fn a_strangers_transform_changes_nothing_and_runs_among_the_gates() {
    let theirs = of_tier(Tier::Unknown, transform("theirs"));
    let (outcome, calls) = Chain::new()
        .says(theirs, command("rm"))
        .says(transform("ours"), nothing())
        .says(gate("g"), nothing())
        .traced();
    assert_eq!(calls, ["ours ls", "g ls", "theirs ls"]);
    assert_eq!(rewrite(&outcome), "");
}
