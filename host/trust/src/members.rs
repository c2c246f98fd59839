//! Members of untrusted JSON, each with its path. Error messages are predicates ("has …"): the caller adds the name of the file.

use std::time::SystemTime;

#[cfg(feature = "sigstore-verify")]
use base64ct::{Base64, Encoding};
use hookbox_core::digest::Sha256Digest;
use hookbox_model::{Json, is_visible};
use serde_json::{Map, Value};

/// Longest text except in lists, characters.
const MAX_TEXT: usize = 400;
/// Longest list of texts: as many capabilities as a manifest can request.
const MAX_TEXTS: usize = 1000;

pub(crate) type Read<T> = Result<T, String>;

/// Parses the bytes as one object without duplicate keys.
pub(crate) fn of_bytes(bytes: &[u8], most: usize) -> Read<Value> {
    // Before the text is parsed: the file comes from a registry or a download.
    if bytes.len() > most {
        return Err(format!("is longer than {most} bytes"));
    }
    let text = str::from_utf8(bytes).map_err(|_| "is not UTF-8")?;
    Ok(Json::parse_object(text).map_err(|error| format!("is not valid JSON: {error}"))?.to_value())
}

pub(crate) struct Object<'a> {
    path: String,
    members: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    pub(crate) fn from_value(path: &str, value: &'a Value) -> Read<Self> {
        let members = value.as_object().ok_or_else(|| format!("has a `{path}` that is not an object"))?;
        Ok(Self { path: path.to_owned(), members })
    }

    fn build_path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(crate) fn reject_member(&self, key: &str, what: &str) -> String {
        format!("has a `{}` {what}", self.build_path(key))
    }

    pub(crate) fn describe_missing(&self, key: &str, or: &str) -> String {
        format!("has no `{}`, or it {or}", self.build_path(key))
    }

    pub(crate) fn check_keys(&self, known: &[&str]) -> Read<()> {
        match self.members.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                // The member is foreign text for a terminal.
                let key: String = key.chars().filter(|c| is_visible(*c)).take(64).collect();
                Err(format!("has the unknown member `{}`", self.build_path(&key)))
            }
        }
    }

    pub(crate) fn find_member(&self, key: &str) -> Option<&'a Value> {
        self.members.get(key)
    }

    pub(crate) fn require_member(&self, key: &str) -> Read<&'a Value> {
        self.find_member(key).ok_or_else(|| format!("has no `{}`", self.build_path(key)))
    }

    pub(crate) fn read_object(&self, key: &str) -> Read<Object<'a>> {
        Object::from_value(&self.build_path(key), self.require_member(key)?)
    }

    pub(crate) fn require_text(&self, key: &str, wanted: &str) -> Read<()> {
        if self.read_text(key)? == wanted {
            return Ok(());
        }
        Err(format!("has another `{}` than {wanted}", self.build_path(key)))
    }

    pub(crate) fn read_text(&self, key: &str) -> Read<&'a str> {
        let text = self
            .find_member(key)
            .and_then(Value::as_str)
            .ok_or_else(|| self.describe_missing(key, "is not text"))?;
        self.check_plain_text(key, text)?;
        Ok(text)
    }

    pub(crate) fn optional_text(&self, key: &str) -> Read<Option<String>> {
        self.find_member(key).map(|_| self.read_text(key).map(str::to_owned)).transpose()
    }

    pub(crate) fn read_time(&self, key: &str) -> Read<SystemTime> {
        humantime::parse_rfc3339(self.read_text(key)?)
            .map_err(|_| self.reject_member(key, "that is not a time such as 2026-01-31T12:00:00Z"))
    }

    fn check_plain_text(&self, key: &str, text: &str) -> Read<()> {
        // Invisible characters could make a message show another name than the one that is compared.
        let is_plain = text.chars().all(|c| is_visible(c) && !matches!(c, '\n' | '\t'));
        if is_plain && text.chars().count() <= MAX_TEXT {
            return Ok(());
        }
        Err(self.reject_member(key, "with characters that cannot be seen, or too many"))
    }

    pub(crate) fn read_texts(&self, key: &str) -> Read<Vec<&'a str>> {
        let texts = self.find_member(key).and_then(Value::as_array);
        let texts = texts.and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let texts = texts.ok_or_else(|| self.describe_missing(key, "is not a list of texts"))?;
        if texts.len() > MAX_TEXTS {
            return Err(self.reject_member(key, "that is too long"));
        }
        texts.iter().try_for_each(|text| self.check_plain_text(key, text))?;
        Ok(texts)
    }

    pub(crate) fn read_sha256(&self, key: &str) -> Read<Sha256Digest> {
        let text = self.read_text(key)?;
        // One spelling: a statement has one reading or none.
        let digest = Sha256Digest::parse(text).filter(|digest| digest.as_str() == text);
        digest.ok_or_else(|| self.reject_member(key, "that is not a SHA-256 in lower case"))
    }

    /// Returns bytes that are written in base64.
    #[cfg(feature = "sigstore-verify")]
    pub(crate) fn read_bytes(&self, key: &str) -> Read<Vec<u8>> {
        let text = self
            .find_member(key)
            .and_then(Value::as_str)
            .ok_or_else(|| self.describe_missing(key, "is not text"))?;
        Base64::decode_vec(text).map_err(|_| self.reject_member(key, "that is not base64"))
    }
}
