//! What a program with Claude Code's Agent SDK needs to have hookbox's hooks called by that SDK (docs/contracts/claude-sdk.md).

use hookbox::dialect::{Dialect as _, claude_code, claude_code::ClaudeCode, settings};
use hookbox_service::{Answered, control::Group};
use serde_json::{Value, json};

/// The events of Claude Code, as JSON text: for each how long it waits for a callback that asks hookbox (seconds), what it is to do when
/// that fails, and whether `hookbox install` writes an entry for it if nobody names events.
pub fn agent_sdk_events() -> String {
    let usual = settings::named(ClaudeCode.name()).map_or(&[][..], |settings| settings.usual);
    let events = ClaudeCode.events().into_iter().map(|(event, canonical)| {
        let Group { timeout, on_failure, .. } = Group::of_service(event, &canonical);
        let timeout = timeout.map(|timeout| timeout.as_secs_f64());
        json!({ "event": event, "timeout": timeout, "on_failure": on_failure, "usual": usual.contains(&event) })
    });
    events.collect::<Value>().to_string()
}

/// The answer as the output of such a callback, for Claude Code's own name of the event; `None` if that cannot be said, and the
/// callback is to fail with what is on standard error.
pub fn agent_sdk_output(answered: &Answered, event: &str) -> Option<String> {
    let output = claude_code::output(event, &answered.response.written)?;
    Some(output.as_str().to_owned())
}
