//! Files whose content `git` shows, or puts into a repository.

use super::{Read, Reading};
use crate::{
    arg::{Arg, HOME},
    call::{Call, Grammar, Options},
    wrapper::{git_options, option_values},
};

/// Options with which only names and numbers are shown.
const BRIEF: &[&str] = &[
    "--stat",
    "--name-only",
    "--name-status",
    "--shortstat",
    "--numstat",
    "--quiet",
    "--summary",
    "--raw",
    "-s",
];

/// Returns the files that a git command reads, in the folder from its options.
pub(super) fn files(call: &Call, printed: &Reading) -> Vec<Read> {
    if !call.is(&["git"]) {
        return Vec::new();
    }
    let own = git_options(call.args());
    let Some((verb, rest)) = own.operands.split_first() else { return Vec::new() };
    let paths = named(verb.as_str(), rest);
    // In the repository it is for all who have it.
    let how = if matches!(verb.as_str(), "add" | "stage") { &Reading::Shown } else { printed };
    let folders = own.given.iter().filter(|(name, _)| name == "C").filter_map(|(_, value)| value.as_ref());
    let mut folder = String::new();
    for part in folders {
        folder.push_str(part.as_str());
        folder.push('/');
    }
    let full = |path: String| if path.starts_with(['/', HOME]) { path } else { format!("{folder}{path}") };
    paths.into_iter().map(|path| Read::new(&full(path), how.clone())).collect()
}

fn named(verb: &str, rest: &[Arg]) -> Vec<String> {
    let is_brief = rest.iter().any(|arg| BRIEF.contains(&arg.as_str()));
    match verb {
        "add" | "stage" => add(rest),
        "show" | "cat-file" if !is_brief => {
            let of_revision = |arg: &Arg| arg.as_str().split_once(':').map(|(_, path)| path.to_owned());
            let words = rest.iter().filter(|arg| !arg.as_str().starts_with('-'));
            words.filter_map(of_revision).chain(behind_dashes(rest)).collect()
        }
        "diff" | "blame" | "annotate" if !is_brief => operands(rest, "SGUOLsC"),
        "log" if shows_changes(rest) && !is_brief => operands(rest, "nSGUOL"),
        "grep" if !super::is_quiet("grep", rest) => {
            operands(rest, "efABCm").into_iter().skip(1).chain(behind_dashes(rest)).collect()
        }
        // It is in the repository then.
        "hash-object" if rest.iter().any(|arg| arg.as_str() == "-w") => operands(rest, "t"),
        "config" if prints_settings(rest) => option_values(rest, &["-f", "--file"]),
        "commit" | "tag" | "notes" | "merge" => option_values(rest, &["-F", "--file"]),
        "archive" => operands(rest, "o").into_iter().skip(1).collect(),
        _ => Vec::new(),
    }
}

fn prints_settings(rest: &[Arg]) -> bool {
    rest.iter().any(|arg| {
        matches!(arg.as_str(), "-l" | "--list" | "list" | "get") || arg.as_str().starts_with("--get")
    })
}

fn add(rest: &[Arg]) -> Vec<String> {
    let is_trial = rest.iter().any(|arg| matches!(arg.as_str(), "-n" | "--dry-run"));
    if is_trial { Vec::new() } else { operands(rest, "") }
}

fn operands(rest: &[Arg], short: &str) -> Vec<String> {
    let options = Options::parse(rest, Grammar { short, long: &["output", "format"], anywhere: true });
    options.operands.into_iter().map(|arg| arg.text).collect()
}

fn behind_dashes(rest: &[Arg]) -> impl Iterator<Item = String> {
    rest.iter().skip_while(|arg| arg.as_str() != "--").skip(1).map(|arg| arg.text.clone())
}

fn shows_changes(rest: &[Arg]) -> bool {
    let mut before = rest.iter().take_while(|arg| arg.as_str() != "--");
    before.any(|arg| {
        matches!(arg.as_str(), "-p" | "-u" | "--patch" | "-c" | "--cc") || arg.as_str().starts_with("-L")
    })
}
