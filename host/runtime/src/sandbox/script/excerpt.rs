//! The line of a script that an error is about.

/// Most of a line that is shown, characters.
const SHOWN: usize = 100;
/// How much of that stands before the place.
const BEFORE: usize = 60;

/// A place in a script: line and column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// What is wrong in the script of this name, and where, with the line.
pub(super) fn told(name: &str, source: &str, place: Place, what: &str) -> String {
    let Place { line, column } = place;
    let Some(text) = source.lines().nth(line.saturating_sub(1)) else { return format!("{name}: {what}") };
    let skipped = column.saturating_sub(1).min(text.chars().count()).saturating_sub(BEFORE);
    let shown: String = text.chars().skip(skipped).take(SHOWN).map(without_tabs).collect();
    let number = line.to_string();
    let (gap, caret) = (" ".repeat(number.len()), " ".repeat(column.saturating_sub(1 + skipped)));
    format!("{name}:{line}:{column}: {what}\n  {number} | {}\n  {gap} | {caret}^", shown.trim_end())
}

/// As wide as the caret's line takes it to be, and nothing that a terminal obeys.
fn without_tabs(c: char) -> char {
    if may_be_shown(c) { c } else { ' ' }
}

/// Neither a control character nor one that turns the direction of a line.
pub(super) fn may_be_shown(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
    !(c.is_control() || turns)
}
