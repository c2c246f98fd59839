//! What each event of Code-Forge carries in its `data`.

use hookbox_model::EventName;

use crate::schema::{
    Field,
    Kind::{Any, Object, Text},
};

/// The agent's name in hookbox.
pub(super) const AGENT: &str = "code-forge";

/// One event.
#[derive(Debug)]
pub(super) struct ForgeEvent {
    pub(super) name: &'static str,
    pub(super) canonical: EventName,
    /// Is it about a tool, so that `tool_name` must be there?
    pub(super) tool: bool,
    /// Members of `data` that must be there.
    pub(super) required: &'static [Field],
    /// How `data` is called in the payload.
    pub(super) place: FieldPlace,
}

/// Where an event's `data` goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldPlace {
    /// Each member is one of the payload's.
    Flat,
    /// The same, and this one has another name there: theirs, ours.
    Renamed(&'static str, &'static str),
    /// All of it is this member of the payload, because that is what the canonical event is about.
    Whole(&'static str),
}

/// The event of this name.
pub(super) fn row(name: &str) -> Option<&'static ForgeEvent> {
    EVENTS.iter().find(|row| row.name == name)
}

/// Code-Forge's name for a canonical event.
pub(super) fn name_of(event: &EventName) -> Option<&'static str> {
    EVENTS.iter().find(|row| row.canonical == *event).map(|row| row.name)
}

/// Does the name begin like those of Code-Forge's events?
pub(super) fn of_a_family(name: &str) -> bool {
    let family = name.split_once(':').map(|(family, _)| family);
    family.is_some_and(|family| ["tool", "llm", "session", "permission", "user"].contains(&family))
}

const fn row_of(name: &'static str, canonical: EventName, required: &'static [Field]) -> ForgeEvent {
    ForgeEvent { name, canonical, tool: false, required, place: FieldPlace::Flat }
}

impl ForgeEvent {
    const fn tool(mut self) -> Self {
        self.tool = true;
        self
    }

    const fn place(mut self, place: FieldPlace) -> Self {
        self.place = place;
        self
    }
}

use EventName as E;
use FieldPlace::{Renamed, Whole};

const ARGS: &[Field] = &[("tool_args", Object)];
const RESULT: &[Field] = &[("tool_args", Object), ("tool_result", Any)];
const ERROR: &[Field] = &[("tool_args", Object), ("error", Any)];

#[rustfmt::skip]
pub(super) static EVENTS: [ForgeEvent; 16] = [
    row_of("tool:pre_execute", E::ToolBefore, ARGS).tool(),
    row_of("tool:post_execute", E::ToolAfter, RESULT).tool(),
    row_of("tool:error", E::ToolError, ERROR).tool(),
    row_of("llm:pre_request", E::ModelRequest, &[]).place(Whole("request")),
    row_of("llm:post_response", E::ModelResponse, &[]).place(Whole("response")),
    row_of("llm:stream_start", E::ModelStreamStart, &[]),
    row_of("llm:stream_end", E::ModelStreamEnd, &[]),
    row_of("session:start", E::SessionStart, &[]),
    row_of("session:end", E::SessionEnd, &[]),
    row_of("session:message", E::SessionMessage, &[]),
    row_of("permission:check", E::PermissionCheck, &[]).tool(),
    row_of("permission:prompt", E::PermissionRequest, &[]).tool(),
    row_of("permission:granted", E::PermissionGranted, &[]).tool(),
    row_of("permission:denied", E::PermissionDenied, &[]).tool(),
    row_of("user:prompt_submit", E::PromptSubmit, &[("user_input", Text)]).place(Renamed("user_input", "prompt")),
    row_of("user:interrupt", E::PromptInterrupt, &[]),
];
