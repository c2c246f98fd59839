//! The canonical events: their names, and what is known of their payloads, for [`Event::payload_as`].
//!
//! [`Event::payload_as`]: crate::Event::payload_as
// Written by `cargo xtask event-types`; do not edit.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A session begins or goes on. An answer can give context.
pub const SESSION_START: &str = "session.start";

/// A repository is set up. An answer can give context.
pub const SESSION_SETUP: &str = "session.setup";

/// A session is over.
pub const SESSION_END: &str = "session.end";

/// A message joined the session. An answer can deny, ask or allow.
pub const SESSION_MESSAGE: &str = "session.message";

/// An instruction file was read.
pub const INSTRUCTIONS_LOADED: &str = "instructions.loaded";

/// The person sent a prompt. An answer can deny, ask or allow; rewrite `payload.prompt`; give context.
pub const PROMPT_SUBMIT: &str = "prompt.submit";

/// A slash command or MCP prompt becomes a prompt. An answer can deny, ask or allow; give context.
pub const PROMPT_EXPAND: &str = "prompt.expand";

/// The person interrupted.
pub const PROMPT_INTERRUPT: &str = "prompt.interrupt";

/// The tools for the next model call are chosen. An answer can rewrite `payload.tool_config`.
pub const MODEL_SELECT_TOOLS: &str = "model.select-tools";

/// A request goes to the model. An answer can deny, ask or allow; rewrite `payload.request`; give context.
pub const MODEL_REQUEST: &str = "model.request";

/// A request is judged while it is already under way. An answer can deny, ask or allow.
pub const MODEL_MODERATE: &str = "model.moderate";

/// A deployment is chosen. An answer can deny, ask or allow; rewrite `payload.deployments`.
pub const MODEL_ROUTE: &str = "model.route";

/// A streamed answer begins. An answer can deny, ask or allow.
pub const MODEL_STREAM_START: &str = "model.stream-start";

/// A piece of a streamed answer. An answer can deny, ask or allow; rewrite `payload.chunk`.
pub const MODEL_STREAM_CHUNK: &str = "model.stream-chunk";

/// A streamed answer is over. An answer can deny, ask or allow.
pub const MODEL_STREAM_END: &str = "model.stream-end";

/// The model answered. An answer can deny, ask or allow; rewrite `payload.response`.
pub const MODEL_RESPONSE: &str = "model.response";

/// The model call failed.
pub const MODEL_ERROR: &str = "model.error";

/// A model call is written to the log. An answer can rewrite `payload.record`.
pub const MODEL_LOG: &str = "model.log";

/// The model is about to change. An answer can deny, ask or allow.
pub const MODEL_SWITCH_BEFORE: &str = "model.switch-before";

/// The model changed. An answer can give context.
pub const MODEL_SWITCH_AFTER: &str = "model.switch-after";

/// Text goes to the screen. An answer can rewrite `payload.text`.
pub const MESSAGE_DISPLAY: &str = "message.display";

/// A tool is about to run. An answer can deny, ask or allow; rewrite `tool.input`; give context.
pub const TOOL_BEFORE: &str = "tool.before";

/// The agent works out whether a tool needs a permission. An answer can deny, ask or allow.
pub const PERMISSION_CHECK: &str = "permission.check";

/// The person is about to be asked. An answer can deny, ask or allow; rewrite `tool.input`.
pub const PERMISSION_REQUEST: &str = "permission.request";

/// A permission was given.
pub const PERMISSION_GRANTED: &str = "permission.granted";

/// A permission was refused.
pub const PERMISSION_DENIED: &str = "permission.denied";

/// A tool has run; a deny is feedback, or withholds the result. An answer can deny, ask or allow; rewrite `tool.output`; give context.
pub const TOOL_AFTER: &str = "tool.after";

/// A tool has failed; a deny is feedback. An answer can deny, ask or allow; give context.
pub const TOOL_ERROR: &str = "tool.error";

/// All tools of one model turn have run. An answer can deny, ask or allow; give context.
pub const TOOL_BATCH_AFTER: &str = "tool.batch-after";

/// The agent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context.
pub const AGENT_STOP: &str = "agent.stop";

/// The turn ended in an error.
pub const AGENT_STOP_FAILURE: &str = "agent.stop-failure";

/// A subagent begins. An answer can give context.
pub const SUBAGENT_START: &str = "subagent.start";

/// A subagent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context.
pub const SUBAGENT_STOP: &str = "subagent.stop";

/// A team mate has nothing to do; a deny makes it go on. An answer can deny, ask or allow.
pub const TEAM_IDLE: &str = "team.idle";

/// A task is about to be created. An answer can deny, ask or allow.
pub const TASK_CREATED: &str = "task.created";

/// A task is about to be closed. An answer can deny, ask or allow.
pub const TASK_COMPLETED: &str = "task.completed";

/// The context is about to be compacted. An answer can deny, ask or allow.
pub const COMPACT_BEFORE: &str = "compact.before";

/// The context was compacted.
pub const COMPACT_AFTER: &str = "compact.after";

/// The person is notified.
pub const NOTIFICATION: &str = "notification";

/// The agent's configuration is about to change. An answer can deny, ask or allow.
pub const CONFIG_CHANGE: &str = "config.change";

/// The working directory changed.
pub const CWD_CHANGED: &str = "cwd.changed";

/// A directory joined the workspace.
pub const DIRECTORY_ADDED: &str = "directory.added";

/// A watched file changed.
pub const FILE_CHANGED: &str = "file.changed";

