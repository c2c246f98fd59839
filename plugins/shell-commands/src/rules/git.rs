//! Git commands that lose work.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// Options with a value, by subcommand. Letters behind such a letter are its value: `checkout -bfix` makes a branch
/// called `fix` and forces nothing.
const GRAMMARS: &[(&str, &str, &[&str])] = &[
    ("checkout", "bB", &["orphan", "conflict", "pathspec-from-file"]),
    ("clean", "e", &["exclude"]),
    (
        "commit",
        "mFCctu",
        &["message", "file", "reuse-message", "reedit-message", "template", "author", "date", "fixup"],
    ),
    ("push", "o", &["repo", "push-option", "receive-pack", "exec"]),
    ("reset", "", &["pathspec-from-file"]),
    ("restore", "s", &["source", "conflict", "pathspec-from-file"]),
    ("stash", "m", &["message", "pathspec-from-file"]),
    ("switch", "cC", &["create", "force-create", "orphan", "conflict"]),
    ("update-ref", "m", &[]),
];

/// The subcommand and its arguments.
fn subcommand(call: &Call) -> Option<(String, Options)> {
    if !call.is(&["git"]) {
        return None;
    }
    let long = &["git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env"];
    let options = Options::parse(call.args(), Grammar { short: "Cc", long, anywhere: false });
    let (name, rest) = options.operands.split_first()?;
    let row = GRAMMARS.iter().find(|(known, ..)| *known == name.as_str());
    let (short, long) = row.map_or(("", [].as_slice()), |(_, short, long)| (*short, *long));
    Some((name.as_str().to_owned(), Options::parse(rest, Grammar { short, long, anywhere: true })))
}

/// Whether git only tells what it would do.
fn is_trial(options: &Options) -> bool {
    options.has_letter("n") || options.has_long("--dry-run")
}

pub(super) fn force_push(call: &Call) -> Option<String> {
    let (name, options) = subcommand(call)?;
    let forced = options.has_letter("f")
        || options.given.iter().any(|(name, _)| name.starts_with("--fo") && !name.starts_with("--follow"))
        || options.has_long("--mirror")
        || options.operands.iter().any(|operand| operand.as_str().starts_with('+'));
    (name == "push" && forced && !is_trial(&options))
        .then(|| "may overwrite commits on the remote".to_owned())
}

pub(super) fn discard(call: &Call) -> Option<String> {
    let (name, options) = subcommand(call)?;
    let whole = |operand: &Arg| matches!(operand.plain().as_str(), "." | "./" | "*" | ":/" | ":" | "..");
    let everything = options.operands.iter().any(whole);
    let first = options.operands.first().map(Arg::as_str);
    let forced = options.has_letter("f") || options.has_long("--force");
    let loses = match name.as_str() {
        "reset" => options.has_long("--hard"),
        "clean" => forced && !is_trial(&options),
        "checkout" => everything || forced,
        "switch" => forced || options.has_long("--discard-changes"),
        "restore" => everything && (!options.has_long("--staged") || options.has_long("--worktree")),
        "stash" => matches!(first, Some("drop" | "clear")),
        _ => false,
    };
    loses.then(|| "throws uncommitted work away".to_owned())
}

pub(super) fn rewrite(call: &Call) -> Option<String> {
    let (name, options) = subcommand(call)?;
    let first = options.operands.first().map(Arg::as_str);
    let rewrites = match name.as_str() {
        "rebase" | "filter-branch" | "filter-repo" | "replace" => true,
        "commit" => options.has_long("--amend"),
        "reflog" => matches!(first, Some("expire" | "delete")),
        "update-ref" => options.has_letter("d"),
        "gc" => options.given.iter().any(|(name, _)| name == "--prune"),
        _ => false,
    };
    rewrites.then(|| "rewrites history".to_owned())
}
