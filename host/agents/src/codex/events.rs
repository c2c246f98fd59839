//! Members of each Codex event, and the answers that it supports. Codex rejects a whole answer that has one field too many, so only fields
//! that are listed here are written.

use hookbox_model::EventName as E;

use crate::{
    EventSupport,
    schema::{
        Field,
        Kind::{Any, Flag, Name, Object, Text},
    },
    table::{self, EventRow, Support, event},
};

/// Mechanism that blocks an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodexControl {
    /// Cannot be blocked.
    Nothing,
    /// Cannot be blocked, and no field of the answer is read.
    IgnoresAnswers,
    /// `hookSpecificOutput.permissionDecision`: deny, or allow with an `updatedInput`.
    Permission,
    /// `hookSpecificOutput.decision.behavior`: allow, deny. The user is about to be asked anyway.
    Behavior,
    /// `decision: "block"`.
    Block,
    /// `continue: false`.
    Continue,
}

pub(super) type CodexEvent = EventRow<Support<CodexControl>>;

pub(super) fn find_row(name: &str) -> Option<&'static CodexEvent> {
    table::find_row(&EVENTS, name)
}

pub(super) fn determine_support(row: &CodexEvent) -> EventSupport {
    let control = row.answer.control;
    // Without an answer to a permission request, the user is asked.
    row.determine_support(!matches!(control, Nothing | IgnoresAnswers), control == Behavior)
}

use CodexControl::{Behavior, Block, Continue, IgnoresAnswers, Nothing, Permission};

const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_response", Any)];
const STOPPING: &[Field] = &[("stop_hook_active", Flag)];
const TRIGGER: &[Field] = &[("trigger", Text)];

#[rustfmt::skip]
pub(super) static EVENTS: [CodexEvent; 13] = [
    event("SessionStart", E::SessionStart, Nothing, &[("source", Text)]).context().stop(),
    event("UserPromptSubmit", E::PromptSubmit, Block, &[("prompt", Text)]).context().stop(),
    event("PreToolUse", E::ToolBefore, Permission, TOOL).context().rewrite("updatedInput", Object),
    // Without a rewrite: `updatedInput` makes Codex discard the decision.
    event("PermissionRequest", E::PermissionRequest, Behavior, TOOL),
    event("PostToolUse", E::ToolAfter, Block, TOOL_DONE).context().stop(),
    event("SubagentStart", E::SubagentStart, Nothing, &[("agent_type", Text)]).context(),
    event("SubagentStop", E::SubagentStop, Block, STOPPING).stop(),
    event("Stop", E::AgentStop, Block, STOPPING).stop(),
    // The event has no `decision`: `continue: false` is the only way to block it.
    event("PreCompact", E::CompactBefore, Continue, TRIGGER).stop(),
    event("PostCompact", E::CompactAfter, Nothing, TRIGGER).stop(),
    // These are newer than Codex's reference; their answers are ignored.
    event("StopFailure", E::AgentStopFailure, IgnoresAnswers, &[("error", Text)]),
    event("Interrupt", E::PromptInterrupt, Nothing, &[]),
    event("SessionEnd", E::SessionEnd, IgnoresAnswers, &[("reason", Text)]),
];

/// Returns the event's name in Codex's keys: `pre_tool_use` for `PreToolUse`.
pub(super) fn to_snake_case(event: &str) -> String {
    let mut label = String::new();
    for c in event.chars() {
        if c.is_ascii_uppercase() && !label.is_empty() {
            label.push('_');
        }
        label.push(c.to_ascii_lowercase());
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_canonical_event_can_block_can_be_blocked() {
        for row in &EVENTS {
            let blocks = !matches!(row.answer.control, Nothing | IgnoresAnswers);
            assert_eq!(blocks, row.canonical.traits().block, "{}", row.name);
        }
    }
}
