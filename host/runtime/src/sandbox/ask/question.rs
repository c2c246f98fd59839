//! A program's question: a JSON object whose member `ask` names its kind.

use base64::{Engine, engine::general_purpose::STANDARD};
use hookbox_model::{Json, LogLevel, Scope};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny},
};

#[derive(Debug)]
pub(super) enum GuestQuestion {
    Plain(PlainQuestion),
    Kv(Kv),
    Http(HttpRequest),
}

/// Questions that need no grant.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum PlainQuestion {
    Config {},
    Source {},
    Now {},
    Random { count: u32 },
    Log { level: LogLevel, message: String },
    Fail { message: String },
    Facts {},
}

/// Questions for the functions of `kv`.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", deny_unknown_fields)]
#[cfg_attr(not(feature = "kv"), expect(dead_code, reason = "then nobody answers"))]
pub(super) enum Kv {
    #[serde(rename = "kv.get")]
    Get { scope: Scope, key: String },
    #[serde(rename = "kv.set")]
    Set { scope: Scope, key: String, value: Bytes },
    #[serde(rename = "kv.delete")]
    Delete { scope: Scope, key: String },
    #[serde(rename = "kv.keys")]
    Keys {
        scope: Scope,
        #[serde(default)]
        prefix: String,
    },
    #[serde(rename = "kv.increment")]
    Increment { scope: Scope, key: String, by: i64 },
    #[serde(rename = "kv.swap")]
    Swap { scope: Scope, key: String, old: Option<Bytes>, new: Bytes },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "guest-http"), expect(dead_code, reason = "then nobody sends it"))]
pub(super) struct HttpRequest {
    /// The kind of question, which has been evaluated.
    #[serde(rename = "ask")]
    _about: IgnoredAny,
    pub(super) method: String,
    pub(super) url: String,
    #[serde(default)]
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<Bytes>,
    pub(super) timeout: Option<u32>,
}

impl GuestQuestion {
    /// Parses a question, or returns its error.
    pub(super) fn parse_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| "a question is text in UTF-8")?;
        let json =
            Json::parse_object(text).map_err(|error| format!("a question is a JSON object: {error}"))?;
        let about = json.members().and_then(|members| members.get_string("ask"));
        let about = about.ok_or("the member `ask` says what a question is about")?;
        let read = match about.as_str() {
            "config" | "source" | "now" | "random" | "log" | "fail" | "facts" => {
                serde_json::from_str(text).map(Self::Plain)
            }
            _ if about.starts_with("kv.") => serde_json::from_str(text).map(Self::Kv),
            "http" => serde_json::from_str(text).map(Self::Http),
            _ => return Err(format!("unknown question `{about}`: {QUESTION_KINDS}")),
        };
        read.map_err(|error| error.to_string())
    }
}

/// Kinds of questions, for the user.
const QUESTION_KINDS: &str = "write `config`, `source`, `log`, `fail`, `now`, `random`, `facts`, `kv.get`, `kv.set`, `kv.delete`, \
                     `kv.keys`, `kv.increment`, `kv.swap` or `http`";

/// Bytes: a text, or `{"base64": "…"}`.
#[derive(Debug)]
pub(super) struct Bytes(
    #[cfg_attr(
        not(any(feature = "kv", feature = "guest-http")),
        expect(dead_code, reason = "then it is read, and nobody takes it")
    )]
    pub(super) Vec<u8>,
);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Text(text) => Ok(Self(text.into_bytes())),
            Written::Base64 { base64 } => STANDARD
                .decode(base64)
                .map(Self)
                .map_err(|error| D::Error::custom(format!("base64: {error}"))),
        }
    }
}

#[derive(Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "bytes are a text, or an object with the member `base64` alone"
)]
enum Written {
    Text(String),
    Base64 { base64: String },
}
