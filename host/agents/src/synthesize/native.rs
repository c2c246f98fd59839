//! hookbox's own events.

use hookbox_model::EventName;
use serde_json::{Map, Value};

use super::{BuildError, EventRequest, MissingPart, members::put_value, tool};
use crate::{native, schema};

/// The dialect.
pub(super) const NAME: &str = "native";
/// Prefix for the name of an unknown event.
const CUSTOM: &str = "custom:";
/// Members next to `payload` and `tool`.
const HEADER: [&str; 4] = ["id", "agent_event", "session", "time"];

/// Returns the custom event of this name, if it is one.
pub(super) fn parse_custom(event: &str) -> Option<(String, EventName)> {
    Some((event.to_owned(), event.strip_prefix(CUSTOM).and_then(schema::parse_custom_event)?))
}

pub(super) fn build_event(
    name: &str,
    canonical: &EventName,
    wanted: &EventRequest,
) -> Result<Map<String, Value>, BuildError> {
    let mut top = Map::new();
    top.insert("event".to_owned(), name.into());
    top.insert("session".to_owned(), wanted.session.as_str().into());
    top.insert("cwd".to_owned(), wanted.cwd.as_str().into());
    let (call, mut needs) = tool::build_call(NAME, canonical, wanted);
    if let Some(call) = call {
        let mut tool = Map::new();
        tool.insert("name".to_owned(), call.name.into());
        tool.insert("input".to_owned(), call.input.into());
        if let Some(output) = call.output {
            tool.insert("output".to_owned(), output);
        }
        top.insert("tool".to_owned(), tool.into());
    }
    if let Some(prompt) = &wanted.prompt {
        put_value(&mut top, "payload.prompt", prompt.as_str().into());
    }
    for (member, value) in &wanted.members {
        let first = member.split('.').next().unwrap_or_default();
        let is_whole = ["tool", "payload"].contains(&first) || HEADER.contains(&member.as_str());
        let path = if is_whole { member.clone() } else { format!("payload.{member}") };
        put_value(&mut top, &path, value.clone());
    }
    let is_there = |member: &str| top.get("payload").is_some_and(|payload| payload.get(member).is_some());
    for (member, expected) in native::list_required(canonical) {
        let Some(member) = member.strip_prefix("payload.") else { continue };
        if !is_there(member) {
            needs.push(if member == "prompt" {
                MissingPart::Prompt
            } else {
                MissingPart::Member(member.to_owned(), expected)
            });
        }
    }
    if needs.is_empty() { Ok(top) } else { Err(BuildError::MissingParts(needs)) }
}
