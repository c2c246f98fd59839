//! Changes after which nothing in a folder can be started: of permissions, and mounts.

use super::{PathEffect, Written};
use crate::{
    arg::{Arg, HOME, ONE, STAR},
    call::{Call, Grammar, Options},
};

/// Returns the effect of such a command on the programs below the folders that it names.
pub(super) fn programs(name: &str, call: &Call) -> Vec<Written> {
    let folders = match name {
        "chmod" => chmod(call),
        "setfacl" => {
            let options = Options::parse(call.args(), ACL);
            if options.has_letter("mMxXbk") || !options.given.is_empty() {
                options.operands
            } else {
                Vec::new()
            }
        }
        "mount" => {
            let grammar = Grammar { short: "otLUN", long: &["options", "types"], anywhere: true };
            let operands = Options::parse(call.args(), grammar).operands;
            if operands.len() > 1 { operands.last().cloned().into_iter().collect() } else { Vec::new() }
        }
        _ => Vec::new(),
    };
    folders.iter().filter_map(|folder| below(folder.as_str(), call)).collect()
}

const ACL: Grammar<'static> = Grammar {
    short: "mMxX",
    long: &["modify", "modify-file", "remove", "remove-file", "set", "set-file", "restore"],
    anywhere: true,
};

/// The folders and files that it takes the right away to be started or looked into.
fn chmod(call: &Call) -> Vec<Arg> {
    // A mode such as `-x` looks like an option.
    let is_mode = |arg: &&Arg| {
        let text = arg.as_str();
        text.starts_with('-')
            && !text.starts_with("--")
            && text.len() > 1
            && text.chars().skip(1).all(|c| "rwxXst,+-=ugoa".contains(c))
    };
    let mode = call.args().iter().find(is_mode).cloned();
    let rest: Vec<Arg> = call.args().iter().filter(|arg| mode.is_none() || !is_mode(arg)).cloned().collect();
    let options = Options::parse(&rest, Grammar { short: "", long: &["reference"], anywhere: true });
    let mut operands = options.operands.into_iter();
    let mode = mode.or_else(|| operands.next());
    if mode.is_some_and(|mode| locks(mode.as_str())) { operands.collect() } else { Vec::new() }
}

/// Returns true if a mode leaves the owner without the right to execute.
fn locks(mode: &str) -> bool {
    if !mode.is_empty() && mode.chars().all(|c| c.is_digit(8)) {
        let owner = mode.chars().rev().nth(2).and_then(|digit| digit.to_digit(8)).unwrap_or_default();
        return owner.is_multiple_of(2);
    }
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '-', '=']) else { return false };
        let (who, change) = clause.split_at(at);
        let owner = who.is_empty() || who.contains(['u', 'a']);
        let executes = change.contains(['x', 'X']);
        owner && ((change.starts_with('-') && executes) || (change.starts_with('=') && !executes))
    })
}

/// Folders in a home folder that hookbox's program may be below, and the program.
const IN_HOME: &[(&str, &str)] = &[
    ("", ".local/bin/hookbox"),
    (".local", "bin/hookbox"),
    (".local/bin", "hookbox"),
    (".cargo", "bin/hookbox"),
    (".cargo/bin", "hookbox"),
    ("bin", "hookbox"),
];
/// Folders of the system that hookbox's program may be below, and the program.
const IN_SYSTEM: &[(&str, &str)] = &[
    ("/usr", "bin/hookbox"),
    ("/usr/bin", "hookbox"),
    ("/usr/local", "bin/hookbox"),
    ("/usr/local/bin", "hookbox"),
    ("/opt/homebrew", "bin/hookbox"),
    ("/opt/homebrew/bin", "hookbox"),
];

/// The program that is below a folder, if the folder is one of those; all that is in a folder is the folder.
fn below(path: &str, call: &Call) -> Option<Written> {
    let full = match &call.cwd {
        Some(cwd) if !path.starts_with(['/', HOME]) => format!("{cwd}/{path}"),
        _ => path.to_owned(),
    };
    let trimmed = full.trim_end_matches(['/', STAR, ONE]).trim_end_matches('/');
    let in_home = home_rest(trimmed).map(|rest| (rest, IN_HOME));
    let (folder, known) = in_home.unwrap_or((trimmed, IN_SYSTEM));
    let (_, program) = known.iter().find(|(known, _)| *known == folder)?;
    Some(Written::new(&format!("{trimmed}/{program}"), PathEffect::Itself))
}

/// Returns the rest of a path behind a home folder.
fn home_rest(path: &str) -> Option<&str> {
    let other = ["/home/", "/Users/"].iter().find_map(|homes| path.strip_prefix(homes));
    let rest = path.strip_prefix(HOME).or_else(|| path.strip_prefix("/root"));
    rest.or_else(|| Some(other?.split_once('/').map_or("", |(_, rest)| rest)))
        .map(|rest| rest.trim_start_matches('/'))
}
