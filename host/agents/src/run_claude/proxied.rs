//! Events of run-claude's proxy, for its hook functions: the context that run-claude's own callback makes of a request and a response, and
//! of tool calls in addition.
//!
//! A function's changes in `metadata` go into the request's, as in run-claude; in other events only later functions receive them.

use hookbox_core::{
    Condition,
    hook::{HookSpec, Target},
};
use hookbox_model::{Answer, Event, EventName, Json, RawObject, Rewrite};
use serde_json::{Value, json};

use super::{
    contract::{WHOLE_METADATA, is_last, metadata_of},
    events,
};

const PROXY: &str = "litellm";
/// The proxy's method that reports a response which no other method reports.
const LOGGED: &str = "async_log_success_event";
/// The proxy's method that knows which deployment was chosen for a request.
const DEPLOYED: &str = "async_pre_call_deployment_hook";
/// The hook that is for requests wherever they go: behind an alias that shows only once the deployment is chosen.
const FOR_PROVIDERS: &str = "strip_provider_fields";

/// Extends a hook of run-claude's file to the proxy's events.
pub(crate) fn of_the_proxy(mut hook: HookSpec) -> HookSpec {
    let more: Vec<_> = hook.events.iter().flat_map(find_more_events).cloned().collect();
    hook.events.extend(more);
    let is_plugin = matches!(hook.target, Target::Wasm(_));
    if is_plugin && hook.events == [EventName::ModelRequest] && calls_function(&hook, FOR_PROVIDERS) {
        // Behind an alias of a model the provider is certain only once the deployment is chosen.
        hook.events.push(EventName::ModelRoute);
    }
    hook.condition = Some(Condition::new("an event that run-claude has hooks for", has_hooks));
    hook
}

/// Returns the events that hooks for this event are called for in addition: the log has the responses that are streams.
pub(super) fn find_more_events(event: &EventName) -> &'static [EventName] {
    if *event == EventName::ModelResponse { &[EventName::ModelLog] } else { &[] }
}

/// Returns run-claude's name for an event of the proxy; `None` for another event.
pub(super) fn name_event(event: &Event) -> Option<&'static str> {
    (event.agent == PROXY && has_hooks(event)).then(|| find_name(&event.name))
}

fn calls_function(hook: &HookSpec, function: &str) -> bool {
    let plugin = function.replace('_', "-");
    hook.wasm().and_then(|wasm| wasm.path.file_stem()).is_some_and(|stem| *stem == *plugin)
}

/// Returns true if run-claude has hooks for this event. Only a streamed response is taken from the log; any other was reported before.
fn has_hooks(event: &Event) -> bool {
    match event.name {
        EventName::ModelLog => {
            let stream = find_member(&event.payload, &["record", "kwargs", "stream"]);
            // Another response has been reported before, and the function would be called twice for it.
            event.agent_event == LOGGED && stream.is_some_and(|stream| stream.as_str() == "true")
        }
        EventName::ModelRoute => event.agent_event == DEPLOYED,
        _ => true,
    }
}

pub(super) fn build_context(event: &Event) -> String {
    let call = match event.name {
        EventName::ModelLog => find_member(&event.payload, &["record", "kwargs"]),
        _ => find_member(&event.payload, &["request"]),
    };
    let call = call.unwrap_or_else(Json::empty_object);
    let value = |path: &[&str]| find_member(&call, path).map_or(Value::Null, |found| found.to_value());
    let model = find_text(&call, &["model"]);
    let is_request = event.name == EventName::ModelRequest;
    let response = match event.name {
        EventName::ModelLog => find_member(&event.payload, &["record", "response_obj"]),
        _ => find_member(&event.payload, &["response"]),
    };
    let response = response.filter(|_| event.tool.is_none()).map(|response| response.to_value());
    let tool = event.tool.as_ref();
    let id = find_text(&call, &["litellm_call_id"]);
    json!({
        "event": find_name(&event.name),
        "model": model.as_deref().unwrap_or("unknown"),
        "provider": find_provider(event, &call, model.as_deref()),
        "request_id": id.as_deref().unwrap_or(&event.id),
        "timestamp": to_seconds(event.time),
        "messages": if is_request { value(&["messages"]) } else { Value::Null },
        "tools": if is_request { value(&["tools"]) } else { Value::Null },
        // run-claude passes no response that is not a plain object.
        "response": response.filter(Value::is_object),
        "tool_name": tool.map(|tool| tool.name.as_str()),
        "tool_args": tool.map(|tool| tool.input.to_value()),
        "tool_result": tool.and_then(|tool| tool.output.as_ref()).map(Json::to_value),
        "metadata": collect_metadata(event, &call).to_value(),
    })
    .to_string()
}

