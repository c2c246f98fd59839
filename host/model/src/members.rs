//! The members of an object in a manifest, read strictly.

use std::fmt;

use serde_json::{Map, Value};

use crate::is_visible;

/// Longest text, characters.
const MAX_TEXT: usize = 200;
// The operator is asked about the requested items one by one.
/// Longest list.
const MAX_ITEMS: usize = 100;

pub(crate) type Read<T> = Result<T, ManifestError>;

/// The members of an object, and its path: `capabilities.` for the members of `capabilities`.
pub(crate) struct Members<'a> {
    path: &'a str,
    members: &'a Map<String, Value>,
}

impl<'a> Members<'a> {
    /// Creates the members of the manifest's root object.
    pub(crate) fn new(members: &'a Map<String, Value>) -> Self {
        Self { path: "", members }
    }

    pub(crate) fn type_error(&self, key: &str, what: &str) -> ManifestError {
        self.build_error(key, format!("its `{}{key}` is {what}", self.path))
    }

    pub(crate) fn value_error(&self, key: &str, value: &str, but: &str) -> ManifestError {
        self.build_error(key, format!("its `{}{key}` names `{value}`, {but}", self.path))
    }

    fn build_error(&self, key: &str, problem: String) -> ManifestError {
        ManifestError::of_member(format!("{}{key}", self.path), problem)
    }

    pub(crate) fn list_unknown_keys(&self, known: &[&str]) -> impl Iterator<Item = &'a str> {
        self.members.keys().map(String::as_str).filter(|key| !known.contains(key))
    }

    pub(crate) fn check_keys(&self, known: &[&str]) -> Read<()> {
        match self.list_unknown_keys(known).next() {
            None => Ok(()),
            Some(key) => {
                let (path, shown) = (self.path.trim_end_matches('.'), to_visible_text(key));
                Err(self.build_error(key, format!("its `{path}` has the unknown member `{shown}`")))
            }
        }
    }

    pub(crate) fn read_number(&self, key: &str) -> Read<Option<u64>> {
        let number =
            |value: &Value| value.as_u64().ok_or_else(|| self.type_error(key, "no whole number from 0"));
        self.members.get(key).map(number).transpose()
    }

    pub(crate) fn read_flag(&self, key: &str) -> Read<bool> {
        let flag =
            |value: &Value| value.as_bool().ok_or_else(|| self.type_error(key, "neither true nor false"));
        self.members.get(key).map(flag).transpose().map(Option::unwrap_or_default)
    }

    pub(crate) fn read_text(&self, key: &str) -> Read<Option<String>> {
        self.members.get(key).map(|value| self.text_of(key, value, "no string")).transpose()
    }

    pub(crate) fn require_text(&self, key: &str) -> Read<String> {
        self.read_text(key)?.ok_or_else(|| self.build_error(key, format!("it has no `{key}`")))
    }

    pub(crate) fn read_texts(&self, key: &str) -> Read<Vec<String>> {
        let what = "no list of strings";
        let Some(list) = self.members.get(key) else { return Ok(Vec::new()) };
        let list = list.as_array().ok_or_else(|| self.type_error(key, what))?;
        if list.len() > MAX_ITEMS {
            return Err(self.type_error(key, &format!("longer than {MAX_ITEMS}")));
        }
        list.iter().map(|value| self.text_of(key, value, what)).collect()
    }

    fn text_of(&self, key: &str, value: &Value, otherwise: &str) -> Read<String> {
        let text = value.as_str().ok_or_else(|| self.type_error(key, otherwise))?;
        if text.chars().count() > MAX_TEXT {
            return Err(self.type_error(key, &format!("longer than {MAX_TEXT} characters")));
        }
        // The operator decides by these texts, so they must not hide or reorder anything.
        if !text.chars().all(|c| is_visible(c) && !matches!(c, '\n' | '\t')) {
            let path = self.path;
            return Err(
                self.build_error(key, format!("its `{path}{key}` holds characters that cannot be seen"))
            );
        }
        Ok(text.to_owned())
    }

    pub(crate) fn read_object(&self, key: &str) -> Read<Option<Members<'a>>> {
        let path = match (self.path, key) {
            ("", "capabilities") => "capabilities.",
            // A manifest has no other object within an object.
            _ => "capabilities.fs.",
        };
        let object = |value: &'a Value| {
            value
                .as_object()
                .map(|members| Members { path, members })
                .ok_or_else(|| self.type_error(key, "no object"))
        };
        self.members.get(key).map(object).transpose()
    }
}

/// Returns the text without invisible characters and shortened, for messages.
pub(crate) fn to_visible_text(text: &str) -> String {
    text.chars().filter(|c| is_visible(*c) && !matches!(c, '\n' | '\t')).take(MAX_TEXT).collect()
}

/// Reason why a manifest is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    problem: String,
    member: Option<String>,
}

impl ManifestError {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), member: None }
    }

    pub(crate) fn of_member(member: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), member: Some(member.into()) }
    }

    /// Returns the faulty or missing member, as in `capabilities.env`, if the error concerns one.
    pub fn member(&self) -> Option<&str> {
        self.member.as_deref()
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for ManifestError {}
