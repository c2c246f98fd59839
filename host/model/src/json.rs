//! JSON text that was checked once, and is passed on as it was.
//!
//! Re-serialising would lose what the caller wrote (number spelling, order), so a value stays text until someone
//! needs its inside.

mod check;
mod relaxed;

use std::{borrow::Cow, fmt, sync::Arc};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use self::check::{DUPLICATE, TOO_DEEP, check_text};
pub use self::relaxed::trim_as_javascript;

// Below the 128 levels at which serde_json itself stops, so that the error is always hookbox's own.
/// Deepest nesting of arrays and objects that is accepted.
pub const MAX_JSON_DEPTH: usize = 100;

/// JSON text: well-formed, at most [`MAX_JSON_DEPTH`] deep, without duplicate keys. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Json(Arc<str>);

impl Json {
    /// Checks `text`.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        check_text(text).map(|()| Self(text.into()))
    }

    /// Checks text that must be an object.
    pub fn parse_object(text: &str) -> Result<Self, JsonError> {
        if text.trim_ascii_start().starts_with('{') {
            return Self::parse(text);
        }
        // A text that is cut off, or that is not JSON, has a more helpful error than this one.
        Self::parse(text)?;
        Err(JsonError { kind: JsonErrorKind::NotAnObject, line: 1, column: 1 })
    }

    /// Checks text that a JavaScript program may have written, or reads as `JSON.parse` does: half a surrogate pair becomes U+FFFD, a
    /// byte order mark is removed, an infinite number becomes `null`, and of a key that is there twice the last value counts. Text
    /// that needs none of this stays as it is. Returns the error of [`Self::parse`] for text that JavaScript refuses, too.
    pub fn parse_relaxed(text: &str) -> Result<Self, JsonError> {
        Self::parse(text).or_else(|error| {
            let rewritten = relaxed::to_strict_json(text).ok_or_else(|| error.clone())?;
            Self::parse(&rewritten).map_err(|_| error)
        })
    }

    /// Checks text that must be an object, and whose writer may have cut a text in the middle of a character: half a surrogate pair becomes
    /// U+FFFD, a byte order mark is removed, and everything else is as in [`Self::parse_object`]. A key that is there twice stays an error:
    /// of an event, readers could take one value and the agent the other.
    pub fn parse_cut_object(text: &str) -> Result<Self, JsonError> {
        Self::parse_object(text).or_else(|error| {
            Self::parse_object(&relaxed::without_halves(relaxed::trim_as_javascript(text))).map_err(|_| error)
        })
    }

    /// Checks text that must be an object, and is read as [`Self::parse_relaxed`] reads it.
    pub fn parse_relaxed_object(text: &str) -> Result<Self, JsonError> {
        Self::parse_object(text).or_else(|error| {
            let json = Self::parse_relaxed(text).map_err(|_| error)?;
            Self::parse_object(json.as_str())
        })
    }

    /// Creates a value from text that was checked as a part of a larger text.
    pub fn from_raw(raw: &RawValue) -> Self {
        Self(raw.get().into())
    }

    /// Creates a value from untyped text that was checked as a part of a larger text.
    pub(crate) fn from_checked(text: &str) -> Self {
        Self(text.trim_ascii().into())
    }

    /// Serialises a value.
    pub fn from_value(value: &serde_json::Value) -> Self {
        Self(value.to_string().into())
    }

    /// Builds an object with these members, whose values are JSON text.
    pub fn from_members<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut text = String::from("{");
        for (key, value) in members {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&serde_json::Value::from(key).to_string());
            text.push(':');
            text.push_str(value);
        }
        text.push('}');
        Self(text.into())
    }

    /// Returns `{}`.
    pub fn empty_object() -> Self {
        Self("{}".into())
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text, shared.
    pub fn text(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }

    /// Parses the value; checked text always has one.
    pub fn to_value(&self) -> serde_json::Value {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// Returns the members of an object, in order, each as text; `None` if the value is not an object.
    pub fn members(&self) -> Option<RawObject<'_>> {
        RawObject::parse(&self.0).ok()
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The members of a JSON object in their order, values untouched.
#[derive(Debug, Default)]
pub struct RawObject<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> RawObject<'a> {
    /// Splits the text of an object into its members. Duplicate keys are not looked for; [`Json`] does that.
    pub fn parse(text: &'a str) -> Result<Self, JsonError> {
        serde_json::from_str(text).map_err(|error| JsonError::from_serde(&error))
    }

    /// Returns the value of a member as text.
    pub fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| *v)
    }

    /// Returns the text of a member that is present and not `null`.
    pub fn get_present(&self, key: &str) -> Option<&'a str> {
        self.get(key).map(RawValue::get).filter(|value| *value != "null")
    }

    /// Returns the value of a member that is a string.
    pub fn get_string(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?.get()).ok()
    }

    /// Returns the members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(k, v)| (k.as_ref(), *v))
    }

    /// Returns the object without the named members.
    pub fn without_members(&self, keys: &[&str]) -> Json {
        Json::from_members(self.iter().filter(|(k, _)| !keys.contains(k)).map(|(k, v)| (k, v.get())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawObject<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    members.push((key.0, map.next_value()?));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Members).map(RawObject)
    }
}

