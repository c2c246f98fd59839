//! Programs that write into the folder that they run in, under names of their own.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// Programs, with the words that make them write into the folder; without any they always do.
const HERE: &[(&[&str], &[&str])] = &[
    (&["bun", "npm", "pnpm", "yarn"], &["add", "ci", "create", "i", "init", "install"]),
    (&["bundle", "pdm", "pipenv", "poetry", "rye", "uv"], &["add", "init", "install", "lock", "sync"]),
    (&["cargo"], &["add", "init"]),
    (&["composer"], &["init", "install", "require"]),
    (&["cookiecutter", "copier", "degit"], &[]),
    (&["deno", "hg", "git", "svn", "terraform"], &["init"]),
    (&["gh"], &["download"]),
    (&["go"], &["init", "tidy"]),
];

/// Returns true if a command writes into the folder, when only the touched files are wanted.
pub(super) fn is_written(name: &str, call: &Call) -> bool {
    if !call.touches {
        return false;
    }
    let operands = |short: &'static str| {
        Options::parse(call.args(), Grammar { short, ..Grammar::ANYWHERE }).operands.len()
    };
    match name {
        // Which files a comparison is of is not known.
        "patch" => operands("BDdFgiopprVYz") == 0,
        "split" | "gsplit" => operands("abClnt") < 2,
        "csplit" | "gcsplit" => true,
        _ => HERE
            .iter()
            .any(|(names, verbs)| names.contains(&name) && (verbs.is_empty() || has_verb(call, verbs))),
    }
}

/// Returns true if one of these verbs is among the first two words that are not options.
fn has_verb(call: &Call, verbs: &[&str]) -> bool {
    let words = call.args().iter().map(Arg::as_str).filter(|word| !word.starts_with('-'));
    words.take(2).any(|word| verbs.contains(&word))
}
