//! Gemini CLI's hook input as an event.

use hookbox_core::interfaces::escape_excerpt;
use hookbox_model::{Event, Json, RawObject, ToolClass};

use super::{events::EVENTS, variant::Variant};
use crate::{
    InvalidEvent, ReadContext,
    schema::{self, Kind},
    table::{Time, Words, find_event},
};

pub(super) const WORDS: Words = Words { time: Time::Date, ..Words::HOOK_INPUT };

/// Reads the event in this agent's input.
pub(crate) fn read_event(
    agent: &Variant,
    source: &Json,
    arrival: &ReadContext,
) -> Result<Event, InvalidEvent> {
    let found = find_event(&WORDS, &EVENTS, source)?;
    check_choices(agent, &found.event, &found.top)?;
    // llxprt-code rejects a context without the name of its server; hookbox does so for both agents.
    check_mcp_context(&found.event, &found.top)?;
    let is_mcp = found.top.get("mcp_context").is_some();
    let mut event = found.build_event(agent.name, arrival)?;
    if let (Some(tool), true) = (&mut event.tool, is_mcp) {
        // The name of the tool need not show that it belongs to a server; only the agent knows.
        tool.class = ToolClass::Mcp;
    }
    Ok(event)
}

pub(super) fn has_succeeded(members: &RawObject<'_>) -> bool {
    tool_error(members).is_none()
}

/// Returns the payload member for the tool's error.
pub(super) fn find_error(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    tool_error(members).map(|error| ("error", error)).into_iter().collect()
}

/// Returns the payload member for the tools of a request.
pub(super) fn tool_config(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    let config = find_inner(members, "llm_request", "toolConfig");
    config.map(|config| ("tool_config", config)).into_iter().collect()
}

fn check_choices(agent: &Variant, event: &str, members: &RawObject<'_>) -> Result<(), InvalidEvent> {
    for (_, member, words) in agent.choices.iter().filter(|(of, ..)| *of == event) {
        if members.get(member).is_none() {
            continue;
        }
        let value = members.get_string(member);
        if !value.as_ref().is_some_and(|value| words.contains(&value.as_str())) {
            let shown = value
                .map_or_else(|| "not a string".to_owned(), |value| format!("`{}`", escape_excerpt(&value)));
            let problem = format!("it is {shown}, but must be one of {}", words.join(", "));
            return Err(InvalidEvent::for_field(event, member, problem));
        }
    }
    Ok(())
}

fn check_mcp_context(event: &str, members: &RawObject<'_>) -> Result<(), InvalidEvent> {
    let Some(context) = members.get("mcp_context") else {
        return Ok(());
    };
    schema::check_fields(event, members, &[("mcp_context", Kind::Object)])?;
    let context = RawObject::parse(context.get())?;
    schema::check_fields(event, &context, &[("server_name", Kind::Name)])
}

/// Returns the message of a failed tool's `error`, or the whole `error` if it has no message.
fn tool_error(members: &RawObject<'_>) -> Option<String> {
    let error = find_inner(members, "tool_response", "error")?;
    let message = RawObject::parse(&error).ok().and_then(|members| {
        members.get("message").filter(|m| Kind::Text.admits(m.get())).map(|m| m.get().to_owned())
    });
    Some(message.unwrap_or(error))
}

/// Returns the member `key` of the object `of`, as JSON text; `None` if it is `null`.
fn find_inner(members: &RawObject<'_>, of: &str, key: &str) -> Option<String> {
    let object = RawObject::parse(members.get(of)?.get()).ok()?;
    let value = object.get(key)?.get();
    // A tool that succeeded may have `"error": null`.
    (value != "null").then(|| value.to_owned())
}
