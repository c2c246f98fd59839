//! What hookbox says in each agent's place. A folder of `cases/<dialect>/` is a case:
//!
//! - `case.toml`: `rule` (the sentence of the contract that it proves, with its place in it), and if they are not the
//!   usual, `source` (the agent's own hook file; without one the hooks are the user's `hooks.toml`), `exit`, and `stderr`
//!   where the agent reads the answer there;
//! - `event.json`: what the agent sends; `answer`: the bytes that it gets;
//! - `home/`: what is in the home folder, called `[HOME]` in files of the case, with `bin` first in `PATH`; `left/`: files
//!   that must be there in the end; `plugins` in `case.toml`: where the shipped plugins are there;
//! - `response.http`: what a server says whose address is `[SERVER]` in the hook file, or what `server` in `case.toml` says;
//!   `request.http`: a request that it must have got, some of its head and all of its body. It must get
//!   one, or none if this is empty.
//!
//! `variables` in `case.toml` are what the agent has, a line each. Cases called `seed-…` have a hook file that was not written for
//! hookbox, byte for byte.
//!
//! `schemas/<dialect>/<event>.json` says which answers an agent takes, as far as its code or its documentation does.
//!
//! `docs/conformance.md` lists the cases. To write it and the answers anew: `HOOKBOX_BLESS=1 cargo nextest run --test
//! conformance`, and read what changed.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests and their helpers")]

mod case;
mod conflicts;
mod coverage;
mod events;
mod home;
mod imported;
#[path = "../support/long_ago.rs"]
mod long_ago;
mod page;
#[path = "../support/schemas.rs"]
mod schemas;
mod server;

use case::Case;
use hookbox::dialect;

#[test]
fn every_case_is_answered_as_its_rule_says() {
    let failed: Vec<_> = Case::all().iter().filter_map(Case::failure).collect();
    assert!(failed.is_empty(), "{} cases differ:\n\n{}", failed.len(), failed.join("\n\n"));
}

#[test]
fn every_answer_is_one_that_its_agent_takes() {
    let wrong: Vec<_> = Case::all().iter().filter_map(Case::schema_problem).collect();
    assert!(wrong.is_empty(), "{} answers are not taken:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn imported_hooks_decide_as_they_did_where_nothing_is_lost() {
    let results = imported::results();
    let compared = results.iter().filter(|result| result.compared).count();
    let differ: Vec<_> = results.iter().filter_map(|result| result.problem.as_deref()).collect();
    assert_eq!(differ, Vec::<&str>::new());
    // What hookbox's configuration has no words for (a rule in `if`, look-around, a switch) is told, and shown elsewhere.
    assert!(compared * 100 > results.len() * 88, "only {compared} of {} cases carry over", results.len());
}

#[test]
fn the_list_of_cases_is_true() {
    let now = coverage::page(&Case::all(), &conflicts::rows());
    assert!(
        page::is_true("conformance.md", &now),
        "docs/conformance.md is old; write it anew with HOOKBOX_BLESS=1"
    );
}

#[test]
fn the_page_of_events_is_true() {
    assert!(
        page::is_true("events.md", &events::page()),
        "docs/events.md is old; write it anew with HOOKBOX_BLESS=1"
    );
}

#[test]
fn every_difference_between_systems_is_shown_by_two_or_says_why_not() {
    let (cases, rows) = (Case::all(), conflicts::rows());
    let missing: Vec<_> = rows.iter().flat_map(|row| row.missing(&cases)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    let unsettled: Vec<_> = rows.iter().filter(|row| !row.is_settled()).map(|row| row.number).collect();
    assert_eq!(unsettled, Vec::<u64>::new());
    assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), (1..=32).collect::<Vec<_>>());
}

#[test]
fn every_event_of_every_dialect_has_a_case() {
    let cases = Case::all();
    let mut without = Vec::new();
    for dialect in dialect::all() {
        let seen: Vec<_> = cases.iter().filter(|case| case.dialect == dialect.name()).collect();
        let seen: Vec<_> = seen.iter().filter_map(|case| case.event(*dialect)).collect();
        for event in dialect.events() {
            if !seen.contains(&(event.0.to_owned(), event.1.clone())) {
                without.push(format!("{} {} ({})", dialect.name(), event.0, event.1));
            }
        }
    }
    assert!(without.is_empty(), "without a case: {without:#?}");
}