/// A worktree is about to be created. An answer can deny, ask or allow; rewrite `payload.path`.
pub const WORKTREE_CREATE: &str = "worktree.create";

/// A worktree was removed.
pub const WORKTREE_REMOVE: &str = "worktree.remove";

/// An MCP server asks the person something. An answer can deny, ask or allow; rewrite `payload.answer`.
pub const ELICITATION_REQUEST: &str = "elicitation.request";

/// The person's answer goes to the MCP server. An answer can deny, ask or allow; rewrite `payload.answer`.
pub const ELICITATION_RESULT: &str = "elicitation.result";

/// The status line is drawn. An answer can rewrite `payload.text`.
pub const UI_STATUS_LINE: &str = "ui.status-line";

/// Files are suggested to the person. An answer can rewrite `payload.files`.
pub const UI_FILE_SUGGESTION: &str = "ui.file-suggestion";

/// The payload of [`INSTRUCTIONS_LOADED`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct InstructionsLoaded {
    /// Must be there: a string.
    pub file_path: String,
}

/// The payload of [`PROMPT_SUBMIT`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PromptSubmit {
    /// Must be there: a string.
    pub prompt: String,
}

/// The payload of [`PROMPT_EXPAND`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PromptExpand {
    /// Must be there: a string.
    pub prompt: String,
}

/// The payload of [`MODEL_SELECT_TOOLS`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelSelectTools {
    /// Must be there: an object.
    pub request: Map<String, Value>,
    /// May be there: any JSON.
    pub tool_config: Option<Value>,
}

/// The payload of [`MODEL_REQUEST`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelRequest {
    /// Must be there: an object.
    pub request: Map<String, Value>,
}

/// The payload of [`MODEL_MODERATE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelModerate {
    /// Must be there: an object.
    pub request: Map<String, Value>,
}

/// The payload of [`MODEL_ROUTE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelRoute {
    /// Must be there: an array.
    pub deployments: Vec<Value>,
}

/// The payload of [`MODEL_STREAM_CHUNK`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelStreamChunk {
    /// Must be there: any JSON.
    pub chunk: Value,
}

/// The payload of [`MODEL_RESPONSE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelResponse {
    /// Must be there: an object.
    pub response: Map<String, Value>,
}

/// The payload of [`MODEL_ERROR`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelError {
    /// Must be there: any JSON.
    pub error: Value,
}

/// The payload of [`MODEL_LOG`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelLog {
    /// Must be there: an object.
    pub record: Map<String, Value>,
}

/// The payload of [`MODEL_SWITCH_BEFORE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelSwitchBefore {
    /// Must be there: a string.
    pub to_model: String,
}

/// The payload of [`MODEL_SWITCH_AFTER`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelSwitchAfter {
    /// Must be there: a string.
    pub to_model: String,
}

/// The payload of [`MESSAGE_DISPLAY`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MessageDisplay {
    /// Must be there: a string.
    pub text: String,
}

/// The payload of [`TOOL_ERROR`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ToolError {
    /// Must be there: any JSON.
    pub error: Value,
}

/// The payload of [`TOOL_BATCH_AFTER`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ToolBatchAfter {
    /// Must be there: an array.
    pub tool_calls: Vec<Value>,
}

/// The payload of [`AGENT_STOP_FAILURE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct AgentStopFailure {
    /// Must be there: any JSON.
    pub error: Value,
}

/// The payload of [`TEAM_IDLE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TeamIdle {
    /// Must be there: a string.
    pub teammate_name: String,
}

/// The payload of [`TASK_CREATED`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TaskCreated {
    /// Must be there: a string.
    pub task_id: String,
}

/// The payload of [`TASK_COMPLETED`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TaskCompleted {
    /// Must be there: a string.
    pub task_id: String,
}

/// The payload of [`NOTIFICATION`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Notification {
    /// Must be there: a string.
    pub message: String,
}

/// The payload of [`CONFIG_CHANGE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ConfigChange {
    /// Must be there: a string.
    pub source: String,
}

/// The payload of [`CWD_CHANGED`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CwdChanged {
    /// Must be there: a string.
    pub old_cwd: String,
    /// Must be there: a string.
    pub new_cwd: String,
}

/// The payload of [`DIRECTORY_ADDED`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DirectoryAdded {
    /// Must be there: a string.
    pub directory: String,
}

/// The payload of [`FILE_CHANGED`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct FileChanged {
    /// Must be there: a string.
    pub file_path: String,
}

/// The payload of [`WORKTREE_CREATE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct WorktreeCreate {
    /// May be there: any JSON.
    pub path: Option<Value>,
}

/// The payload of [`WORKTREE_REMOVE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct WorktreeRemove {
    /// Must be there: a string.
    pub worktree_path: String,
}

/// The payload of [`ELICITATION_REQUEST`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ElicitationRequest {
    /// Must be there: a string.
    pub mcp_server_name: String,
    /// May be there: any JSON.
    pub answer: Option<Value>,
}

/// The payload of [`ELICITATION_RESULT`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ElicitationResult {
    /// Must be there: a string.
    pub mcp_server_name: String,
    /// Must be there: an object.
    pub answer: Map<String, Value>,
}

/// The payload of [`UI_STATUS_LINE`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct UiStatusLine {
    /// May be there: any JSON.
    pub text: Option<Value>,
}

/// The payload of [`UI_FILE_SUGGESTION`]; what else it has is the agent's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct UiFileSuggestion {
    /// May be there: any JSON.
    pub files: Option<Value>,
}
