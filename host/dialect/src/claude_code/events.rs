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
    Deaf,
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

/// One event.
pub(super) type ClaudeEvent = EventRow<Support<ClaudeControl>>;

/// Returns the event of this name.
pub(super) fn row(name: &str) -> Option<&'static ClaudeEvent> {
    table::named(&EVENTS, name)
}

/// Returns the answers that the event supports.
pub(super) fn support(row: &ClaudeEvent) -> EventSupport {
    let control = row.says.control;
    // Without an answer to a permission request, the user is asked.
    let ask = matches!(control, Permission | Switch | Behavior);
    let support = row.support(!matches!(control, Nothing | Deaf), ask);
    EventSupport { rewrite: support.rewrite || control == Action, ..support }
}

/// Creates an event whose answer may end the run, as nearly all do.
const fn ends(
    name: &'static str,
    canonical: E,
    control: ClaudeControl,
    required: &'static [Field],
) -> ClaudeEvent {
    event(name, canonical, control, required).stop()
}

use ClaudeControl::{Action, Behavior, Block, Deaf, Exit, Nothing, Path, Permission, Switch};

const TOOL: &[Field] = &[("tool_name", Name), ("tool_input", Object)];
const TOOL_DONE: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("tool_response", Any)];
const TOOL_FAILED: &[Field] = &[("tool_name", Name), ("tool_input", Object), ("error", Text)];
const SWITCH: &[Field] = &[("to_model", Text)];
const TASK: &[Field] = &[("task_id", Text)];
const TRIGGER: &[Field] = &[("trigger", Text)];
const WATCH: &[Field] = &[("watchPaths", List)];

#[rustfmt::skip]
pub(super) static EVENTS: [ClaudeEvent; 33] = [
    ends("SessionStart", E::SessionStart, Nothing, &[("source", Text)]).context()
        .extras(&[("initialUserMessage", Text), ("sessionTitle", Text), ("watchPaths", List), ("reloadSkills", Flag)]),
    ends("Setup", E::SessionSetup, Nothing, TRIGGER).context(),
    ends("InstructionsLoaded", E::InstructionsLoaded, Nothing, &[("file_path", Text)]),
    ends("UserPromptSubmit", E::PromptSubmit, Block, &[("prompt", Text)]).context()
        .extras(&[("sessionTitle", Text), ("suppressOriginalPrompt", Flag)]),
    ends("UserPromptExpansion", E::PromptExpand, Block, &[("command_name", Text), ("prompt", Text)]).context(),
    ends("MessageDisplay", E::MessageDisplay, Nothing, &[("delta", Text)])
        .renamed(&[("delta", "text")]).rewrite("displayContent", Text),
    ends("PreToolUse", E::ToolBefore, Permission, TOOL).context().rewrite("updatedInput", Object),
    ends("PermissionRequest", E::PermissionRequest, Behavior, TOOL).rewrite("updatedInput", Object)
        .extras(&[("updatedPermissions", List), ("interrupt", Flag)]),
    ends("PermissionDenied", E::PermissionDenied, Nothing, TOOL).extras(&[("retry", Flag)]),
    ends("PostToolUse", E::ToolAfter, Block, TOOL_DONE).context().rewrite("updatedToolOutput", Any)
        .extras(&[("classifierContext", Text)]),
    ends("PostToolUseFailure", E::ToolError, Block, TOOL_FAILED).context(),
    ends("PostToolBatch", E::ToolBatchAfter, Block, &[("tool_calls", List)]).context(),
    ends("Notification", E::Notification, Nothing, &[("message", Text)]),
    ends("SubagentStart", E::SubagentStart, Nothing, &[("agent_type", Text)]).context(),
    ends("SubagentStop", E::SubagentStop, Block, &[("stop_hook_active", Flag)]).context(),
    event("TaskCreated", E::TaskCreated, Block, TASK),
    ends("TaskCompleted", E::TaskCompleted, Exit, TASK),
    ends("Stop", E::AgentStop, Block, &[("stop_hook_active", Flag)]).context(),
    ends("StopFailure", E::AgentStopFailure, Deaf, &[("error", Any)]),
    ends("TeammateIdle", E::TeamIdle, Exit, &[("teammate_name", Text)]),
    ends("ConfigChange", E::ConfigChange, Block, &[("source", Text)]),
    ends("CwdChanged", E::CwdChanged, Nothing, &[("old_cwd", Text), ("new_cwd", Text)]).extras(WATCH),
    ends("DirectoryAdded", E::DirectoryAdded, Nothing, &[("directory", Text)]),
    ends("FileChanged", E::FileChanged, Nothing, &[("file_path", Text), ("event", Text)]).extras(WATCH),
    // A server returns the path in a field.
    event("WorktreeCreate", E::WorktreeCreate, Path, &[]).rewrite("worktreePath", Text),
    ends("WorktreeRemove", E::WorktreeRemove, Nothing, &[("worktree_path", Text)]),
    ends("PreCompact", E::CompactBefore, Block, TRIGGER),
    ends("PostCompact", E::CompactAfter, Nothing, TRIGGER),
    ends("SessionEnd", E::SessionEnd, Nothing, &[("reason", Text)]),
    ends("Elicitation", E::ElicitationRequest, Action, &[("mcp_server_name", Text)]),
    ends("ElicitationResult", E::ElicitationResult, Action, &[("mcp_server_name", Text), ("action", Text)])
        .dropped(&ANSWER).made(answer),
    ends("PreModelSwitch", E::ModelSwitchBefore, Switch, SWITCH).unsure(),
    ends("PostModelSwitch", E::ModelSwitchAfter, Nothing, SWITCH).context().unsure(),
];

const ANSWER: [&str; 2] = ["action", "content"];

/// Returns the user's answer to an MCP server, as the one part that a hook may rewrite.
fn answer(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
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
            let blocks = !matches!(row.says.control, Nothing | Deaf);
            assert_eq!((blocks, row.says.context), (moment.block, moment.context), "{}", row.name);
        }
    }
}
