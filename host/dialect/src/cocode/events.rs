//! Members of each cocode event, and the answers that it supports (docs/contracts/cocode.md).

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
    /// `Reject`.
    Reject,
}

/// One event. The rewritten part is `new_input` of a `ModifyInput`.
pub(super) type CocodeEvent = EventRow<Support<CocodeControl>>;

/// Returns the event of this name.
pub(super) fn row(name: &str) -> Option<&'static CocodeEvent> {
    table::named(&EVENTS, name)
}

/// Returns an empty message: a notification of cocode has no text, and hookbox's event requires one.
fn message(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    let missing = members.string("message").is_none();
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
    event("PreToolUse", E::ToolBefore, Reject, TOOL).rewrite("new_input", Object).renamed(RENAMED),
    event("PostToolUse", E::ToolAfter, Nothing, TOOL_DONE).renamed(RENAMED),
    event("PostToolUseFailure", E::ToolError, Nothing, TOOL_FAILED).renamed(RENAMED),
    event("PrePromptSubmit", E::PromptSubmit, Reject, &[("user_prompt", Text)]).rewrite("new_input", Text).renamed(RENAMED),
    event("PostUserMessage", E::SessionMessage, Nothing, &[]).renamed(RENAMED),
    event("SessionStart", E::SessionStart, Nothing, &[]).renamed(RENAMED),
    event("SessionEnd", E::SessionEnd, Nothing, &[]).renamed(RENAMED),
    event("SubagentStart", E::SubagentStart, Nothing, &[]).renamed(RENAMED),
    event("SubagentStop", E::SubagentStop, Reject, &[]).renamed(RENAMED),
    event("PreCompact", E::CompactBefore, Reject, &[]).renamed(RENAMED),
    event("NotificationEvent", E::Notification, Nothing, &[]).renamed(RENAMED).made(message),
    event("StatusLine", E::UiStatusLine, Nothing, &[]).rewrite("new_input", Text).renamed(RENAMED),
    event("FileSuggestion", E::UiFileSuggestion, Nothing, &[]).rewrite("new_input", List).renamed(RENAMED),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_do_no_more_than_the_canonical_event_can() {
        for row in &EVENTS {
            let moment = row.canonical.traits();
            assert!(moment.block || row.says.control == Nothing, "{}", row.name);
            assert!(moment.rewrite.is_some() || row.says.rewrite.is_none(), "{}", row.name);
        }
    }
}