/// A key, borrowed unless it holds escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// Reason and position of rejected JSON text (line and column count from 1; 0 if unknown).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonError {
    /// The kind of error.
    pub kind: JsonErrorKind,
    /// Line in the text.
    pub line: usize,
    /// Column in the line, in bytes.
    pub column: usize,
}

/// Kinds of errors in JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text has nothing but blanks.
    Empty,
    /// The text ends too early.
    Truncated,
    /// The value is nested deeper than [`MAX_JSON_DEPTH`].
    TooDeep,
    /// An object has this key twice.
    DuplicateKey(String),
    /// The value is not an object.
    NotAnObject,
    /// Any other error, in the parser's words.
    Syntax(String),
}

impl JsonError {
    fn from_serde(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        // serde_json appends the position to its message, and has no other access to the message alone.
        let message = message.split(" at line ").next().unwrap_or_default();
        let kind = match (error.classify(), message) {
            (serde_json::error::Category::Eof, _) => JsonErrorKind::Truncated,
            (_, TOO_DEEP) => JsonErrorKind::TooDeep,
            _ => match message.strip_prefix(DUPLICATE) {
                Some(key) => JsonErrorKind::DuplicateKey(key.to_owned()),
                None => JsonErrorKind::Syntax(message.to_owned()),
            },
        };
        Self { kind, line: error.line(), column: error.column() }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            JsonErrorKind::Empty => return f.write_str("it is empty"),
            JsonErrorKind::NotAnObject => return f.write_str("it is not a JSON object"),
            JsonErrorKind::Truncated => f.write_str("it ends too early")?,
            JsonErrorKind::TooDeep => write!(f, "it is nested deeper than {MAX_JSON_DEPTH} levels")?,
            JsonErrorKind::DuplicateKey(key) => write!(f, "the key {key} appears twice")?,
            JsonErrorKind::Syntax(message) => f.write_str(message)?,
        }
        write!(f, ", at line {} column {}", self.line, self.column)
    }
}

impl std::error::Error for JsonError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_error_kind(text: &str) -> Option<JsonErrorKind> {
        Json::parse(text).err().map(|e| e.kind)
    }

    #[test]
    fn text_is_kept_as_it_was_written() {
        let text = "{ \"b\": 1.0e2, \"a\": [null, \"\\u00fc\"] }";
        assert_eq!(Json::parse(text).unwrap().as_str(), text);
    }

    #[test]
    fn each_kind_of_invalid_json_has_its_own_error() {
        use JsonErrorKind::{DuplicateKey, Empty, Syntax, TooDeep, Truncated};
        assert_eq!(parse_error_kind(" \n"), Some(Empty));
        assert_eq!(parse_error_kind("{\"a\":"), Some(Truncated));
        assert_eq!(parse_error_kind("{\"a\":1,\"b\":{\"c\":1,\"c\":2}}"), Some(DuplicateKey("\"c\"".into())));
        assert_eq!(parse_error_kind("{\"a\":1,\"\\u0061\":2}"), Some(DuplicateKey("\"a\"".into())));
        assert_eq!(parse_error_kind(&"[".repeat(MAX_JSON_DEPTH + 1)), Some(TooDeep));
        assert_eq!(parse_error_kind("{} x"), Some(Syntax("trailing characters".into())));
        assert_eq!(parse_error_kind(&format!("{}{}", "[".repeat(100), "]".repeat(100))), None);
    }

    #[test]
    fn a_key_that_appears_twice_is_found_among_however_many() {
        for number in [2, check::FEW, check::FEW + 1, check::FEW + 2, 1000] {
            let member = |index: usize| format!("\"k{index}\":0");
            let apart = (0..number).map(member).collect::<Vec<_>>().join(",");
            assert_eq!(parse_error_kind(&format!("{{{apart}}}")), None, "{number}");
            for twice in [0, number / 2, number - 1] {
                let found = parse_error_kind(&format!("{{{apart},{}}}", member(twice)));
                assert_eq!(found, Some(JsonErrorKind::DuplicateKey(format!("\"k{twice}\""))), "{number}");
            }
        }
    }

    #[test]
    fn numbers_and_texts_that_json_does_not_have_are_refused() {
        let digits = "9".repeat(400);
        for text in [
            "1e999",
            "-1e999",
            &digits,
            "NaN",
            "-Infinity",
            "01",
            "+1",
            "\"\\ud800\"",
            "\"\t\"",
            "\u{feff}{}",
        ] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
        assert_eq!(parse_error_kind(&format!("[{}0]", "0,".repeat(1_000_000))), None);
    }

    #[test]
    fn an_error_has_its_place() {
        let error = Json::parse("{\n \"a\": tru }").unwrap_err();
        assert_eq!(error.to_string(), "expected ident, at line 2 column 10");
        let error = Json::parse_object("[1]").unwrap_err();
        assert_eq!(error.to_string(), "it is not a JSON object");
    }

    #[test]
    fn members_keep_their_text_and_order() {
        let object = Json::parse(r#"{"z":1.50,"a":{"x": 1}}"#).unwrap();
        assert_eq!(object.members().unwrap().without_members(&["z"]).as_str(), r#"{"a":{"x": 1}}"#);
        assert_eq!(object.members().unwrap().without_members(&[]).as_str(), r#"{"z":1.50,"a":{"x": 1}}"#);
    }
}
