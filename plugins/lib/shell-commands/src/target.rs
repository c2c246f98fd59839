//! Classification of paths that should not be deleted or changed as a whole.

use protected_places::{below_roots, is_home};

use crate::{
    arg::{HOME, ONE, SET, STAR, is_mark},
    brackets,
    call::Call,
};

/// Kind of place that a path names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    /// `/`, or everything in it.
    Root,
    /// A home folder, or everything in it.
    Home,
    /// A folder that the system consists of.
    System(String),
    /// The working folder, one above it, or everything in one of them.
    Here,
}

impl Target {
    /// The target as part of a sentence.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Root => "/".to_owned(),
            Self::Home => "a home folder".to_owned(),
            Self::System(path) => format!("the system folder {path}"),
            Self::Here => "the whole working folder".to_owned(),
        }
    }
}

/// Folders directly under `/` without which a system does not work, or that hold everybody's files.
const TOP: &[&str] = &[
    "applications",
    "bin",
    "boot",
    "cores",
    "dev",
    "etc",
    "home",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "library",
    "media",
    "mnt",
    "nix",
    "opt",
    "ostree",
    "private",
    "proc",
    "program files",
    "program files (x86)",
    "programdata",
    "root",
    "run",
    "sbin",
    "snap",
    "srv",
    "sys",
    "system",
    "users",
    "usr",
    "var",
    "volumes",
    "windows",
];

/// Folders of `TOP` that a disk without the whole system has.
const DISK: &[&str] = &[
    "applications",
    "library",
    "program files",
    "program files (x86)",
    "programdata",
    "system",
    "users",
    "windows",
];

/// Folders one level deeper that matter as much.
const SECOND: &[(&str, &[&str])] = &[
    ("usr", &["bin", "include", "lib", "lib32", "lib64", "libexec", "local", "sbin", "share"]),
    ("var", &["db", "lib", "spool"]),
    ("private", &["etc", "var"]),
    ("system", &["library", "volumes"]),
    ("mnt", &["c", "d", "wsl"]),
];

/// Classifies a path; `None` if it is an ordinary one.
pub(crate) fn classify(path: &str, call: &Call) -> Option<Target> {
    if path.is_empty() {
        return None;
    }
    if path.starts_with('/') {
        return absolute(path, call);
    }
    // `C:/Users/me`
    if matches!(path.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic()) {
        return absolute(&path.replace('\\', "/"), call);
    }
    if path.starts_with(HOME) {
        return home(path);
    }
    let (up, parts) = parts(path);
    match parts.as_slice() {
        [] => return Some(Target::Here),
        [one] if is_sweeping(one) && (up > 0 || !is_elsewhere(call)) => return Some(Target::Here),
        _ => {}
    }
    let joined = format!("{}/{path}", call.cwd.as_deref()?);
    if joined.starts_with(HOME) { home(&joined) } else { absolute(&joined, call) }
}

/// Returns true if the command certainly runs in a folder that is neither the agent's workspace nor above it. The
/// folder's contents may still be the system's.
fn is_elsewhere(call: &Call) -> bool {
    let (Some(cwd), Some(workspace)) = (&call.cwd, &call.workspace) else {
        return false;
    };
    let ((_, here), (_, own)) = (parts(cwd), parts(workspace));
    let is_known = cwd.starts_with(['/', HOME]) && !cwd.chars().skip(1).any(is_mark);
    !call.strayed && is_known && !own.starts_with(&here)
}

/// The components of a path without `.` and `..`, and how many `..` were left over.
fn parts(path: &str) -> (usize, Vec<String>) {
    let mut up = 0;
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    up += 1;
                }
            }
            part => parts.push(part.to_lowercase()),
        }
    }
    (up, parts)
}

