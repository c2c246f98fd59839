//! A reply to a program: `{"value": …}`, or `{"error": "not-granted", "text": "…"}`.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// A reply, as JSON.
#[derive(Debug)]
pub(super) struct Reply(String);

impl Reply {
    pub(super) fn from_value(value: impl Into<Value>) -> Self {
        Self::from_json(&value.into().to_string())
    }

    /// Creates a reply without a value, for a completed operation.
    pub(super) fn without_value() -> Self {
        Self::from_value(Value::Null)
    }

    pub(super) fn from_json(text: &str) -> Self {
        Self(format!(r#"{{"value":{text}}}"#))
    }

    pub(super) fn from_binary(bytes: &[u8]) -> Self {
        Self::from_value(json!({ "base64": STANDARD.encode(bytes) }))
    }

    /// Creates a reply without a value: a code for the program, a text for the user.
    pub(super) fn from_error(word: &str, text: &str) -> Self {
        Self(json!({ "error": word, "text": text }).to_string())
    }

    pub(super) fn invalid_question(problem: &str) -> Self {
        Self::from_error("invalid", problem)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// Returns bytes as a text if they are UTF-8, otherwise as Base64.
#[cfg_attr(
    not(any(feature = "kv", feature = "guest-http")),
    expect(dead_code, reason = "then there are none")
)]
pub(super) fn text_or_base64(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes)
        .map_or_else(|bytes| json!({ "base64": STANDARD.encode(bytes.as_bytes()) }), Value::from)
}
