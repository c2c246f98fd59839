//! JSON that JavaScript's `JSON.parse` accepts and this crate refuses, rewritten to JSON that both accept.
//!
//! Agents that are JavaScript programs write and read such text: half of a surrogate pair where a text was cut, a byte order mark
//! that `trim` removes, a number that is infinite as a double, a key that an object has twice.

use serde_json::{Value, value::RawValue};

/// Replacement of half a surrogate pair, as a JSON escape.
const REPLACEMENT: &str = "\\ufffd";

/// Returns the text without white space in JavaScript's sense at its ends: Unicode's spaces, the line ends, and U+FEFF.
/// <https://tc39.es/ecma262/#sec-trimstring>
pub fn trim_as_javascript(text: &str) -> &str {
    // U+0085 is white space for Rust and not for JavaScript.
    text.trim_matches(|c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}'))
}

/// Returns the same value as JSON that every reader accepts; `None` if JavaScript refuses the text, too. Of a key that an object has
/// twice the last value counts.
pub(super) fn to_strict_json(text: &str) -> Option<String> {
    let text = without_halves(trim_as_javascript(text));
    // serde_json keeps the last of several values, as JavaScript does. It refuses a number that is infinite
    // as a double, so these are replaced before.
    let value: Value = serde_json::from_str(&with_finite_numbers(&text)).ok()?;
    Some(value.to_string())
}

/// Replaces each escape of half a surrogate pair that stands alone.
pub(super) fn without_halves(text: &str) -> String {
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        rewritten.push_str(before);
        let length = match (parse_unit(escape), escape.get(6..).and_then(parse_unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                rewritten.push_str(REPLACEMENT);
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            // The escaped character is skipped: the second backslash of `\\` does not begin an escape.
            _ => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (kept, behind) = escape.split_at_checked(length).unwrap_or((escape, ""));
        rewritten.push_str(kept);
        rest = behind;
    }
    rewritten + rest
}

/// Returns the code unit of an escape `\uXXXX` at the start of the text.
fn parse_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits
        .bytes()
        .all(|digit| digit.is_ascii_hexdigit())
        .then(|| u16::from_str_radix(digits, 16).ok())
        .flatten()
}

/// Replaces numbers that are infinite as doubles by `null`, as `JSON.stringify` does.
fn with_finite_numbers(text: &str) -> String {
    // A string without an end is left to the parser to refuse.
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_length(rest),
            '-' | '0'..='9' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
                end.unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        let (token, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        // Rust reads `-inf`, `1.e999` and `01e999` as numbers, too, which JSON and JavaScript refuse.
        let is_number = || serde_json::from_str::<&RawValue>(token).is_ok();
        let is_infinite = first != '"' && token.parse::<f64>().is_ok_and(f64::is_infinite) && is_number();
        rewritten.push_str(if is_infinite { "null" } else { token });
        rest = behind;
    }
    rewritten
}

/// Returns the bytes of the string at the start of the text, with its quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::super::Json;

    fn parse_text(text: &str) -> Option<String> {
        Json::parse_relaxed(text).ok().map(|json| json.as_str().to_owned())
    }

    #[test]
    fn text_that_javascript_accepts_is_accepted() {
        for (text, expected) in [
            (r#"{"a": "cut \ud83d"}"#, r#"{"a":"cut �"}"#),
            (r#"{"a": "\udc00\ud83d"}"#, r#"{"a":"��"}"#),
            (r#"{"a": "\ud83d\ude00 \ud83d"}"#, r#"{"a":"😀 �"}"#),
            (r#"{"\ud83d": "\\ud83d \\\ud83d"}"#, r#"{"�":"\\ud83d \\�"}"#),
            ("\u{feff} {\"a\": 1}\u{a0}\n", r#"{"a":1}"#),
            (r#"{"a": "deny", "b": 0, "a": "allow"}"#, r#"{"a":"allow","b":0}"#),
            (r#"{"a": [1e400, -1e999, "1e400"]}"#, r#"{"a":[null,null,"1e400"]}"#),
        ] {
            assert_eq!(parse_text(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn of_a_cut_object_only_halves_and_the_byte_order_mark_are_replaced() {
        let parsed = |text| Json::parse_cut_object(text).ok().map(|json| json.as_str().to_owned());
        for (text, expected) in [
            ("\u{feff}{\"a\": \"cut \\ud83d\", \"b\":  1.50}", Some(r#"{"a": "cut \ufffd", "b":  1.50}"#)),
            (r#"{"a": 1}"#, Some(r#"{"a": 1}"#)),
            (r#"{"a": "\ud83d", "a": 1}"#, None),
            (r#"{"a": 1e400}"#, None),
            (r#"["\ud83d"]"#, None),
        ] {
            assert_eq!(parsed(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn text_that_every_reader_accepts_stays_as_it_is() {
        for text in [r#"{"a": "\ud83d\ude00", "b":  1.50}"#, " {} ", "[1e300]"] {
            assert_eq!(parse_text(text).as_deref(), Some(text), "{text}");
        }
    }

    #[test]
    fn text_that_javascript_refuses_is_refused() {
        for text in [
            "",
            "\u{feff}",
            "{",
            r#"{"a": NaN}"#,
            r#"{"a": Infinity}"#,
            "[-inf]",
            "[-infinity]",
            "[01e999]",
            "[1.e999]",
            "[-.5e999]",
            r#"{"a": "\ud8"}"#,
            "{'a': 1}",
            "\u{85}{}",
        ] {
            assert_eq!(parse_text(text), None, "{text}");
        }
        let deep = format!("{}{}", "[".repeat(101), "]".repeat(101));
        assert_eq!(parse_text(&deep), None);
    }
}
