//! Members of each cocode event, and the answers that it supports (docs/reference/agents/cocode.md).

use hookbox_model::{EventName as E, RawObject};

use crate::{
    schema::{
        Field,
        Kind::{Any, List, Name, Object, Text},
    },
    table::{self, EventRow, Support, event},
};

/// Mechanism that blocks an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CocodeControl {
    /// Cannot be blocked: the event is a notification.
    Nothing,
    Reject,
}

/// One event. The rewritten part is `new_input` of a `ModifyInput`.
pub(super) type CocodeEvent = EventRow<Support<CocodeControl>>;

pub(super) fn find_row(name: &str) -> Option<&'static CocodeEvent> {
    table::find_row(&EVENTS, name)
}

/// Returns an empty message: a notification of cocode has no text, and hookbox's event requires one.
fn fill_message(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    let missing = members.get_string("message").is_none();
    missing.then(|| ("message", "\"\"".to_owned())).into_iter().collect()
}

use CocodeControl::{Nothing, Reject};

/// Members with a different name in cocode, in any event.
pub(super) const RENAMED: &[(&str, &str)] = &[("user_prompt", "prompt")];
const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_output", Any)];
const TOOL_FAILED: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("error", Text)];

// Events after a tool and after a message are notifications; cocode ignores their answers.
#[rustfmt::skip]
pub(super) static EVENTS: [CocodeEvent; 13] = [
    event("PreToolUse", E::ToolBefore, Reject, TOOL).rewrite("new_input", Object).rename_members(RENAMED),
    event("PostToolUse", E::ToolAfter, Nothing, TOOL_DONE).rename_members(RENAMED),
    event("PostToolUseFailure", E::ToolError, Nothing, TOOL_FAILED).rename_members(RENAMED),
    event("PrePromptSubmit", E::PromptSubmit, Reject, &[("user_prompt", Text)]).rewrite("new_input", Text).rename_members(RENAMED),
    event("PostUserMessage", E::SessionMessage, Nothing, &[]).rename_members(RENAMED),
    event("SessionStart", E::SessionStart, Nothing, &[]).rename_members(RENAMED),
    event("SessionEnd", E::SessionEnd, Nothing, &[]).rename_members(RENAMED),
    event("SubagentStart", E::SubagentStart, Nothing, &[]).rename_members(RENAMED),
    event("SubagentStop", E::SubagentStop, Reject, &[]).rename_members(RENAMED),
    event("PreCompact", E::CompactBefore, Reject, &[]).rename_members(RENAMED),
    event("NotificationEvent", E::Notification, Nothing, &[]).rename_members(RENAMED).make_members(fill_message),
    // Displayed text: there is nothing to reject, but the text may be replaced.
    event("StatusLine", E::UiStatusLine, Nothing, &[]).rewrite("new_input", Text).rename_members(RENAMED),
    event("FileSuggestion", E::UiFileSuggestion, Nothing, &[]).rewrite("new_input", List).rename_members(RENAMED),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_do_no_more_than_the_canonical_event_can() {
        for row in &EVENTS {
            let moment = row.canonical.traits();
            assert!(moment.block || row.answer.control == Nothing, "{}", row.name);
            assert!(moment.rewrite.is_some() || row.answer.rewrite.is_none(), "{}", row.name);
        }
    }
}
