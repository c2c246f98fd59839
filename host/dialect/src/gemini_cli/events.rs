//! What each event of Gemini CLI carries, and what its answer can say.

use hookbox_model::EventName;

use crate::{
    EventSupport,
    schema::{
        Field,
        Kind::{Any, Flag, Name, Object, Text},
    },
};

/// How much of an answer Gemini CLI reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GeminiControl {
    /// `systemMessage` at most.
    Advisory,
    /// Nothing but the nested output.
    Nested,
    /// `decision` (allow, deny) and `continue`.
    Decides,
    /// The same with `decision: "ask"`.
    Asks,
}

/// One event.
#[derive(Debug)]
pub(super) struct GeminiEvent {
    pub(super) name: &'static str,
    pub(super) canonical: EventName,
    pub(super) control: GeminiControl,
    /// Members that must be there.
    pub(super) required: &'static [Field],
    /// Members with another name in the payload: theirs, ours.
    pub(super) renamed: &'static [(&'static str, &'static str)],
    /// Is `additionalContext` read?
    pub(super) context: bool,
    /// The field of the nested output that takes the rewritten part.
    pub(super) rewrite: Option<&'static str>,
    /// Fields of the nested output that hooks may set by `extra`.
    pub(super) extras: &'static [Field],
}

/// The event of this name; `AfterTool` is found once.
pub(super) fn row(name: &str) -> Option<&'static GeminiEvent> {
    EVENTS.iter().find(|row| row.name == name)
}

const fn row_of(
    name: &'static str,
    canonical: EventName,
    control: GeminiControl,
    required: &'static [Field],
) -> GeminiEvent {
    let (renamed, extras): (&[(&str, &str)], &[Field]) = (&[], &[]);
    GeminiEvent { name, canonical, control, required, renamed, context: false, rewrite: None, extras }
}

impl GeminiEvent {
    /// What an answer to it can do.
    pub(super) fn support(&self) -> EventSupport {
        let block = matches!(self.control, Decides | Asks);
        let (ask, rewrite) = (self.control == Asks, self.rewrite.is_some());
        EventSupport { block, ask, rewrite, context: self.context, sure: true }
    }

    const fn context(mut self) -> Self {
        self.context = true;
        self
    }

    const fn renamed(mut self, renamed: &'static [(&'static str, &'static str)]) -> Self {
        self.renamed = renamed;
        self
    }

    const fn rewrite(mut self, field: &'static str) -> Self {
        self.rewrite = Some(field);
        self
    }

    const fn extras(mut self, extras: &'static [Field]) -> Self {
        self.extras = extras;
        self
    }
}

use EventName as E;
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
    row_of("BeforeTool", E::ToolBefore, Asks, TOOL).rewrite("tool_input"),
    row_of("AfterTool", E::ToolAfter, Decides, TOOL_DONE).context().extras(TAIL),
    // The same event after a failure.
    row_of("AfterTool", E::ToolError, Decides, TOOL_DONE).context().extras(TAIL),
    row_of("BeforeAgent", E::PromptSubmit, Decides, &[("prompt", Text)]).context(),
    row_of("AfterAgent", E::AgentStop, Decides, TURN)
        .renamed(&[("prompt_response", "last_assistant_message")]).extras(&[("clearContext", Flag)]),
    row_of("BeforeModel", E::ModelRequest, Decides, &[("llm_request", Object)])
        .renamed(REQUEST).rewrite("llm_request").extras(&[("llm_response", Object)]),
    row_of("AfterModel", E::ModelResponse, Decides, &[("llm_request", Object), ("llm_response", Object)])
        .renamed(RESPONSE).rewrite("llm_response"),
    row_of("BeforeToolSelection", E::ModelSelectTools, Nested, &[("llm_request", Object)])
        .renamed(REQUEST).rewrite("toolConfig"),
    // `source` is startup, resume or clear; llxprt-code's may be compress too.
    row_of("SessionStart", E::SessionStart, Advisory, &[]).context(),
    row_of("SessionEnd", E::SessionEnd, Advisory, &[]),
    row_of("PreCompress", E::CompactBefore, Advisory, &[]),
    row_of("Notification", E::Notification, Advisory, NOTICE),
];
