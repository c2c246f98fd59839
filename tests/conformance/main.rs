//! What hookbox says in each agent's place. A folder of `cases/<dialect>/` is a case:
//!
//! - `case.toml`: `rule` (the sentence of the contract that it proves, with its place in it), and if they are not the
//!   usual, `source` (the agent's own hook file; without one the hooks are the user's `hooks.toml`), `exit`, and `stderr`
//!   where the agent reads the answer there;
//! - `event.json`: what the agent sends; `answer`: the bytes that it gets.
//!
//! `docs/conformance.md` lists the cases. To write it and the answers anew: `HOOKBOX_BLESS=1 cargo nextest run --test
//! conformance`, and read what changed.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests and their helpers")]

mod case;
mod coverage;

use case::Case;

#[test]
fn every_case_is_answered_as_its_rule_says() {
    let failed: Vec<_> = Case::all().iter().filter_map(Case::failure).collect();
    assert!(failed.is_empty(), "{} cases differ:\n\n{}", failed.len(), failed.join("\n\n"));
}

#[test]
fn the_list_of_cases_is_true() {
    let (written, now) = (coverage::written(), coverage::of(&Case::all()));
    assert!(written == now, "docs/conformance.md is old; write it anew with HOOKBOX_BLESS=1");
}

#[test]
fn every_dialect_has_cases() {
    let cases = Case::all();
    let without: Vec<_> = hookbox::dialect::all()
        .iter()
        .map(|dialect| dialect.name())
        .filter(|name| !cases.iter().any(|case| case.dialect == *name))
        .collect();
    assert_eq!(without, Vec::<&str>::new());
}
