//! Findings of rules, and their messages.

use crate::{
    arg::{Arg, BELOW, HOME, UNKNOWN, unglob},
    call::Call,
    packs::Place,
};

/// The longest piece of a command that is quoted, in characters.
const MAX_QUOTE: usize = 160;
/// Maximum number of wrappers in a message.
const MAX_VIA: usize = 6;

/// One thing that is wrong with a command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    /// The stable code.
    pub(crate) code: &'static str,
    /// The whole sentence.
    pub(crate) text: String,
    /// Effect of the place on the severity.
    pub(crate) place: Place,
}

impl Finding {
    /// A finding about a command, seen through wrappers.
    pub(crate) fn new(code: &'static str, call: &Call, what: &str, via: &[String]) -> Self {
        Self::about(code, &format!("`{}` {what}", show(&call.words)), via)
    }

    /// Returns the finding with this place.
    pub(crate) fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// A finding about something that is not one command.
    pub(crate) fn about(code: &'static str, sentence: &str, via: &[String]) -> Self {
        let mut text = quote(sentence, 4 * MAX_QUOTE);
        if !via.is_empty() {
            let path: Vec<String> = via.iter().take(MAX_VIA).map(|step| quote(step, 40)).collect();
            text = format!("{text} (seen through: {})", path.join(" › "));
        }
        Self { code, text, place: Place::Usual }
    }
}

/// Formats words for the user.
pub(crate) fn show(words: &[Arg]) -> String {
    let words: Vec<String> = words.iter().take(64).map(|word| quote(word.as_str(), MAX_QUOTE)).collect();
    quote(&words.join(" "), MAX_QUOTE)
}

/// Text without control characters and marks, cut to a length.
pub(crate) fn quote(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count >= most {
            out.push('…');
            break;
        }
        match c {
            UNKNOWN => out.push('…'),
            HOME => out.push('~'),
            BELOW => out.push_str("**"),
            c if c.is_control() || is_invisible(c) => out.extend(c.escape_unicode()),
            c => out.push(unglob(c)),
        }
    }
    out
}

/// Characters that change how text looks without being seen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arg::{BELOW, all_below, is_mark, some_below};

    #[test]
    fn no_mark_is_shown_as_it_is() {
        let marks: String = ('\u{FDD0}'..='\u{FDD5}').collect();
        let home = HOME.to_string();
        for text in [marks, all_below(&home), some_below(&home), BELOW.to_string()] {
            let quoted = quote(&text, 100);
            assert!(!quoted.is_empty() && !quoted.contains(is_mark), "{quoted:?}");
        }
        assert_eq!(quote(&all_below(&home), 100), "~/**/*");
    }
}
