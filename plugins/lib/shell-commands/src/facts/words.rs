//! Words and texts as facts have them: without this crate's placeholder characters.

use super::{MAX_TEXT, types::FactWord};
use crate::arg::{Arg, BELOW, HOME, UNKNOWN, is_mark, unglob};

/// Stands for a part that is only known when the command runs.
const UNKNOWN_PART: char = '\u{FFFD}';

/// Returns the fact about a word.
pub(super) fn fact_word(arg: &Arg) -> FactWord {
    // The names that a command lists depend on the file system.
    let is_open = arg.guessed || arg.origin.files;
    FactWord { text: without_marks(&arg.text), certain: !is_open && !arg.text.contains(is_mark) }
}

/// Returns the text with `U+FFFD`, `~` and the characters of patterns in place of the placeholders.
pub(super) fn without_marks(text: &str) -> String {
    let text = text.replace("\u{FDD5}/\u{FDD5}", "\u{FDD5}");
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            UNKNOWN => plain.push(UNKNOWN_PART),
            HOME => plain.push('~'),
            BELOW => plain.push_str("**"),
            c => plain.push(unglob(c)),
        }
    }
    plain
}

/// Returns the beginning of a text, at most [`MAX_TEXT`] characters.
pub(super) fn shorten_text(text: &str) -> String {
    let end = text.char_indices().nth(MAX_TEXT).map_or(text.len(), |(at, _)| at);
    without_marks(text.get(..end).unwrap_or_default()).chars().take(MAX_TEXT).collect()
}

/// Returns words as one text, which is cut where it is long enough for [`shorten_text`].
pub(crate) fn join_words(words: &[Arg]) -> String {
    let words: Vec<&str> = words.iter().take(MAX_TEXT).map(Arg::as_str).collect();
    words.join(" ")
}
