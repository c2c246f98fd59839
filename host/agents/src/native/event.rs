//! The event as JSON, both ways.

use hookbox_core::{
    hookfile::{find_nearest, quote_word},
    interfaces::Call,
};
use hookbox_model::{Event, EventName, Json, Outcome, RawObject, Status, ToolCall, ToolClass};

use super::{fields, unknown_key};
use crate::{
    InvalidEvent, ReadContext,
    object::Object,
    paths,
    schema::{self, Kind},
    tools,
};

const MEMBERS: [&str; 11] = [
    "event",
    "id",
    "agent",
    "agent_event",
    "session",
    "cwd",
    "time",
    "tool",
    "payload",
    "original",
    "outcome",
];
const TOOL_MEMBERS: [&str; 6] = ["name", "class", "command", "paths", "input", "output"];
const CUSTOM: &str = "custom:";

/// Returns the input of a shell hook on stdin and the body of a webhook. Parts that are JSON already are spliced in unchanged, line breaks
/// too; members without a value are left out.
pub fn event_json(call: &Call<'_>) -> String {
    let event = call.event;
    let mut object = Object::new();
    match &event.name {
        EventName::Custom(name) => object.text("event", &format!("{CUSTOM}{name}")),
        known => object.text("event", known.as_str()),
    };
    object
        .text("id", &event.id)
        .text("agent", &event.agent)
        .text("agent_event", &event.agent_event)
        .text("session", &event.session)
        .text("cwd", &event.cwd)
        .raw("time", &event.time.to_string());
    if let Some(tool) = &event.tool {
        object.raw("tool", &tool_json(tool));
    }
    object.json("payload", &event.payload);
    if let Some(original) = call.original {
        object.json("original", original);
    }
    if let Some(outcome) = call.outcome {
        object.raw("outcome", &outcome_json(outcome));
    }
    object.finish()
}

fn tool_json(tool: &ToolCall) -> String {
    let mut object = Object::new();
    object
        .text("name", &tool.name)
        .text("class", tool.class.as_str())
        .text_if("command", tool.command.as_deref())
        .texts("paths", tool.paths.iter().map(String::as_str))
        .json("input", &tool.input);
    if let Some(output) = &tool.output {
        object.json("output", output);
    }
    object.finish()
}

/// Returns the outcome so far, as an observer sees it.
fn outcome_json(outcome: &Outcome) -> String {
    let failed = |status: &Status| matches!(status, Status::Failed(_));
    let mut object = Object::new();
    object
        .text("verdict", outcome.verdict.as_str())
        .texts("deciders", outcome.reasons.iter().map(|label| label.hook.as_str()));
    if let Some(rewritten) = &outcome.rewrite {
        object.json("rewritten", rewritten);
    }
    let failed = outcome.reports.iter().filter(|report| failed(&report.status));
    object.texts("failed", failed.map(|report| report.hook.as_str()));
    object.finish()
}

/// Reads an event from this JSON. `event` is required, and the members that [`fields`] lists for it.
pub(super) fn read_event(source: &Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
    let members = RawObject::parse(source.as_str())?;
    schema::check_fields("", &members, &[("event", Kind::Name)])?;
    let event_text = members.get_string("event").unwrap_or_default();
    let name = event_name(&event_text)?;
    // A misspelt member would be a guard's missing input.
    known_keys(&event_text, "", &members, &MEMBERS)?;
    let text = |field| schema::optional_text(&event_text, &members, field);
    let cwd = schema::read_cwd(&event_text, &members, &arrival.cwd)?;
    let tool = read_tool(&event_text, &name, &members, &cwd)?;
    let payload = read_payload(&event_text, &name, &members)?;
    Ok(Event {
        id: text("id")?.filter(|id| !id.is_empty()).unwrap_or_else(|| arrival.id.clone()),
        // A sender must not pass for an agent: the tables of that agent would decide what its tools mean.
        agent: "native".into(),
        agent_event: text("agent_event")?.unwrap_or_else(|| event_text.clone()),
        session: text("session")?.unwrap_or_default(),
        time: read_time(&event_text, &members)?.unwrap_or(arrival.time),
        name,
        cwd,
        tool,
        payload,
        source: source.clone(),
    })
}

fn event_name(text: &str) -> Result<EventName, InvalidEvent> {
    let custom = text.strip_prefix(CUSTOM).and_then(schema::parse_custom_event);
    EventName::known(text).or(custom).ok_or_else(|| {
        let names: Vec<_> = EventName::KNOWN.iter().map(EventName::as_str).collect();
        let advice = match find_nearest(text, &names) {
            Some(close) => format!("did you mean `{close}`?"),
            None => {
                "an event of your own is `custom:` and a plain name that hookbox does not know".to_owned()
            }
        };
        InvalidEvent::for_field("", "event", format!("{} is not an event; {advice}", quote_word(text)))
    })
}

