//! Translation of the model's request and response for hooks and back. Hooks always get the stable format; a caller that sent the SDK's
//! format gets that back, with the hooks' changes.

use hookbox_model::Json;
use serde_json::{Map, Value};

use crate::gemini_model::{
    NotTranslatable, apply_request, apply_response, apply_tool_config, check_request, check_response,
    stable_request, stable_response,
};

const REQUEST: &str = "llm_request";
const RESPONSE: &str = "llm_response";

/// Returns the input with its model payloads in the stable format; `None` if it has that form already.
pub(super) fn to_stable_input(
    input: &Map<String, Value>,
) -> Result<Option<Map<String, Value>>, NotTranslatable> {
    let mut stable = input.clone();
    if let Some(request) = of_sdk(input, REQUEST, is_stable_request) {
        // Before the translation, which leaves out what it does not know: a hook must not miss a text.
        check_request(&request)?;
        stable.insert(REQUEST.to_owned(), stable_request(&request).to_value());
    }
    if let Some(response) = of_sdk(input, RESPONSE, is_stable_response) {
        check_response(&response)?;
        stable.insert(RESPONSE.to_owned(), stable_response(&response).to_value());
    }
    Ok((stable != *input).then_some(stable))
}

/// Returns the payload that hooks of this event can change, with their changes, in the form of `input`. `output` is the output for
/// llxprt-code.
pub(super) fn rewrite_payload(
    event: &str,
    input: &Map<String, Value>,
    output: &Value,
) -> Result<Option<Value>, NotTranslatable> {
    let changed = |member: &str| Some(Json::from_value(output.get("hookSpecificOutput")?.get(member)?));
    let request = of_sdk(input, REQUEST, is_stable_request);
    let (changed, back) = match event {
        "BeforeModel" => (changed(REQUEST), request.map(|sdk| BackConversion(apply_request, sdk))),
        "AfterModel" => {
            let response = of_sdk(input, RESPONSE, is_stable_response);
            (changed(RESPONSE), response.map(|sdk| BackConversion(apply_response, sdk)))
        }
        "BeforeToolSelection" => {
            let config = request.map(|sdk| tool_config(&sdk));
            (changed("toolConfig"), config.map(|sdk| BackConversion(apply_tool_config, sdk)))
        }
        _ => return Ok(None),
    };
    match (changed, back) {
        (Some(changed), Some(BackConversion(apply, sdk))) => Ok(Some(apply(&sdk, &changed)?.to_value())),
        (changed, _) => Ok(changed.map(|changed| changed.to_value())),
    }
}

/// Conversion of the stable format back to the SDK's, with the original value.
struct BackConversion(fn(&Json, &Json) -> Result<Json, NotTranslatable>, Json);

/// Returns the payload, if it is in the SDK's format.
fn of_sdk(
    input: &Map<String, Value>,
    member: &str,
    is_stable: fn(&Map<String, Value>) -> bool,
) -> Option<Json> {
    match input.get(member)? {
        Value::Object(payload) if is_stable(payload) => None,
        other => Some(Json::from_value(other)),
    }
}

/// Returns true for the stable format, whose `messages` are the SDK's `contents`. A later format of llxprt-code has a version, and is not
/// the SDK's.
fn is_stable_request(request: &Map<String, Value>) -> bool {
    // A request with both members is the SDK's: `messages` there may be a member that the SDK ignores.
    request.contains_key("version") || (request.contains_key("messages") && !request.contains_key("contents"))
}

/// Returns true for the stable format, whose parts are texts, where the SDK has objects. A later format has a `content` in place of
/// candidates.
fn is_stable_response(response: &Map<String, Value>) -> bool {
    let Some(candidates) = response.get("candidates").and_then(Value::as_array) else {
        return ["version", "content", "text"].iter().any(|member| response.contains_key(*member));
    };
    let parts = |candidate: &Value| candidate.pointer("/content/parts").and_then(Value::as_array).cloned();
    let parts: Vec<_> = candidates.iter().filter_map(parts).flatten().collect();
    !parts.is_empty() && parts.iter().all(Value::is_string)
}

fn tool_config(request: &Json) -> Json {
    let config = request.to_value().pointer("/config/toolConfig").cloned();
    Json::from_value(&config.unwrap_or_else(|| Map::new().into()))
}
