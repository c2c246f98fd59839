//! An agent's JSON as an event.

use std::time::UNIX_EPOCH;

use hookbox_model::{Event, EventName, Json, RawObject, ToolCall};

use super::{
    TableDialect, Words, flat,
    row::TableEvent,
    tool::{Tool, ToolRead, spelt},
};
use crate::{
    Arrival, InvalidEvent,
    schema::{self, Kind},
    tool_call::SaidTool,
};

const TIME: &str = "timestamp";

pub(super) fn event(table: &TableDialect, source: &Json, arrival: &Arrival) -> Result<Event, InvalidEvent> {
    let top = RawObject::parse(source.as_str())?;
    let event = named(table, &top)?;
    let (row, inner) = row_and_members(table, &event, &top)?;
    let name = match row {
        Some(row) => row.canonical.clone(),
        None => schema::unknown(table.words.event, &event)?,
    };
    let own = inner.as_ref().unwrap_or(&top);
    schema::check(&event, own, row.map_or(&[], |row| row.required))?;
    let flat = row.and_then(|row| row.flattened).and_then(|key| flat::text(own, key));
    let call = row.map_or(Tool::None, |row| row.tool).read(&event, own)?;
    let cwd = directory(&table.words, &event, own, &top, &arrival.cwd)?;
    let session = spelt(&top, table.words.session);
    let output = output(&table.words, &name, own);
    let moved = moved(table, row, session, call.as_ref(), output.as_ref());
    Ok(Event {
        id: arrival.id.clone(),
        agent: table.name.into(),
        session: schema::optional_text(&event, &top, session)?.unwrap_or_default(),
        time: time(&top).unwrap_or(arrival.time),
        payload: payload(row, inner.as_ref(), &top, &moved, flat.as_ref()),
        tool: tool(table.name, &event, &cwd, call, output.map(|(_, output)| output))?,
        name,
        cwd,
        source: source.clone(),
        agent_event: event,
    })
}

/// The members that have a place of their own in an event.
fn moved(
    table: &TableDialect,
    row: Option<&'static TableEvent>,
    session: &'static str,
    call: Option<&ToolRead>,
    output: Option<&(Option<&'static str>, Json)>,
) -> Vec<&'static str> {
    let mut moved = vec![table.words.event, session, table.words.folder];
    moved.extend(row.and_then(|row| row.within));
    moved.extend(row.and_then(|row| row.gathered).into_iter().flat_map(|(_, of)| of));
    moved.extend(call.into_iter().flat_map(|call| &call.members));
    moved.extend(output.and_then(|(key, _)| *key));
    moved
}

/// The agent's name for the event.
fn named(table: &TableDialect, top: &RawObject<'_>) -> Result<String, InvalidEvent> {
    let field = table.words.event;
    if let (None, Some(name)) = (top.get(field), (table.infer)(top)) {
        return Ok(name.to_owned());
    }
    schema::check("", top, &[(field, Kind::Name)])?;
    Ok(top.string(field).unwrap_or_default())
}

/// The row of this event, and the event's own members if they are apart.
fn row_and_members<'a>(
    table: &TableDialect,
    event: &str,
    top: &RawObject<'a>,
) -> Result<(Option<&'static TableEvent>, Option<RawObject<'a>>), InvalidEvent> {
    for row in table.rows.iter().filter(|row| row.is_called(event)) {
        let inner = match row.within {
            Some(within) => Some(inside(event, top, within)?),
            None => None,
        };
        if row.applies(inner.as_ref().unwrap_or(top)) {
            return Ok((Some(row), inner));
        }
    }
    Ok((None, None))
}

/// The members of a member; none if it is missing or `null`.
fn inside<'a>(event: &str, top: &RawObject<'a>, within: &'static str) -> Result<RawObject<'a>, InvalidEvent> {
    match top.get(within).filter(|value| value.get() != "null") {
        None => Ok(RawObject::default()),
        Some(value) => {
            schema::check(event, top, &[(within, Kind::Object)])?;
            Ok(RawObject::parse(value.get())?)
        }
    }
}

