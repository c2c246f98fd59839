//! Changing owners and permissions of everything.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    target::{Target, classify},
    wrapper::search,
};

/// Modes that give everyone write access.
const OPEN: &[&str] = &[
    "777", "0777", "1777", "a+rwx", "ugo+rwx", "a=rwx", "ugo=rwx", "+rwx", "a+w", "o+w", "ugo+w", "666",
    "0666",
];

/// `find / -exec chmod 000 {} +` changes what `chmod -R` would.
pub(super) fn search_and_change(call: &Call) -> Option<String> {
    if !call.is(&["find", "gfind"]) {
        return None;
    }
    let search = search(call);
    let starts = search.starts.iter().filter(|_| search.changes_modes && !search.is_narrow);
    let hit = starts.filter_map(|start| classify(start.as_str(), call)).find(is_everything)?;
    Some(format!("changes the permissions of everything in {}", hit.describe()))
}

fn is_everything(target: &Target) -> bool {
    matches!(target, Target::Root | Target::Home | Target::System(_))
}

pub(super) fn change(call: &Call) -> Option<String> {
    if !call.is(&["chmod", "chown", "chgrp", "gchmod", "gchown", "chattr", "setfacl"]) {
        return None;
    }
    let options =
        Options::parse(call.args(), Grammar { short: "", long: &["reference", "from"], anywhere: true });
    if !options.has_letter("R") && !options.has_long("--recursive") {
        return None;
    }
    let hit = options.operands.iter().find_map(|operand| classify(operand.as_str(), call));
    if let Some(target @ (Target::Root | Target::System(_))) = hit {
        return Some(format!("changes the permissions of everything in {}", target.describe()));
    }
    let open = call.name().ends_with("chmod")
        && options.operands.first().is_some_and(|mode| OPEN.contains(&mode.as_str()));
    open.then(|| "lets everybody write to a whole folder".to_owned())
}

/// Returns true if a `chmod` takes away its owner's access to a folder, and so to everything below.
pub(crate) fn closes_folders(call: &Call) -> bool {
    let is_option = |word: &&Arg| {
        let letters = word.as_str().strip_prefix('-');
        letters.is_some_and(|letters| {
            letters.starts_with('-') || letters.chars().all(|c| "RcfvhHLP".contains(c))
        })
    };
    let mode = call.args().iter().find(|word| !is_option(word)).filter(|_| call.is(&["chmod", "gchmod"]));
    mode.is_some_and(|mode| mode.as_str().split(',').fold(None, lets_owner_enter) == Some(false))
}

/// Returns what a clause of a mode decides about its owner's access to a folder; `known` if it decides nothing.
fn lets_owner_enter(known: Option<bool>, clause: &str) -> Option<bool> {
    let is_given = |bits: &str| u32::from_str_radix(bits, 8).map(|bits| bits & 0o100 != 0);
    let Some(at) = clause.find(['+', '-', '=']) else { return is_given(clause).ok().or(known) };
    let (who, change) = clause.split_at(at);
    let bits = change.get(1..).unwrap_or_default();
    let names_it = is_given(bits).unwrap_or_else(|_| bits.contains(['x', 'X', 'u', 'g', 'o']));
    match change.chars().next() {
        _ if !who.is_empty() && !who.contains(['u', 'a']) => known,
        Some('=') => Some(names_it),
        sign if names_it => Some(sign == Some('+')),
        _ => known,
    }
}