fn read_payload(event: &str, name: &EventName, members: &RawObject<'_>) -> Result<Json, InvalidEvent> {
    let payload = match members.get_present("payload") {
        Some(_) => {
            schema::check_fields(event, members, &[("payload", Kind::Object)])?;
            members.get("payload").map_or_else(Json::empty_object, Json::from_raw)
        }
        None => Json::empty_object(),
    };
    let inside = payload.members().unwrap_or_default();
    prefix_field("payload", schema::check_fields(event, &inside, fields::list_payload(name)))?;
    Ok(payload)
}

fn read_tool(
    event: &str,
    name: &EventName,
    members: &RawObject<'_>,
    cwd: &str,
) -> Result<Option<ToolCall>, InvalidEvent> {
    let Some(tool) = members.get_present("tool") else {
        let needed: &[_] = if fields::needs_tool(name) { &[("tool", Kind::Object)] } else { &[] };
        return schema::check_fields(event, members, needed).map(|()| None);
    };
    schema::check_fields(event, members, &[("tool", Kind::Object)])?;
    let tool = RawObject::parse(tool)?;
    known_keys(event, "tool.", &tool, &TOOL_MEMBERS)?;
    prefix_field("tool", tool_call(event, name, &tool, cwd)).map(Some)
}

fn tool_call(
    event_text: &str,
    event: &EventName,
    tool: &RawObject<'_>,
    cwd: &str,
) -> Result<ToolCall, InvalidEvent> {
    schema::check_fields(event_text, tool, &[("name", Kind::Name), ("input", Kind::Object)])?;
    if fields::needs_output(event) {
        schema::check_fields(event_text, tool, &[("output", Kind::Any)])?;
    }
    let name = tool.get_string("name").unwrap_or_default();
    let input = tool.get("input").map_or_else(Json::empty_object, Json::from_raw);
    let described = tools::describe_call("native", &name, &input, cwd);
    let class = match schema::optional_text(event_text, tool, "class")? {
        Some(class) => ToolClass::named(&class).ok_or_else(|| {
            let known = ToolClass::ALL.map(ToolClass::as_str).join(", ");
            InvalidEvent::for_field(event_text, "class", format!("{class:?} is not one of {known}"))
        })?,
        None => described.class,
    };
    let paths = match (tool.get_present("paths"), described.truncated) {
        (Some(_), _) => read_paths(event_text, tool, cwd)?,
        (None, false) => described.paths,
        // A guard that saw a part of the files would permit the rest.
        (None, true) => return Err(too_many_paths(event_text, "input")),
    };
    let command = schema::optional_text(event_text, tool, "command")?.or(described.command);
    let output = tool.get("output").map(Json::from_raw);
    Ok(ToolCall { name, class, command, paths, input, output })
}

fn read_paths(event: &str, tool: &RawObject<'_>, cwd: &str) -> Result<Vec<String>, InvalidEvent> {
    let text = tool.get("paths").map_or("[]", |paths| paths.get());
    let paths: Vec<String> = serde_json::from_str(text)
        .map_err(|_| InvalidEvent::for_field(event, "paths", "it must be an array of strings"))?;
    if paths.len() > tools::MAX_PATHS {
        return Err(too_many_paths(event, "paths"));
    }
    // Guards compare absolute paths; `..` in a path of the sender would lead around them.
    Ok(paths.iter().map(|path| paths::make_absolute(path, cwd)).collect())
}

fn too_many_paths(event: &str, field: &str) -> InvalidEvent {
    let problem = format!("it names more than {} files; name fewer", tools::MAX_PATHS);
    InvalidEvent::for_field(event, field, problem)
}

fn read_time(event: &str, members: &RawObject<'_>) -> Result<Option<u64>, InvalidEvent> {
    let problem = "it must be a number of milliseconds since the Unix epoch";
    members
        .get_present("time")
        .map(|time| time.parse().map_err(|_| InvalidEvent::for_field(event, "time", problem)))
        .transpose()
}

fn known_keys(
    event: &str,
    inside: &str,
    members: &RawObject<'_>,
    known: &[&str],
) -> Result<(), InvalidEvent> {
    let unknown = members.iter().find_map(|(key, _)| Some((key, unknown_key(key, known)?)));
    let Some((key, advice)) = unknown else {
        return Ok(());
    };
    let problem = format!("it is not known here; {advice}");
    Err(InvalidEvent::for_field(event, &format!("{inside}{key}"), problem))
}

/// Adds the name of the enclosing object to the field of an error.
fn prefix_field<T>(object: &str, result: Result<T, InvalidEvent>) -> Result<T, InvalidEvent> {
    result.map_err(|error| InvalidEvent {
        field: error.field.map(|field| format!("{object}.{field}")),
        ..error
    })
}
