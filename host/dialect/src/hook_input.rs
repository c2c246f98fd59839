//! Reading the JSON that Claude Code hands to a hook, and that other agents copied: a flat object that names the
//! event, the session, the working directory and the tool.

use hookbox_model::{Event, EventName, Json, RawObject, ToolCall};

use super::{
    Arrival, InvalidEvent,
    schema::{self, Field, Kind},
    tool_call::SaidTool,
};

/// Members that have a place of their own in an [`Event`], with those of [`Words`]; all others are its payload.
const HEADER: [&str; 2] = ["session_id", "cwd"];
const TOOL: [&str; 2] = ["tool_name", "tool_input"];

/// What agents do not agree on.
#[derive(Debug)]
pub(super) struct Words {
    /// The member with the event's name.
    pub(super) event: &'static str,
    /// The member with the tool's result.
    pub(super) output: &'static str,
}

/// Claude Code's words.
pub(super) const USUAL: Words = Words { event: "hook_event_name", output: "tool_response" };

/// One input on its way to an event.
pub(super) struct HookInput<'a> {
    pub(super) agent: &'static str,
    pub(super) words: &'static Words,
    pub(super) source: &'a Json,
    pub(super) members: &'a RawObject<'a>,
    /// The agent's name for the event.
    pub(super) event: String,
}

/// How a payload differs from the caller's members.
#[derive(Clone, Copy, Default)]
pub(super) struct Moves<'a> {
    /// Members with another name here: theirs, ours.
    pub(super) renamed: &'a [(&'a str, &'a str)],
    /// Members that went elsewhere.
    pub(super) dropped: &'a [&'a str],
    /// Further members, as JSON text.
    pub(super) added: &'a [(&'a str, String)],
}

impl Words {
    /// The agent's name for the event, its canonical name, and its row if the agent's table has one. `look` finds the row with the
    /// canonical name and the members that must be there; it is an error if one of these is not.
    pub(super) fn known<R>(
        &self,
        members: &RawObject<'_>,
        look: impl FnOnce(&str) -> Option<(&'static R, &'static EventName, &'static [Field])>,
    ) -> Result<(String, EventName, Option<&'static R>), InvalidEvent> {
        schema::check("", members, &[(self.event, Kind::Name)])?;
        let event = members.string(self.event).unwrap_or_default();
        let (row, name, required) = match look(&event) {
            Some((row, name, required)) => (Some(row), name.clone(), required),
            None => (None, schema::unknown(self.event, &event)?, &[] as &[Field]),
        };
        schema::check(&event, members, required)?;
        Ok((event, name, row))
    }
}

impl HookInput<'_> {
    /// The event of this name with this payload.
    pub(super) fn into_event(
        self,
        name: EventName,
        payload: Json,
        arrival: &Arrival,
    ) -> Result<Event, InvalidEvent> {
        let cwd = schema::cwd(&self.event, self.members, &arrival.cwd)?;
        Ok(Event {
            id: arrival.id.clone(),
            name,
            agent: self.agent.into(),
            session: schema::optional_text(&self.event, self.members, "session_id")?.unwrap_or_default(),
            tool: self.tool(&cwd)?,
            cwd,
            time: arrival.time,
            payload,
            source: self.source.clone(),
            agent_event: self.event,
        })
    }

    /// All members without a place of their own. A member of the caller that has the name of one that was renamed or
    /// added would make the name ambiguous; it stays in the source only.
    pub(super) fn payload(&self, moves: Moves<'_>) -> Json {
        let Moves { renamed, dropped, added } = moves;
        let has_tool = self.has_tool();
        let elsewhere = |key: &str| {
            HEADER.contains(&key)
                || key == self.words.event
                || has_tool && (TOOL.contains(&key) || key == self.words.output)
                || added.iter().any(|(ours, _)| *ours == key)
                || renamed.iter().any(|(theirs, ours)| *ours == key && self.members.get(theirs).is_some())
        };
        let mut payload: Vec<(&str, &str)> = Vec::new();
        for (key, value) in self.members.iter() {
            match renamed.iter().find(|(theirs, _)| *theirs == key) {
                _ if dropped.contains(&key) => {}
                Some((_, ours)) => payload.push((ours, value.get())),
                None if elsewhere(key) => {}
                None => payload.push((key, value.get())),
            }
        }
        payload.extend(added.iter().map(|(key, value)| (*key, value.as_str())));
        Json::object(payload)
    }

    fn has_tool(&self) -> bool {
        let is = |key, kind: Kind| self.members.get(key).is_some_and(|v| kind.admits(v.get()));
        is("tool_name", Kind::Name) && is("tool_input", Kind::Object)
    }

    fn tool(&self, cwd: &str) -> Result<Option<ToolCall>, InvalidEvent> {
        let (true, Some(name), Some(input)) =
            (self.has_tool(), self.members.string("tool_name"), self.members.get("tool_input"))
        else {
            return Ok(None);
        };
        let said = SaidTool {
            agent: self.agent,
            event: &self.event,
            cwd,
            name,
            field: "tool_input",
            input: Json::from_raw(input),
            output: self.members.get(self.words.output).map(Json::from_raw),
        };
        said.described().map(Some)
    }
}
