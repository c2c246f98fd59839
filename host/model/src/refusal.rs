//! An attempt of a hook that was refused.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use crate::{record, text::short_text};

/// One refusal: the attempt, the reason, and the configuration that would permit it. All texts are bounded and cleaned, since a guest has
/// influence on them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CapabilityRefusal {
    /// The capability, as the configuration names it: `http`, `secret`, `kv`.
    #[serde(deserialize_with = "record::name")]
    pub capability: Cow<'static, str>,
    /// The requested value.
    #[serde(deserialize_with = "record::short")]
    pub value: String,
    /// The reason.
    #[serde(deserialize_with = "record::short")]
    pub reason: String,
    /// Text to add to the hook's entry to permit the attempt; `None` if nothing permits it.
    #[serde(default, deserialize_with = "record::short")]
    pub line: Option<String>,
}

impl CapabilityRefusal {
    /// Creates a refusal, with its texts bounded and cleaned.
    pub fn new(capability: &'static str, value: &str, reason: &str, line: Option<&str>) -> Self {
        Self {
            capability: Cow::Borrowed(capability),
            value: short_text(value),
            reason: short_text(reason),
            line: line.map(short_text),
        }
    }
}

impl fmt::Display for CapabilityRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { capability, value, reason, line } = self;
        write!(f, "{capability} {value}: {reason}")?;
        match line {
            Some(line) => write!(f, "; to permit it, write `{line}` into the hook's entry"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_states_the_attempt_the_reason_and_the_permitting_line() {
        let line = r#"grant = { http = ["https://a.example/"] }"#;
        assert_eq!(
            CapabilityRefusal::new(
                "http",
                "GET https://a.example/\u{1b}[2J\n",
                "no rule covers it",
                Some(line)
            )
            .to_string(),
            "http GET https://a.example/[2J⏎: no rule covers it; to permit it, write `grant = { http = \
             [\"https://a.example/\"] }` into the hook's entry"
        );
        assert_eq!(CapabilityRefusal::new("kv", "a", "it is full", None).to_string(), "kv a: it is full");
        assert_eq!(
            CapabilityRefusal::new("kv", &"a".repeat(501), "no", None).value,
            format!("{}…", "a".repeat(500))
        );
    }
}
