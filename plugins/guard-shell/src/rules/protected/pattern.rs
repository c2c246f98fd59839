//! Patterns and searches that end at a protected file.

use protected_places::{KNOWN_FILES, Kind, PLACES, Place};

use super::{How, is_home};
use crate::{
    arg::{BELOW, STAR, is_mark},
    target::matches,
};

/// Whether a path with patterns or any folders in it may be a protected place, or a file that is known to be in one.
pub(super) fn reaches(parts: &[&str], how: How, kind: Kind, workspace: &[&str]) -> bool {
    if !parts.iter().any(|part| part.contains(is_mark)) {
        return false;
    }
    let mut places = PLACES.iter().filter(|place| place.kind == kind);
    places.any(|place| samples(place, how).iter().any(|sample| may_be(parts, sample, place, workspace)))
}

/// A place as it usually is, the files that are usually in it, and the folders that it goes with.
fn samples(place: &Place, how: How) -> Vec<Vec<String>> {
    let own: Vec<String> =
        place.parts.iter().filter(|part| **part != "**").map(|part| (*part).to_owned()).collect();
    let mut samples = vec![own.clone()];
    if place.subtree {
        let below = |file: &&str| own.iter().cloned().chain([(*file).to_owned()]).collect();
        samples.extend(KNOWN_FILES.iter().map(below));
    }
    if how == How::Whole && place.lost_with_parent {
        samples.extend((1..own.len()).filter_map(|count| own.get(..count).map(<[_]>::to_vec)));
    }
    samples
}

fn may_be(parts: &[&str], sample: &[String], place: &Place, workspace: &[&str]) -> bool {
    let is_below = |part: &&str| {
        part.contains(BELOW) || (part.len() > STAR.len_utf8() && part.chars().all(|c| c == STAR))
    };
    match parts.iter().rposition(|part| is_below(&part)) {
        Some(at) => {
            let (before, behind) =
                (parts.get(..at).unwrap_or_default(), parts.get(at + 1..).unwrap_or_default());
            // Of several, the last counts: before it stands whatever is there.
            let before: Vec<&str> = before.iter().copied().take_while(|part| !is_below(&part)).collect();
            // Where the agent works, only what is called exactly so.
            let exact = behind.last().is_some_and(|last| !last.contains(is_mark)) && !place.in_home;
            let here = exact && !before.is_empty() && workspace.starts_with(&before);
            ends_at(behind, sample) && (here || is_found(&before, behind, sample, place))
        }
        None => {
            let (before, end) = parts.split_at(parts.len().saturating_sub(sample.len()));
            let known = |part: &&str| !part.contains(is_mark) || own_characters(part) > 1;
            (!place.in_home || is_home(before)) && end.iter().any(known) && all_match(end, sample)
        }
    }
}

/// Whether what is looked for may be the end of the sample.
fn ends_at(behind: &[&str], sample: &[String]) -> bool {
    let start = sample.len().checked_sub(behind.len());
    start.and_then(|start| sample.get(start..)).is_some_and(|end| all_match(behind, end))
}

/// Whether the sample may be below the folder that a search begins in.
fn is_found(before: &[&str], behind: &[&str], sample: &[String], place: &Place) -> bool {
    let above = sample.get(..sample.len().saturating_sub(behind.len())).unwrap_or_default();
    let begun = (1..=above.len()).any(|count| {
        let tail = before.get(before.len().saturating_sub(count)..).unwrap_or_default();
        above.get(..count).is_some_and(|first| all_match(tail, first))
    });
    // Whoever looks for no name in a folder that others use, too, does not mean the place.
    let meant = place.lost_with_parent || place.filled_with_parent || !behind.is_empty();
    meant && (begun || is_above_homes(before))
}

/// Whether a folder is a home folder, or one that these are in.
fn is_above_homes(parts: &[&str]) -> bool {
    is_home(parts) || matches!(parts, [] | ["home" | "users" | "root"])
}

fn all_match(patterns: &[&str], names: &[String]) -> bool {
    patterns.len() == names.len() && patterns.iter().zip(names).all(|(pattern, name)| fits(pattern, name))
}

/// Whether a component may be a name; no pattern matches a first dot unless it has one.
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