/// The event's own working directory, that beside it, the workspace's first folder, or `otherwise`.
fn directory(
    words: &Words,
    event: &str,
    own: &RawObject<'_>,
    top: &RawObject<'_>,
    otherwise: &str,
) -> Result<String, InvalidEvent> {
    let roots = top.get(words.roots).and_then(|roots| serde_json::from_str::<Vec<String>>(roots.get()).ok());
    let root = roots.into_iter().flatten().next().filter(|root| root.starts_with('/'));
    let beside = schema::directory(event, top, words.folder, root.as_deref().unwrap_or(otherwise))?;
    schema::directory(event, own, words.folder, &beside)
}

/// What the tool returned, and the member that says it. After a call there is a result, if only `null`.
fn output(words: &Words, name: &EventName, own: &RawObject<'_>) -> Option<(Option<&'static str>, Json)> {
    if *name != EventName::ToolAfter {
        return None;
    }
    let said = words.outputs.iter().find_map(|key| Some((*key, own.get(key)?)));
    match said {
        Some((key, value)) => Some((Some(key), Json::from_raw(value))),
        None => Json::parse("null").ok().map(|null| (None, null)),
    }
}

fn tool(
    agent: &'static str,
    event: &str,
    cwd: &str,
    call: Option<ToolRead>,
    output: Option<Json>,
) -> Result<Option<ToolCall>, InvalidEvent> {
    let Some(ToolRead { name, input, field, .. }) = call else { return Ok(None) };
    SaidTool { agent, event, cwd, name, field, input, output }.described().map(Some)
}

/// The members without a place of their own, the event's first. Of two with one name the first counts; the other stays
/// in the source.
fn payload(
    row: Option<&TableEvent>,
    inner: Option<&RawObject<'_>>,
    top: &RawObject<'_>,
    moved: &[&str],
    flat: Option<&(&'static str, Json)>,
) -> Json {
    let renamed = row.map_or::<&[_], _>(&[], |row| row.renamed);
    let own = inner.unwrap_or(top);
    let shadowed = |key: &str| renamed.iter().any(|(theirs, ours)| *ours == key && own.get(theirs).is_some());
    let gathered = row.and_then(|row| row.gathered).map(|(name, of)| (name, gathered(own, of)));
    let mut payload: Vec<(&str, &str)> = Vec::new();
    let made = gathered.iter().chain(flat);
    payload.extend(made.map(|(name, value)| (*name, value.as_str())));
    for (key, value) in inner.into_iter().flat_map(RawObject::iter).chain(top.iter()) {
        let ours = renamed.iter().find(|(theirs, _)| *theirs == key).map(|(_, ours)| *ours);
        let name = ours.unwrap_or(key);
        let taken = payload.iter().any(|(taken, _)| *taken == name);
        if !moved.contains(&key) && !taken && (ours.is_some() || !shadowed(key)) {
            payload.push((name, value.get()));
        }
    }
    let filled = row.and_then(|row| row.filled);
    payload.extend(filled.filter(|(key, _)| !payload.iter().any(|(taken, _)| taken == key)));
    Json::object(payload)
}

/// Those of these members that are there.
fn gathered(own: &RawObject<'_>, keys: &[&'static str]) -> Json {
    Json::object(keys.iter().filter_map(|key| Some((*key, own.get(key)?.get()))))
}

/// The agent's `timestamp`, if it can be read: milliseconds since the Unix epoch, as a number or as text, or a date. It
/// stays in the payload too.
fn time(top: &RawObject<'_>) -> Option<u64> {
    let Some(text) = top.string(TIME) else { return top.get(TIME)?.get().parse().ok() };
    let date = || humantime::parse_rfc3339(&text).ok()?.duration_since(UNIX_EPOCH).ok();
    text.parse().ok().or_else(|| u64::try_from(date()?.as_millis()).ok())
}