fn absolute(path: &str, call: &Call) -> Option<Target> {
    let (_, parts) = parts(path);
    if holds_workspace(&parts, call) {
        return Some(Target::Here);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (parts, everything) = match parts.as_slice() {
        [before @ .., last] if is_sweeping(last) && before.len() != 1 => (before, true),
        // `/*/` names nothing in particular, but `/etc/*` does.
        [top, last] if is_sweeping(last) => return system_top(top).or_else(|| home_of(&[top, "x"])),
        all => (all, false),
    };
    if let Some((below, _)) =
        below_roots(parts, &matches).find(|(below, is_whole)| is_of_root(below, *is_whole))
    {
        let path = below.join("/");
        return home_of(parts).or_else(|| Some(Target::System(format!("/{path}"))));
    }
    match parts {
        [] => Some(Target::Root),
        [top] => system_top(top),
        parts if home_of(parts).is_some() => home_of(parts),
        [top, second] => {
            let (_, known) = SECOND.iter().find(|(name, _)| matches(top, name))?;
            let second = known.iter().find(|name| matches(second, name))?;
            Some(Target::System(format!("/{top}/{second}{}", if everything { "/*" } else { "" })))
        }
        _ => None,
    }
}

/// Returns true if a path, perhaps with patterns, names the agent's workspace, a folder above it, or everything in one
/// of them.
fn holds_workspace(path: &[String], call: &Call) -> bool {
    let path = match path {
        [before @ .., last] if is_sweeping(last) => before,
        all => all,
    };
    let (_, own) = parts(call.workspace.as_deref().unwrap_or_default());
    let same = |(pattern, name): (&String, &String)| matches(pattern, name);
    path.len() > 1 && path.len() <= own.len() && path.iter().zip(&own).all(same)
}

fn system_top(pattern: &str) -> Option<Target> {
    TOP.iter().find(|name| matches(pattern, name)).map(|name| Target::System(format!("/{name}")))
}

/// Returns true if these components, below another name of `/`, are that folder itself, a folder of the system or a home folder.
fn is_of_root(below: &[&str], is_whole: bool) -> bool {
    match below {
        [] => is_whole,
        [top] => (if is_whole { TOP } else { DISK }).iter().any(|name| matches(top, name)),
        below => is_home(below, &matches),
    }
}

fn home_of(parts: &[&str]) -> Option<Target> {
    // `/root` and its like are folders of the system, too.
    (parts.len() > 1 && is_home(parts, &matches)).then_some(Target::Home)
}

fn home(path: &str) -> Option<Target> {
    let (up, parts) = parts(path.trim_start_matches(HOME));
    match parts.as_slice() {
        _ if up > 0 => Some(Target::System("/home".to_owned())),
        [] => Some(Target::Home),
        [one] if is_sweeping(one) => Some(Target::Home),
        _ => None,
    }
}

/// Returns true if a pattern matches everything: it has no letters of its own.
fn is_sweeping(part: &str) -> bool {
    part.contains([STAR, ONE, SET]) && !part.starts_with(|c: char| c.is_alphanumeric()) && {
        let mut bracket = false;
        part.chars().all(|c| {
            match c {
                SET => bracket = true,
                ']' => bracket = false,
                _ => {}
            }
            bracket || matches!(c, STAR | ONE | SET | ']' | '.')
        })
    }
}

/// Returns true if a component, which may be a pattern, can be this name.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    matches_from(&pattern, &name)
}

fn matches_from(mut pattern: &[char], mut name: &[char]) -> bool {
    // Where to go on if the rest does not match: behind the last star, which takes one character more.
    let mut retry: Option<(&[char], &[char])> = None;
    loop {
        let step = match pattern.split_first() {
            Some((&STAR, rest)) => {
                retry = Some((rest, name));
                retry
            }
            Some((first, rest)) => matches_one(*first, rest, name),
            None if name.is_empty() => return true,
            None => None,
        };
        (pattern, name) = match (step, retry) {
            (Some(next), _) => next,
            (None, Some((behind, [_, shorter @ ..]))) => {
                retry = Some((behind, shorter));
                (behind, shorter)
            }
            (None, _) => return false,
        };
    }
}

/// Returns the rest of a pattern and a name behind one character that matches.
fn matches_one<'p, 'n>(first: char, rest: &'p [char], name: &'n [char]) -> Option<(&'p [char], &'n [char])> {
    let (other, shorter) = name.split_first()?;
    match first {
        SET => brackets::behind(rest, *other).map(|rest| (rest, shorter)),
        ONE => Some((rest, shorter)),
        c => (c == *other).then_some((rest, shorter)),
    }
}
