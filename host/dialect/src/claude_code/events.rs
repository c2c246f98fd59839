//! What each event of Claude Code carries, and what its answer can say.

use hookbox_model::EventName;

use crate::{
    EventSupport,
    schema::{
        Field,
        Kind::{Any, Flag, List, Name, Object, Text},
    },
};

/// How an event is kept from happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClaudeControl {
    /// Not at all.
    Nothing,
    /// Not at all, and no field of the answer is read.
    Deaf,
    /// `hookSpecificOutput.permissionDecision`: allow, deny, ask, defer.
    Permission,
    /// The same without defer. Known at second hand only, so a deny is said by the exit code too.
    Switch,
    /// `hookSpecificOutput.decision.behavior`: allow, deny. The person is about to be asked anyway; the exit code does
    /// not count.
    Behavior,
    /// `decision: "block"`.
    Block,
    /// The exit code 2.
    Exit,
    /// `hookSpecificOutput.action`: accept, decline, cancel.
    Action,
    /// Stdout is a path and no JSON; any exit code but 0.
    Path,
}

/// One event.
#[derive(Debug)]
pub(super) struct ClaudeEvent {
    pub(super) name: &'static str,
    pub(super) canonical: EventName,
    pub(super) control: ClaudeControl,
    /// Members that must be there.
    pub(super) required: &'static [Field],
    /// Members with another name in the payload.
    pub(super) renamed: &'static [(&'static str, &'static str)],
    /// Is `additionalContext` read?
    pub(super) context: bool,
    /// Is `continue: false` read?
    pub(super) stop: bool,
    /// The field of the nested output that takes the rewritten part, and what it must be.
    pub(super) rewrite: Option<Field>,
    /// Fields of the nested output that hooks may set by `extra`.
    pub(super) extras: &'static [Field],
    /// Is it known from others' texts only?
    pub(super) second_hand: bool,
}

/// The event of this name.
pub(super) fn row(name: &str) -> Option<&'static ClaudeEvent> {
    EVENTS.iter().find(|row| row.name == name)
}

const fn row_of(
    name: &'static str,
    canonical: EventName,
    control: ClaudeControl,
    required: &'static [Field],
) -> ClaudeEvent {
    let (renamed, extras): (&[(&str, &str)], &[Field]) = (&[], &[]);
    ClaudeEvent {
        name,
        canonical,
        control,
        required,
        renamed,
        context: false,
        stop: true,
        rewrite: None,
        extras,
        second_hand: false,
    }
}

impl ClaudeEvent {
    /// What an answer to it can do.
    pub(super) fn support(&self) -> EventSupport {
        EventSupport {
            block: !matches!(self.control, Nothing | Deaf),
            // Saying nothing to a permission request has the person asked.
            ask: matches!(self.control, Permission | Switch | Behavior),
            rewrite: self.rewrite.is_some() || matches!(self.control, Action | Path),
            context: self.context,
            sure: !self.second_hand,
        }
    }

    const fn second_hand(mut self) -> Self {
        self.second_hand = true;
        self
    }

    const fn context(mut self) -> Self {
        self.context = true;
        self
    }

    const fn deaf_to_stop(mut self) -> Self {
        self.stop = false;
        self
    }

    const fn renamed(mut self, renamed: &'static [(&'static str, &'static str)]) -> Self {
        self.renamed = renamed;
        self
    }

    const fn rewrite(mut self, field: &'static str, kind: crate::schema::Kind) -> Self {
        self.rewrite = Some((field, kind));
        self
    }

    const fn extras(mut self, extras: &'static [Field]) -> Self {
        self.extras = extras;
        self
    }
}

use ClaudeControl::{Action, Behavior, Block, Deaf, Exit, Nothing, Path, Permission, Switch};
use EventName as E;

const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_response", Any)];
const TOOL_FAILED: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("error", Text)];
const SWITCH: &[Field] = &[("to_model", Text)];
const TASK: &[Field] = &[("task_id", Text)];
const TRIGGER: &[Field] = &[("trigger", Text)];
const WATCH: &[Field] = &[("watchPaths", List)];

