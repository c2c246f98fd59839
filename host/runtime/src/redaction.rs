//! Removes secrets from texts that are shown or kept.

mod markers;
mod secrets;
mod tokens;

pub use self::{
    secrets::{Secrets, names_secret},
    tokens::redact_tokens,
};

use std::{borrow::Cow, cmp::Reverse, sync::OnceLock};

use regex::bytes::{Captures, Regex};

/// Compiles the patterns, or waits until another thread has done so.
///
/// A program that forks calls this first: the child would wait for a thread that it does not have.
pub fn compile_patterns() {
    secrets::compile_pattern();
    tokens::compile_pattern();
    markers::compile_patterns();
}

/// Replacement for a secret in a text.
pub const REDACTED: &str = "[redacted]";

/// Pattern of a secret after a marker: a quoted text or a word. A placeholder, an option and code are not secrets.
const VALUE: &str = r#"\\?"[^"\n]+"|'[^'\n]+'|[^\s"'`,;&}\\<({\[=:.|+?-][^\s"',;&}\\]*"#;

/// Shortest value that is redacted, bytes. A shorter value occurs in unrelated words: redacting it would spoil every
/// message, and show where it occurs.
pub(crate) const SHORTEST_SECRET: usize = 8;

/// Returns the values that are long enough to be redacted, longest first: one may be a part of another.
pub(crate) fn worth_redacting(values: impl IntoIterator<Item = String>) -> Vec<String> {
    let long = |value: &String| value.trim().len() >= SHORTEST_SECRET;
    let mut values: Vec<_> = values.into_iter().filter(long).collect();
    values.sort_by_key(|value| Reverse(value.len()));
    values
}

pub(crate) fn redact_values(values: &[String], text: &str) -> String {
    values.iter().fold(text.to_owned(), |text, value| text.replace(value, REDACTED))
}

/// Words between the name of a header and a secret.
const SCHEMES: [&[u8]; 3] = [b"basic", b"bearer", b"token"];

/// Returns true for a reference to a variable, or for the output of a command (`"$TOKEN"`, `Bearer ${TOKEN}`, `$(cat`), and for
/// the name of a scheme alone.
fn is_reference(value: &[u8]) -> bool {
    let end = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
    let (first, rest) = value.split_at(end);
    let is_scheme = SCHEMES.contains(&first.to_ascii_lowercase().as_slice());
    let value = if is_scheme { rest.trim_ascii_start() } else { value };
    let name: Vec<u8> = value.iter().copied().filter(|byte| !b"\\\"".contains(byte)).collect();
    let is_constant = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_lower = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
    let is_name = |name: &[u8]| name.iter().all(is_constant) || name.iter().all(is_lower);
    let is_variable = |name: &[u8]| matches!(name, [b'{' | b'(', ..]) || is_name(name);
    (is_scheme && value.is_empty()) || name.strip_prefix(b"$").is_some_and(is_variable)
}

fn compile_once(place: &OnceLock<Option<Regex>>, pattern: impl FnOnce() -> String) -> Option<&Regex> {
    place.get_or_init(|| Regex::new(&pattern()).ok()).as_ref()
}

/// Returns `text` without the secret in each match: between the groups 1 and 2 of the pattern, of which the second may be missing.
fn redact_matches<'a>(pattern: Option<&Regex>, text: &'a str) -> Cow<'a, str> {
    let redact = |found: &Captures<'_>| {
        let part = |group| found.get(group).map(|part| part.as_bytes()).unwrap_or_default();
        let (whole, before, after) = (part(0), part(1), part(2));
        let is_kept = is_reference(whole.get(before.len()..).unwrap_or_default());
        if is_kept { whole.to_vec() } else { [before, REDACTED.as_bytes(), after].concat() }
    };
    match pattern.map(|pattern| pattern.replace_all(text.as_bytes(), redact)) {
        Some(Cow::Owned(bytes)) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_made_of_ordinary_words_is_not_a_secret() {
        for value in ["", "a", "on", "secret", "1234567", "          a"] {
            assert_eq!(worth_redacting([value.to_owned()]), Vec::<String>::new(), "{value:?}");
        }
        let values = worth_redacting(["canary-1".to_owned(), "canary-1-and-more".to_owned()]);
        assert_eq!(redact_values(&values, "canary-1-and-more, canary-1"), "[redacted], [redacted]");
    }
}
