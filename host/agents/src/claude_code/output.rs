//! Standard output of a hook: an object, or plain text.

use hookbox_model::trim_as_javascript;
use serde_json::Value;

use super::contract::OUTPUT_ONLY;

pub(super) enum Output<'o> {
    Object(&'o str),
    /// Text, without blanks around it.
    Text(&'o str),
    /// Text that looks like an object but is not JSON: an error, and not plain text either.
    Broken,
}

/// Classifies `stdout`. Text that begins with `{` and ends with `}` is meant as an object; but several lines that are JSON each, none of
/// them an answer, are a log.
pub(super) fn classify_output(stdout: &str) -> Output<'_> {
    // JavaScript trims other characters than Rust does: a byte order mark counts as blank there.
    let text = trim_as_javascript(stdout);
    if is_object(text) {
        return Output::Object(text);
    }
    // A broken object may be a misspelt deny, which must not pass as plain text.
    if !(text.starts_with('{') && text.ends_with('}')) || is_log(text) {
        Output::Text(text)
    } else {
        Output::Broken
    }
}

pub(super) fn is_object(text: &str) -> bool {
    text.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn is_log(text: &str) -> bool {
    let is_entry = |line: &str| {
        let value: Option<Value> = serde_json::from_str(line).ok();
        value.is_some_and(|value| OUTPUT_ONLY.iter().all(|key| value.get(key).is_none()))
    };
    text.lines().filter(|line| !line.trim().is_empty()).all(is_entry)
}

/// Removes the escape sequences that colour lines and name windows.
pub(super) fn without_colours(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = behind.get(sequence_length(behind)..).unwrap_or_default();
    }
    plain + rest
}

/// Returns the length of a sequence after its escape character.
fn sequence_length(text: &str) -> usize {
    let ends_at = |end: fn(char) -> bool| text.char_indices().skip(1).find(|(_, c)| end(*c));
    let ended = match text.chars().next() {
        Some('[') => ends_at(|c| ('@'..='~').contains(&c)),
        // Up to a bell, or to the escape character of the `\` that ends it.
        Some(']') => ends_at(|c| c == '\u{7}' || c == '\u{1b}')
            .map(|(at, c)| if c == '\u{7}' { (at, c) } else { (at + 1, '\\') }),
        Some(c) => Some((0, c)),
        None => None,
    };
    ended.map_or(text.len(), |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_looks_like_an_object_and_is_invalid_is_broken_and_not_text() {
        let kind = |text: &str| match classify_output(text) {
            Output::Object(_) => "object",
            Output::Text(_) => "text",
            Output::Broken => "broken",
        };
        for (text, expected) in [
            (" {\"a\": 1}\n", "object"),
            ("\u{feff}{\"a\": 1}", "object"),
            ("{\"a\": \"\\ud83d\"}", "object"),
            ("{\"a\": 1e400}", "object"),
            ("{oops", "text"),
            ("{oops}", "broken"),
            ("[1]", "text"),
            ("\"x\"", "text"),
            ("", "text"),
            ("{\"a\": 1}\n{\"b\": 2}", "text"),
            ("{\"a\": 1}\n{\"decision\": \"block\"}", "broken"),
        ] {
            assert_eq!(kind(text), expected, "{text:?}");
        }
    }

    #[test]
    fn colours_are_taken_out() {
        for (text, expected) in [
            ("\u{1b}[1;32m/w\u{1b}[0m", "/w"),
            ("\u{1b}]0;title\u{7}/w", "/w"),
            ("\u{1b}]8;;x\u{1b}\\/w", "/w"),
            ("\u{1b}[", ""),
            ("/w\u{1b}", "/w"),
            ("/ü", "/ü"),
        ] {
            assert_eq!(without_colours(text), expected, "{text:?}");
        }
    }
}
