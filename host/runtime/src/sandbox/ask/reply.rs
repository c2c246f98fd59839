//! What a program is told: `{"value": …}`, or `{"error": "not-granted", "text": "…"}`.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// A reply, as JSON.
#[derive(Debug)]
pub(super) struct Reply(String);

impl Reply {
    /// This.
    pub(super) fn value(value: impl Into<Value>) -> Self {
        Self::json(&value.into().to_string())
    }

    /// It is done, and there is nothing to tell.
    pub(super) fn done() -> Self {
        Self::value(Value::Null)
    }

    /// What this JSON says.
    pub(super) fn json(text: &str) -> Self {
        Self(format!(r#"{{"value":{text}}}"#))
    }

    /// Bytes that are no text.
    pub(super) fn base64(bytes: &[u8]) -> Self {
        Self::value(json!({ "base64": STANDARD.encode(bytes) }))
    }

    /// Why there is no value: a word for the program, a text for people.
    pub(super) fn error(word: &str, text: &str) -> Self {
        Self(json!({ "error": word, "text": text }).to_string())
    }

    /// The question is none.
    pub(super) fn invalid(problem: &str) -> Self {
        Self::error("invalid", problem)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// Bytes in a reply: a text if they are one.
#[cfg_attr(
    not(any(feature = "kv", feature = "guest-http")),
    expect(dead_code, reason = "then there are none")
)]
pub(super) fn text_or_base64(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes)
        .map_or_else(|bytes| json!({ "base64": STANDARD.encode(bytes.as_bytes()) }), Value::from)
}
