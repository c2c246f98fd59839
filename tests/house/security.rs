//! `docs/security.md` names tests that exist, and every row of it names one or says why there is none.

use std::{collections::HashSet, fs, path::Path};

/// The functions that are tests, or checked by one, in every Rust source of the project.
fn functions() -> HashSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> = ["host", "plugins", "sdk", "tests"].map(|folder| root.join(folder)).into();
    let mut names = HashSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend((!path.ends_with("target")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(path).unwrap();
                names.extend(
                    text.split("fn ").skip(1).filter_map(|rest| Some(rest.split_once('(')?.0.to_owned())),
                );
            }
        }
    }
    names
}

/// The rows of the catalogue: id, and who shows it.
fn rows(page: &str) -> Vec<(&str, &str)> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    rows.filter(|row| is_id(row[0])).map(|row| (row[0], row[row.len() - 1])).collect()
}

/// A letter and a number: `W16`.
fn is_id(word: &str) -> bool {
    word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && word[1..].parse::<u8>().is_ok()
}

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/security.md")).unwrap()
}

/// The names in backquotes that are those of functions.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        word.matches('_').count() > 2
            && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    })
}

#[test]
fn the_security_page_names_tests_that_exist() {
    let (page, functions) = (page(), functions());
    let gone: Vec<_> = named(&page).filter(|name| !functions.contains(*name)).collect();
    assert_eq!(gone, Vec::<&str>::new());
}

#[test]
fn every_attack_on_the_security_page_has_a_test_or_a_reason() {
    let page = page();
    let rows = rows(&page);
    assert!(rows.len() > 60, "{} rows were found", rows.len());
    for (id, shown_by) in rows {
        assert!(shown_by.contains("not yet: ") || named(shown_by).next().is_some(), "{id}: {shown_by}");
    }
}
