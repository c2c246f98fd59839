//! Patterns and searches that end at a protected file.

use protected_places::{KNOWN_FILES, Kind, PLACES, Place};

use super::{PathEffect, is_home};
use crate::{
    arg::{BELOW, ONE, SET, STAR, is_mark},
    call::Call,
    target::matches,
};

/// Returns true if a path with patterns or unknown folders in it may be a protected place, or a file that is known to
/// be in one.
pub(super) fn reaches(parts: &[&str], how: PathEffect, kind: Kind, call: &Call) -> bool {
    let Some(last) = parts.last().filter(|_| parts.iter().any(|part| part.contains([STAR, ONE, SET, BELOW])))
    else {
        return false;
    };
    let workspace = call.workspace.as_deref().unwrap_or_default().to_lowercase();
    let workspace: Vec<&str> = workspace.split('/').filter(|part| !part.is_empty()).collect();
    let places = PLACES.iter().filter(|place| place.kind == kind);
    let mut samples = places.flat_map(|place| samples(place, how, last).map(move |sample| (place, sample)));
    samples.any(|(place, sample)| may_be(parts, &sample, place, &workspace))
}

/// A place as it usually is, the files that are usually in it, and the folders that it goes with, if they end so.
fn samples<'a>(
    place: &'a Place,
    how: PathEffect,
    last: &'a str,
) -> impl Iterator<Item = Vec<&'static str>> + 'a {
    let own = || place.parts.iter().copied().filter(|part| *part != "**");
    let goes = how == PathEffect::Whole && place.lost_with_parent;
    let folders = if goes { 1..place.parts.len() } else { 0..0 };
    let files = KNOWN_FILES.iter().filter(|_| place.subtree).copied();
    let is_end = move |name: &str| is_below(last) || fits(last, name);
    let itself = own().next_back().filter(|name| is_end(name)).map(|_| own().collect());
    itself
        .into_iter()
        .chain(files.filter(move |name| is_end(name)).map(move |name| own().chain([name]).collect()))
        .chain(folders.filter_map(move |count| {
            let folder = place.parts.get(..count)?;
            folder.last().filter(|name| is_end(name)).map(|_| folder.to_vec())
        }))
}

/// Returns true if a component stands for any number of folders.
fn is_below(part: &str) -> bool {
    part.contains(BELOW) || (part.len() > STAR.len_utf8() && part.chars().all(|c| c == STAR))
}

fn may_be(parts: &[&str], sample: &[&str], place: &Place, workspace: &[&str]) -> bool {
    if let Some(at) = parts.iter().rposition(|part| is_below(part)) {
        let (before, behind) = (parts.get(..at).unwrap_or_default(), parts.get(at + 1..).unwrap_or_default());
        // Of several, the last counts: before it stands whatever is there.
        let before: Vec<&str> = before.iter().copied().take_while(|part| !is_below(part)).collect();
        // Where the agent works, only what is called exactly so.
        let exact = behind.last().is_some_and(|last| !last.contains(is_mark)) && !place.in_home;
        let here = exact && !before.is_empty() && workspace.starts_with(&before);
        return ends_at(behind, sample) && (here || is_found(&before, behind, sample, place));
    }
    let (before, end) = parts.split_at(parts.len().saturating_sub(sample.len()));
    let known = |part: &&str| !part.contains(is_mark) || own_characters(part) > 1;
    // `*.json` means no file in particular, wherever it is.
    let meant = sample.len() > 1 || place.in_home || !end.iter().any(|part| part.starts_with(is_mark));
    meant && (!place.in_home || is_home(before)) && end.iter().any(known) && all_match(end, sample)
}

/// Returns true if the wanted components may be the end of the sample.
fn ends_at(behind: &[&str], sample: &[&str]) -> bool {
    let start = sample.len().checked_sub(behind.len());
    start.and_then(|start| sample.get(start..)).is_some_and(|end| all_match(behind, end))
}

/// Returns true if the sample may be below the folder that a search begins in.
fn is_found(before: &[&str], behind: &[&str], sample: &[&str], place: &Place) -> bool {
    let above = sample.get(..sample.len().saturating_sub(behind.len())).unwrap_or_default();
    let begun = (1..=above.len()).any(|count| {
        let tail = before.get(before.len().saturating_sub(count)..).unwrap_or_default();
        above.get(..count).is_some_and(|first| all_match(tail, first))
    });
    // Whoever looks for no name in a folder that others use, too, does not mean the place.
    let meant = place.lost_with_parent || place.filled_with_parent || !behind.is_empty();
    meant && (begun || is_above_homes(before))
}

/// Returns true if a folder is a home folder, or one that contains home folders.
fn is_above_homes(parts: &[&str]) -> bool {
    is_home(parts) || parts.is_empty() || protected_places::is_above_homes(parts, &|part, name| part == name)
}

fn all_match(patterns: &[&str], names: &[&str]) -> bool {
    patterns.len() == names.len() && patterns.iter().zip(names).all(|(pattern, name)| fits(pattern, name))
}

/// Returns true if a component may be a name; no pattern matches a first dot unless it has one.
fn fits(pattern: &str, name: &str) -> bool {
    if let Some((start, end)) = name.split_once('*') {
        let plain = !pattern.contains(is_mark) && pattern.len() >= name.len() - 1;
        return fits(pattern, &format!("{start}{end}"))
            || (plain && pattern.starts_with(start) && pattern.ends_with(end));
    }
    if !pattern.contains(is_mark) {
        return pattern == name;
    }
    (pattern.starts_with('.') || !name.starts_with('.')) && matches(pattern, name)
}

fn own_characters(part: &str) -> usize {
    part.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).count()
}
