//! Changing owners and permissions of everything.

use crate::{
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
