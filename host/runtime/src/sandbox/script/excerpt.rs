//! Excerpts of a script for error messages.

/// Most characters of a line that are shown.
const MAX_SHOWN_CHARS: usize = 100;
/// Most of these characters in front of the place.
const BEFORE: usize = 60;

/// A place in a script: line and column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Formats an error in the script of this name, with its place and line.
pub(super) fn format_error(name: &str, source: &str, place: Place, what: &str) -> String {
    let Place { line, column } = place;
    let Some(text) = source.lines().nth(line.saturating_sub(1)) else { return format!("{name}: {what}") };
    let skipped = column.saturating_sub(1).min(text.chars().count()).saturating_sub(BEFORE);
    let shown: String = text.chars().skip(skipped).take(MAX_SHOWN_CHARS).map(without_tabs).collect();
    let number = line.to_string();
    let (gap, caret) = (" ".repeat(number.len()), " ".repeat(column.saturating_sub(1 + skipped)));
    format!("{name}:{line}:{column}: {what}\n  {number} | {}\n  {gap} | {caret}^", shown.trim_end())
}

/// Replaces tabs, whose width would misplace the caret, and characters that a terminal obeys.
fn without_tabs(c: char) -> char {
    if may_be_shown(c) { c } else { ' ' }
}

/// Returns false for a control character and for one that changes the direction of a line.
pub(super) fn may_be_shown(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
    !(c.is_control() || turns)
}
