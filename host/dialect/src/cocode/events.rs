//! What each event of cocode carries, and what its answer can do (docs/contracts/cocode.md).

use hookbox_model::EventName;

use crate::schema::{
    Field,
    Kind::{self, Any, List, Name, Object, Text},
};

/// One event.
#[derive(Debug)]
pub(super) struct CocodeEvent {
    pub(super) name: &'static str,
    pub(super) canonical: EventName,
    /// Does a `Reject` keep it from happening?
    pub(super) rejects: bool,
    /// What a `ModifyInput` must hold, if one is read.
    pub(super) rewrite: Option<Kind>,
    /// Members that must be there.
    pub(super) required: &'static [Field],
}

/// The event of this name.
pub(super) fn row(name: &str) -> Option<&'static CocodeEvent> {
    EVENTS.iter().find(|row| row.name == name)
}

const fn row_of(
    name: &'static str,
    canonical: EventName,
    rejects: bool,
    rewrite: Option<Kind>,
    required: &'static [Field],
) -> CocodeEvent {
    CocodeEvent { name, canonical, rejects, rewrite, required }
}

use EventName as E;

const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_output", Any)];
const TOOL_FAILED: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("error", Text)];

// After a tool and after a message the agent only tells; it does not look at the answer.
#[rustfmt::skip]
pub(super) static EVENTS: [CocodeEvent; 13] = [
    row_of("PreToolUse", E::ToolBefore, true, Some(Object), TOOL),
    row_of("PostToolUse", E::ToolAfter, false, None, TOOL_DONE),
    row_of("PostToolUseFailure", E::ToolError, false, None, TOOL_FAILED),
    row_of("PrePromptSubmit", E::PromptSubmit, true, Some(Text), &[("user_prompt", Text)]),
    row_of("PostUserMessage", E::SessionMessage, false, None, &[]),
    row_of("SessionStart", E::SessionStart, false, None, &[]),
    row_of("SessionEnd", E::SessionEnd, false, None, &[]),
    row_of("SubagentStart", E::SubagentStart, false, None, &[]),
    row_of("SubagentStop", E::SubagentStop, true, None, &[]),
    row_of("PreCompact", E::CompactBefore, true, None, &[]),
    row_of("NotificationEvent", E::Notification, false, None, &[]),
    row_of("StatusLine", E::UiStatusLine, false, Some(Text), &[]),
    row_of("FileSuggestion", E::UiFileSuggestion, false, Some(List), &[]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_do_no_more_than_the_canonical_event_can() {
        for row in &EVENTS {
            let moment = row.canonical.traits();
            assert!(moment.block || !row.rejects, "{}", row.name);
            assert!(moment.rewrite.is_some() || row.rewrite.is_none(), "{}", row.name);
        }
    }
}
