//! Text from outside that people or models will read.

use std::fmt::{self, Write};

/// Longest text to the model or the user, in characters (Claude Code's cap: docs/reference/agents/claude-code.md).
pub const MAX_TEXT_CHARS: usize = 10_000;

/// Cuts `text` visibly at [`MAX_TEXT_CHARS`] and removes what can hide or forge text: control characters except
/// newline and tab, bidirectional overrides, and invisible characters (zero width, tags).
pub fn bounded_text(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut kept: String = text.chars().filter(|c| is_visible(*c)).take(MAX_TEXT_CHARS).collect();
    let total = text.chars().filter(|c| is_visible(*c)).count();
    if total > MAX_TEXT_CHARS {
        let _ = write!(kept, "… [cut: {} more characters]", total - MAX_TEXT_CHARS);
    }
    kept
}

/// Returns true for short ASCII text, the usual case.
fn is_plain(text: &str) -> bool {
    text.len() <= MAX_TEXT_CHARS && text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
}

/// Returns true if the text has the form that [`bounded_text`] returns.
pub(crate) fn is_bounded(text: &str) -> bool {
    if is_plain(text) {
        return true;
    }
    let rest =
        text.char_indices().nth(MAX_TEXT_CHARS).map_or("", |(at, _)| text.get(at..).unwrap_or_default());
    // The note belongs to the accepted form, since `bounded_text` writes it behind the last character.
    let cut = rest.strip_prefix("… [cut: ").and_then(|rest| rest.strip_suffix(" more characters]"));
    let is_whole = rest.is_empty() || cut.is_some_and(|count| count.parse::<usize>().is_ok());
    is_whole && text.chars().all(is_visible)
}

/// Returns one line of at most 500 characters, cleaned.
pub(crate) fn short_text(text: &str) -> String {
    const MOST: usize = 500;
    // A line break would begin a line of its own in a report.
    let text = bounded_text(text).replace('\n', "⏎");
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// Longest text that [`OneLine`] shows, in characters.
pub const MAX_LINE_CHARS: usize = 1000;

/// Shows a text on one line: at most [`MAX_LINE_CHARS`] characters, control and invisible characters escaped.
#[derive(Clone, Copy, Debug)]
pub struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars = self.0.chars();
        for c in chars.by_ref().take(MAX_LINE_CHARS) {
            match c {
                '\n' | '\t' => write!(f, "{}", c.escape_default())?,
                c if is_visible(c) => f.write_char(c)?,
                c => write!(f, "{}", c.escape_unicode())?,
            }
        }
        if chars.next().is_some() { f.write_char('…') } else { Ok(()) }
    }
}

/// Returns true if the character is visible and leaves adjacent text as it is. Newline and tab count as visible, and so does the mark
/// behind an emoji (U+FE0F). Invisible are Unicode's `Default_Ignorable_Code_Point` and those formats (Cf) that are shown as nothing.
pub fn is_visible(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        // Among these are the direction controls, which show a text in another order than a shell or a model
        // reads it, and the tags, which a model reads and the user does not see.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0e}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => false,
        _ => !c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_invisible_characters_are_removed() {
        assert_eq!(bounded_text("a\u{1b}[31mb\r\n\tc\u{202e}d\u{e0041}e\0"), "a[31mb\n\tcde");
        assert_eq!(
            bounded_text("a\u{17b4}\u{1bca1}\u{1d173}\u{fff9}\u{e0100}\u{ad}b❤\u{fe0f}"),
            "ab❤\u{fe0f}"
        );
    }

    #[test]
    fn one_line_escapes_what_could_forge_another_and_cuts_what_is_long() {
        assert_eq!(OneLine("a\nb\tc\u{1b}[31m\u{202e}\"ü").to_string(), "a\\nb\\tc\\u{1b}[31m\\u{202e}\"ü");
        assert_eq!(OneLine(&"ü".repeat(MAX_LINE_CHARS)).to_string(), "ü".repeat(MAX_LINE_CHARS));
        assert_eq!(OneLine(&"ü".repeat(MAX_LINE_CHARS + 1)).to_string(), "ü".repeat(MAX_LINE_CHARS) + "…");
    }

    #[test]
    fn a_long_text_is_cut_visibly_and_never_inside_a_character() {
        let cut = bounded_text(&"ü".repeat(MAX_TEXT_CHARS + 3));
        assert!(cut.ends_with("ü… [cut: 3 more characters]"));
        assert_eq!(bounded_text(&"ü".repeat(MAX_TEXT_CHARS)).chars().count(), MAX_TEXT_CHARS);
    }
}
