//! Redacts the values of variables that hold secrets, and text after a word like `password=`.

use std::sync::OnceLock;

use regex::bytes::Regex;

use super::{VALUE, redact_matches, redact_values, worth_redacting};

/// Words in the name of a variable that holds a secret.
const WORDS: [&str; 8] =
    ["TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "API_KEY", "APIKEY", "PRIVATE"];
/// Ends of such a name.
const ENDS: [&str; 3] = ["_KEY", "_AUTH", "_PAT"];

// Matched by bytes (`-u`): the tables of Unicode would be relocated at each start of the program.
/// A name of that kind, the sign behind it, and the scheme of an authorization.
const NAME: &str = r#"(?i-u)([\w-]*(?:token|secret(?:[_-]?access)?[_-]?key|secret|access[_-]?key|passw(?:or)?d|passphrase|credentials?|api[_-]?key|private[_-]?key|authorization)\\?["']?\s*(?:=>|:=|=+|:)\s*)(?:(?:bearer|basic)\s+)?"#;

/// Secrets among a hook's variables.
#[derive(Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Collects the values of variables whose names indicate secrets.
    pub fn from_variables<'a>(variables: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let secrets = variables.filter(|(name, _)| names_secret(name));
        Self(worth_redacting(secrets.map(|(_, value)| value.to_owned())))
    }

    /// Returns `text` without these secrets, and without values after a word for a secret.
    pub fn redact_text(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new(); // most often
        }
        let text = redact_values(&self.0, text);
        // Compiling the pattern is a large part of a process that lives for one event, so it is avoided where
        // the pattern cannot match.
        if !text.contains(['=', ':']) {
            return text;
        }
        redact_matches(assignment_pattern(), &text).into_owned()
    }
}

pub(super) fn compile_pattern() {
    assignment_pattern();
}

fn assignment_pattern() -> Option<&'static Regex> {
    static COMPILED: OnceLock<Option<Regex>> = OnceLock::new();
    COMPILED.get_or_init(|| Regex::new(&format!("{NAME}(?:{VALUE})")).ok()).as_ref()
}

/// Returns true if this name indicates a secret.
pub fn names_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    WORDS.iter().any(|word| name.contains(word)) || ENDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redact_with(variables: &[(&str, &str)], text: &str) -> String {
        Secrets::from_variables(variables.iter().copied()).redact_text(text)
    }

    #[test]
    fn values_of_variables_that_hold_secrets_are_not_shown() {
        let variables = [
            ("GITHUB_TOKEN", "canary-1"),
            ("aws_secret_access_key", "canary-1-and-more"),
            ("SSH_KEY", "canary-3"),
        ];
        let text = "got canary-1-and-more, canary-1 and canary-3";
        assert_eq!(redact_with(&variables, text), "got [redacted], [redacted] and [redacted]");
    }

    #[test]
    fn other_variables_and_short_values_are_shown() {
        let variables = [("KEYBOARD", "qwertz"), ("TOKEN", "on"), ("SECRET", "a"), ("HOME", "/home/dev")];
        assert_eq!(redact_with(&variables, "qwertz on /home/dev"), "qwertz on /home/dev");
    }

    #[test]
    fn what_stands_behind_a_word_for_a_secret_is_not_shown() {
        for (text, expected) in [
            ("password=hunter2 rest", "password=[redacted] rest"),
            ("db_password: 'a b' rest", "db_password: [redacted] rest"),
            (r#"{"api_key":"sk-1","n":1}"#, r#"{"api_key":[redacted],"n":1}"#),
            (r#"{\"token\":\"t\",\"n\":1}"#, r#"{\"token\":[redacted],\"n\":1}"#),
            ("curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: [redacted]' x"),
            ("https://h/?access_token=abc&n=1", "https://h/?access_token=[redacted]&n=1"),
            ("AWS_SECRET_ACCESS_KEY=a/b+c x", "AWS_SECRET_ACCESS_KEY=[redacted] x"),
            ("CLIENT_SECRET=\"é ü\"", "CLIENT_SECRET=[redacted]"),
            (r#"{"password":"$ecret1"}"#, r#"{"password":[redacted]}"#),
            ("password=$2b$10$abc x", "password=[redacted] x"),
        ] {
            assert_eq!(redact_with(&[], text), expected);
        }
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "7 tokens used",
            "the password is wrong",
            "keyboard: qwerty",
            "ünïcode: é",
            "TOKEN=\"$OTHER\" password=${X} secret=$(cat x)",
            "Token::new",
            "",
        ] {
            assert_eq!(redact_with(&[], text), text);
        }
    }
}
