// Written by `cargo xtask event-types`; do not edit.

//! The canonical events: their names, and what is known of their payloads. The rest of a payload is the
//! agent's own: read it with `.{ .ignore_unknown_fields = true }`.

const std = @import("std");

/// A session begins or goes on. An answer can give context.
pub const session_start = "session.start";

/// A repository is set up. An answer can give context.
pub const session_setup = "session.setup";

/// A session is over.
pub const session_end = "session.end";

/// A message joined the session. An answer can deny, ask or allow.
pub const session_message = "session.message";

/// An instruction file was read.
pub const instructions_loaded = "instructions.loaded";

/// The person sent a prompt. An answer can deny, ask or allow; rewrite `payload.prompt`; give context.
pub const prompt_submit = "prompt.submit";

/// A slash command or MCP prompt becomes a prompt. An answer can deny, ask or allow; give context.
pub const prompt_expand = "prompt.expand";

/// The person interrupted.
pub const prompt_interrupt = "prompt.interrupt";

/// The tools for the next model call are chosen. An answer can rewrite `payload.tool_config`.
pub const model_select_tools = "model.select-tools";

/// A request goes to the model. An answer can deny, ask or allow; rewrite `payload.request`; give context.
pub const model_request = "model.request";

/// A request is judged while it is already under way. An answer can deny, ask or allow.
pub const model_moderate = "model.moderate";

/// A deployment is chosen. An answer can deny, ask or allow; rewrite `payload.deployments`.
pub const model_route = "model.route";

/// A streamed answer begins. An answer can deny, ask or allow.
pub const model_stream_start = "model.stream-start";

/// A piece of a streamed answer. An answer can deny, ask or allow; rewrite `payload.chunk`.
pub const model_stream_chunk = "model.stream-chunk";

/// A streamed answer is over. An answer can deny, ask or allow.
pub const model_stream_end = "model.stream-end";

/// The model answered. An answer can deny, ask or allow; rewrite `payload.response`.
pub const model_response = "model.response";

/// The model call failed.
pub const model_error = "model.error";

/// A model call is written to the log. An answer can rewrite `payload.record`.
pub const model_log = "model.log";

/// The model is about to change. An answer can deny, ask or allow.
pub const model_switch_before = "model.switch-before";

/// The model changed. An answer can give context.
pub const model_switch_after = "model.switch-after";

/// Text goes to the screen. An answer can rewrite `payload.text`.
pub const message_display = "message.display";

/// A tool is about to run. An answer can deny, ask or allow; rewrite `tool.input`; give context.
pub const tool_before = "tool.before";

/// The agent works out whether a tool needs a permission. An answer can deny, ask or allow.
pub const permission_check = "permission.check";

/// The person is about to be asked. An answer can deny, ask or allow; rewrite `tool.input`.
pub const permission_request = "permission.request";

/// A permission was given.
pub const permission_granted = "permission.granted";

/// A permission was refused.
pub const permission_denied = "permission.denied";

/// A tool has run; a deny is feedback, or withholds the result. An answer can deny, ask or allow; rewrite `tool.output`; give context.
pub const tool_after = "tool.after";

/// A tool has failed; a deny is feedback. An answer can deny, ask or allow; give context.
pub const tool_error = "tool.error";

/// All tools of one model turn have run. An answer can deny, ask or allow; give context.
pub const tool_batch_after = "tool.batch-after";

/// The agent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context.
pub const agent_stop = "agent.stop";

/// The turn ended in an error.
pub const agent_stop_failure = "agent.stop-failure";

/// A subagent begins. An answer can give context.
pub const subagent_start = "subagent.start";

/// A subagent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context.
pub const subagent_stop = "subagent.stop";

/// A team mate has nothing to do; a deny makes it go on. An answer can deny, ask or allow.
pub const team_idle = "team.idle";

/// A task is about to be created. An answer can deny, ask or allow.
pub const task_created = "task.created";

/// A task is about to be closed. An answer can deny, ask or allow.
pub const task_completed = "task.completed";

/// The context is about to be compacted. An answer can deny, ask or allow.
pub const compact_before = "compact.before";

/// The context was compacted.
pub const compact_after = "compact.after";

/// The person is notified.
pub const notification = "notification";

/// The agent's configuration is about to change. An answer can deny, ask or allow.
pub const config_change = "config.change";

/// The working directory changed.
pub const cwd_changed = "cwd.changed";

/// A directory joined the workspace.
pub const directory_added = "directory.added";

