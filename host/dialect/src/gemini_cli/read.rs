//! Gemini CLI's hook input as an event.

use std::time::UNIX_EPOCH;

use hookbox_model::{Event, EventName, Json, RawObject, ToolClass};

use super::{
    events::{self, GeminiEvent},
    variant::Variant,
};
use crate::{
    Arrival, InvalidEvent,
    hook_input::{HookInput, Moves, USUAL},
    schema::{self, Kind},
};
use hookbox_port::port::excerpt;

/// The event that this input of this agent is.
pub(crate) fn event(agent: &Variant, source: &Json, arrival: &Arrival) -> Result<Event, InvalidEvent> {
    let members = RawObject::parse(source.as_str())?;
    let look = |event: &str| events::row(event).map(|row| (row, &row.canonical, row.required));
    let (event, name, row) = USUAL.known(&members, look)?;
    check_choices(agent, &event, &members)?;
    check_mcp_context(&event, &members)?;
    let (name, added) = refined(name, &members);
    let input = HookInput { agent: agent.name, words: &USUAL, source, members: &members, event };
    let renamed = row.map_or::<&[_], _>(&[], |row: &GeminiEvent| row.renamed);
    let payload = input.payload(Moves { renamed, added: &added, ..Moves::default() });
    let mut event = input.into_event(name, payload, arrival)?;
    event.time = time(&members).unwrap_or(event.time);
    if let (Some(tool), true) = (&mut event.tool, members.get("mcp_context").is_some()) {
        tool.class = ToolClass::Mcp;
    }
    Ok(event)
}

/// The canonical name as the members refine it, and what they add to the payload.
fn refined(name: EventName, members: &RawObject<'_>) -> (EventName, Vec<(&'static str, String)>) {
    match name {
        EventName::ToolAfter => match tool_error(members) {
            Some(error) => (EventName::ToolError, vec![("error", error)]),
            None => (name, Vec::new()),
        },
        EventName::ModelSelectTools => {
            let config = inner(members, "llm_request", "toolConfig").map(|config| ("tool_config", config));
            (name, config.into_iter().collect())
        }
        _ => (name, Vec::new()),
    }
}

fn check_choices(agent: &Variant, event: &str, members: &RawObject<'_>) -> Result<(), InvalidEvent> {
    for (_, member, words) in agent.choices.iter().filter(|(of, ..)| *of == event) {
        if members.get(member).is_none() {
            continue;
        }
        let said = members.string(member);
        if !said.as_ref().is_some_and(|said| words.contains(&said.as_str())) {
            let said = said.map_or_else(|| "not a string".to_owned(), |said| format!("`{}`", excerpt(&said)));
            let problem = format!("it is {said}, but must be one of {}", words.join(", "));
            return Err(InvalidEvent::field(event, member, problem));
        }
    }
    Ok(())
}

fn check_mcp_context(event: &str, members: &RawObject<'_>) -> Result<(), InvalidEvent> {
    let Some(context) = members.get("mcp_context") else {
        return Ok(());
    };
    schema::check(event, members, &[("mcp_context", Kind::Object)])?;
    let context = RawObject::parse(context.get())?;
    schema::check(event, &context, &[("server_name", Kind::Name)])
}

/// The message of a failed tool's `error`, or the whole `error` if it has none.
fn tool_error(members: &RawObject<'_>) -> Option<String> {
    let error = inner(members, "tool_response", "error")?;
    let message = RawObject::parse(&error).ok().and_then(|members| {
        members.get("message").filter(|m| Kind::Text.admits(m.get())).map(|m| m.get().to_owned())
    });
    Some(message.unwrap_or(error))
}

/// The member `key` of the object `of`, as JSON text; `None` if it is `null`.
fn inner(members: &RawObject<'_>, of: &str, key: &str) -> Option<String> {
    let object = RawObject::parse(members.get(of)?.get()).ok()?;
    let value = object.get(key)?.get();
    (value != "null").then(|| value.to_owned())
}

/// The caller's `timestamp`, if it can be read. It stays in the payload too.
fn time(members: &RawObject<'_>) -> Option<u64> {
    let time = humantime::parse_rfc3339(&members.string("timestamp")?).ok()?;
    u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}
