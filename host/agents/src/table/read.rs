//! Reads an agent's JSON as an event: one engine for all agents, with the field names and rows of each.

use hookbox_model::{Event, EventName, Json, RawObject, ToolCall};
use serde_json::value::RawValue;

use super::{
    Words,
    row::{EventRow, Reading},
    tool::{ToolRead, choose_spelling},
    unknown,
};
use crate::{
    InvalidEvent, ReadContext,
    schema::{self, Kind},
    tool_call::ReceivedTool,
};

/// An identified event that has its required members.
pub(crate) struct IdentifiedEvent<'a> {
    words: &'a Words,
    source: &'a Json,
    /// The agent's name for it.
    pub(crate) event: String,
    pub(crate) name: EventName,
    /// True if the agent's table has the event.
    known: bool,
    reading: Reading,
    pub(crate) top: RawObject<'a>,
    /// The event's own members if they are nested.
    inner: Option<RawObject<'a>>,
}

/// Finds the event that `source` is among these.
pub(crate) fn find_event<'a, S>(
    words: &'a Words,
    rows: &'static [EventRow<S>],
    source: &'a Json,
) -> Result<IdentifiedEvent<'a>, InvalidEvent> {
    let top = RawObject::parse(source.as_str())?;
    let event = read_name(words, &top)?;
    let (row, inner) = row_and_members(rows, &event, &top)?;
    let (name, reading) = match row {
        Some(row) => (row.canonical.clone(), row.reading),
        // An agent that is newer than hookbox keeps working with its new events.
        None => (
            schema::parse_unknown_event(words.event, &event, words.noun)?,
            unknown::build_reading(words, rows, &top),
        ),
    };
    schema::check_fields(&event, inner.as_ref().unwrap_or(&top), reading.required)?;
    Ok(IdentifiedEvent { words, source, event, name, known: row.is_some(), reading, top, inner })
}

impl IdentifiedEvent<'_> {
    pub(crate) fn build_event(
        self,
        agent: &'static str,
        arrival: &ReadContext,
    ) -> Result<Event, InvalidEvent> {
        let Self { words, reading, event, name, known, top, inner, .. } = &self;
        let own = inner.as_ref().unwrap_or(top);
        let call = reading.tool.read_call(event, own)?;
        let cwd = read_directory(words, event, own, top, &arrival.cwd)?;
        let session = choose_spelling(top, words.session);
        let output = call.as_ref().and_then(|call| self.find_output(call, own));
        let moved = self.list_moved(session, call.as_ref(), output.as_ref());
        // No guard listens to a `custom:` event, so an unknown event with a call is judged as one that is
        // about to run.
        let name = if *known || call.is_none() { name } else { &EventName::ToolBefore };
        Ok(Event {
            id: arrival.id.clone(),
            agent: agent.into(),
            session: schema::optional_text(event, top, session)?.unwrap_or_default(),
            time: words.time.read_timestamp(top).unwrap_or(arrival.time),
            payload: self.collect_payload(&moved),
            tool: build_tool(agent, event, &cwd, call, output.map(|(_, output)| output))?,
            name: name.clone(),
            cwd,
            source: self.source.clone(),
            agent_event: event.clone(),
        })
    }

    /// Returns the members that have a place of their own in an event.
    fn list_moved(
        &self,
        session: &'static str,
        call: Option<&ToolRead>,
        output: Option<&(Option<&'static str>, Json)>,
    ) -> Vec<&'static str> {
        let mut moved = vec![self.words.event, session, self.words.folder];
        moved.extend(self.reading.dropped);
        moved.extend(self.reading.within);
        moved.extend(self.reading.gathered.into_iter().flat_map(|(_, of)| of));
        moved.extend(call.into_iter().flat_map(|call| &call.members));
        moved.extend(output.and_then(|(key, _)| *key));
        moved
    }

    /// Returns the tool's result, and the member that holds it. After a call there is always a result, if only `null`.
    fn find_output(&self, call: &ToolRead, own: &RawObject<'_>) -> Option<(Option<&'static str>, Json)> {
        let after = self.name == EventName::ToolAfter;
        let read_member =
            |key: &&'static str| Some((Some(*key), Json::from_raw(self.filter_present(own.get(key)?)?)));
        let output = self.words.outputs.iter().find_map(read_member).filter(|_| after || call.offered);
        output.or_else(|| Some((None, Json::parse("null").ok()?)).filter(|_| after))
    }

    /// Returns a value unless it is ignored.
    fn filter_present<'v>(&self, value: &'v RawValue) -> Option<&'v RawValue> {
        Some(value).filter(|value| self.words.nulls || value.get() != "null")
    }

    /// Returns the members without a place of their own, the event's first. Of two with one name the first counts; the other
    /// stays in the source.
    fn collect_payload(&self, moved: &[&str]) -> Json {
        let Self { reading, top, inner, .. } = self;
        let own = inner.as_ref().unwrap_or(top);
        let renamed = reading.renamed;
        let made = reading.made.map(|made| made(own)).unwrap_or_default();
        let shadowed = |key: &str| {
            renamed.iter().any(|(theirs, ours)| *ours == key && own.get(theirs).is_some())
                || made.iter().any(|(ours, _)| *ours == key)
        };
        let gathered = reading.gathered.map(|(name, of)| (name, gather_members(own, of)));
        let flat = reading.flattened.and_then(|key| flatten_text(own, key));
        let mut payload: Vec<(&str, &str)> = Vec::new();
        payload.extend(gathered.iter().chain(&flat).map(|(name, value)| (*name, value.as_str())));
        let members = inner.iter().flat_map(RawObject::iter).chain(top.iter());
        for (key, value) in
            members.filter(|(_, value)| !reading.made_only && self.filter_present(value).is_some())
        {
            let ours = renamed.iter().find(|(theirs, _)| *theirs == key).map(|(_, ours)| *ours);
            let name = ours.unwrap_or(key);
            // Two members of one name would let a hook and the agent read different values.
            let taken = payload.iter().any(|(taken, _)| *taken == name);
            if !moved.contains(&key) && !taken && (ours.is_some() || !shadowed(key)) {
                payload.push((name, value.get()));
            }
        }
        payload.extend(reading.filled.filter(|(key, _)| !payload.iter().any(|(taken, _)| taken == key)));
        payload.extend(made.iter().map(|(key, value)| (*key, value.as_str())));
        Json::from_members(payload)
    }
}

