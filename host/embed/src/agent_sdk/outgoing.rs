//! Messages from an SDK's program.

use std::time::Duration;

use hookbox_model::Json;
use serde::Serialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

/// Effect of a failed callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// Continue as without an answer.
    Continue,
    /// Block the action of the event.
    Block,
}

/// Callbacks for an event that share a matcher.
#[derive(Clone, Debug, PartialEq)]
pub struct Registration {
    /// Claude Code's name for the event.
    pub event: String,
    /// Filter on these events, in Claude Code's language of matchers; `None` for all.
    pub matcher: Option<String>,
    /// Ids of the callbacks, in order.
    pub ids: Vec<String>,
    /// Time limit of each callback.
    pub timeout: Option<Duration>,
    /// Effect of a failure.
    pub on_failure: Option<OnFailure>,
}

impl Registration {
    fn value(&self) -> Value {
        let mut value = Map::new();
        value.insert("matcher".to_owned(), json!(self.matcher));
        value.insert("hookCallbackIds".to_owned(), json!(self.ids));
        if let Some(timeout) = self.timeout {
            value.insert("timeout".to_owned(), to_seconds(timeout));
        }
        if let Some(on_failure) = self.on_failure {
            value.insert("onFailure".to_owned(), json!(on_failure));
        }
        Value::Object(value)
    }
}

fn to_seconds(time: Duration) -> Value {
    // A whole number where possible, as the SDKs write it.
    if time.subsec_nanos() == 0 { json!(time.as_secs()) } else { json!(time.as_secs_f64()) }
}

/// Returns the request that registers callbacks. `siblings` are other members of the request, which an SDK may have; it must be an
/// object.
pub fn format_initialize(request_id: &str, registrations: &[Registration], siblings: &Json) -> String {
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
        // Siblings must not replace the registration itself.
        request.extend(siblings.into_iter().filter(|(key, _)| !["subtype", "hooks"].contains(&key.as_str())));
    }
    json!({ "type": "control_request", "request_id": request_id, "request": request }).to_string()
}

/// Returns the answer of a callback.
pub fn format_success(request_id: &str, output: &Json) -> String {
    // A line break within a text is escaped, so these are between members only.
    let output = output.as_str().replace(['\n', '\r'], " ");
    format_response(&json!({ "subtype": "success", "request_id": request_id }), ("response", &output))
}

/// Returns the error answer of a callback.
pub fn format_error(request_id: &str, message: &str) -> String {
    format_response(
        &json!({ "subtype": "error", "request_id": request_id }),
        ("error", &json!(message).to_string()),
    )
}

/// Returns the message that cancels a request of the program.
pub fn format_cancel(request_id: &str) -> String {
    json!({ "type": "control_cancel_request", "request_id": request_id }).to_string()
}

fn format_response(head: &Value, (key, text): (&str, &str)) -> String {
    let head = head.to_string();
    // The output is spliced in as text, so that its numbers and the order of its members stay.
    let head = head.strip_suffix('}').unwrap_or(&head);
    format!(r#"{{"type":"control_response","response":{head},"{key}":{text}}}}}"#)
}

/// Names that a language uses because Claude Code's are its keywords.
const RENAMED: [(&str, &str); 2] = [("async_", "async"), ("continue_", "continue")];

/// Reason why the members of an output cannot be renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RenameError {
    /// The output is not an object.
    #[error("it is not an object")]
    NotObject,
    /// The output has a member under both names.
    #[error("it has `{name}` and `{theirs}`, which are the same")]
    BothNames {
        /// Claude Code's name.
        name: &'static str,
        /// The language's name.
        theirs: &'static str,
    },
}

/// Renames the members of an output to Claude Code's names.
///
/// # Errors
///
/// The output is not an object, or has a member under both names.
pub fn rename_members(output: &Json) -> Result<Json, RenameError> {
    let members = output.members().ok_or(RenameError::NotObject)?;
    let name = |key| RENAMED.iter().find(|(theirs, _)| *theirs == key).map_or(key, |(_, name)| *name);
    for (theirs, name) in RENAMED {
        if members.get(theirs).is_some() && members.get(name).is_some() {
            return Err(RenameError::BothNames { name, theirs });
        }
    }
    Ok(Json::from_members(members.iter().map(|(key, value)| (name(key), value.get()))))
}
