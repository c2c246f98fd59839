//! Values that are cut or replaced by a pattern.

use crate::{
    arg::{HOME, is_mark},
    word::Anchor,
};

/// Values and patterns longer than this are not cut: what is left is unknown.
const MAX_TRIMMED: usize = 1024;
/// Length limit for replacements, which try each place of the value.
const MAX_REPLACED: usize = 256;

/// A home folder as its path is most often, for patterns that look at its first components.
const HOMES: &str = "/home/";

/// A pattern, its quotes read.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern(Vec<Piece>);

/// An element of a pattern.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Any,
    One,
    Char(char),
    Set { negated: bool, ranges: Vec<(char, char)> },
}

impl Pattern {
    /// Reads characters of which each is an operator or stands for itself; nothing if it has something that is not
    /// followed.
    pub(super) fn new(chars: &[(char, bool)]) -> Option<Self> {
        let mut pieces = Vec::with_capacity(chars.len());
        let mut rest = chars.iter();
        while let Some((c, is_operator)) = rest.next() {
            pieces.push(match c {
                '*' if *is_operator => Piece::Any,
                '?' if *is_operator => Piece::One,
                '[' if *is_operator => {
                    let close =
                        rest.as_slice().iter().skip(1).position(|(c, plain)| *c == ']' && *plain)? + 1;
                    let set = rest.as_slice().get(..close)?;
                    rest = rest.as_slice().get(close + 1..)?.iter();
                    bracket(set)?
                }
                // An extended pattern, perhaps.
                '(' | '|' if *is_operator => return None,
                c if is_mark(*c) && *c != HOME => return None,
                c => Piece::Char(*c),
            });
        }
        (pieces.len() <= MAX_TRIMMED).then_some(Self(pieces))
    }

    /// Returns the prefixes of the text that the pattern matches, by their number of characters.
    fn ends(&self, text: &[char]) -> Vec<bool> {
        // The pieces that are done, after each character.
        let mut done = vec![false; self.0.len() + 1];
        if let Some(first) = done.first_mut() {
            *first = true;
        }
        self.skip_any(&mut done);
        let mut ends = vec![done.last().copied().unwrap_or_default()];
        for c in text {
            let mut next = vec![false; done.len()];
            for (at, piece) in self.0.iter().enumerate() {
                let stays = *piece == Piece::Any;
                if done.get(at).copied().unwrap_or_default()
                    && piece.matches(*c)
                    && let Some(slot) = next.get_mut(if stays { at } else { at + 1 })
                {
                    *slot = true;
                }
            }
            self.skip_any(&mut next);
            ends.push(next.last().copied().unwrap_or_default());
            done = next;
        }
        ends
    }

    /// A star may match nothing.
    fn skip_any(&self, done: &mut [bool]) {
        for (at, piece) in self.0.iter().enumerate() {
            if *piece == Piece::Any
                && done.get(at).copied().unwrap_or_default()
                && let Some(next) = done.get_mut(at + 1)
            {
                *next = true;
            }
        }
    }

    fn reversed(&self) -> Self {
        Self(self.0.iter().rev().cloned().collect())
    }

    /// The value without its beginning or end that the pattern matches.
    pub(super) fn trim(&self, value: &str, from_end: bool, longest: bool) -> Option<String> {
        within_home(value, MAX_TRIMMED, |mut value| {
            let pattern = if from_end { self.reversed() } else { self.clone() };
            if from_end {
                value.reverse();
            }
            let ends = pattern.ends(&value);
            let hit =
                if longest { ends.iter().rposition(|end| *end) } else { ends.iter().position(|end| *end) };
            value.drain(..hit.unwrap_or_default());
            if from_end {
                value.reverse();
            }
            value
        })
    }

    /// The value with a text in the place of what the pattern matches.
    pub(super) fn replace(&self, value: &str, text: &str, anchor: Anchor) -> Option<String> {
        if self.0.is_empty() || self.0.len() > MAX_REPLACED {
            return None;
        }
        within_home(value, MAX_REPLACED, |value| {
            let mut replaced = Vec::with_capacity(value.len());
            let mut rest = value.as_slice();
            let mut is_done = false;
            while let [first, behind @ ..] = rest {
                let is_tried = !is_done && (anchor != Anchor::Start || rest.len() == value.len());
                let ends = if is_tried { self.ends(rest) } else { Vec::new() };
                let longest = ends.iter().rposition(|end| *end).filter(|end| *end > 0);
                if let Some(end) = longest.filter(|end| anchor != Anchor::End || *end == rest.len()) {
                    replaced.extend(text.chars());
                    rest = rest.get(end..).unwrap_or_default();
                    is_done = anchor != Anchor::All;
                } else {
                    replaced.push(*first);
                    rest = behind;
                }
            }
            replaced
        })
    }
}

impl Piece {
    fn matches(&self, c: char) -> bool {
        match self {
            Self::Any => true,
            // How long the name of a home folder is, is not known.
            Self::One => c != HOME,
            Self::Char(own) => *own == c,
            Self::Set { negated, ranges } => {
                c != HOME && ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
            }
        }
    }
}

/// Parses the text between brackets; `None` for classes such as `[:alpha:]`.
fn bracket(set: &[(char, bool)]) -> Option<Piece> {
    let chars: Vec<char> = set.iter().map(|(c, _)| *c).collect();
    let negated = set.first().is_some_and(|(c, plain)| *plain && matches!(c, '!' | '^'));
    let mut rest = chars.get(usize::from(negated)..)?;
    let mut ranges = Vec::new();
    while let Some((first, behind)) = rest.split_first() {
        if *first == '[' {
            return None;
        }
        if let ['-', to, after @ ..] = behind {
            ranges.push((*first, *to));
            rest = after;
        } else {
            ranges.push((*first, *first));
            rest = behind;
        }
    }
    Some(Piece::Set { negated, ranges })
}

/// Changes a value that may begin with a home folder; `None` if an unknown part of that folder's path is left.
fn within_home(value: &str, max: usize, change: impl FnOnce(Vec<char>) -> Vec<char>) -> Option<String> {
    let below = value.strip_prefix(HOME);
    if below.unwrap_or(value).contains(is_mark) || value.len() > max {
        return None;
    }
    let home = format!("{HOMES}{HOME}");
    let full = below.map_or_else(|| value.to_owned(), |below| format!("{home}{below}"));
    let changed: String = change(full.chars().collect()).into_iter().collect();
    match changed.strip_prefix(&home) {
        Some(below) => Some(format!("{HOME}{below}")),
        // What is above a home folder is known well enough, if anything is left of it.
        None => (!changed.contains(HOME) && (below.is_none() || !is_torn(&changed))).then_some(changed),
    }
}

/// Returns true if a part of a home folder's path is left, but not its beginning.
fn is_torn(changed: &str) -> bool {
    !changed.is_empty() && !HOMES.starts_with(changed) && !changed.starts_with(HOMES)
}
