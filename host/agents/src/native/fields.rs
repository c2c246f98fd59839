//! Required members of the payload and the tool call of each canonical event.

use hookbox_model::EventName;

use crate::schema::{
    Field,
    Kind::{Any, List, Name, Object, Text},
};

/// Returns the required members of `payload`. Total: a new event does not compile without a row.
pub(super) fn list_payload(event: &EventName) -> &'static [Field] {
    use EventName as E;
    match event {
        E::PromptSubmit | E::PromptExpand => &[("prompt", Text)],
        E::ModelRequest | E::ModelModerate | E::ModelSelectTools => &[("request", Object)],
        E::ModelRoute => &[("deployments", List)],
        E::ModelStreamChunk => &[("chunk", Any)],
        E::ModelResponse => &[("response", Object)],
        E::ModelLog => &[("record", Object)],
        E::ModelSwitchBefore | E::ModelSwitchAfter => &[("to_model", Text)],
        E::MessageDisplay => &[("text", Text)],
        E::ToolError | E::ModelError | E::AgentStopFailure => &[("error", Any)],
        E::ToolBatchAfter => &[("tool_calls", List)],
        E::Notification => &[("message", Text)],
        E::InstructionsLoaded | E::FileChanged => &[("file_path", Text)],
        E::ConfigChange => &[("source", Text)],
        E::CwdChanged => &[("old_cwd", Text), ("new_cwd", Text)],
        E::DirectoryAdded => &[("directory", Text)],
        E::WorktreeRemove => &[("worktree_path", Text)],
        E::TaskCreated | E::TaskCompleted => &[("task_id", Text)],
        E::TeamIdle => &[("teammate_name", Text)],
        E::ElicitationRequest => &[("mcp_server_name", Text)],
        E::ElicitationResult => &[("mcp_server_name", Text), ("answer", Object)],
        E::SessionStart
        | E::SessionSetup
        | E::SessionEnd
        | E::SessionMessage
        | E::PromptInterrupt
        | E::ModelStreamStart
        | E::ModelStreamEnd
        | E::ToolBefore
        | E::ToolAfter
        | E::PermissionCheck
        | E::PermissionRequest
        | E::PermissionGranted
        | E::PermissionDenied
        | E::AgentStop
        | E::SubagentStart
        | E::SubagentStop
        | E::CompactBefore
        | E::CompactAfter
        | E::WorktreeCreate
        | E::UiStatusLine
        | E::UiFileSuggestion
        | E::Custom(_) => &[],
    }
}

/// Returns true if the event is about a tool call.
pub(crate) fn needs_tool(event: &EventName) -> bool {
    event.traits().moment.has_call()
}

/// Returns true if the tool call of the event has a result.
pub(crate) fn needs_output(event: &EventName) -> bool {
    *event == EventName::ToolAfter
}

/// Returns all required members, in text form.
pub(super) fn list_required(event: &EventName) -> Vec<(String, &'static str)> {
    let mut required = Vec::new();
    if needs_tool(event) {
        required.extend([
            ("tool.name".to_owned(), Name.expected()),
            ("tool.input".to_owned(), Object.expected()),
        ]);
    }
    if needs_output(event) {
        required.push(("tool.output".to_owned(), Any.expected()));
    }
    required.extend(
        list_payload(event).iter().map(|(member, kind)| (format!("payload.{member}"), kind.expected())),
    );
    required
}
