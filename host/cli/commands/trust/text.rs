//! The text of a file for review: invisible characters are written as escapes, and omissions are marked.

use std::fmt::Write as _;

use hookbox::model::bounded_text;

use crate::{
    printer::{DIM, Printer, WARNING},
    report::sanitize_line,
};

/// Maximum length of a text that is shown with the question, lines.
const MAX_LINES: usize = 400;
/// Longest line that is readable, characters.
const MAX_LINE: usize = 1000;
/// In this many bytes, one may be invalid text.
const FEW: usize = 8;

/// Beginning of a wasm file.
const WASM: &[u8] = b"\0asm";

/// How much of a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownLength {
    /// The limited part that is shown with the question.
    Asked,
    /// All of it: for a pager.
    Whole,
}

/// Returns the text of a file, with invalid bytes as escapes, since a script runs with them. `None` if too much of it is
/// invalid, or if it is wasm, of which a small one is almost valid text.
pub(super) fn of_bytes(bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(WASM) {
        return None;
    }
    let mut text = String::with_capacity(bytes.len());
    let mut strange = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        // NUL is valid UTF-8, but no text has it.
        strange += chunk.valid().matches('\0').count();
        for byte in chunk.invalid() {
            strange += 1;
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    (strange * FEW <= bytes.len()).then_some(text)
}

/// Returns the text with invisible characters as escapes, since they run, too.
pub(crate) fn escape_invisible(text: &str) -> String {
    let is_seen = |c: char| {
        matches!(c, '\n' | '\t' | ' '..='~') || (!is_blank(c) && !bounded_text(&c.to_string()).is_empty())
    };
    text.chars().fold(String::with_capacity(text.len()), |mut seen, c| {
        if is_seen(c) {
            seen.push(c);
        } else {
            seen.extend(c.escape_unicode());
        }
        seen
    })
}

/// Returns true for characters that look like nothing or like a blank, and those that differ between fonts.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{180b}'..='\u{180f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{fdd0}'..='\u{fdef}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{ffa0}'
                | '\u{e0100}'..='\u{10ffff}'
        )
}

/// Returns true if a line is too long to be readable.
pub(super) fn is_dense(text: &str) -> bool {
    text.lines().any(|line| escape_invisible(line).chars().count() > MAX_LINE)
}

/// Describes the part of the text that is not shown with the question; `None` if all is.
pub(super) fn describe_hidden(name: &str, text: &str) -> Option<String> {
    let more = text.lines().count().saturating_sub(MAX_LINES);
    let more = (more > 0).then(|| format!("{name} has {more} more lines"));
    more.or_else(|| is_dense(text).then(|| format!("{name} has a line of more than {MAX_LINE} characters")))
}

/// Prints a text line by line, escaped.
pub(super) fn print_lines(name: &str, text: &str, length: ShownLength, printer: &Printer) {
    let count = text.lines().count();
    let most = if length == ShownLength::Asked { MAX_LINES } else { count };
    printer.print_line(&format!("  {DIM}--- {}, {count} lines{DIM:#}", sanitize_line(name)));
    for shown in text.lines().take(most) {
        print_line(&escape_invisible(shown), length, printer);
    }
    if count > most {
        printer.print_line(&format!("  {WARNING}{} more lines are not shown{WARNING:#}", count - most));
    }
}

/// Prints one line; a long one continues behind another mark.
fn print_line(text: &str, length: ShownLength, printer: &Printer) {
    let letters: Vec<char> = text.chars().collect();
    let mut parts = letters.chunks(MAX_LINE).map(|part| sanitize_line(&part.iter().collect::<String>()));
    printer.print_line(&format!("  {DIM}|{DIM:#} {}", parts.next().unwrap_or_default()));
    match length {
        ShownLength::Whole => parts.for_each(|part| printer.print_line(&format!("  {DIM}:{DIM:#} {part}"))),
        ShownLength::Asked if letters.len() > MAX_LINE => {
            let more = letters.len() - MAX_LINE;
            printer.print_line(&format!("  {WARNING}{more} more characters are not shown{WARNING:#}"));
        }
        ShownLength::Asked => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_not_utf_8_does_not_hide_a_script() {
        assert_eq!(of_bytes(b"#!/bin/sh\n# \xff\necho\n").as_deref(), Some("#!/bin/sh\n# \\xff\necho\n"));
        assert_eq!(of_bytes(b"\x7fELF\0\0\0\x01\xfe\xff"), None);
        assert_eq!(
            of_bytes(b"\0asm\r\0\x01\0 and a text that is long enough for all that is none in front of it"),
            None
        );
        assert_eq!(of_bytes(b"").as_deref(), Some(""));
    }

    #[test]
    fn parts_that_are_not_shown_are_counted() {
        assert_eq!(describe_hidden("a", &"x\n".repeat(MAX_LINES)), None);
        assert_eq!(describe_hidden("a", &"x\n".repeat(MAX_LINES + 2)).as_deref(), Some("a has 2 more lines"));
        let long = describe_hidden("a", &"x".repeat(MAX_LINE + 1));
        assert_eq!(long.as_deref(), Some("a has a line of more than 1000 characters"));
    }

    #[test]
    fn what_looks_like_nothing_has_its_number() {
        assert_eq!(escape_invisible("a\u{a0}b\u{3164}\u{fdd5}ü\t"), "a\\u{a0}b\\u{3164}\\u{fdd5}ü\t");
    }
}
