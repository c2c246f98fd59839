// The names of the canonical events.

/** A session begins or goes on. */
export const SESSION_START: string = "session.start";
/** A repository is set up. */
export const SESSION_SETUP: string = "session.setup";
/** A session is over. */
export const SESSION_END: string = "session.end";
/** A message joined the session. */
export const SESSION_MESSAGE: string = "session.message";
/** An instruction file was read. */
export const INSTRUCTIONS_LOADED: string = "instructions.loaded";
/** The person sent a prompt. */
export const PROMPT_SUBMIT: string = "prompt.submit";
/** A slash command or MCP prompt becomes a prompt. */
export const PROMPT_EXPAND: string = "prompt.expand";
/** The person interrupted. */
export const PROMPT_INTERRUPT: string = "prompt.interrupt";
/** The tools for the next model call are chosen. */
export const MODEL_SELECT_TOOLS: string = "model.select-tools";
/** A request goes to the model. */
export const MODEL_REQUEST: string = "model.request";
/** A request is judged while it is already under way. */
export const MODEL_MODERATE: string = "model.moderate";
/** A deployment is chosen. */
export const MODEL_ROUTE: string = "model.route";
/** A streamed answer begins. */
export const MODEL_STREAM_START: string = "model.stream-start";
/** A piece of a streamed answer. */
export const MODEL_STREAM_CHUNK: string = "model.stream-chunk";
/** A streamed answer is over. */
export const MODEL_STREAM_END: string = "model.stream-end";
/** The model answered. */
export const MODEL_RESPONSE: string = "model.response";
/** The model call failed. */
export const MODEL_ERROR: string = "model.error";
/** A model call is written to the log. */
export const MODEL_LOG: string = "model.log";
/** The model is about to change. */
export const MODEL_SWITCH_BEFORE: string = "model.switch-before";
/** The model changed. */
export const MODEL_SWITCH_AFTER: string = "model.switch-after";
/** Text goes to the screen. */
export const MESSAGE_DISPLAY: string = "message.display";
/** A tool is about to run. */
export const TOOL_BEFORE: string = "tool.before";
/** The agent works out whether a tool needs a permission. */
export const PERMISSION_CHECK: string = "permission.check";
/** The person is about to be asked. */
export const PERMISSION_REQUEST: string = "permission.request";
/** A permission was given. */
export const PERMISSION_GRANTED: string = "permission.granted";
/** A permission was refused. */
export const PERMISSION_DENIED: string = "permission.denied";
/** A tool has run; a deny is feedback, or withholds the result. */
export const TOOL_AFTER: string = "tool.after";
/** A tool has failed; a deny is feedback. */
export const TOOL_ERROR: string = "tool.error";
/** All tools of one model turn have run. */
export const TOOL_BATCH_AFTER: string = "tool.batch-after";
/** The agent wants to stop; a deny makes it go on. */
export const AGENT_STOP: string = "agent.stop";
/** The turn ended in an error. */
export const AGENT_STOP_FAILURE: string = "agent.stop-failure";
/** A subagent begins. */
export const SUBAGENT_START: string = "subagent.start";
/** A subagent wants to stop; a deny makes it go on. */
export const SUBAGENT_STOP: string = "subagent.stop";
/** A team mate has nothing to do; a deny makes it go on. */
export const TEAM_IDLE: string = "team.idle";
/** A task is about to be created. */
export const TASK_CREATED: string = "task.created";
/** A task is about to be closed. */
export const TASK_COMPLETED: string = "task.completed";
/** The context is about to be compacted. */
export const COMPACT_BEFORE: string = "compact.before";
/** The context was compacted. */
export const COMPACT_AFTER: string = "compact.after";
/** The person is notified. */
export const NOTIFICATION: string = "notification";
/** The agent's configuration is about to change. */
export const CONFIG_CHANGE: string = "config.change";
/** The working directory changed. */
export const CWD_CHANGED: string = "cwd.changed";
/** A directory joined the workspace. */
export const DIRECTORY_ADDED: string = "directory.added";
/** A watched file changed. */
export const FILE_CHANGED: string = "file.changed";
/** A worktree is about to be created. */
export const WORKTREE_CREATE: string = "worktree.create";
/** A worktree was removed. */
export const WORKTREE_REMOVE: string = "worktree.remove";
/** An MCP server asks the person something. */
export const ELICITATION_REQUEST: string = "elicitation.request";
/** The person's answer goes to the MCP server. */
export const ELICITATION_RESULT: string = "elicitation.result";
/** The status line is drawn. */
export const UI_STATUS_LINE: string = "ui.status-line";
/** Files are suggested to the person. */
export const UI_FILE_SUGGESTION: string = "ui.file-suggestion";
