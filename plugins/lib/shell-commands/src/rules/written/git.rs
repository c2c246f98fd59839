//! Files that `git` writes besides its own.

use super::{PathEffect, Written, file, outputs::repository_name};
use crate::{
    arg::{Arg, HOME, is_mark},
    call::{Call, Grammar, Options},
    wrapper::git_options,
};

/// Returns the files that a git command names, in the folder from its options.
pub(super) fn files(call: &Call) -> Vec<Written> {
    let own = git_options(call.args());
    let Some((verb, rest)) = own.operands.split_first() else { return Vec::new() };
    let mut written = named(verb.as_str(), rest);
    let folders: Vec<&Arg> = own
        .given
        .iter()
        .filter(|(name, _)| name == "C" || name == "--work-tree")
        .filter_map(|(_, value)| value.as_ref())
        .collect();
    for one in &mut written {
        // The last absolute one counts, and those behind it.
        for folder in folders.iter().rev() {
            if one.path.starts_with(['/', HOME]) {
                break;
            }
            one.path = format!("{}/{}", folder.as_str(), one.path);
        }
    }
    written
}

fn named(verb: &str, rest: &[Arg]) -> Vec<Written> {
    let each = |operands: &[Arg], how: PathEffect| -> Vec<Written> {
        operands.iter().map(|arg| Written::new(arg.as_str(), how)).collect()
    };
    match verb {
        "rm" => {
            let options = Options::parse(rest, Grammar::ANYWHERE);
            // The file stays, and only the repository has it no more.
            if options.has_long("--cached") || options.has_long("--dry-run") || options.has_letter("n") {
                return Vec::new();
            }
            each(
                &options.operands,
                if options.has_letter("r") { PathEffect::Whole } else { PathEffect::Itself },
            )
        }
        "mv" => {
            let options = Options::parse(rest, Grammar::ANYWHERE);
            each(&options.operands, PathEffect::Whole)
        }
        "clean" => {
            let options = Options::parse(rest, Grammar { short: "e", long: &["exclude"], anywhere: true });
            let cleans = options.has_letter("f") || options.has_long("--force");
            let shows = options.has_letter("n") || options.has_long("--dry-run");
            match options.operands.as_slice() {
                _ if !cleans || shows => Vec::new(),
                [] => vec![Written::new(".", PathEffect::Whole)],
                folders => each(folders, PathEffect::Whole),
            }
        }
        "clone" => {
            let long = &["branch", "depth", "origin", "config", "template", "upload-pack", "jobs", "filter"];
            let options = Options::parse(rest, Grammar { short: "bocuj", long, anywhere: true });
            match options.operands.as_slice() {
                [address] => {
                    let name = repository_name(address.as_str());
                    name.map(|name| Written::new(&name, PathEffect::Filled)).into_iter().collect()
                }
                operands => each(operands.get(1..2).unwrap_or_default(), PathEffect::Filled),
            }
        }
        "worktree" if rest.first().is_some_and(|word| word.as_str() == "add") => {
            let options = Options::parse(rest, Grammar { short: "bB", long: &["reason"], anywhere: true });
            each(options.operands.get(1..2).unwrap_or_default(), PathEffect::Filled)
        }
        "worktree" => {
            let options = Options::parse(rest, Grammar::ANYWHERE);
            let moves = matches!(rest.first().map_or("", Arg::as_str), "move" | "remove");
            each(options.operands.get(1..).filter(|_| moves).unwrap_or_default(), PathEffect::Whole)
        }
        "init" => each(
            &output_free(rest, "b", &["template", "separate-git-dir", "initial-branch"]),
            PathEffect::Filled,
        ),
        "submodule" if rest.first().is_some_and(|word| word.as_str() == "add") => {
            let operands = output_free(rest, "b", &["branch", "name", "reference", "depth"]);
            each(operands.get(2..).unwrap_or_default(), PathEffect::Filled)
        }
        "config" => config(rest),
        "checkout" | "restore" if !only_named(verb, rest).is_empty() => {
            each(&only_named(verb, rest), PathEffect::Restored)
        }
        _ if restores(verb, rest) => {
            let mut written = each(&output_free(rest, "bBs", &["source", "orphan"]), PathEffect::Restored);
            written.push(Written::new(".", PathEffect::Restored));
            written.extend(output(verb, rest));
            written
        }
        _ => output(verb, rest),
    }
}

