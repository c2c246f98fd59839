//! The events of run-claude.

use hookbox_model::EventName;

use crate::schema::{
    Field,
    Kind::{Any, List, Name, Object, Text},
};

/// The agent's name in hookbox.
pub(super) const AGENT: &str = "run-claude";

/// One event.
#[derive(Debug)]
pub(super) struct RunClaudeEvent {
    pub(super) name: &'static str,
    pub(super) canonical: EventName,
    /// Members that must be there.
    pub(super) required: &'static [Field],
    /// The member that takes the rewritten part, and what it must be. A request has none of its own.
    pub(super) rewrite: Option<Field>,
}

/// The event of this name.
pub(super) fn row(name: &str) -> Option<&'static RunClaudeEvent> {
    EVENTS.iter().find(|row| row.name == name)
}

/// Members that must be of their kind where they are there and not `null`.
pub(super) const OPTIONAL: [Field; 4] =
    [("messages", List), ("tools", List), ("response", Object), ("metadata", Object)];

const MODEL: &[Field] = &[("model", Text)];
const TOOL: &[Field] = &[("model", Text), ("tool_name", Name), ("tool_args", Object)];
const TOOL_DONE: &[Field] =
    &[("model", Text), ("tool_name", Name), ("tool_args", Object), ("tool_result", Any)];

const fn row_of(
    name: &'static str,
    canonical: EventName,
    required: &'static [Field],
    rewrite: Option<Field>,
) -> RunClaudeEvent {
    RunClaudeEvent { name, canonical, required, rewrite }
}

#[rustfmt::skip]
pub(super) static EVENTS: [RunClaudeEvent; 4] = [
    row_of("pre_request", EventName::ModelRequest, MODEL, None),
    row_of("post_response", EventName::ModelResponse, MODEL, Some(("response", Object))),
    row_of("pre_tool_call", EventName::ToolBefore, TOOL, Some(("tool_args", Object))),
    row_of("post_tool_call", EventName::ToolAfter, TOOL_DONE, Some(("tool_result", Any))),
];
