//! The cases again, their hook files imported into hookbox's own configuration: what was denied is denied and
//! nothing else, and what was rewritten is rewritten so.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::case::Case;

/// Cases in which hookbox's own chain decides otherwise, and why: each is one of the differences that `import` tells.
const OTHERWISE: [(&str, &str); 9] = [
    ("claude-code/event-post-tool-use", "no rewrite beside a deny"),
    ("cocode/a-timeout-does-not-block", "what takes too long rejects"),
    ("gemini-cli/a-deny-keeps-what-was-merged", "no rewrite beside a deny"),
    ("gemini-cli/model-events-last-wins", "the strictest answer wins"),
    ("gemini-cli/one-sequential-group-makes-all-run-in-order", "no rewrite beside a deny"),
    ("gemini-cli/parallel-hooks-see-the-original", "later hooks see the changed event"),
    ("gemini-cli/sequential-hooks-see-the-changed-event", "no rewrite beside a deny"),
    ("gemini-cli/tool-selection-is-a-union", "the last choice of tools counts"),
    ("llxprt/model-events-last-wins", "the strictest answer wins"),
];

/// What came of one case.
pub(crate) struct Imported {
    /// Did all of its hooks carry over, so that both could be compared?
    pub(crate) compared: bool,
    /// How the decision differs, unless that is known.
    pub(crate) problem: Option<String>,
}

/// All cases with a hook file.
pub(crate) fn results() -> Vec<Imported> {
    Case::all().iter().filter_map(result).collect()
}

fn result(case: &Case) -> Option<Imported> {
    let file = case.own_file()?;
    let home = TempDir::new().unwrap();
    let import = case.hookbox(&words(&["import", &case.dialect, file.to_str().unwrap()]), home.path());
    if !import.status.success() {
        return Some(Imported { compared: false, problem: None });
    }
    let before = decision(case, &["--source", file.to_str().unwrap()], home.path());
    let folder = home.path().join(".config/hookbox");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("hooks.toml"), &import.stdout).unwrap();
    let after = decision(case, &[], home.path());
    let id = format!("{}/{}", case.dialect, case.name);
    let known = OTHERWISE.iter().find(|(known, _)| *known == id);
    let problem = match (before == after, known) {
        (false, None) => Some(format!("{id} was {before:?} and is {after:?}")),
        (true, Some((_, why))) => Some(format!("{id} is the same without the exception: {why}")),
        _ => None,
    };
    Some(Imported { compared: true, problem })
}

/// The verdict and the rewrite, as the report has them; none if the event was not acceptable.
fn decision(case: &Case, more: &[&str], home: &Path) -> Option<String> {
    let report = home.join("report");
    let named = ["run", "--agent", &case.dialect, "--report", report.to_str().unwrap()];
    case.hookbox(&words(&[&named, more].concat()), home);
    let line = fs::read_to_string(&report).ok()?;
    fs::remove_file(&report).unwrap();
    let report: Value = serde_json::from_str(&line).unwrap();
    let part = |key: &str| report.get(key).unwrap().to_string();
    Some([part("verdict"), part("rewrite")].join(" "))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
