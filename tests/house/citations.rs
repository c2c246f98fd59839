//! Every page that a comment names exists, and every dialect has a page about its contract.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use hookbox::agents;

/// Names of documents that are kept elsewhere, as comments and pages once cited them: a reader of this repository alone could not read
/// these.
const ELSEWHERE: [&str; 4] = ["hook-contracts", "design §", "house-review", "findings.md"];

fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every file of hookbox's with this ending, by its path from the root.
fn read_files(ending: &str) -> Vec<(String, String)> {
    let folders = [
        "host",
        "plugins",
        "sdk",
        "packages",
        "integrations",
        "tests",
        "fuzz",
        "benches",
        "examples",
        "docs",
        "wit",
    ];
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| manifest_folder().join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend((!path.ends_with("target")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == ending) {
                let name = path.strip_prefix(manifest_folder()).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "there is no .{ending}");
    found
}

/// Returns the pages of documentation that a text names: `docs/reference/agents/codex.md`.
fn find_pages(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| word.starts_with("docs/") && word.strip_suffix(".md").is_some()).collect()
}

#[test]
fn every_page_that_the_code_names_is_there() {
    let mut missing = Vec::new();
    for (file, text) in read_files("rs") {
        // Sources of other projects are named on the pages, and not in hookbox's code.
        let named = find_pages(&text).into_iter().filter(|page| !manifest_folder().join(page).is_file());
        missing.extend(named.map(|page| format!("{file}: {page}")));
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn nothing_cites_a_paper_that_is_not_in_the_repository() {
    let mut citing = Vec::new();
    let all = read_files("rs").into_iter().chain(read_files("md"));
    for (file, text) in all.filter(|(file, _)| file != "tests/house/citations.rs") {
        let lines = text.lines().enumerate();
        let cited = lines.filter(|(_, line)| ELSEWHERE.iter().any(|paper| line.contains(paper)));
        citing.extend(cited.map(|(at, line)| format!("{file}:{}: {}", at + 1, line.trim())));
    }
    assert_eq!(citing, Vec::<String>::new());
}

/// The paragraphs are on the page of the contract; a document's number in front of the rule means nothing to its readers.
#[test]
fn no_rule_of_a_case_begins_with_a_paragraph_of_a_paper() {
    let is_number = |word: &str| {
        let [letter, dot, number] = *word.as_bytes() else { return false };
        letter.is_ascii_alphanumeric() && dot == b'.' && number.is_ascii_digit()
    };
    let begins_so = |rule: &str| rule.split([' ', ':', ',']).next().is_some_and(is_number);
    let rules = read_files("txt").into_iter().filter(|(file, _)| file.starts_with("tests/conformance/cases"));
    let rule = |text: &str| text.lines().find_map(|line| line.strip_prefix("rule = \"").map(str::to_owned));
    let numbered = rules.filter(|(_, text)| rule(text).is_some_and(|rule| begins_so(&rule)));
    assert_eq!(numbered.map(|(file, _)| file).collect::<Vec<_>>(), Vec::<String>::new());
}

/// A page that forgets an event is old; so is one that names an event which the dialect has no more.
#[test]
fn every_dialect_has_a_page_that_lists_its_events() {
    let mut wrong = Vec::new();
    let index = fs::read_to_string(manifest_folder().join("docs/reference/agents/README.md")).unwrap();
    for dialect in agents::all_dialects().iter().filter(|dialect| dialect.name() != "native") {
        let name = dialect.name();
        let page = fs::read_to_string(manifest_folder().join(format!("docs/reference/agents/{name}.md")))
            .unwrap_or_default();
        if !index.contains(&format!("({name}.md)")) {
            wrong.push(format!("docs/reference/agents/README.md does not link {name}.md"));
        }
        let events = dialect.events();
        let names: BTreeSet<_> = events.iter().map(|(event, _)| event).collect();
        if read_count(&index, name) != names.len().to_string() {
            wrong.push(format!("docs/reference/agents/README.md: {name} has {} events", names.len()));
        }
        let row = |event: &str, canonical: &str| {
            let is_row = |line: &str| {
                line.starts_with(&format!("| `{event}`")) && line.contains(&format!("| {canonical} |"))
            };
            page.lines().any(is_row)
        };
        let missing = events.iter().filter(|(event, canonical)| !row(event, canonical.as_str()));
        wrong.extend(missing.map(|(event, canonical)| format!("{name}.md lacks {event} ({canonical})")));
        let rows =
            page.lines().filter(|line| line.starts_with("| `") && line.contains(" | ") && is_event_row(line));
        if rows.count() != events.len() {
            wrong.push(format!("{name}.md lists another number of events than {}", events.len()));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Returns the number of an agent's events in the table of agents.
fn read_count<'i>(index: &'i str, name: &str) -> &'i str {
    let beginning = format!("| [`{name}`]");
    let row = index.lines().find(|line| line.starts_with(&beginning)).unwrap_or_default();
    let cell = row.split('|').nth(3).unwrap_or_default().trim();
    cell.split([' ', ',']).next().unwrap_or_default()
}

/// Returns true if the second column is a canonical name. Other tables of a page have other contents there.
fn is_event_row(line: &str) -> bool {
    let second = line.split('|').nth(2).map(str::trim).unwrap_or_default();
    hookbox::model::EventName::known(second).is_some()
}
