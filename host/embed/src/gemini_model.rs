//! Gemini CLI's stable format of the model's request and response, and the Google `GenAI` SDK's, translated both ways
//! (docs/reference/agents/gemini-cli.md).
//!
//! For programs that call the model themselves and ask hooks about it: Gemini CLI's own hooks get the stable format, so
//! the reader and the writer of the dialect have nothing to translate. The stable format has words for text only. On the
//! way back only what a hook changed is changed, so calls, results, images and settings that it has no words for stay
//! where they are, and an unchanged translation gives back the very bytes.

mod alignment;
mod message;
mod parts;
mod request;
mod response;
mod sdk;
mod tool_config;

use std::fmt;

use hookbox_model::Json;
use serde_json::{Map, Value};

pub use self::{
    request::{apply_request, stable_request},
    response::{apply_response, stable_response},
    sdk::{check_request, check_response},
    tool_config::{apply_tool_config, stable_tool_config},
};

/// Reason why a request, a response or a tool configuration cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotTranslatable {
    /// The writer of the value: `the hook` for the stable format, or `the agent` for the SDK's.
    pub writer: &'static str,
    /// The member, with its path: `messages[2].content`.
    pub field: String,
    /// The requirement on the member.
    pub problem: &'static str,
}

impl NotTranslatable {
    fn new(field: impl Into<String>, problem: &'static str) -> Self {
        Self { writer: "the hook", field: field.into(), problem }
    }
}

impl fmt::Display for NotTranslatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'s `{}` cannot be used: {}", self.writer, self.field, self.problem)
    }
}

impl std::error::Error for NotTranslatable {}

/// Returns the members of an object; for other values an empty map.
fn to_members(json: &Json) -> Map<String, Value> {
    match json.to_value() {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Returns the hook's value, which must be an object.
fn parse_changes(stable: &Json, what: &str) -> Result<Map<String, Value>, NotTranslatable> {
    match stable.to_value() {
        Value::Object(members) => Ok(members),
        _ => Err(NotTranslatable::new(what, "it must be an object")),
    }
}

/// Returns a member of the hook's value, which must be a text.
fn text_at<'m>(after: &'m Map<String, Value>, key: &str) -> Result<Option<&'m str>, NotTranslatable> {
    let text =
        |value: &'m Value| value.as_str().ok_or_else(|| NotTranslatable::new(key, "it must be a string"));
    after.get(key).map(text).transpose()
}

/// Returns a member of the hook's value, which must be an object.
fn object_at<'m>(
    after: &'m Map<String, Value>,
    key: &str,
) -> Result<Option<&'m Map<String, Value>>, NotTranslatable> {
    let object =
        |value: &'m Value| value.as_object().ok_or_else(|| NotTranslatable::new(key, "it must be an object"));
    after.get(key).map(object).transpose()
}

/// Returns the caller's own bytes if nothing changed, since a number can be spelt in many ways.
fn to_sdk_json(sdk: &Json, now: Map<String, Value>) -> Json {
    if to_members(sdk) == now { sdk.clone() } else { Json::from_value(&Value::Object(now)) }
}

/// Returns these members, except those that are missing or `null`.
fn select_members(members: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let present = names.iter().filter_map(|name| Some(((*name).to_owned(), members.get(*name)?.clone())));
    present.filter(|(_, value)| !value.is_null()).collect()
}

/// Applies those of these members whose values the hook changed; `null` removes a member.
fn put_back(into: &mut Map<String, Value>, after: &Map<String, Value>, names: &[&str]) {
    for name in names {
        match after.get(*name) {
            None => {}
            // A hook cannot leave a member out to remove it: an absent member means "unchanged".
            Some(Value::Null) => drop(into.shift_remove(*name)),
            Some(value) => drop(into.insert((*name).to_owned(), value.clone())),
        }
    }
}

/// Returns the object at `key`, and creates it if it is missing.
fn ensure_child<'m>(members: &'m mut Map<String, Value>, key: &str) -> Option<&'m mut Map<String, Value>> {
    let child = members.entry(key).or_insert(Value::Null);
    // A `null` counts as absent.
    if !child.is_object() {
        *child = Value::Object(Map::new());
    }
    child.as_object_mut()
}
