//! Members of each Claude Code event, and the answers that it supports.

use hookbox_model::{EventName as E, RawObject};

use crate::{
    EventSupport,
    object::Object as AnObject,
    schema::{
        Field,
        Kind::{Any, Flag, List, Name, Object, Text},
    },
    table::{self, EventRow, Support, event},
};

/// Mechanism that blocks an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClaudeControl {
    /// Cannot be blocked.
    Nothing,
    /// Cannot be blocked, and no field of the answer is read.
    IgnoresAnswers,
    /// `hookSpecificOutput.permissionDecision`: allow, deny, ask, defer.
    Permission,
    /// `hookSpecificOutput.permissionDecision` without defer. Known at second hand only, so a deny sets the exit code too.
    Switch,
    /// `hookSpecificOutput.decision.behavior`: allow, deny. The user is about to be asked anyway; the exit code does not count.
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

pub(super) type ClaudeEvent = EventRow<Support<ClaudeControl>>;

pub(super) fn find_row(name: &str) -> Option<&'static ClaudeEvent> {
    table::find_row(&EVENTS, name)
}

pub(super) fn determine_support(row: &ClaudeEvent) -> EventSupport {
    let control = row.answer.control;
    // Without an answer to a permission request, the user is asked.
    let ask = matches!(control, Permission | Switch | Behavior);
    let support = row.determine_support(!matches!(control, Nothing | IgnoresAnswers), ask);
    // The answer to an elicitation replaces the user's, but it is not a field of the table: it consists of
    // two, `action` and `content`.
    EventSupport { rewrite: support.rewrite || control == Action, ..support }
}

/// Creates an event whose answer may end the run, as nearly all do.
const fn event_with_stop(
    name: &'static str,
    canonical: E,
    control: ClaudeControl,
    required: &'static [Field],
) -> ClaudeEvent {
    event(name, canonical, control, required).stop()
}

use ClaudeControl::{Action, Behavior, Block, Exit, IgnoresAnswers, Nothing, Path, Permission, Switch};

const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_response", Any)];
const TOOL_FAILED: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("error", Text)];
const SWITCH: &[Field] = &[("to_model", Text)];
const TASK: &[Field] = &[("task_id", Text)];
const TRIGGER: &[Field] = &[("trigger", Text)];
const WATCH: &[Field] = &[("watchPaths", List)];

#[rustfmt::skip]
pub(super) static EVENTS: [ClaudeEvent; 33] = [
    event_with_stop("SessionStart", E::SessionStart, Nothing, &[("source", Text)]).context()
        .extras(&[("initialUserMessage", Text), ("sessionTitle", Text), ("watchPaths", List), ("reloadSkills", Flag)]),
    event_with_stop("Setup", E::SessionSetup, Nothing, TRIGGER).context(),
    event_with_stop("InstructionsLoaded", E::InstructionsLoaded, Nothing, &[("file_path", Text)]),
    event_with_stop("UserPromptSubmit", E::PromptSubmit, Block, &[("prompt", Text)]).context()
        .extras(&[("sessionTitle", Text), ("suppressOriginalPrompt", Flag)]),
    event_with_stop("UserPromptExpansion", E::PromptExpand, Block, &[("command_name", Text), ("prompt", Text)]).context(),
    event_with_stop("MessageDisplay", E::MessageDisplay, Nothing, &[("delta", Text)])
        .rename_members(&[("delta", "text")]).rewrite("displayContent", Text),
    event_with_stop("PreToolUse", E::ToolBefore, Permission, TOOL).context().rewrite("updatedInput", Object),
    event_with_stop("PermissionRequest", E::PermissionRequest, Behavior, TOOL).rewrite("updatedInput", Object)
        .extras(&[("updatedPermissions", List), ("interrupt", Flag)]),
    event_with_stop("PermissionDenied", E::PermissionDenied, Nothing, TOOL).extras(&[("retry", Flag)]),
    event_with_stop("PostToolUse", E::ToolAfter, Block, TOOL_DONE).context().rewrite("updatedToolOutput", Any)
        .extras(&[("classifierContext", Text)]),
    event_with_stop("PostToolUseFailure", E::ToolError, Block, TOOL_FAILED).context(),
    event_with_stop("PostToolBatch", E::ToolBatchAfter, Block, &[("tool_calls", List)]).context(),
    event_with_stop("Notification", E::Notification, Nothing, &[("message", Text)]),
    event_with_stop("SubagentStart", E::SubagentStart, Nothing, &[("agent_type", Text)]).context(),
    event_with_stop("SubagentStop", E::SubagentStop, Block, &[("stop_hook_active", Flag)]).context(),
    // Claude Code ignores `continue: false` at this event, so a stop has to be a block.
    event("TaskCreated", E::TaskCreated, Block, TASK),
    event_with_stop("TaskCompleted", E::TaskCompleted, Exit, TASK),
    event_with_stop("Stop", E::AgentStop, Block, &[("stop_hook_active", Flag)]).context(),
    // Claude Code ignores the whole output of this event.
    event_with_stop("StopFailure", E::AgentStopFailure, IgnoresAnswers, &[("error", Any)]),
    event_with_stop("TeammateIdle", E::TeamIdle, Exit, &[("teammate_name", Text)]),
    event_with_stop("ConfigChange", E::ConfigChange, Block, &[("source", Text)]),
    event_with_stop("CwdChanged", E::CwdChanged, Nothing, &[("old_cwd", Text), ("new_cwd", Text)]).extras(WATCH),
    event_with_stop("DirectoryAdded", E::DirectoryAdded, Nothing, &[("directory", Text)]),
    event_with_stop("FileChanged", E::FileChanged, Nothing, &[("file_path", Text), ("event", Text)]).extras(WATCH),
    // A server returns the path in a field.
    event("WorktreeCreate", E::WorktreeCreate, Path, &[]).rewrite("worktreePath", Text),
    event_with_stop("WorktreeRemove", E::WorktreeRemove, Nothing, &[("worktree_path", Text)]),
    event_with_stop("PreCompact", E::CompactBefore, Block, TRIGGER),
    event_with_stop("PostCompact", E::CompactAfter, Nothing, TRIGGER),
    event_with_stop("SessionEnd", E::SessionEnd, Nothing, &[("reason", Text)]),
    event_with_stop("Elicitation", E::ElicitationRequest, Action, &[("mcp_server_name", Text)]),
    event_with_stop("ElicitationResult", E::ElicitationResult, Action, &[("mcp_server_name", Text), ("action", Text)])
        .drop_members(&ANSWER).make_members(read_user_answer),
    event_with_stop("PreModelSwitch", E::ModelSwitchBefore, Switch, SWITCH).mark_unsure(),
    event_with_stop("PostModelSwitch", E::ModelSwitchAfter, Nothing, SWITCH).context().mark_unsure(),
];

const ANSWER: [&str; 2] = ["action", "content"];

/// Returns the user's answer to an MCP server, as the one part that a hook may rewrite.
fn read_user_answer(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    let mut answer = AnObject::new();
    for key in ANSWER {
        if let Some(value) = members.get(key) {
            answer.raw(key, value.get());
        }
    }
    vec![("answer", answer.finish())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_do_what_the_canonical_event_can() {
        for row in &EVENTS {
            let moment = row.canonical.traits();
            let blocks = !matches!(row.answer.control, Nothing | IgnoresAnswers);
            assert_eq!((blocks, row.answer.context), (moment.block, moment.context), "{}", row.name);
        }
    }
}