#[rustfmt::skip]
pub(super) static EVENTS: [ClaudeEvent; 33] = [
    row_of("SessionStart", E::SessionStart, Nothing, &[("source", Text)]).context()
        .extras(&[("initialUserMessage", Text), ("sessionTitle", Text), ("watchPaths", List), ("reloadSkills", Flag)]),
    row_of("Setup", E::SessionSetup, Nothing, TRIGGER).context(),
    row_of("InstructionsLoaded", E::InstructionsLoaded, Nothing, &[("file_path", Text)]),
    row_of("UserPromptSubmit", E::PromptSubmit, Block, &[("prompt", Text)]).context()
        .extras(&[("sessionTitle", Text), ("suppressOriginalPrompt", Flag)]),
    row_of("UserPromptExpansion", E::PromptExpand, Block, &[("command_name", Text), ("prompt", Text)]).context(),
    row_of("MessageDisplay", E::MessageDisplay, Nothing, &[("delta", Text)])
        .renamed(&[("delta", "text")]).rewrite("displayContent", Text),
    row_of("PreToolUse", E::ToolBefore, Permission, TOOL).context().rewrite("updatedInput", Object),
    row_of("PermissionRequest", E::PermissionRequest, Behavior, TOOL).rewrite("updatedInput", Object)
        .extras(&[("updatedPermissions", List), ("interrupt", Flag)]),
    row_of("PermissionDenied", E::PermissionDenied, Nothing, TOOL).extras(&[("retry", Flag)]),
    row_of("PostToolUse", E::ToolAfter, Block, TOOL_DONE).context().rewrite("updatedToolOutput", Any)
        .extras(&[("classifierContext", Text)]),
    row_of("PostToolUseFailure", E::ToolError, Block, TOOL_FAILED).context(),
    row_of("PostToolBatch", E::ToolBatchAfter, Block, &[("tool_calls", List)]).context(),
    row_of("Notification", E::Notification, Nothing, &[("message", Text)]),
    row_of("SubagentStart", E::SubagentStart, Nothing, &[("agent_type", Text)]).context(),
    row_of("SubagentStop", E::SubagentStop, Block, &[("stop_hook_active", Flag)]).context(),
    row_of("TaskCreated", E::TaskCreated, Block, TASK).deaf_to_stop(),
    row_of("TaskCompleted", E::TaskCompleted, Exit, TASK),
    row_of("Stop", E::AgentStop, Block, &[("stop_hook_active", Flag)]).context(),
    row_of("StopFailure", E::AgentStopFailure, Deaf, &[("error", Any)]),
    row_of("TeammateIdle", E::TeamIdle, Exit, &[("teammate_name", Text)]),
    row_of("ConfigChange", E::ConfigChange, Block, &[("source", Text)]),
    row_of("CwdChanged", E::CwdChanged, Nothing, &[("old_cwd", Text), ("new_cwd", Text)]).extras(WATCH),
    row_of("DirectoryAdded", E::DirectoryAdded, Nothing, &[("directory", Text)]),
    row_of("FileChanged", E::FileChanged, Nothing, &[("file_path", Text), ("event", Text)]).extras(WATCH),
    // A server says the path in a field.
    row_of("WorktreeCreate", E::WorktreeCreate, Path, &[]).deaf_to_stop().rewrite("worktreePath", Text),
    row_of("WorktreeRemove", E::WorktreeRemove, Nothing, &[("worktree_path", Text)]),
    row_of("PreCompact", E::CompactBefore, Block, TRIGGER),
    row_of("PostCompact", E::CompactAfter, Nothing, TRIGGER),
    row_of("SessionEnd", E::SessionEnd, Nothing, &[("reason", Text)]),
    row_of("Elicitation", E::ElicitationRequest, Action, &[("mcp_server_name", Text)]),
    row_of("ElicitationResult", E::ElicitationResult, Action, &[("mcp_server_name", Text), ("action", Text)]),
    row_of("PreModelSwitch", E::ModelSwitchBefore, Switch, SWITCH).second_hand(),
    row_of("PostModelSwitch", E::ModelSwitchAfter, Nothing, SWITCH).context().second_hand(),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_do_what_the_canonical_event_can() {
        for row in &EVENTS {
            let moment = row.canonical.traits();
            let blocks = !matches!(row.control, Nothing | Deaf);
            assert_eq!((blocks, row.context), (moment.block, moment.context), "{}", row.name);
        }
    }
}
