//! Removes secrets from texts that are shown or kept.

mod secrets;
mod tokens;

pub use self::{
    secrets::{Secrets, names_secret},
    tokens::redact_tokens,
};

use std::cmp::Reverse;

/// Compiles the patterns, or waits until another thread has done so.
///
/// A program that forks calls this first: the child would wait for a thread that it does not have.
pub fn compile_patterns() {
    secrets::compile_pattern();
    tokens::compile_patterns();
}

/// Replacement for a secret in a text.
pub const REDACTED: &str = "[redacted]";

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

/// Returns `text` without these values.
pub(crate) fn redact_values(values: &[String], text: &str) -> String {
    values.iter().fold(text.to_owned(), |text, value| text.replace(value, REDACTED))
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
