//! The model's request and response on their way to hooks and back. Hooks get the stable format, whoever asks; who sent the
//! SDK's own gets that back, with what hooks changed.

use hookbox_model::Json;
use serde_json::{Map, Value};

use crate::gemini_model::{
    NotTranslatable, apply_request, apply_response, apply_tool_config, check_request, check_response,
    stable_request, stable_response,
};

const REQUEST: &str = "llm_request";
const RESPONSE: &str = "llm_response";

/// The input with its model payloads in the stable format; `None` if it is as hooks get it.
pub(super) fn stable(input: &Map<String, Value>) -> Result<Option<Map<String, Value>>, NotTranslatable> {
    let mut stable = input.clone();
    if let Some(request) = of_sdk(input, REQUEST, is_stable_request) {
        check_request(&request)?;
        stable.insert(REQUEST.to_owned(), stable_request(&request).to_value());
    }
    if let Some(response) = of_sdk(input, RESPONSE, is_stable_response) {
        check_response(&response)?;
        stable.insert(RESPONSE.to_owned(), stable_response(&response).to_value());
    }
    Ok((stable != *input).then_some(stable))
}

/// What hooks made of the payload that this event's hooks can change, in the form in which `input` has it. `told` is what
/// llxprt-code is told of the outcome.
pub(super) fn rewritten(
    event: &str,
    input: &Map<String, Value>,
    told: &Value,
) -> Result<Option<Value>, NotTranslatable> {
    let changed = |member: &str| Some(Json::from_value(told.get("hookSpecificOutput")?.get(member)?));
    let request = of_sdk(input, REQUEST, is_stable_request);
    let (changed, back) = match event {
        "BeforeModel" => (changed(REQUEST), request.map(|sdk| Back(apply_request, sdk))),
        "AfterModel" => {
            let response = of_sdk(input, RESPONSE, is_stable_response);
            (changed(RESPONSE), response.map(|sdk| Back(apply_response, sdk)))
        }
        "BeforeToolSelection" => {
            let config = request.map(|sdk| tool_config(&sdk));
            (changed("toolConfig"), config.map(|sdk| Back(apply_tool_config, sdk)))
        }
        _ => return Ok(None),
    };
    match (changed, back) {
        (Some(changed), Some(Back(apply, sdk))) => Ok(Some(apply(&sdk, &changed)?.to_value())),
        (changed, _) => Ok(changed.map(|changed| changed.to_value())),
    }
}

/// How the stable format goes back into what the SDK had.
struct Back(fn(&Json, &Json) -> Result<Json, NotTranslatable>, Json);

/// The payload, if it is the SDK's.
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

/// Its `messages` are what the SDK calls `contents`. A later format of llxprt-code's says its version, and is not the SDK's.
fn is_stable_request(request: &Map<String, Value>) -> bool {
    request.contains_key("version") || (request.contains_key("messages") && !request.contains_key("contents"))
}

/// Its parts are texts, where the SDK has objects. A later format has a `content` in place of candidates.
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
