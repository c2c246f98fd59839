//! Git commands that lose work.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// The subcommand and its arguments.
fn subcommand(call: &Call) -> Option<(String, Vec<Arg>)> {
    if !call.is(&["git"]) {
        return None;
    }
    let long = &["git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env"];
    let options = Options::parse(call.args(), Grammar { short: "Cc", long, anywhere: false });
    let (name, rest) = options.operands.split_first()?;
    Some((name.as_str().to_owned(), rest.to_vec()))
}

fn options(args: &[Arg]) -> Options {
    Options::parse(args, Grammar::ANYWHERE)
}

pub(super) fn force_push(call: &Call) -> Option<String> {
    let (name, args) = subcommand(call)?;
    let options =
        Options::parse(&args, Grammar { short: "o", long: &["repo", "push-option"], anywhere: true });
    let forced = options.has_letter("f")
        || options.given.iter().any(|(name, _)| name.starts_with("--fo") && !name.starts_with("--follow"))
        || options.has_long("--mirror")
        || options.operands.iter().any(|operand| operand.as_str().starts_with('+'));
    (name == "push" && forced).then(|| "may overwrite commits on the remote".to_owned())
}

pub(super) fn discard(call: &Call) -> Option<String> {
    let (name, args) = subcommand(call)?;
    let options = options(&args);
    let whole = |operand: &Arg| matches!(operand.plain().as_str(), "." | "./" | "*" | ":/" | ":" | "..");
    let everything = options.operands.iter().any(whole);
    let first = options.operands.first().map(Arg::as_str);
    let loses = match name.as_str() {
        "reset" => options.has_long("--hard"),
        "clean" => {
            (options.has_letter("f") || options.has_long("--force"))
                && !(options.has_letter("n") || options.has_long("--dry-run"))
        }
        "checkout" => everything || options.has_letter("f") || options.has_long("--force"),
        "switch" => {
            options.has_letter("f") || options.has_long("--force") || options.has_long("--discard-changes")
        }
        "restore" => everything && (!options.has_long("--staged") || options.has_long("--worktree")),
        "stash" => matches!(first, Some("drop" | "clear")),
        _ => false,
    };
    loses.then(|| "throws uncommitted work away".to_owned())
}

pub(super) fn rewrite(call: &Call) -> Option<String> {
    let (name, args) = subcommand(call)?;
    let options = options(&args);
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
