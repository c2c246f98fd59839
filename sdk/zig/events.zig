//! The names of the canonical events.

/// A session begins or goes on.
pub const session_start = "session.start";
/// A repository is set up.
pub const session_setup = "session.setup";
/// A session is over.
pub const session_end = "session.end";
/// A message joined the session.
pub const session_message = "session.message";
/// An instruction file was read.
pub const instructions_loaded = "instructions.loaded";
/// The person sent a prompt.
pub const prompt_submit = "prompt.submit";
/// A slash command or MCP prompt becomes a prompt.
pub const prompt_expand = "prompt.expand";
/// The person interrupted.
pub const prompt_interrupt = "prompt.interrupt";
/// The tools for the next model call are chosen.
pub const model_select_tools = "model.select-tools";
/// A request goes to the model.
pub const model_request = "model.request";
/// A request is judged while it is already under way.
pub const model_moderate = "model.moderate";
/// A deployment is chosen.
pub const model_route = "model.route";
/// A streamed answer begins.
pub const model_stream_start = "model.stream-start";
/// A piece of a streamed answer.
pub const model_stream_chunk = "model.stream-chunk";
/// A streamed answer is over.
pub const model_stream_end = "model.stream-end";
/// The model answered.
pub const model_response = "model.response";
/// The model call failed.
pub const model_error = "model.error";
/// A model call is written to the log.
pub const model_log = "model.log";
/// The model is about to change.
pub const model_switch_before = "model.switch-before";
/// The model changed.
pub const model_switch_after = "model.switch-after";
/// Text goes to the screen.
pub const message_display = "message.display";
/// A tool is about to run.
pub const tool_before = "tool.before";
/// The agent works out whether a tool needs a permission.
pub const permission_check = "permission.check";
/// The person is about to be asked.
pub const permission_request = "permission.request";
/// A permission was given.
pub const permission_granted = "permission.granted";
/// A permission was refused.
pub const permission_denied = "permission.denied";
/// A tool has run; a deny is feedback, or withholds the result.
pub const tool_after = "tool.after";
/// A tool has failed; a deny is feedback.
pub const tool_error = "tool.error";
/// All tools of one model turn have run.
pub const tool_batch_after = "tool.batch-after";
/// The agent wants to stop; a deny makes it go on.
pub const agent_stop = "agent.stop";
/// The turn ended in an error.
pub const agent_stop_failure = "agent.stop-failure";
/// A subagent begins.
pub const subagent_start = "subagent.start";
/// A subagent wants to stop; a deny makes it go on.
pub const subagent_stop = "subagent.stop";
/// A team mate has nothing to do; a deny makes it go on.
pub const team_idle = "team.idle";
/// A task is about to be created.
pub const task_created = "task.created";
/// A task is about to be closed.
pub const task_completed = "task.completed";
/// The context is about to be compacted.
pub const compact_before = "compact.before";
/// The context was compacted.
pub const compact_after = "compact.after";
/// The person is notified.
pub const notification = "notification";
/// The agent's configuration is about to change.
pub const config_change = "config.change";
/// The working directory changed.
pub const cwd_changed = "cwd.changed";
/// A directory joined the workspace.
pub const directory_added = "directory.added";
/// A watched file changed.
pub const file_changed = "file.changed";
/// A worktree is about to be created.
pub const worktree_create = "worktree.create";
/// A worktree was removed.
pub const worktree_remove = "worktree.remove";
/// An MCP server asks the person something.
pub const elicitation_request = "elicitation.request";
/// The person's answer goes to the MCP server.
pub const elicitation_result = "elicitation.result";
/// The status line is drawn.
pub const ui_status_line = "ui.status-line";
/// Files are suggested to the person.
pub const ui_file_suggestion = "ui.file-suggestion";
