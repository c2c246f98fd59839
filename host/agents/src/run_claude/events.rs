//! The events of run-claude.

use hookbox_model::EventName;

use crate::{
    schema::{
        Field,
        Kind::{Any, List, Name, Object, Text},
    },
    table::{self, EventRow, row},
};

/// The agent's name in hookbox.
pub(super) const AGENT: &str = "run-claude";

/// One event, with the member that takes the rewritten part and the kind of that member. A request has no such member.
pub(super) type RunClaudeEvent = EventRow<Option<Field>>;

pub(super) fn find_row(name: &str) -> Option<&'static RunClaudeEvent> {
    table::find_row(&EVENTS, name)
}

/// Members that must be of their kind if they are present and not `null`.
pub(super) const OPTIONAL: [Field; 4] =
    [("messages", List), ("tools", List), ("response", Object), ("metadata", Object)];

const MODEL: &[Field] = &[("model", Text)];
const TOOL: &[Field] = &[("model", Text), ("tool_name", Name), ("tool_args", Object)];
const TOOL_DONE: &[Field] =
    &[("model", Text), ("tool_name", Name), ("tool_args", Object), ("tool_result", Any)];

#[rustfmt::skip]
pub(super) static EVENTS: [RunClaudeEvent; 4] = [
    // A request has three members of the context, so it has no single one for a rewrite.
    row("pre_request", EventName::ModelRequest, None).required(MODEL),
    row("post_response", EventName::ModelResponse, Some(("response", Object))).required(MODEL),
    row("pre_tool_call", EventName::ToolBefore, Some(("tool_args", Object))).required(TOOL),
    row("post_tool_call", EventName::ToolAfter, Some(("tool_result", Any))).required(TOOL_DONE),
];