fn read_name(words: &Words, top: &RawObject<'_>) -> Result<String, InvalidEvent> {
    let field = words.event;
    if let (None, Some(name)) = (top.get(field), (words.infer)(top)) {
        return Ok(name.to_owned());
    }
    schema::check_fields("", top, &[(field, Kind::Name)])?;
    Ok(top.get_string(field).unwrap_or_default())
}

/// The row of an event, if it has one, and its members if they are nested.
type RowAndMembers<'a, S> = (Option<&'static EventRow<S>>, Option<RawObject<'a>>);

/// Returns the row of this event, and the event's own members if they are nested.
fn row_and_members<'a, S>(
    rows: &'static [EventRow<S>],
    event: &str,
    top: &RawObject<'a>,
) -> Result<RowAndMembers<'a, S>, InvalidEvent> {
    for row in rows.iter().filter(|row| row.is_called(event)) {
        let inner = match row.reading.within {
            Some(within) => Some(read_nested(event, top, within)?),
            None => None,
        };
        if row.applies_to(inner.as_ref().unwrap_or(top)) {
            return Ok((Some(row), inner));
        }
    }
    Ok((None, None))
}

/// Returns the members of a member; none if it is missing or `null`.
pub(crate) fn read_nested<'a>(
    event: &str,
    top: &RawObject<'a>,
    within: &'static str,
) -> Result<RawObject<'a>, InvalidEvent> {
    match top.get(within).filter(|value| value.get() != "null") {
        None => Ok(RawObject::default()),
        Some(value) => {
            schema::check_fields(event, top, &[(within, Kind::Object)])?;
            Ok(RawObject::parse(value.get())?)
        }
    }
}

/// Returns the folders of the workspace, in the agent's order; none if the agent names none.
pub(super) fn read_roots(words: &Words, top: &RawObject<'_>) -> Vec<String> {
    let roots = top.get(words.roots).and_then(|roots| serde_json::from_str(roots.get()).ok());
    roots.unwrap_or_default()
}

/// Returns the event's own working directory, the one next to the nested members, the workspace's first folder, or `otherwise`.
fn read_directory(
    words: &Words,
    event: &str,
    own: &RawObject<'_>,
    top: &RawObject<'_>,
    otherwise: &str,
) -> Result<String, InvalidEvent> {
    // Some agents report the folders of their workspace and not their working directory.
    let root = read_roots(words, top).into_iter().next().filter(|root| root.starts_with('/'));
    let beside = schema::read_directory(event, top, words.folder, root.as_deref().unwrap_or(otherwise))?;
    schema::read_directory(event, own, words.folder, &beside)
}

fn build_tool(
    agent: &'static str,
    event: &str,
    cwd: &str,
    call: Option<ToolRead>,
    output: Option<Json>,
) -> Result<Option<ToolCall>, InvalidEvent> {
    let Some(ToolRead { name, input, field, .. }) = call else { return Ok(None) };
    ReceivedTool { agent, event, cwd, name, field, input, output }.described().map(Some)
}

/// Collects those of these members that are present.
fn gather_members(own: &RawObject<'_>, keys: &[&'static str]) -> Json {
    Json::from_members(keys.iter().filter_map(|key| Some((*key, own.get(key)?.get()))))
}

/// Returns the member with this name, if it is a list of blocks: their texts, separated by line breaks.
fn flatten_text(members: &RawObject<'_>, key: &'static str) -> Option<(&'static str, Json)> {
    let blocks: Vec<&RawValue> = serde_json::from_str(members.get(key)?.get()).ok()?;
    let text_of = |block: &&RawValue| RawObject::parse(block.get()).ok()?.get_string("text");
    let texts: Vec<String> = blocks.iter().filter_map(text_of).collect();
    Some((key, Json::from_value(&texts.join("\n").into())))
}
