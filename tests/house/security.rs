//! `docs/internals/security.md` names tests that run, and every row of it names one or gives a reason for having no test.

use std::{collections::HashMap, fs, path::Path};

/// Returns every function in every Rust source of the project, and whether it is a test that runs.
pub(crate) fn read_functions() -> HashMap<String, bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> = ["host", "plugins", "sdk", "packages", "integrations", "tests"]
        .map(|folder| root.join(folder))
        .into();
    let mut found = HashMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend((!path.ends_with("target")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                for (name, runs) in functions_of(&fs::read_to_string(path).unwrap()) {
                    *found.entry(name).or_default() |= runs;
                }
            }
        }
    }
    found
}

/// Returns the functions of one source. A test that runs has an attribute `test`, of any library, and is not ignored.
pub(crate) fn functions_of(text: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut attributes = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[") {
            attributes.push_str(line);
            continue;
        }
        let name = line.split_once("fn ").and_then(|(_, rest)| Some(rest.split_once(['(', '<'])?.0));
        if let Some(name) = name {
            let is_test = ["#[test]", "::test]", "::test("].iter().any(|mark| attributes.contains(mark));
            found.push((name.to_owned(), is_test && !attributes.contains("ignore")));
        }
        if !line.starts_with("//") {
            attributes.clear();
        }
    }
    found
}

/// Returns the rows of the catalogue: id, and its tests.
fn parse_rows(page: &str) -> Vec<(&str, &str)> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    rows.filter(|row| is_id(row[0])).map(|row| (row[0], row[row.len() - 1])).collect()
}

/// Returns true for a letter and a number: `W16`.
fn is_id(word: &str) -> bool {
    word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && word[1..].parse::<u8>().is_ok()
}

fn read_page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/internals/security.md")).unwrap()
}

/// Returns the names in backquotes that are names of functions.
pub(crate) fn find_function_names(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        word.matches('_').count() > 2
            && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    })
}

#[test]
fn the_security_page_names_tests_that_run() {
    let (page, functions) = (read_page(), read_functions());
    let idle: Vec<_> =
        find_function_names(&page).filter(|name| functions.get(*name) != Some(&true)).collect();
    assert_eq!(idle, Vec::<&str>::new());
}

#[test]
fn an_ignored_test_and_a_function_that_is_not_a_test_are_recognized() {
    let source = "
        #[test]
        fn runs() {}

        #[tokio::test(flavor = \"current_thread\")]
        // With a reason between.
        async fn waits() {}

        #[test]
        #[ignore = \"slow\"]
        fn is_ignored() {}

        pub(crate) fn helps<T>(of: T) {}
    ";
    let expected = [("runs", true), ("waits", true), ("is_ignored", false), ("helps", false)];
    assert_eq!(functions_of(source), expected.map(|(name, runs)| (name.to_owned(), runs)));
}

#[test]
fn every_attack_on_the_security_page_has_a_test_or_a_reason() {
    let page = read_page();
    let rows = parse_rows(&page);
    assert!(rows.len() > 60, "{} rows were found", rows.len());
    for (id, shown_by) in rows {
        assert!(
            shown_by.contains("not yet: ") || find_function_names(shown_by).next().is_some(),
            "{id}: {shown_by}"
        );
    }
}
