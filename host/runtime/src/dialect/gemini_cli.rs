//! Gemini CLI: its eleven events and its hook output (hook-contracts B.1–B.4; validation as C.2).

mod events;
mod write;

use std::time::{Duration, UNIX_EPOCH};

use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

use self::events::{EVENTS, Row};
use super::{
    Arrival, Dialect, Honours, InvalidEvent, Written,
    hook_input::{self, HookInput, Moves},
    schema::{self, Kind},
    sender::{self, Sender},
};

/// Gemini CLI.
#[derive(Clone, Copy, Debug)]
pub struct GeminiCli;

/// Is this the name of an event of Gemini CLI?
pub(super) fn knows(event: &str) -> bool {
    events::row(event).is_some()
}

impl Dialect for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn recognises(&self, source: &RawObject<'_>) -> bool {
        sender::sender(source) == Some(Sender::GeminiCli)
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &Arrival) -> Result<Event, InvalidEvent> {
        let members = RawObject::parse(source.as_str())?;
        let event = hook_input::event_name(&members)?;
        let row = events::row(&event);
        let mut name = match row {
            Some(row) => row.canonical.clone(),
            None => hook_input::unknown(&event)?,
        };
        schema::check(&event, &members, row.map_or(&[], |row| row.required))?;
        check_mcp_context(&event, &members)?;
        let mut added = Vec::new();
        match name {
            EventName::ToolAfter => {
                if let Some(error) = tool_error(&members) {
                    name = EventName::ToolError;
                    added.push(("error", error));
                }
            }
            EventName::ModelSelectTools => {
                added.extend(inner(&members, "llm_request", "toolConfig").map(|c| ("tool_config", c)));
            }
            _ => {}
        }
        let input = HookInput { agent: self.name(), source: &source, members: &members, event };
        let renamed = row.map_or::<&[_], _>(&[], |row: &Row| row.renamed);
        let payload = input.payload(Moves { renamed, added: &added, ..Moves::default() });
        let mut event = input.into_event(name, payload, arrival)?;
        event.time = time(&members).unwrap_or(event.time);
        if let (Some(tool), true) = (&mut event.tool, members.get("mcp_context").is_some()) {
            tool.class = hookbox_model::ToolClass::Mcp;
        }
        Ok(event)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::outcome(&event.agent_event, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::failure(event, message)
    }

    fn honours(&self, event: &str, canonical: &EventName) -> Honours {
        events::row(event).map_or_else(|| Honours::of(canonical), Row::honours)
    }

    fn patience(&self, _: &EventName) -> Duration {
        Duration::from_mins(1)
    }
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
