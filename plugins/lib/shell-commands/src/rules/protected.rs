//! Commands that change what decides over agents and hooks, or write over secrets.

mod pattern;

use protected_places::{Kind, PLACES, Path};

use super::written::{PathEffect, Written};
use crate::{
    arg::{HOME, ONE, SET, STAR, is_mark},
    call::Call,
    finding::quote,
    secret::{is_secret, may_be},
};

/// Maximum number of components at the end of a path that are examined: no system opens a longer path.
const MAX_PARTS: usize = 256;

pub(super) fn hooks(call: &Call, written: &[Written]) -> Option<String> {
    place(call, written, Kind::Hooks)
}

pub(super) fn agents(call: &Call, written: &[Written]) -> Option<String> {
    place(call, written, Kind::Agent)
}

/// A key or credentials are written over. To make a `.env` or a key is everyday.
pub(super) fn secrets(_: &Call, written: &[Written]) -> Option<String> {
    let hit = written.iter().find(|written| written.how != PathEffect::Given && is_secret(&written.path))?;
    Some(format!("writes the secret file {}", quote(&hit.path, 80)))
}

fn place(call: &Call, written: &[Written], kind: Kind) -> Option<String> {
    let hit = written.iter().find(|written| is_in_place(written, call, kind))?;
    let verb = if hit.how == PathEffect::Given { "may change" } else { "changes" };
    Some(format!("{verb} {}, which is {}", quote(&hit.path, 80), kind.what()))
}

fn is_in_place(written: &Written, call: &Call, kind: Kind) -> bool {
    let full = full(&written.path, call).to_lowercase();
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.drain(..parts.len().saturating_sub(MAX_PARTS));
    // All in a folder is the folder.
    let sweeping = parts.last().is_some_and(|last| last.chars().all(|c| matches!(c, STAR | ONE | SET | '.')));
    if sweeping {
        parts.pop();
    }
    if pattern::reaches(&parts, written.how, kind, call) {
        return true;
    }
    let path = Path { parts: &parts, same: &may_be, is_home: &is_home };
    // `*.json` means no file in particular, wherever it is.
    let meant = |part: &str, name: &str| !part.starts_with(is_mark) && may_be(part, name);
    let alone = Path { parts: &parts, same: &meant, is_home: &is_home };
    let goes = written.how == PathEffect::Whole || sweeping;
    // To remove a repository is a loss, but names no other one. What comes in its place is looked at for itself.
    let is_repository =
        written.how != PathEffect::Itself && parts.last().is_some_and(|last| may_be(last, ".git"));
    PLACES.iter().filter(|place| place.kind == kind).any(|place| {
        (place.holds(if place.parts.len() == 1 && !place.in_home { &alone } else { &path }) && !is_repository)
            || (goes && place.is_lost_with(&path))
            || (written.how == PathEffect::Filled && place.may_come_with(&path))
    })
}

/// The path from the root or a home folder, if the folder that it begins in is known.
fn full(path: &str, call: &Call) -> String {
    match &call.cwd {
        Some(cwd) if !path.starts_with(['/', HOME]) => format!("{cwd}/{path}"),
        _ => path.to_owned(),
    }
}

fn is_home(parts: &[&str]) -> bool {
    matches!(parts, [one] if one.chars().all(|c| c == HOME))
        || protected_places::may_be_home(parts, &|part, name| part == name)
}
