//! What each event of Codex carries, and what its answer can say. Codex throws an answer away as a whole if it has one
//! field too many, so what is not listed here is not said.

use hookbox_model::EventName;

use crate::{
    EventSupport,
    schema::{
        Field,
        Kind::{Any, Flag, Name, Object, Text},
    },
};

/// How an event is kept from happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodexControl {
    /// Not at all.
    Nothing,
    /// Not at all, and no field of the answer is read.
    Deaf,
    /// `hookSpecificOutput.permissionDecision`: deny, or allow with an `updatedInput`.
    Permission,
    /// `hookSpecificOutput.decision.behavior`: allow, deny. The person is about to be asked anyway.
    Behavior,
    /// `decision: "block"`.
    Block,
    /// `continue: false`.
    Continue,
}

/// One event.
#[derive(Debug)]
pub(super) struct CodexEvent {
    pub(super) name: &'static str,
    pub(super) canonical: EventName,
    pub(super) control: CodexControl,
    /// Members that must be there.
    pub(super) required: &'static [Field],
    /// Is `additionalContext` read?
    pub(super) context: bool,
    /// Is `continue: false` read?
    pub(super) stop: bool,
}

/// The event of this name.
pub(super) fn row(name: &str) -> Option<&'static CodexEvent> {
    EVENTS.iter().find(|row| row.name == name)
}

const fn row_of(
    name: &'static str,
    canonical: EventName,
    control: CodexControl,
    required: &'static [Field],
) -> CodexEvent {
    CodexEvent { name, canonical, control, required, context: false, stop: false }
}

impl CodexEvent {
    pub(super) fn support(&self) -> EventSupport {
        EventSupport {
            block: !matches!(self.control, Nothing | Deaf),
            // Saying nothing to a permission request has the person asked.
            ask: self.control == Behavior,
            rewrite: self.control == Permission,
            context: self.context,
            sure: true,
        }
    }

    const fn context(mut self) -> Self {
        self.context = true;
        self
    }

    const fn stop(mut self) -> Self {
        self.stop = true;
        self
    }
}

use CodexControl::{Behavior, Block, Continue, Deaf, Nothing, Permission};
use EventName as E;

const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_response", Any)];
const STOPPING: &[Field] = &[("stop_hook_active", Flag)];
const TRIGGER: &[Field] = &[("trigger", Text)];

#[rustfmt::skip]
pub(super) static EVENTS: [CodexEvent; 13] = [
    row_of("SessionStart", E::SessionStart, Nothing, &[("source", Text)]).context().stop(),
    row_of("UserPromptSubmit", E::PromptSubmit, Block, &[("prompt", Text)]).context().stop(),
    row_of("PreToolUse", E::ToolBefore, Permission, TOOL).context(),
    row_of("PermissionRequest", E::PermissionRequest, Behavior, TOOL),
    row_of("PostToolUse", E::ToolAfter, Block, TOOL_DONE).context().stop(),
    row_of("SubagentStart", E::SubagentStart, Nothing, &[("agent_type", Text)]).context(),
    row_of("SubagentStop", E::SubagentStop, Block, STOPPING).stop(),
    row_of("Stop", E::AgentStop, Block, STOPPING).stop(),
    row_of("PreCompact", E::CompactBefore, Continue, TRIGGER).stop(),
    row_of("PostCompact", E::CompactAfter, Nothing, TRIGGER).stop(),
    row_of("StopFailure", E::AgentStopFailure, Deaf, &[("error", Text)]),
    row_of("Interrupt", E::PromptInterrupt, Nothing, &[]),
    row_of("SessionEnd", E::SessionEnd, Deaf, &[("reason", Text)]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_canonical_event_can_block_can_be_blocked() {
        for row in &EVENTS {
            let blocks = !matches!(row.control, Nothing | Deaf);
            assert_eq!(blocks, row.canonical.traits().block, "{}", row.name);
        }
    }
}