fn find_name(event: &EventName) -> &'static str {
    match event {
        EventName::ModelLog => "post_response",
        known => {
            events::EVENTS.iter().find(|row| row.canonical == *known).map_or("pre_request", |row| row.name)
        }
    }
}

/// Returns the provider of the model: the one that the proxy has determined, else that of the chosen deployment, else the one that all
/// deployments of the model's name have in common, else the part before the `/` of that name, which may be an alias.
fn find_provider(event: &Event, call: &Json, model: Option<&str>) -> Option<String> {
    let known = [&["custom_llm_provider"][..], &["litellm_params", "custom_llm_provider"]];
    let before_slash = |model: &str| model.split_once('/').map(|(provider, _)| provider.to_owned());
    let deployment = [&["metadata", "deployment"][..], &["litellm_params", "metadata", "deployment"]];
    let stated = known.iter().find_map(|path| find_text(call, path)).filter(|stated| !stated.is_empty());
    stated
        .or_else(|| deployment.iter().find_map(|path| before_slash(&find_text(call, path)?)))
        .or_else(|| find_text(&event.payload, &["provider"]))
        // Last, since the name may be an alias, and then its beginning is not a provider.
        .or_else(|| before_slash(model?))
}

/// Returns the request's metadata, with the changes of earlier functions.
fn collect_metadata(event: &Event, call: &Json) -> Json {
    let of_request = [&["metadata"][..], &["litellm_params", "metadata"]];
    let found = of_request.iter().find_map(|path| find_member(call, path).filter(is_object));
    let left = find_member(&event.payload, &["metadata"]).filter(is_object);
    let whole = find_member(&event.payload, &[WHOLE_METADATA]).filter(is_object);
    let found = whole.or(found).unwrap_or_else(Json::empty_object);
    left.map_or(found.clone(), |left| found.apply_patch(&left))
}

fn is_object(json: &Json) -> bool {
    json.members().is_some()
}

pub(super) fn convert_answer(event: &Event, changes: &RawObject<'_>) -> Answer {
    let last = is_last(changes);
    let values =
        changes.get("changed").and_then(|values| RawObject::parse(values.get()).ok()).unwrap_or_default();
    let part = |key: &str| values.get(key).map(Json::from_raw);
    let metadata = metadata_of(changes);
    if event.name == EventName::ModelRequest {
        let parts = ["model", "messages", "tools"].into_iter();
        let mut parts: Vec<_> = parts.filter_map(|key| Some((key, values.get(key)?.get()))).collect();
        let rewrite = if let Some((WHOLE_METADATA, whole)) = metadata {
            // A merge patch would read a `null` in it as a removal.
            parts.push(("metadata", whole));
            Some(Rewrite::Replace(with_members(event, &parts)))
        } else {
            parts.extend(metadata);
            (!parts.is_empty()).then(|| Rewrite::Merge(Json::from_members(parts)))
        };
        return Answer { rewrite, last, ..Answer::default() };
    }
    let rewrite = match event.name {
        EventName::ModelResponse => part("response"),
        EventName::ToolBefore => part("tool_args"),
        EventName::ToolAfter => part("tool_result"),
        _ => None,
    };
    let extra = metadata.map(|changed| Json::from_members([changed]));
    Answer { rewrite: rewrite.map(Rewrite::Replace), extra, last, ..Answer::default() }
}

/// The request with these members in the place of its own.
fn with_members(event: &Event, parts: &[(&str, &str)]) -> Json {
    let request = event.rewritable().unwrap_or_else(Json::empty_object);
    let members = request.members().unwrap_or_default();
    let kept = members.iter().filter(|(key, _)| parts.iter().all(|(part, _)| part != key));
    Json::from_members(kept.map(|(key, value)| (key, value.get())).chain(parts.iter().copied()))
}

fn find_member(json: &Json, path: &[&str]) -> Option<Json> {
    path.iter().try_fold(json.clone(), |json, key| json.members()?.get(key).map(Json::from_raw))
}

fn find_text(json: &Json, path: &[&str]) -> Option<String> {
    match find_member(json, path)?.to_value() {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Converts milliseconds since 1970 to seconds, with the precision of a double.
fn to_seconds(milliseconds: u64) -> f64 {
    std::time::Duration::from_millis(milliseconds).as_secs_f64()
}
