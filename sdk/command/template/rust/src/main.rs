//! Sees each tool call before it happens, and denies commands that must not run.

mod hookbox_command;

use serde_json::{Value, json};

fn main() {
    hookbox_command::run(handle);
}

fn handle(event: Value) -> Result<Value, String> {
    let tool = &event["tool"];
    let (Some("shell"), Some(command)) = (tool["class"].as_str(), tool["command"].as_str()) else {
        return Ok(json!({}));
    };
    hookbox_command::log("info", &format!("saw {command}"));
    let settings = hookbox_command::config().map_err(|error| error.to_string())?;
    // Without settings it is the worst alone.
    let is_denied = match settings["denied"].as_array() {
        Some(denied) => denied.iter().any(|denied| denied == command),
        None => command == "rm -rf /",
    };
    if is_denied {
        let reason = format!("{command} is not run here");
        return Ok(json!({"verdict": "deny", "code": "denied-command", "reason": reason}));
    }
    Ok(json!({}))
}
