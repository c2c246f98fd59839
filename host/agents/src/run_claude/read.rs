//! A `HookContext` as an event.

use hookbox_model::{Event, EventName, Json, RawObject, ToolCall};

use super::{
    events::{AGENT, EVENTS, OPTIONAL},
    request::{self, CHANGEABLE},
};
use crate::{
    InvalidEvent, ReadContext,
    schema::{self, Kind},
    table::{IdentifiedEvent, Words, find_event},
    tool_call::ReceivedTool,
};

/// Field name that identifies an event; its other members are read here.
const WORDS: Words = Words { event: "event", ..Words::HOOK_INPUT };
const TOOL: [&str; 3] = ["tool_name", "tool_args", "tool_result"];

pub(super) fn read_event(source: &Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
    let IdentifiedEvent { event, name, top: members, .. } = find_event(&WORDS, &EVENTS, source)?;
    check_the_rest(&event, &members)?;
    let id = schema::optional_text(&event, &members, "request_id")?.filter(|id| !id.is_empty());
    let tool = read_tool(&event, &members, &arrival.cwd)?;
    Ok(Event {
        id: id.unwrap_or_else(|| arrival.id.clone()),
        agent: AGENT.into(),
        session: String::new(),
        cwd: arrival.cwd.clone(),
        time: schema::read_timestamp(&event, &members)?.unwrap_or(arrival.time),
        payload: collect_payload(&name, &members, tool.is_some()),
        name,
        tool,
        source: source.clone(),
        agent_event: event,
    })
}

fn check_the_rest(event: &str, members: &RawObject<'_>) -> Result<(), InvalidEvent> {
    for field in OPTIONAL {
        if members.get_present(field.0).is_some() {
            schema::check_fields(event, members, &[field])?;
        }
    }
    if members.get("stop_chain").is_some() {
        schema::check_fields(event, members, &[("stop_chain", Kind::Flag)])?;
    }
    // Passed on, it would look like an error of hookbox.
    let problem = "a context with an error is raised, not passed on";
    match members.get_present("error") {
        Some(_) => Err(InvalidEvent::for_field(event, "error", problem)),
        None => Ok(()),
    }
}

fn read_tool(event: &str, members: &RawObject<'_>, cwd: &str) -> Result<Option<ToolCall>, InvalidEvent> {
    let input = members.get("tool_args").filter(|input| Kind::Object.admits(input.get()));
    let name = members.get_string("tool_name").filter(|name| !name.is_empty());
    let (Some(name), Some(input)) = (name, input.map(Json::from_raw)) else {
        return Ok(None);
    };
    let output = members.get("tool_result").map(Json::from_raw);
    ReceivedTool { agent: AGENT, event, cwd, name, field: "tool_args", input, output }.described().map(Some)
}

/// Returns the other members under their own names; the part for the model as `request`, and a response that run-claude could not turn into
/// an object as an empty one.
fn collect_payload(name: &EventName, members: &RawObject<'_>, has_tool: bool) -> Json {
    let of_model = matches!(name, EventName::ModelRequest | EventName::ModelResponse);
    let request = request::build_request(members);
    let unanswered = *name == EventName::ModelResponse && members.get_present("response").is_none();
    let elsewhere = |key: &str| {
        key == "event"
            || of_model && (key == "request" || CHANGEABLE.contains(&key))
            || has_tool && TOOL.contains(&key)
            || unanswered && key == "response"
    };
    let mut payload: Vec<(&str, &str)> = Vec::new();
    payload.extend(of_model.then_some(("request", request.as_str())));
    payload.extend(unanswered.then_some(("response", "{}")));
    payload.extend(members.iter().filter(|(key, _)| !elsewhere(key)).map(|(key, value)| (key, value.get())));
    Json::from_members(payload)
}
