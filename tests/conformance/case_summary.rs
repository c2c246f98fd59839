//! What the cases say together, and the pages that are made of them.

use std::{collections::HashSet, fs};

use hookbox::agents;
use libtest_mimic::{Failed, Trial};

use crate::{
    case::{Case, Import, manifest_folder},
    compare_case::emptied_problem,
    conflicts, coverage, events, imported_case, page,
};

/// A test each.
pub(crate) fn list_trials() -> Vec<Trial> {
    [
        ("most_hook_files_can_be_imported_as_a_whole", most_files_are_imported as fn() -> Result<(), Failed>),
        ("the_list_of_cases_is_true", list_of_cases),
        ("the_page_of_events_is_true", page_of_events),
        ("every_difference_between_systems_is_shown_by_two_or_says_why_not", differences_are_shown),
        ("every_event_of_every_dialect_has_a_case", events_have_cases),
        (
            "every_case_that_the_page_of_the_documents_names_fails_without_its_hooks",
            cited_cases_need_their_hooks,
        ),
    ]
    .map(|(name, test)| Trial::test(name, test))
    .into()
}

/// What hookbox's configuration has no words for (a rule in `if`, look-around, a switch) is told, and shown elsewhere.
fn most_files_are_imported() -> Result<(), Failed> {
    let mut cases = Case::read_all();
    cases.retain(imported_case::is_importable);
    let whole = cases.iter().filter(|case| case.file.import != Import::LosesSomething).count();
    none_of(
        &format!("only {whole} of {} hook files carry over", cases.len()),
        (whole * 100 <= cases.len() * 88).then_some("at least 88 in 100 must"),
    )
}

fn list_of_cases() -> Result<(), Failed> {
    let now = coverage::format_page(&Case::read_all(), &conflicts::read_rows());
    is_true("internals/conformance.md", &now)
}

fn page_of_events() -> Result<(), Failed> {
    is_true("reference/events.md", &events::format_page())
}

fn is_true(page: &str, now: &str) -> Result<(), Failed> {
    let old = (!page::is_true(page, now)).then_some("write it anew with HOOKBOX_BLESS=1");
    none_of(&format!("docs/{page} is old"), old)
}

fn differences_are_shown() -> Result<(), Failed> {
    let (cases, rows) = (Case::read_all(), conflicts::read_rows());
    let numbers: Vec<_> = rows.iter().map(|row| row.number).collect();
    assert_eq!(numbers, (1..=32).collect::<Vec<_>>());
    none_of("cases that do not exist", rows.iter().flat_map(|row| row.find_missing_cases(&cases)))?;
    let unsettled = rows.iter().filter(|row| !row.is_settled());
    none_of("rows without two systems or a reason", unsettled.map(|row| row.number.to_string()))
}

fn events_have_cases() -> Result<(), Failed> {
    let cases = Case::read_all();
    let mut without = Vec::new();
    for dialect in agents::all_dialects() {
        let seen = cases.iter().filter(|case| case.dialect == dialect.name());
        let seen: Vec<_> = seen.filter_map(|case| case.read_event(*dialect)).collect();
        for (name, canonical) in dialect.events() {
            if !seen.contains(&(name.to_owned(), canonical.clone())) {
                without.push(format!("{} {name} ({canonical})", dialect.name()));
            }
        }
    }
    none_of("events without a case", without)
}

/// A case that passes without its hooks shows nothing about them.
fn cited_cases_need_their_hooks() -> Result<(), Failed> {
    let page = fs::read_to_string(manifest_folder().join("docs/internals/seeds.md")).unwrap();
    let cited: HashSet<_> = page.split('`').skip(1).step_by(2).collect();
    let cases: Vec<_> =
        Case::read_all().into_iter().filter(|case| cited.contains(case.title().as_str())).collect();
    assert!(cases.len() > 200, "{} cases", cases.len());
    none_of("cases", cases.into_iter().filter_map(emptied_problem))
}

/// Fails with a line for each.
fn none_of(what: &str, wrong: impl IntoIterator<Item = impl Into<String>>) -> Result<(), Failed> {
    let wrong: Vec<String> = wrong.into_iter().map(Into::into).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{what}:\n{}", wrong.join("\n")).into()) }
}
