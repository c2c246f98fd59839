//! How secrets are taken out of what people get to see.

mod secrets;
mod tokens;

pub use self::{
    secrets::{Secrets, names_secret},
    tokens::without_tokens,
};

use std::cmp::Reverse;

/// Compiles the patterns, or waits until another thread has done so.
///
/// A program that forks calls this first: the child would wait for a thread that it does not have.
pub fn prepare() {
    secrets::prepare();
    tokens::prepare();
}

/// What stands in a text for a secret.
pub const REDACTED: &str = "[redacted]";

/// Shortest value that is taken out of texts, bytes. A shorter one is found in words that have nothing to do with it: to
/// take it out would spoil every message, and show where it stands.
pub(crate) const SHORTEST_SECRET: usize = 8;

/// Those of these values that are taken out of texts, longest first: one may be a part of another.
pub(crate) fn worth_redacting(values: impl IntoIterator<Item = String>) -> Vec<String> {
    let long = |value: &String| value.trim().len() >= SHORTEST_SECRET;
    let mut values: Vec<_> = values.into_iter().filter(long).collect();
    values.sort_by_key(|value| Reverse(value.len()));
    values
}

/// `text` without these values.
pub(crate) fn redact(values: &[String], text: &str) -> String {
    values.iter().fold(text.to_owned(), |text, value| text.replace(value, REDACTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_words_are_made_of_is_no_secret() {
        for value in ["", "a", "on", "secret", "1234567", "          a"] {
            assert_eq!(worth_redacting([value.to_owned()]), Vec::<String>::new(), "{value:?}");
        }
        let values = worth_redacting(["canary-1".to_owned(), "canary-1-and-more".to_owned()]);
        assert_eq!(redact(&values, "canary-1-and-more, canary-1"), "[redacted], [redacted]");
    }
}
