//! The cases again, their hook files imported into hookbox's own configuration: what was denied is denied and
//! nothing else, and what was rewritten is rewritten so.

use std::fs;

use serde_json::Value;

use crate::{case::Case, home::Home, long_ago::settle};

/// Cases in which hookbox's own chain decides otherwise, and why: each is one of the differences that `import` tells.
const OTHERWISE: [(&str, &str); 14] = [
    ("claude-code/event-post-tool-use", "no rewrite beside a deny"),
    ("cocode/a-timeout-does-not-block", "what takes too long rejects"),
    ("gemini-cli/a-deny-keeps-what-was-merged", "no rewrite beside a deny"),
    ("gemini-cli/after-model-last-wins", "the strictest answer wins"),
    ("gemini-cli/model-events-last-wins", "the strictest answer wins"),
    ("gemini-cli/one-sequential-group-makes-all-run-in-order", "no rewrite beside a deny"),
    ("gemini-cli/parallel-hooks-see-the-original", "later hooks see the changed event"),
    ("gemini-cli/sequential-hooks-see-the-changed-event", "no rewrite beside a deny"),
    ("gemini-cli/sequential-prompts-have-the-context", "later hooks do not see the context of earlier ones"),
    ("gemini-cli/tool-selection-any-over-auto", "the last choice of tools counts"),
    ("gemini-cli/tool-selection-auto", "the last choice of tools counts"),
    ("gemini-cli/tool-selection-is-a-union", "the last choice of tools counts"),
    ("gemini-cli/tool-selection-is-a-union-in-order-too", "the last choice of tools counts"),
    ("llxprt/model-events-last-wins", "the strictest answer wins"),
];

/// What came of one case.
pub(crate) struct Imported {
    /// Did all of its hooks carry over, so that both could be compared?
    pub(crate) compared: bool,
    /// How the decision differs, unless that is known.
    pub(crate) problem: Option<String>,
}

/// All cases with a hook file; run-claude's functions never carry over.
pub(crate) fn results() -> Vec<Imported> {
    Case::all().iter().filter(|case| case.dialect != "run-claude").filter_map(result).collect()
}

fn result(case: &Case) -> Option<Imported> {
    let home = case.home();
    let file = case.own_file(&home)?;
    let import = case.hookbox(&words(&["import", &case.dialect, file.to_str().unwrap()]), &home);
    if !import.status.success() {
        return Some(Imported { compared: false, problem: None });
    }
    let before = decision(case, &["--source", file.to_str().unwrap()], &home);
    let folder = home.path().join(".config/hookbox");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("hooks.toml");
    fs::write(&file, &import.stdout).unwrap();
    settle(&file);
    let after = decision(case, &[], &home);
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
fn decision(case: &Case, more: &[&str], home: &Home) -> Option<String> {
    let report = home.path().join("report");
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
