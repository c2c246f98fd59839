//! Location of a command's operands: temporary files are not missed, and some branches are shared by everyone.

use super::{About, shape::fits};
use crate::{
    arg::{Arg, HOME, UNKNOWN},
    call::Call,
    policy::Policy,
    rules::Written,
    scope::{full_name, home_of},
};

/// Location of an operand, where it makes a rule milder or stricter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the project, or unknown.
    #[default]
    Usual,
    /// All of it in a temporary folder.
    Temporary,
    /// Some of it outside the project.
    Outside,
    /// A protected branch.
    Protected,
}

/// Folders for temporary content.
const TEMPORARY: &[&str] = &[
    "/tmp",
    "/var/tmp",
    "/private/tmp",
    "/private/var/tmp",
    "/var/folders",
    "/private/var/folders",
    "/dev/shm",
];

/// The place of a command's operands.
pub(super) fn of(about: About, operands: &[Arg], call: &Call, policy: &Policy) -> Place {
    match about {
        About::Paths => of_paths(operands, call),
        About::Branches if operands.iter().any(|operand| is_protected(operand, policy)) => Place::Protected,
        About::Things | About::Branches => Place::Usual,
    }
}

fn of_paths(operands: &[Arg], call: &Call) -> Place {
    let mut places = operands.iter().map(|operand| of_path(operand.as_str(), call));
    let Some(first) = places.next() else { return Place::Usual };
    places.fold(first, |all, one| match (all, one) {
        (Place::Outside, _) | (_, Place::Outside) => Place::Outside,
        (Place::Temporary, Place::Temporary) => Place::Temporary,
        _ => Place::Usual,
    })
}

/// Returns the location of one path.
pub(crate) fn of_path(path: &str, call: &Call) -> Place {
    let home = call.workspace.as_deref().and_then(home_of);
    let path = match (path.strip_prefix(HOME), home) {
        (Some(rest), Some(home)) => format!("{home}{rest}"),
        (Some(_), None) => return Place::Outside,
        (None, _) => path.to_owned(),
    };
    let Some(full) = full_name(call.cwd.as_deref(), &path).filter(|_| !path.starts_with(UNKNOWN)) else {
        return Place::Usual;
    };
    let is_in =
        |folder: &str| full.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    match &call.workspace {
        Some(workspace) if is_in(workspace.trim_end_matches('/')) => Place::Usual,
        _ if TEMPORARY.iter().any(|folder| is_in(folder)) => Place::Temporary,
        Some(_) => Place::Outside,
        None => Place::Usual,
    }
}

/// Returns true if an operand of git names a protected branch: `main`, `+main`, `:main`, `HEAD:refs/heads/main`,
/// `origin/main`.
fn is_protected(operand: &Arg, policy: &Policy) -> bool {
    let text = operand.plain();
    let branch = text.rsplit(':').next().unwrap_or_default().trim_start_matches('+');
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    let is_named = |branch: &str| policy.protected_branches.iter().any(|pattern| fits(pattern, branch));
    is_named(branch) || branch.split_once('/').is_some_and(|(_, behind)| is_named(behind))
}

/// The files that are written, by the names that places have for them.
pub(super) fn of_written(written: &[Written], call: &Call) -> Vec<String> {
    written.iter().map(|written| from_home(&written.path, call.cwd.as_deref())).collect()
}

/// Returns true if one of these files is at one of these places: `~/.bashrc`, `/etc/cron.d/**`, `**/sitecustomize.py`,
/// where `**` is all below or any folders above, a star any text within a name, and `~` any home.
pub(super) fn holds(places: &[&str], files: &[String]) -> bool {
    files.iter().any(|file| places.iter().any(|place| may_be_at(place, file) && is_at(place, file)))
}

/// Returns true if a path begins, or ends, like the part of a place that has no star. This is a fast test that rejects
/// nearly all paths.
fn may_be_at(place: &str, path: &str) -> bool {
    match place.strip_prefix("**/") {
        Some(end) => path.ends_with(end.rsplit('*').next().unwrap_or_default()),
        None => path.starts_with(place.split('*').next().unwrap_or_default().trim_end_matches('/')),
    }
}

/// A path from the root, or from the home folder that it is in.
pub(super) fn from_home(path: &str, cwd: Option<&str>) -> String {
    if let Some(rest) = path.strip_prefix(HOME) {
        return format!("~{rest}");
    }
    let Some(full) = full_name(cwd, path) else { return path.to_owned() };
    // The folder may be one of the home that is only known by its mark.
    if let Some(rest) = full.strip_prefix('/').and_then(|full| full.strip_prefix(HOME)) {
        return format!("~{rest}");
    }
    let home = home_of(&full).and_then(|home| full.strip_prefix(&home).map(|rest| format!("~{rest}")));
    home.unwrap_or(full)
}

fn is_at(place: &str, path: &str) -> bool {
    if let Some(end) = place.strip_prefix("**/") {
        let above = path.split('/').count().saturating_sub(end.split('/').count());
        let end_of_path: Vec<&str> = path.split('/').skip(above).collect();
        return is_at(end, &end_of_path.join("/"));
    }
    let (folder, is_deep) = match place.strip_suffix("/**") {
        Some(folder) => (folder, true),
        None => (place, false),
    };
    let mut parts = path.split('/');
    let all = folder.split('/').all(|wanted| parts.next().is_some_and(|part| fits(wanted, part)));
    all && (is_deep || parts.next().is_none())
}
