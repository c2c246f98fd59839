//! `docs/internals/seeds.md` names tests that run and cases that are there, and forgets no numbered requirement.

use std::{fs, path::Path};

use crate::security::functions_of;

/// The requirements that have numbers: how many each group of them has.
const NUMBERED: [(&str, usize); 15] = [
    ("FR-1.", 5),
    ("FR-2.", 3),
    ("FR-3.", 4),
    ("FR-4.", 3),
    ("FR-5.", 3),
    ("FR-6.", 4),
    ("NFR-", 4),
    ("DELTA-HSYS-00", 2),
    ("DELTA-HEVT-00", 4),
    ("DELTA-HRUN-00", 4),
    ("DELTA-HPAY-00", 6),
    ("DELTA-HBUS-00", 3),
    ("DELTA-HTEL-00", 3),
    ("DELTA-HAPP-00", 2),
    ("DELTA-HFAIL-00", 5),
];

fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read_page() -> String {
    fs::read_to_string(manifest_folder().join("docs/internals/seeds.md")).unwrap()
}

/// Returns the rows of all tables: the requirement, its tests, and the differences.
fn parse_rows(page: &str) -> Vec<[&str; 3]> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.filter(|row| !row.starts_with("line |"));
    rows.map(|row| {
        let cells: Vec<_> = row.split(" | ").map(str::trim).collect();
        <[&str; 3]>::try_from(cells).unwrap()
    })
    .collect()
}

/// Returns the texts in backquotes.
fn find_quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns true if the test or the case exists and runs.
fn is_run(name: &str) -> bool {
    let Some((file, test)) = name.split_once("::") else {
        return manifest_folder().join("tests/conformance/cases").join(format!("{name}.txt")).is_file();
    };
    let Ok(source) = fs::read_to_string(manifest_folder().join(file)) else { return false };
    match Path::new(file).extension().and_then(|extension| extension.to_str()) {
        Some("rs") => functions_of(&source).contains(&(test.to_owned(), true)),
        Some("py") => source.lines().any(|line| line.trim_start().starts_with(&format!("def {test}("))),
        _ => ['"', '\''].iter().any(|mark| source.contains(&format!("test({mark}{test}{mark}"))),
    }
}

#[test]
fn every_test_and_every_case_that_the_page_of_the_documents_names_is_there() {
    let page = read_page();
    let missing: Vec<_> = parse_rows(&page)
        .into_iter()
        .flat_map(|[_, shown, _]| find_quoted(shown))
        .filter(|name| !is_run(name))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_line_of_the_documents_is_shown_or_has_a_reason() {
    let page = read_page();
    let rows = parse_rows(&page);
    assert!(rows.len() > 300, "{} rows were found", rows.len());
    let bare: Vec<_> =
        rows.iter().filter(|row| find_quoted(row[1]).next().is_none() && row[2].is_empty()).collect();
    assert_eq!(bare, Vec::<&[&str; 3]>::new());
}

#[test]
fn no_numbered_requirement_of_the_documents_is_forgotten() {
    let page = read_page();
    let rows = parse_rows(&page);
    let there = |id: &str| rows.iter().any(|row| row[0].starts_with(&format!("{id}:")));
    let wanted = NUMBERED.iter().flat_map(|(group, count)| (1..=*count).map(move |n| format!("{group}{n}")));
    assert_eq!(wanted.filter(|id| !there(id)).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_test_that_is_not_there_is_missed_in_every_language() {
    for (name, there) in [
        ("cocode/once", true),
        ("cocode/never", false),
        ("tests/house/documents.rs::a_test_that_is_not_there_is_missed_in_every_language", true),
        ("tests/house/documents.rs::quoted", false),
        ("tests/house/nowhere.rs::quoted", false),
        ("integrations/litellm/tests/stub/test_taken.py::test_what_differs_only", true),
        ("integrations/litellm/tests/stub/test_taken.py::test_what", false),
    ] {
        assert_eq!(is_run(name), there, "{name}");
    }
}
