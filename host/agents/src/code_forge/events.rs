//! Members of each Code-Forge event in its `data`.

use hookbox_model::EventName;

use crate::{
    schema::{
        Field,
        Kind::{Any, Name, Object, Text},
    },
    table::{self, EventRow, row},
};

/// The agent's name in hookbox.
pub(super) const AGENT: &str = "code-forge";

pub(super) type ForgeEvent = EventRow<ForgeData>;

#[derive(Clone, Copy, Debug)]
pub(super) struct ForgeData {
    /// Required members.
    pub(super) required: &'static [Field],
    /// Name in the payload.
    pub(super) place: FieldPlace,
}

/// Place of an event's `data` in the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldPlace {
    /// Each member becomes a member of the payload.
    Flat,
    /// Flat, with another name for one member: Code-Forge's name, hookbox's name.
    Renamed(&'static str, &'static str),
    /// The whole `data` is this member of the payload, because it is the subject of the canonical event.
    Whole(&'static str),
}

pub(super) fn find_row(name: &str) -> Option<&'static ForgeEvent> {
    table::find_row(&EVENTS, name)
}

pub(super) fn name_of(event: &EventName) -> Option<&'static str> {
    EVENTS.iter().find(|row| row.canonical == *event).map(|row| row.name)
}

/// Returns true if the name begins like the names of Code-Forge's events.
pub(super) fn of_a_family(name: &str) -> bool {
    let family = name.split_once(':').map(|(family, _)| family);
    family.is_some_and(|family| ["tool", "llm", "session", "permission", "user"].contains(&family))
}

/// Data without required members.
pub(super) const PLAIN: ForgeData = ForgeData { required: &[], place: Flat };

/// Creates an event about a tool, which it must name.
const fn tool_event(name: &'static str, canonical: EventName, required: &'static [Field]) -> ForgeEvent {
    row(name, canonical, ForgeData { required, ..PLAIN }).required(&[("tool_name", Name)])
}

const fn whole_member(member: &'static str) -> ForgeData {
    ForgeData { place: Whole(member), ..PLAIN }
}

use EventName as E;
use FieldPlace::{Flat, Renamed, Whole};

const ARGS: &[Field] = &[("tool_args", Object)];
const RESULT: &[Field] = &[("tool_args", Object), ("tool_result", Any)];
const ERROR: &[Field] = &[("tool_args", Object), ("error", Any)];
const PROMPT: ForgeData =
    ForgeData { required: &[("user_input", Text)], place: Renamed("user_input", "prompt") };

#[rustfmt::skip]
pub(super) static EVENTS: [ForgeEvent; 16] = [
    tool_event("tool:pre_execute", E::ToolBefore, ARGS),
    tool_event("tool:post_execute", E::ToolAfter, RESULT),
    tool_event("tool:error", E::ToolError, ERROR),
    row("llm:pre_request", E::ModelRequest, whole_member("request")),
    row("llm:post_response", E::ModelResponse, whole_member("response")),
    row("llm:stream_start", E::ModelStreamStart, PLAIN),
    row("llm:stream_end", E::ModelStreamEnd, PLAIN),
    row("session:start", E::SessionStart, PLAIN),
    row("session:end", E::SessionEnd, PLAIN),
    row("session:message", E::SessionMessage, PLAIN),
    // Code-Forge names the tool of a permission without its arguments.
    tool_event("permission:check", E::PermissionCheck, &[]),
    tool_event("permission:prompt", E::PermissionRequest, &[]),
    tool_event("permission:granted", E::PermissionGranted, &[]),
    tool_event("permission:denied", E::PermissionDenied, &[]),
    row("user:prompt_submit", E::PromptSubmit, PROMPT),
    row("user:interrupt", E::PromptInterrupt, PLAIN),
];
