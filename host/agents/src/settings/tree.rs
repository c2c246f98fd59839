//! The file as a tree that still has every byte.

use std::borrow::Cow;

use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode},
};
use serde_json::Value;

use super::SettingsError;
use crate::json_comments;

/// Parses plain JSON, with comments if the agent reads them. A file that the agent could not read is refused: an entry in it would be a
/// hook that never runs.
pub(super) fn parse(text: &str, comments: bool) -> Result<CstRootNode, SettingsError> {
    let options = ParseOptions {
        allow_comments: comments,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let tree = CstRootNode::parse(text, &options)?;
    // The tree accepts comments between members with any options, and agents parse the file differently.
    let (read, problem) = if comments {
        (json_comments::blank_comments(text), "plain JSON is required in addition to the comments")
    } else {
        (Cow::Borrowed(text), "plain JSON is wanted, without comments")
    };
    serde_json::from_str::<serde::de::IgnoredAny>(&read).map_err(|error| SettingsError::Syntax {
        line: error.line(),
        column: error.column(),
        problem: problem.to_owned(),
    })?;
    Ok(tree)
}

#[derive(Clone, Debug)]
pub(super) enum Container {
    Object(CstObject),
    Array(CstArray),
}

impl Container {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Object(object) => object.properties().is_empty(),
            Self::Array(array) => array.elements().is_empty(),
        }
    }

    /// Adds a member at the end; `key` is for objects. A container that ends on the line of its last member still does, so that removing
    /// the new member restores the text.
    pub(super) fn append_member(self, key: &str, value: &Value) {
        let text = match &self {
            Self::Object(object) => object.to_string(),
            Self::Array(array) => array.to_string(),
        };
        if self.is_empty() || ends_on_its_own_line(&text) {
            match self {
                Self::Object(object) => drop(object.append(key, convert_value(value))),
                Self::Array(array) => drop(array.append(convert_value(value))),
            }
            return;
        }
        match self {
            Self::Object(object) => {
                object.replace_with(insert_verbatim(&text, &format!("{}: {value}", Value::from(key))));
            }
            Self::Array(array) => drop(array.replace_with(insert_verbatim(&text, &value.to_string()))),
        }
    }
}

/// Returns true if the closing bracket is on a line of its own.
fn ends_on_its_own_line(container: &str) -> bool {
    let end = container.len().saturating_sub(1);
    let inside = container.get(..end).unwrap_or_default();
    inside.get(inside.trim_end().len()..).is_some_and(|blank| blank.contains('\n'))
}

/// Returns the text of a container that ends on the line of its last member, with one more member. The tree would put each member on its
/// own line.
fn insert_verbatim(container: &str, member: &str) -> CstInputValue {
    let end = container.len().saturating_sub(1); // before the bracket
    let (inside, bracket) = container.split_at(end);
    let kept = inside.trim_end();
    let blank = inside.get(kept.len()..).unwrap_or_default();
    // The tree writes a "number" verbatim.
    CstInputValue::Number(format!("{kept}, {member}{blank}{bracket}"))
}

pub(super) fn convert_value(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(convert_value).collect()),
        Value::Object(members) => CstInputValue::Object(
            members.iter().map(|(key, value)| (key.clone(), convert_value(value))).collect(),
        ),
    }
}

pub(super) fn find_member(object: &CstObject, key: &str) -> Result<Option<CstNode>, SettingsError> {
    let mut found = None;
    for property in object.properties().into_iter().filter(|p| p.decoded_name().as_deref() == Some(key)) {
        if found.is_some() {
            // Which of the two the agent reads is undefined, so an entry could be in the ignored one.
            return Err(SettingsError::Twice(key.to_owned()));
        }
        found = property.value();
    }
    Ok(found)
}

pub(super) fn has_member(object: &CstObject, name: &str, value: &Value) -> bool {
    let there = object.get(name).and_then(|member| member.value());
    there.is_some_and(|there| {
        serde_json::from_str::<Value>(&there.to_string()).is_ok_and(|there| there == *value)
    })
}

/// Returns the text of a string member; `None` without such a member.
pub(super) fn read_text(object: &CstObject, key: &str) -> Option<String> {
    object.get(key)?.value()?.as_string_lit()?.decoded_value().ok()
}
