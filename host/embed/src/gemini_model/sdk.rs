//! Checks of the SDK's request and response. The translation leaves out texts that it does not find, and a hook must not miss a text
//! because it is in a place where no SDK has one.

use hookbox_model::Json;
use serde_json::{Map, Value};

use super::NotTranslatable;

/// Kinds of parts of a content; every part has one of these members.
const PARTS: [&str; 12] = [
    "text",
    "functionCall",
    "functionResponse",
    "inlineData",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "thought",
    "thoughtSignature",
    "videoMetadata",
    "toolCall",
    "toolResponse",
];

const TEXT: &str = "it must be a string";
const OBJECT: &str = "it must be an object";
const CONTENT: &str = "it must be a string, a content with `parts`, or a part of one";

/// Checks that this is a request of the SDK (`GenerateContentParameters`) in all members that the stable format uses.
///
/// # Errors
///
/// The first member of another type.
pub fn check_request(sdk: &Json) -> Result<(), NotTranslatable> {
    let Value::Object(request) = sdk.to_value() else { return Err(shape_error("llm_request", OBJECT)) };
    let at = |member: &str| format!("llm_request.{member}");
    if !find_member(&request, "model").is_none_or(Value::is_string) {
        return Err(shape_error(at("model"), TEXT));
    }
    if !find_member(&request, "config").is_none_or(Value::is_object) {
        return Err(shape_error(at("config"), OBJECT));
    }
    match find_member(&request, "contents") {
        None => Ok(()),
        Some(Value::Array(list)) => list
            .iter()
            .enumerate()
            .try_for_each(|(i, entry)| check_content(entry, &at(&format!("contents[{i}]")))),
        Some(one) => check_content(one, &at("contents")),
    }
}

/// Checks that this is a response of the SDK (`GenerateContentResponse`) in all members that the stable format uses.
///
/// # Errors
///
/// The first member of another type.
pub fn check_response(sdk: &Json) -> Result<(), NotTranslatable> {
    let Value::Object(response) = sdk.to_value() else { return Err(shape_error("llm_response", OBJECT)) };
    let list = match find_member(&response, "candidates") {
        None => return Ok(()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(shape_error("llm_response.candidates", "it must be a list")),
    };
    list.iter().enumerate().try_for_each(|(i, candidate)| {
        let place = format!("llm_response.candidates[{i}]");
        let Value::Object(candidate) = candidate else { return Err(shape_error(place, OBJECT)) };
        match find_member(candidate, "content") {
            None => Ok(()),
            Some(Value::Object(content)) => {
                check_parts(content.get("parts"), &format!("{place}.content.parts"))
            }
            Some(_) => Err(shape_error(format!("{place}.content"), OBJECT)),
        }
    })
}

fn check_content(entry: &Value, place: &str) -> Result<(), NotTranslatable> {
    match entry {
        Value::String(_) => Ok(()),
        Value::Object(members) if members.contains_key("parts") => {
            check_parts(members.get("parts"), &format!("{place}.parts"))
        }
        // An empty content is valid in the SDK.
        Value::Object(members) if members.keys().all(|key| key == "role") => Ok(()),
        Value::Object(_) => check_part(entry, place),
        _ => Err(shape_error(place, CONTENT)),
    }
}

/// Checks one part, or a list of them.
fn check_parts(parts: Option<&Value>, place: &str) -> Result<(), NotTranslatable> {
    match parts {
        None | Some(Value::Null) => Ok(()),
        Some(Value::Array(list)) => {
            list.iter().enumerate().try_for_each(|(i, one)| check_part(one, &format!("{place}[{i}]")))
        }
        Some(one) => check_part(one, place),
    }
}

fn check_part(part: &Value, place: &str) -> Result<(), NotTranslatable> {
    let Value::Object(members) = part else { return Err(shape_error(place, OBJECT)) };
    // An unknown kind of part may hold a text that no hook would see.
    if !members.is_empty() && !members.keys().any(|key| PARTS.contains(&key.as_str())) {
        return Err(shape_error(place, CONTENT));
    }
    let is_text = find_member(members, "text").is_none_or(Value::is_string);
    if is_text { Ok(()) } else { Err(shape_error(format!("{place}.text"), TEXT)) }
}

/// Returns a member that is present and not `null`.
fn find_member<'m>(members: &'m Map<String, Value>, key: &str) -> Option<&'m Value> {
    members.get(key).filter(|value| !value.is_null())
}

fn shape_error(place: impl Into<String>, problem: &'static str) -> NotTranslatable {
    NotTranslatable { writer: "the agent", field: place.into(), problem }
}
