//! Every relative link of a Markdown page leads to a file and, with `#`, to a heading of the page. Every page of the manual is in
//! `docs/SUMMARY.md`.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folders with pages.
const FOLDERS: [&str; 7] = ["docs", "examples", "integrations", "packages", "plugins", "sdk", "tests"];
/// Folders with files of others or of tests.
const LEFT_OUT: [&str; 4] = ["node_modules", "target", "cases", "template"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages below a folder.
fn find_pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.is_symlink() && !LEFT_OUT.iter().any(|name| path.ends_with(name)) {
                find_pages(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    find_pages_of_root(&mut found);
    for folder in FOLDERS {
        find_pages(&root().join(folder), &mut found);
    }
    found.sort();
    found
}

fn find_pages_of_root(found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
    found.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
}

/// Returns the lines of a page outside code blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the text without code between backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("x")
}

/// Returns the targets of the links of a page.
fn links(page: &str) -> Vec<String> {
    let targets = |line: &str| {
        let line = without_code(line);
        let parts: Vec<_> = line.split("](").skip(1).map(str::to_owned).collect();
        parts.into_iter().filter_map(|part| Some(part.split_once(')')?.0.to_owned()))
    };
    prose(page).flat_map(targets).collect()
}

/// Returns the anchors of a page's headings, by the rule of GitHub and mdBook.
fn anchors(page: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for heading in prose(page).filter_map(|line| line.strip_prefix('#')) {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        let anchor = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let repeated = found.iter().filter(|other| **other == anchor).count();
        found.push(if repeated == 0 { anchor } else { format!("{anchor}-{repeated}") });
    }
    found
}

/// Returns the reason why a link of the page at `path` leads nowhere.
fn fault(path: &Path, page: &str, link: &str) -> Option<&'static str> {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = if file.is_empty() { path.to_owned() } else { path.parent().unwrap().join(file) };
    if !target.exists() {
        return Some("no such file");
    }
    let anchor = anchor?;
    let read =
        if file.is_empty() { page.to_owned() } else { fs::read_to_string(&target).unwrap_or_default() };
    (!anchors(&read).iter().any(|found| found == anchor)).then_some("no such heading")
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let mut faults = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let links = links(&page);
        let relative = links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:"));
        let found = relative.filter_map(|link| Some((link, fault(&path, &page, link)?)));
        let name = path.strip_prefix(root()).unwrap().display();
        faults.extend(found.map(|(link, why)| format!("{name}: {link}: {why}")));
    }
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn every_page_of_the_manual_is_in_the_summary() {
    let docs = root().join("docs");
    let listed = links(&fs::read_to_string(docs.join("SUMMARY.md")).unwrap());
    let mut found = Vec::new();
    find_pages(&docs, &mut found);
    let names = found.iter().map(|path| path.strip_prefix(&docs).unwrap().to_str().unwrap());
    let missing: Vec<_> =
        names.filter(|name| *name != "SUMMARY.md" && !listed.iter().any(|link| link == name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn a_link_to_a_missing_file_or_heading_is_a_fault() {
    let path = root().join("docs/SUMMARY.md");
    let page = "# A heading, `with code`\n\n```sh\n# no heading\n```\n\n# A heading, `with code`\n";
    let fault = |link| fault(&path, page, link);
    assert_eq!(fault("#a-heading-with-code"), None);
    assert_eq!(fault("#a-heading-with-code-1"), None);
    assert_eq!(fault("#no-heading"), Some("no such heading"));
    assert_eq!(fault("../README.md"), None);
    assert_eq!(fault("../README.md#nowhere"), Some("no such heading"));
    assert_eq!(fault("nowhere.md"), Some("no such file"));
}
