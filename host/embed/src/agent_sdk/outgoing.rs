//! What an SDK's program sends.

use std::time::Duration;

use hookbox_model::Json;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What it means that a callback failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// As if it had said nothing.
    Continue,
    /// What the event tells of must not happen.
    Block,
}

/// Callbacks for an event that share a matcher.
#[derive(Clone, Debug, PartialEq)]
pub struct Registration {
    /// Claude Code's name for it.
    pub event: String,
    /// Which of these events, in Claude Code's language of matchers; `None` for all.
    pub matcher: Option<String>,
    /// Ids of the callbacks, in order.
    pub ids: Vec<String>,
    /// How long Claude Code waits for each.
    pub timeout: Option<Duration>,
    /// What a failure of one means.
    pub on_failure: Option<OnFailure>,
}

impl Registration {
    fn value(&self) -> Value {
        let mut value = Map::new();
        value.insert("matcher".to_owned(), json!(self.matcher));
        value.insert("hookCallbackIds".to_owned(), json!(self.ids));
        if let Some(timeout) = self.timeout {
            value.insert("timeout".to_owned(), seconds(timeout));
        }
        if let Some(on_failure) = self.on_failure {
            value.insert("onFailure".to_owned(), json!(on_failure));
        }
        Value::Object(value)
    }
}

fn seconds(time: Duration) -> Value {
    if time.subsec_nanos() == 0 { json!(time.as_secs()) } else { json!(time.as_secs_f64()) }
}

/// The request that registers callbacks. `siblings` are other members of it, which an SDK may have; it must be an object.
pub fn initialize(request_id: &str, registrations: &[Registration], siblings: &Json) -> String {
    let mut hooks: Map<String, Value> = Map::new();
    for registration in registrations {
        let group = hooks.entry(registration.event.clone()).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(group) = group {
            group.push(registration.value());
        }
    }
    let hooks = if hooks.is_empty() { Value::Null } else { Value::Object(hooks) };
    let mut request = json!({ "subtype": "initialize", "hooks": hooks });
    if let (Value::Object(request), Value::Object(siblings)) = (&mut request, siblings.to_value()) {
        request.extend(siblings.into_iter().filter(|(key, _)| !["subtype", "hooks"].contains(&key.as_str())));
    }
    json!({ "type": "control_request", "request_id": request_id, "request": request }).to_string()
}

/// The answer of a callback.
pub fn success(request_id: &str, output: &Json) -> String {
    // A break within a text is written with a backslash, so these stand between members only.
    let output = output.as_str().replace(['\n', '\r'], " ");
    response(&json!({ "subtype": "success", "request_id": request_id }), ("response", &output))
}

/// Why there is none.
pub fn error(request_id: &str, message: &str) -> String {
    response(&json!({ "subtype": "error", "request_id": request_id }), ("error", &json!(message).to_string()))
}

/// Nobody waits any more for the answer to a request of the program's.
pub fn cancel(request_id: &str) -> String {
    json!({ "type": "control_cancel_request", "request_id": request_id }).to_string()
}

fn response(head: &Value, (key, text): (&str, &str)) -> String {
    let head = head.to_string();
    let head = head.strip_suffix('}').unwrap_or(&head);
    format!(r#"{{"type":"control_response","response":{head},"{key}":{text}}}}}"#)
}

/// Names that a language has instead of Claude Code's, which are words of its own.
const RENAMED: [(&str, &str); 2] = [("async_", "async"), ("continue_", "continue")];

/// An output with Claude Code's names.
///
/// # Errors
///
/// It is no object, or says a thing under both names.
pub fn renamed(output: &Json) -> Result<Json, String> {
    let members = output.members().ok_or("it is not an object")?;
    let name = |key| RENAMED.iter().find(|(theirs, _)| *theirs == key).map_or(key, |(_, name)| *name);
    for (theirs, name) in RENAMED {
        if members.get(theirs).is_some() && members.get(name).is_some() {
            return Err(format!("it has `{name}` and `{theirs}`, which are the same"));
        }
    }
    Ok(Json::object(members.iter().map(|(key, value)| (name(key), value.get()))))
}
