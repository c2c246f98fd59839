//! A call of an MCP tool through LiteLLM's gateway.

use hookbox_model::{Event, Json, RawObject, ToolCall};

use crate::{
    InvalidEvent,
    schema::{self, Kind},
    tool_call::ReceivedTool,
};

/// LiteLLM's members for the name and the arguments of the tool: before the call, after it.
const NAMES: [&str; 2] = ["mcp_tool_name", "name"];
const ARGUMENTS: [&str; 2] = ["mcp_arguments", "arguments"];

/// Returns the call that the member `inside` describes.
pub(super) fn read_call(
    event: &Event,
    members: &RawObject<'_>,
    inside: &str,
) -> Result<ToolCall, InvalidEvent> {
    let text = members.get(inside).map_or("{}", |object| object.get());
    let object = RawObject::parse(text)?;
    let wrong = |error: InvalidEvent| InvalidEvent {
        field: error.field.map(|field| format!("{inside}.{field}")),
        ..error
    };
    let name = choose_key(&object, NAMES);
    schema::check_fields(&event.agent_event, &object, &[(name, Kind::Name)]).map_err(wrong)?;
    let input = read_arguments(&event.agent_event, &object).map_err(wrong)?;
    let name = object.get_string(name).unwrap_or_default();
    let output = members.get("response_obj").map(Json::from_raw);
    let (agent, cwd) = (&event.agent, &event.cwd);
    ReceivedTool { agent, event: &event.agent_event, cwd, name, field: inside, input, output }.described()
}

/// Returns the arguments; `null` or absent for a tool without arguments.
fn read_arguments(method: &str, object: &RawObject<'_>) -> Result<Json, InvalidEvent> {
    let key = choose_key(object, ARGUMENTS);
    match object.get(key) {
        Some(value) if value.get() != "null" => {
            schema::check_fields(method, object, &[(key, Kind::Object)])?;
            Ok(Json::from_raw(value))
        }
        _ => Ok(Json::empty_object()),
    }
}

/// Returns the first of these members that is present, or the first of all.
fn choose_key(object: &RawObject<'_>, [usual, other]: [&'static str; 2]) -> &'static str {
    let there = |key| object.get(key).is_some();
    if there(other) && !there(usual) { other } else { usual }
}
