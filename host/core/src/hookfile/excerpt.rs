//! Places in a text: byte offsets as lines and columns, and the part of a line that a message shows.

use std::ops::Range;

/// Longest part of a line that is shown, in characters.
const MAX_EXCERPT_CHARS: usize = 120;

/// Characters of a long line that are shown before the place.
const LEAD_CHARS: usize = 40;

/// The part of a line that a message is about: one line, without what could disturb a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text; `…` stands for what was cut from a long line.
    pub text: String,
    /// Start of the place in the text, in characters.
    pub start: usize,
    /// Length of the place in characters, at least 1; it may extend one past the end of the line.
    pub length: usize,
}

/// A text, split into lines.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

/// A place in the form that people count.
#[derive(Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// In characters, on this line, at least 1.
    pub length: usize,
}

impl<'a> Lines<'a> {
    /// Splits `text` into lines. A byte order mark is not part of the first line.
    pub fn from_text(text: &'a str) -> Self {
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let starts = std::iter::once(first).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        Self { text, starts: starts.collect() }
    }

    /// Returns the line of an offset, from 1.
    pub fn find_line(&self, offset: usize) -> usize {
        // An offset in the byte order mark is before the first line.
        self.starts.partition_point(|start| *start <= offset).max(1)
    }

    /// Returns the place of a range of bytes.
    pub fn find_place(&self, span: &Range<usize>) -> TextPlace {
        let line = self.find_line(span.start);
        let (start, end) = self.find_bounds(line);
        let chars = |range: Range<usize>| self.text.get(range).map_or(0, |text| text.chars().count());
        // A range can begin in the byte order mark or end on a later line.
        let column = 1 + chars(start..span.start.clamp(start, end));
        let length = chars(span.start.clamp(start, end)..span.end.clamp(start, end)).max(1);
        TextPlace { line, column, length }
    }

    /// Returns the part of a place's line to show; `*` stands for each character in one of the `hidden` ranges.
    pub fn cut_excerpt(&self, place: &TextPlace, hidden: &[Range<usize>]) -> Excerpt {
        let (start, end) = self.find_bounds(place.line);
        let line = self.text.get(start..end).unwrap_or_default();
        let before = place.column - 1;
        let long = line.chars().nth(MAX_EXCERPT_CHARS).is_some();
        // A minified file is one line of any length.
        let skipped = if long { before.saturating_sub(LEAD_CHARS) } else { 0 };
        let mut rest = line.char_indices().map(|(at, c)| (start + at, c)).skip(skipped);
        let window: Vec<_> = rest.by_ref().take(MAX_EXCERPT_CHARS).collect();
        let seen = window.first().map_or(0..0, |first| first.0..window.last().map_or(0, |last| last.0 + 1));
        // A file can have thousands of hidden ranges; only those in view are compared with each character.
        let hidden: Vec<_> =
            hidden.iter().filter(|range| range.start < seen.end && seen.start < range.end).collect();
        let mut text = String::from(if skipped > 0 { "…" } else { "" });
        text.extend(window.into_iter().map(|(at, c)| {
            if hidden.iter().any(|range| range.contains(&at)) { '*' } else { to_printable(c) }
        }));
        if rest.next().is_some() {
            text.push('…');
        }
        let start = before - skipped + usize::from(skipped > 0);
        let room = (text.chars().count()).saturating_sub(start).max(1);
        Excerpt { text, start, length: place.length.min(room) }
    }

    /// Returns the start and the end of a line, without its newline.
    fn find_bounds(&self, line: usize) -> (usize, usize) {
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let end = self.starts.get(line).map_or(self.text.len(), |next| next - 1).max(start);
        // A carriage return in a message would move the cursor of a terminal to the beginning of the line.
        let returned = end > start && self.text.as_bytes().get(end - 1) == Some(&b'\r');
        (start, end - usize::from(returned))
    }
}

/// Returns the character itself, or a mark in the place of one that could disturb a terminal or is invisible.
pub(super) fn to_printable(c: char) -> char {
    let kept =
        // By the rule for all texts for the user, so that both treat every character alike.
        c == '\t' || (c != '\n' && hookbox_model::bounded_text(c.encode_utf8(&mut [0; 4])).starts_with(c));
    if kept { c } else { char::REPLACEMENT_CHARACTER }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_numbers(text: &str, span: Range<usize>) -> (usize, usize, usize) {
        let TextPlace { line, column, length } = Lines::from_text(text).find_place(&span);
        (line, column, length)
    }

    #[test]
    fn places_count_lines_and_characters_from_one() {
        assert_eq!(find_numbers("ab\ncd", 3..5), (2, 1, 2));
        assert_eq!(find_numbers("ä = 'ö'", 5..9), (1, 5, 3));
        assert_eq!(find_numbers("a\r\nb\r\n", 1..1), (1, 2, 1));
        assert_eq!(find_numbers("a\r\nb\r\n", 6..6), (3, 1, 1));
        assert_eq!(find_numbers("", 0..0), (1, 1, 1));
    }

    #[test]
    fn a_byte_order_mark_does_not_count_as_a_column() {
        assert_eq!(find_numbers("\u{feff}ab", 3..5), (1, 1, 2));
        assert_eq!(find_numbers("\u{feff}ab", 0..0), (1, 1, 1));
    }

    #[test]
    fn a_range_over_several_lines_is_shown_to_the_end_of_its_first() {
        assert_eq!(find_numbers("a = [\r\n1]", 4..9), (1, 5, 1));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let lines = Lines::from_text(&text);
        let excerpt = lines.cut_excerpt(&lines.find_place(&(500..501)), &[]);
        assert_eq!(excerpt.text, format!("…{}X{}…", "a".repeat(40), "b".repeat(79)));
        assert_eq!(excerpt.text.chars().nth(excerpt.start), Some('X'));
    }

    #[test]
    fn what_could_disturb_a_terminal_is_not_shown() {
        let lines = Lines::from_text("a\u{1b}[2J\u{202e}\tb");
        assert_eq!(lines.cut_excerpt(&lines.find_place(&(0..1)), &[]).text, "a\u{fffd}[2J\u{fffd}\tb");
    }

    #[test]
    fn what_is_hidden_is_not_shown() {
        let lines = Lines::from_text("a\nx = 'ä secret' # y");
        let secret = 7..16;
        assert_eq!(lines.cut_excerpt(&lines.find_place(&(2..3)), &[secret]).text, "x = '********' # y");
    }
}
