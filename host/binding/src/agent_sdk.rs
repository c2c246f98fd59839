//! Functions for programs with Claude Code's Agent SDK that call hookbox's hooks from that SDK (docs/reference/agents/claude-sdk.md).

use hookbox::agents::{Dialect as _, claude_code, claude_code::ClaudeCode, settings};
use hookbox_service::{Answered, control::Group};
use serde_json::{Value, json};

/// Returns the events of Claude Code as JSON text: for each the time limit of a callback that calls hookbox (seconds), the effect of its
/// failure, and whether `hookbox install` writes an entry for it by default.
pub fn agent_sdk_events() -> String {
    let usual = settings::find_settings(ClaudeCode.name()).map_or(&[][..], |settings| settings.usual);
    let events = ClaudeCode.events().into_iter().map(|(event, canonical)| {
        let Group { timeout, on_failure, .. } = Group::of_service(event, &canonical);
        // Seconds, as the SDKs and Claude Code count.
        let timeout = timeout.map(|timeout| timeout.as_secs_f64());
        json!({ "event": event, "timeout": timeout, "on_failure": on_failure, "usual": usual.contains(&event) })
    });
    events.collect::<Value>().to_string()
}

/// Returns the answer as the output of such a callback, for Claude Code's own name of the event; `None` if there is no such output, and
/// the callback is to fail with the text on standard error.
pub fn agent_sdk_output(answered: &Answered, event: &str) -> Option<String> {
    let output = claude_code::convert_output(event, &answered.response.written)?;
    Some(output.as_str().to_owned())
}
