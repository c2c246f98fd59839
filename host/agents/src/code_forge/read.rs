//! Code-Forge's JSON as an event: `type`, `timestamp`, `data`, `tool_name`, `session_id` and, for callers that are not in
//! it, `working_dir`.

use hookbox_model::{Event, Json, RawObject, ToolCall};

use super::events::{self, AGENT, EVENTS, FieldPlace, ForgeData, PLAIN};
use crate::{
    InvalidEvent, ReadContext,
    schema::{self, Kind},
    table::{IdentifiedEvent, Words, find_event, read_nested},
    tool_call::ReceivedTool,
};

/// Field name that identifies an event; its other members are read here.
const WORDS: Words = Words { event: "type", ..Words::HOOK_INPUT };
/// Members with a place of their own in an event.
const HEADER: [&str; 5] = ["type", "tool_name", "session_id", "working_dir", "data"];
/// Members of `data` that belong to the tool call.
pub(super) const TOOL_ARGS: &str = "tool_args";
pub(super) const TOOL_RESULT: &str = "tool_result";

pub(super) fn read_event(source: &Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
    let IdentifiedEvent { event, name, top: members, .. } = find_event(&WORDS, &EVENTS, source)?;
    let ForgeData { required, place } = events::find_row(&event).map_or(PLAIN, |row| row.answer);
    let data = read_nested(&event, &members, "data")?;
    // The message is to name the field as it is in the sender's JSON.
    schema::check_fields(&event, &data, required).map_err(in_data)?;
    let cwd = schema::read_directory(&event, &members, "working_dir", &arrival.cwd)?;
    let tool = read_tool(&event, &members, &data, &cwd)?;
    Ok(Event {
        id: arrival.id.clone(),
        name,
        agent: AGENT.into(),
        session: schema::optional_text(&event, &members, "session_id")?.unwrap_or_default(),
        time: schema::read_timestamp(&event, &members)?.unwrap_or(arrival.time),
        payload: collect_payload(place, &members, &data, tool.is_some()),
        tool,
        cwd,
        source: source.clone(),
        agent_event: event,
    })
}

fn in_data(error: InvalidEvent) -> InvalidEvent {
    InvalidEvent { field: error.field.map(|field| format!("data.{field}")), ..error }
}

/// Returns the tool call, if a tool is named. Code-Forge's permission events name a tool without its arguments.
fn read_tool(
    event: &str,
    members: &RawObject<'_>,
    data: &RawObject<'_>,
    cwd: &str,
) -> Result<Option<ToolCall>, InvalidEvent> {
    let Some(name) = schema::optional_text(event, members, "tool_name")?.filter(|name| !name.is_empty())
    else {
        return Ok(None);
    };
    let input = match data.get(TOOL_ARGS) {
        Some(input) => {
            schema::check_fields(event, data, &[(TOOL_ARGS, Kind::Object)]).map_err(in_data)?;
            Json::from_raw(input)
        }
        // The permission events have no arguments, and hooks expect an object.
        None => Json::empty_object(),
    };
    let output = data.get(TOOL_RESULT).map(Json::from_raw);
    let received = ReceivedTool { agent: AGENT, event, cwd, name, field: "data.tool_args", input, output };
    received.described().map(Some)
}

/// Returns the members without a place of their own, first `data`'s. Of two with one name `data`'s counts; the other stays in the source.
fn collect_payload(place: FieldPlace, members: &RawObject<'_>, data: &RawObject<'_>, has_tool: bool) -> Json {
    let mut payload: Vec<(&str, &str)> = Vec::new();
    let whole = data.without_members(&[]);
    if let FieldPlace::Whole(key) = place {
        payload.push((key, whole.as_str()));
    } else {
        let of_tool = |key: &str| has_tool && [TOOL_ARGS, TOOL_RESULT].contains(&key);
        payload.extend(data.iter().filter(|(key, _)| !of_tool(key)).map(|(key, value)| (key, value.get())));
    }
    if let FieldPlace::Renamed(theirs, ours) = place {
        payload.retain(|(key, _)| *key != ours);
        payload.iter_mut().filter(|(key, _)| *key == theirs).for_each(|member| member.0 = ours);
    }
    for (key, value) in members.iter() {
        if !HEADER.contains(&key) && !payload.iter().any(|(taken, _)| *taken == key) {
            payload.push((key, value.get()));
        }
    }
    Json::from_members(payload)
}
