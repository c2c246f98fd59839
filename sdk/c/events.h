// The names of the canonical events.
#ifndef HOOKBOX_EVENTS_H
#define HOOKBOX_EVENTS_H

// A session begins or goes on.
#define HOOKBOX_SESSION_START "session.start"
// A repository is set up.
#define HOOKBOX_SESSION_SETUP "session.setup"
// A session is over.
#define HOOKBOX_SESSION_END "session.end"
// A message joined the session.
#define HOOKBOX_SESSION_MESSAGE "session.message"
// An instruction file was read.
#define HOOKBOX_INSTRUCTIONS_LOADED "instructions.loaded"
// The person sent a prompt.
#define HOOKBOX_PROMPT_SUBMIT "prompt.submit"
// A slash command or MCP prompt becomes a prompt.
#define HOOKBOX_PROMPT_EXPAND "prompt.expand"
// The person interrupted.
#define HOOKBOX_PROMPT_INTERRUPT "prompt.interrupt"
// The tools for the next model call are chosen.
#define HOOKBOX_MODEL_SELECT_TOOLS "model.select-tools"
// A request goes to the model.
#define HOOKBOX_MODEL_REQUEST "model.request"
// A request is judged while it is already under way.
#define HOOKBOX_MODEL_MODERATE "model.moderate"
// A deployment is chosen.
#define HOOKBOX_MODEL_ROUTE "model.route"
// A streamed answer begins.
#define HOOKBOX_MODEL_STREAM_START "model.stream-start"
// A piece of a streamed answer.
#define HOOKBOX_MODEL_STREAM_CHUNK "model.stream-chunk"
// A streamed answer is over.
#define HOOKBOX_MODEL_STREAM_END "model.stream-end"
// The model answered.
#define HOOKBOX_MODEL_RESPONSE "model.response"
// The model call failed.
#define HOOKBOX_MODEL_ERROR "model.error"
// A model call is written to the log.
#define HOOKBOX_MODEL_LOG "model.log"
// The model is about to change.
#define HOOKBOX_MODEL_SWITCH_BEFORE "model.switch-before"
// The model changed.
#define HOOKBOX_MODEL_SWITCH_AFTER "model.switch-after"
// Text goes to the screen.
#define HOOKBOX_MESSAGE_DISPLAY "message.display"
// A tool is about to run.
#define HOOKBOX_TOOL_BEFORE "tool.before"
// The agent works out whether a tool needs a permission.
#define HOOKBOX_PERMISSION_CHECK "permission.check"
// The person is about to be asked.
#define HOOKBOX_PERMISSION_REQUEST "permission.request"
// A permission was given.
#define HOOKBOX_PERMISSION_GRANTED "permission.granted"
// A permission was refused.
#define HOOKBOX_PERMISSION_DENIED "permission.denied"
// A tool has run; a deny is feedback, or withholds the result.
#define HOOKBOX_TOOL_AFTER "tool.after"
// A tool has failed; a deny is feedback.
#define HOOKBOX_TOOL_ERROR "tool.error"
// All tools of one model turn have run.
#define HOOKBOX_TOOL_BATCH_AFTER "tool.batch-after"
// The agent wants to stop; a deny makes it go on.
#define HOOKBOX_AGENT_STOP "agent.stop"
// The turn ended in an error.
#define HOOKBOX_AGENT_STOP_FAILURE "agent.stop-failure"
// A subagent begins.
#define HOOKBOX_SUBAGENT_START "subagent.start"
// A subagent wants to stop; a deny makes it go on.
#define HOOKBOX_SUBAGENT_STOP "subagent.stop"
// A team mate has nothing to do; a deny makes it go on.
#define HOOKBOX_TEAM_IDLE "team.idle"
// A task is about to be created.
#define HOOKBOX_TASK_CREATED "task.created"
// A task is about to be closed.
#define HOOKBOX_TASK_COMPLETED "task.completed"
// The context is about to be compacted.
#define HOOKBOX_COMPACT_BEFORE "compact.before"
// The context was compacted.
#define HOOKBOX_COMPACT_AFTER "compact.after"
// The person is notified.
#define HOOKBOX_NOTIFICATION "notification"
// The agent's configuration is about to change.
#define HOOKBOX_CONFIG_CHANGE "config.change"
// The working directory changed.
#define HOOKBOX_CWD_CHANGED "cwd.changed"
// A directory joined the workspace.
#define HOOKBOX_DIRECTORY_ADDED "directory.added"
// A watched file changed.
#define HOOKBOX_FILE_CHANGED "file.changed"
// A worktree is about to be created.
#define HOOKBOX_WORKTREE_CREATE "worktree.create"
// A worktree was removed.
#define HOOKBOX_WORKTREE_REMOVE "worktree.remove"
// An MCP server asks the person something.
#define HOOKBOX_ELICITATION_REQUEST "elicitation.request"
// The person's answer goes to the MCP server.
#define HOOKBOX_ELICITATION_RESULT "elicitation.result"
// The status line is drawn.
#define HOOKBOX_UI_STATUS_LINE "ui.status-line"
// Files are suggested to the person.
#define HOOKBOX_UI_FILE_SUGGESTION "ui.file-suggestion"

#endif