/// Returns the operands, without the options between them.
fn output_free(rest: &[Arg], short: &str, long: &[&str]) -> Vec<Arg> {
    Options::parse(rest, Grammar { short, long, anywhere: true }).operands
}

/// The files that alone are brought back, by their names. None if nothing is brought back, or more.
fn only_named(verb: &str, rest: &[Arg]) -> Vec<Arg> {
    let behind = rest.iter().position(|arg| arg.as_str() == "--");
    let named = match behind {
        Some(at) => rest.get(at + 1..).unwrap_or_default().to_vec(),
        None if verb == "restore" => output_free(rest, "s", &["source"]),
        None => Vec::new(),
    };
    let is_plain = |arg: &Arg| {
        !arg.as_str().starts_with(':') && !arg.as_str().contains(|c: char| is_mark(c) || "*?[".contains(c))
    };
    let is_listed = rest.iter().any(|arg| arg.as_str().starts_with("--pathspec"));
    if restores(verb, rest) && !is_listed && named.iter().all(is_plain) { named } else { Vec::new() }
}

/// Returns true if files are replaced by the repository's version.
fn restores(verb: &str, rest: &[Arg]) -> bool {
    let has_word = |words: &[&str]| rest.iter().any(|arg| words.contains(&arg.as_str()));
    match verb {
        "am" | "apply" | "checkout" | "checkout-index" | "cherry-pick" | "merge" | "pull" | "read-tree"
        | "rebase" | "revert" | "switch" => true,
        "reset" => has_word(&["--hard", "--merge", "--keep"]),
        "restore" => !has_word(&["--staged", "-S"]) || has_word(&["--worktree", "-W", "-SW", "-WS"]),
        "stash" => !has_word(&["list", "show", "drop", "clear", "create", "store"]),
        _ => false,
    }
}

/// Verbs with an option that names a file or folder that they write, its letter and its long name.
const OUTPUTS: &[(&[&str], &str, &str)] = &[
    (&["diff", "log", "show", "diff-tree", "diff-index", "diff-files", "stash", "range-diff"], "", "output"),
    (&["archive"], "o", "output"),
    (&["format-patch"], "o", "output-directory"),
    (&["apply", "am"], "", "directory"),
    (&["checkout-index"], "", "prefix"),
    (&["init"], "", "separate-git-dir"),
];

/// `git config --edit` opens the file, and a section may get another name; what a setting is set to is judged for itself.
fn config(rest: &[Arg]) -> Vec<Written> {
    let options = Options::parse(
        rest,
        Grammar { short: "f", long: &["file", "blob", "type", "default"], anywhere: true },
    );
    let first = options.operands.first().map_or("", Arg::as_str);
    let has_operation = |words: &[&str]| {
        words.contains(&first)
            || words
                .iter()
                .any(|word| options.given.iter().any(|(name, _)| name.strip_prefix("--") == Some(*word)))
    };
    let changes = options.has_letter("e") || has_operation(&["edit", "rename-section", "remove-section"]);
    let reads = options.has_letter("l")
        || has_operation(&["list", "get"])
        || options.given.iter().any(|(name, _)| name.starts_with("--get"));
    let named = options.value(&["f", "--file"]).map(|arg| arg.text.clone());
    let usual = || {
        let path = match () {
            () if has_operation(&["global"]) => format!("{HOME}/.gitconfig"),
            () if has_operation(&["system"]) => "/etc/gitconfig".to_owned(),
            () => ".git/config".to_owned(),
        };
        changes.then_some(path)
    };
    named.filter(|_| !reads).or_else(usual).map(|path| file(&path)).into_iter().collect()
}

fn output(verb: &str, rest: &[Arg]) -> Vec<Written> {
    if verb == "bundle" && rest.first().is_some_and(|word| word.as_str() == "create") {
        let words = rest.iter().skip(1).filter(|word| !word.as_str().starts_with('-'));
        return words.take(1).map(|arg| file(arg.as_str())).collect();
    }
    let Some((_, short, long)) = OUTPUTS.iter().find(|(verbs, ..)| verbs.contains(&verb)) else {
        return Vec::new();
    };
    let options = Options::parse(rest, Grammar { short, long: &[long], anywhere: true });
    let value = if short.is_empty() { None } else { options.value(&[short]) };
    let value = value.or_else(|| options.value(&[&format!("--{long}")]));
    value.map(|arg| file(arg.as_str())).into_iter().collect()
}
