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
    let Value::Object(request) = sdk.to_value() else { return Err(wrong("llm_request", OBJECT)) };
    let at = |member: &str| format!("llm_request.{member}");
    if !given(&request, "model").is_none_or(Value::is_string) {
        return Err(wrong(at("model"), TEXT));
    }
    if !given(&request, "config").is_none_or(Value::is_object) {
        return Err(wrong(at("config"), OBJECT));
    }
    match given(&request, "contents") {
        None => Ok(()),
        Some(Value::Array(list)) => {
            list.iter().enumerate().try_for_each(|(i, entry)| content(entry, &at(&format!("contents[{i}]"))))
        }
        Some(one) => content(one, &at("contents")),
    }
}

/// Checks that this is a response of the SDK (`GenerateContentResponse`) in all members that the stable format uses.
///
/// # Errors
///
/// The first member of another type.
pub fn check_response(sdk: &Json) -> Result<(), NotTranslatable> {
    let Value::Object(response) = sdk.to_value() else { return Err(wrong("llm_response", OBJECT)) };
    let list = match given(&response, "candidates") {
        None => return Ok(()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(wrong("llm_response.candidates", "it must be a list")),
    };
    list.iter().enumerate().try_for_each(|(i, candidate)| {
        let place = format!("llm_response.candidates[{i}]");
        let Value::Object(candidate) = candidate else { return Err(wrong(place, OBJECT)) };
        match given(candidate, "content") {
            None => Ok(()),
            Some(Value::Object(content)) => parts(content.get("parts"), &format!("{place}.content.parts")),
            Some(_) => Err(wrong(format!("{place}.content"), OBJECT)),
        }
    })
}

fn content(entry: &Value, place: &str) -> Result<(), NotTranslatable> {
    match entry {
        Value::String(_) => Ok(()),
        Value::Object(members) if members.contains_key("parts") => {
            parts(members.get("parts"), &format!("{place}.parts"))
        }
        Value::Object(members) if members.keys().all(|key| key == "role") => Ok(()),
        Value::Object(_) => part(entry, place),
        _ => Err(wrong(place, CONTENT)),
    }
}

/// Checks one part, or a list of them.
fn parts(parts: Option<&Value>, place: &str) -> Result<(), NotTranslatable> {
    match parts {
        None | Some(Value::Null) => Ok(()),
        Some(Value::Array(list)) => {
            list.iter().enumerate().try_for_each(|(i, one)| part(one, &format!("{place}[{i}]")))
        }
        Some(one) => part(one, place),
    }
}

fn part(part: &Value, place: &str) -> Result<(), NotTranslatable> {
    let Value::Object(members) = part else { return Err(wrong(place, OBJECT)) };
    if !members.is_empty() && !members.keys().any(|key| PARTS.contains(&key.as_str())) {
        return Err(wrong(place, CONTENT));
    }
    let is_text = given(members, "text").is_none_or(Value::is_string);
    if is_text { Ok(()) } else { Err(wrong(format!("{place}.text"), TEXT)) }
}

/// Returns a member that is present and not `null`.
fn given<'m>(members: &'m Map<String, Value>, key: &str) -> Option<&'m Value> {
    members.get(key).filter(|value| !value.is_null())
}

fn wrong(place: impl Into<String>, problem: &'static str) -> NotTranslatable {
    NotTranslatable { writer: "the agent", field: place.into(), problem }
}
