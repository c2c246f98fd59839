//! Members of each Gemini CLI event, and the answers that it supports.

use hookbox_model::EventName as E;

use super::read;
use crate::{
    EventSupport,
    schema::{
        Field,
        Kind::{Any, Flag, Name, Object, Text},
    },
    table::{self, EventCondition, EventRow, Support, event},
};

/// Parts of an answer that Gemini CLI reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GeminiControl {
    /// `systemMessage` at most.
    Advisory,
    /// Only the nested output.
    Nested,
    /// `decision` (allow, deny) and `continue`.
    Decides,
    /// `Decides`, with `decision: "ask"` in addition.
    Asks,
}

impl GeminiControl {
    /// Returns true if `decision` and `continue` are read.
    pub(super) fn decides(self) -> bool {
        matches!(self, Decides | Asks)
    }
}

pub(super) type GeminiEvent = EventRow<Support<GeminiControl>>;

/// Returns the event of this name; for `AfterTool` the first of its rows.
pub(super) fn find_row(name: &str) -> Option<&'static GeminiEvent> {
    table::find_row(&EVENTS, name)
}

pub(super) fn determine_support(row: &GeminiEvent) -> EventSupport {
    row.determine_support(row.answer.control.decides(), row.answer.control == Asks)
}

use GeminiControl::{Advisory, Asks, Decides, Nested};

const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_response", Object)];
const TURN: &[Field] = &[("prompt", Text), ("prompt_response", Text), ("stop_hook_active", Flag)];
const NOTICE: &[Field] = &[("notification_type", Any), ("message", Name), ("details", Object)];
const REQUEST: &[(&str, &str)] = &[("llm_request", "request")];
const RESPONSE: &[(&str, &str)] = &[("llm_request", "request"), ("llm_response", "response")];
const TAIL: &[Field] = &[("tailToolCallRequest", Object)];

#[rustfmt::skip]
pub(super) static EVENTS: [GeminiEvent; 12] = [
    event("BeforeTool", E::ToolBefore, Asks, TOOL).rewrite("tool_input", Object),
    // The first row that applies counts, so the condition is on the success.
    event("AfterTool", E::ToolAfter, Decides, TOOL_DONE).when(EventCondition::If(read::has_succeeded)).context().extras(TAIL),
    // `AfterTool` after a failure.
    event("AfterTool", E::ToolError, Decides, TOOL_DONE).make_members(read::find_error).context().extras(TAIL),
    event("BeforeAgent", E::PromptSubmit, Decides, &[("prompt", Text)]).context(),
    event("AfterAgent", E::AgentStop, Decides, TURN)
        .rename_members(&[("prompt_response", "last_assistant_message")]).extras(&[("clearContext", Flag)]),
    event("BeforeModel", E::ModelRequest, Decides, &[("llm_request", Object)])
        .rename_members(REQUEST).rewrite("llm_request", Object).extras(&[("llm_response", Object)]),
    event("AfterModel", E::ModelResponse, Decides, &[("llm_request", Object), ("llm_response", Object)])
        .rename_members(RESPONSE).rewrite("llm_response", Object),
    event("BeforeToolSelection", E::ModelSelectTools, Nested, &[("llm_request", Object)])
        .rename_members(REQUEST).make_members(read::tool_config).rewrite("toolConfig", Object),
    // `source` is startup, resume or clear; llxprt-code's may be compress too.
    event("SessionStart", E::SessionStart, Advisory, &[]).context(),
    event("SessionEnd", E::SessionEnd, Advisory, &[]),
    // The event occurs before each request to the model, whether or not anything is shortened.
    event("PreCompress", E::CompactBefore, Advisory, &[]),
    event("Notification", E::Notification, Advisory, NOTICE),
];