/// A watched file changed.
pub const file_changed = "file.changed";

/// A worktree is about to be created. An answer can deny, ask or allow; rewrite `payload.path`.
pub const worktree_create = "worktree.create";

/// A worktree was removed.
pub const worktree_remove = "worktree.remove";

/// An MCP server asks the person something. An answer can deny, ask or allow; rewrite `payload.answer`.
pub const elicitation_request = "elicitation.request";

/// The person's answer goes to the MCP server. An answer can deny, ask or allow; rewrite `payload.answer`.
pub const elicitation_result = "elicitation.result";

/// The status line is drawn. An answer can rewrite `payload.text`.
pub const ui_status_line = "ui.status-line";

/// Files are suggested to the person. An answer can rewrite `payload.files`.
pub const ui_file_suggestion = "ui.file-suggestion";

/// The payload of `instructions.loaded`.
pub const InstructionsLoaded = struct {
    file_path: []const u8,
};

/// The payload of `prompt.submit`.
pub const PromptSubmit = struct {
    prompt: []const u8,
};

/// The payload of `prompt.expand`.
pub const PromptExpand = struct {
    prompt: []const u8,
};

/// The payload of `model.select-tools`.
pub const ModelSelectTools = struct {
    request: std.json.Value,
    tool_config: ?std.json.Value = null,
};

/// The payload of `model.request`.
pub const ModelRequest = struct {
    request: std.json.Value,
};

/// The payload of `model.moderate`.
pub const ModelModerate = struct {
    request: std.json.Value,
};

/// The payload of `model.route`.
pub const ModelRoute = struct {
    deployments: []const std.json.Value,
};

/// The payload of `model.stream-chunk`.
pub const ModelStreamChunk = struct {
    chunk: std.json.Value,
};

/// The payload of `model.response`.
pub const ModelResponse = struct {
    response: std.json.Value,
};

/// The payload of `model.error`.
pub const ModelError = struct {
    @"error": std.json.Value,
};

/// The payload of `model.log`.
pub const ModelLog = struct {
    record: std.json.Value,
};

/// The payload of `model.switch-before`.
pub const ModelSwitchBefore = struct {
    to_model: []const u8,
};

/// The payload of `model.switch-after`.
pub const ModelSwitchAfter = struct {
    to_model: []const u8,
};

/// The payload of `message.display`.
pub const MessageDisplay = struct {
    text: []const u8,
};

/// The payload of `tool.error`.
pub const ToolError = struct {
    @"error": std.json.Value,
};

/// The payload of `tool.batch-after`.
pub const ToolBatchAfter = struct {
    tool_calls: []const std.json.Value,
};

/// The payload of `agent.stop-failure`.
pub const AgentStopFailure = struct {
    @"error": std.json.Value,
};

/// The payload of `team.idle`.
pub const TeamIdle = struct {
    teammate_name: []const u8,
};

/// The payload of `task.created`.
pub const TaskCreated = struct {
    task_id: []const u8,
};

/// The payload of `task.completed`.
pub const TaskCompleted = struct {
    task_id: []const u8,
};

/// The payload of `notification`.
pub const Notification = struct {
    message: []const u8,
};

/// The payload of `config.change`.
pub const ConfigChange = struct {
    source: []const u8,
};

/// The payload of `cwd.changed`.
pub const CwdChanged = struct {
    old_cwd: []const u8,
    new_cwd: []const u8,
};

/// The payload of `directory.added`.
pub const DirectoryAdded = struct {
    directory: []const u8,
};

/// The payload of `file.changed`.
pub const FileChanged = struct {
    file_path: []const u8,
};

/// The payload of `worktree.create`.
pub const WorktreeCreate = struct {
    path: ?std.json.Value = null,
};

/// The payload of `worktree.remove`.
pub const WorktreeRemove = struct {
    worktree_path: []const u8,
};

/// The payload of `elicitation.request`.
pub const ElicitationRequest = struct {
    mcp_server_name: []const u8,
    answer: ?std.json.Value = null,
};

/// The payload of `elicitation.result`.
pub const ElicitationResult = struct {
    mcp_server_name: []const u8,
    answer: std.json.Value,
};

/// The payload of `ui.status-line`.
pub const UiStatusLine = struct {
    text: ?std.json.Value = null,
};

/// The payload of `ui.file-suggestion`.
pub const UiFileSuggestion = struct {
    files: ?std.json.Value = null,
};
