//! hookbox's own messages over a pipe: list hooks, switch one, dispose of the bus.

use hookbox::model::{Json, bounded_text};
use serde_json::{Value, json};
use uuid::Uuid;

use super::HookBus;

const KNOWN: [&str; 4] =
    ["HOOK_EXECUTION_REQUEST", "HOOKBOX_LIST_HOOKS", "HOOKBOX_SET_HOOK_ENABLED", "HOOKBOX_DISPOSE"];

/// Returns the answer to a message that is not a request for hooks.
pub(super) fn answer_message(bus: &HookBus, message: &Json) -> String {
    let message = message.to_value();
    let payload = message.get("payload").cloned().unwrap_or_default();
    let result = match message.get("type").and_then(Value::as_str) {
        Some("HOOKBOX_LIST_HOOKS") => Ok(json!({ "hooks": bus.all_hooks() })),
        Some("HOOKBOX_SET_HOOK_ENABLED") => switch_hook(bus, &payload),
        Some("HOOKBOX_DISPOSE") => {
            bus.dispose();
            Ok(json!({}))
        }
        Some(other) => Err(format!("Unknown type: {other}; there are {}", KNOWN.join(", "))),
        None => Err(format!("Missing type; there are {}", KNOWN.join(", "))),
    };
    let id = payload.get("correlationId").and_then(Value::as_str).filter(|id| !id.is_empty());
    format_response(id, result)
}

/// Returns true if the answer may have to wait until files are read.
pub(super) fn reads_files(message: &Json) -> bool {
    let kind = message.members().and_then(|members| members.get_string("type"));
    matches!(kind.as_deref(), Some("HOOKBOX_LIST_HOOKS" | "HOOKBOX_SET_HOOK_ENABLED"))
}

/// Returns the answer to a text that is not a message.
pub(super) fn refuse_unreadable(problem: String) -> String {
    format_response(None, Err(problem))
}

fn switch_hook(bus: &HookBus, payload: &Value) -> Result<Value, String> {
    let name = payload.get("name").and_then(Value::as_str);
    let enabled = payload.get("enabled").and_then(Value::as_bool);
    let (Some(name), Some(enabled)) = (name, enabled) else {
        return Err("Missing name (a string) or enabled (true or false)".to_owned());
    };
    match bus.set_hook_enabled(name, enabled) {
        Ok(hooks) => Ok(json!({ "hooks": hooks })),
        Err(managed) => Err(managed.to_string()),
    }
}

fn format_response(id: Option<&str>, result: Result<Value, String>) -> String {
    // A response needs an id for a peer that sorts responses by it.
    let id = id.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned);
    let payload = match result {
        Ok(output) => json!({ "correlationId": id, "success": true, "output": output }),
        Err(message) => {
            let error = json!({ "code": "invalid_request", "message": bounded_text(&message) });
            json!({ "correlationId": id, "success": false, "error": error })
        }
    };
    json!({ "type": "HOOKBOX_RESPONSE", "payload": payload }).to_string()
}
