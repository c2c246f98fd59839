//! `{a,b}` and `{1..3}`.

use super::Atom;
use crate::arg::UNKNOWN;

/// Maximum number of words that one word may become.
const MAX_WORDS: usize = 256;
/// Maximum number of characters of these words together.
const MAX_ATOMS: usize = 256 * 1024;
/// Maximum depth of braces.
const MAX_DEPTH: usize = 16;
/// A longer sequence of numbers is one unknown word: no number is a dangerous name.
const MAX_NUMBERS: i64 = 100;

/// Braces that give more words than the limit, or nest too deep.
#[derive(Debug)]
pub(crate) struct TooMany;

/// The words that the braces of one word make, in order.
pub(crate) fn expand_braces(atoms: &[Atom]) -> Result<Vec<Vec<Atom>>, TooMany> {
    expand(atoms, 0)
}

fn expand(atoms: &[Atom], depth: usize) -> Result<Vec<Vec<Atom>>, TooMany> {
    if depth > MAX_DEPTH {
        return Err(TooMany);
    }
    let Some((open, close, parts)) = first_group(atoms) else {
        return Ok(vec![atoms.to_vec()]);
    };
    let (before, _) = atoms.split_at(open);
    let (_, after) = atoms.split_at(close + 1);
    let tails = expand(after, depth + 1)?;
    let (mut words, mut atoms) = (Vec::new(), 0);
    for part in parts {
        for middle in expand(&part, depth + 1)? {
            for tail in &tails {
                atoms += before.len() + middle.len() + tail.len();
                if words.len() >= MAX_WORDS || atoms > MAX_ATOMS {
                    return Err(TooMany);
                }
                words.push([before, &middle, tail].concat());
            }
        }
    }
    Ok(words)
}

type Group = (usize, usize, Vec<Vec<Atom>>);

/// The first pair of braces that expands: where it opens, where it closes, what it lists.
fn first_group(atoms: &[Atom]) -> Option<Group> {
    let opens = atoms.iter().enumerate().filter(|(_, atom)| **atom == Atom::Plain('{'));
    // Only a few candidates: text full of unmatched braces must not cost the square of its length.
    opens.take(MAX_DEPTH).find_map(|(open, _)| {
        let (close, commas) = matching(atoms, open)?;
        let inner = atoms.get(open + 1..close)?;
        let parts = if commas.is_empty() { sequence(inner)? } else { split(atoms, open, close, &commas) };
        Some((open, close, parts))
    })
}

fn matching(atoms: &[Atom], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut depth = 0usize;
    let mut commas = Vec::new();
    for (at, atom) in atoms.iter().enumerate().skip(open) {
        match atom {
            Atom::Plain('{') => depth += 1,
            Atom::Plain('}') => depth -= 1,
            Atom::Plain(',') if depth == 1 => commas.push(at),
            _ => {}
        }
        if depth == 0 {
            return Some((at, commas));
        }
    }
    None
}

fn split(atoms: &[Atom], open: usize, close: usize, commas: &[usize]) -> Vec<Vec<Atom>> {
    let mut start = open + 1;
    let mut parts = Vec::new();
    for end in commas.iter().copied().chain([close]) {
        parts.push(atoms.get(start..end).unwrap_or_default().to_vec());
        start = end + 1;
    }
    parts
}

fn sequence(inner: &[Atom]) -> Option<Vec<Vec<Atom>>> {
    let text: String =
        inner.iter().map(|atom| if let Atom::Plain(c) = atom { *c } else { UNKNOWN }).collect();
    let mut ends = text.splitn(3, "..");
    let (from, to) = (ends.next()?, ends.next()?);
    if let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>()) {
        if from
            .checked_sub(to)
            .is_none_or(|distance| distance.checked_abs().is_none_or(|count| count > MAX_NUMBERS))
        {
            return Some(vec![vec![Atom::Quoted(UNKNOWN)]]);
        }
        let numbers = from.min(to)..=from.max(to);
        return Some(numbers.map(|number| number.to_string().chars().map(Atom::Quoted).collect()).collect());
    }
    let single = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|c| c.is_ascii_alphabetic() && chars.next().is_none())
    };
    let (from, to) = (single(from)?, single(to)?);
    Some((from.min(to)..=from.max(to)).map(|c| vec![Atom::Quoted(c)]).collect())
}
