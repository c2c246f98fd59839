// Written by `cargo xtask event-types`; do not edit.
//
// The canonical events: their names, and JSON pointers to what is known of their payloads.

/** A session begins or goes on. An answer can give context. */
export const SESSION_START: string = "session.start";

/** A repository is set up. An answer can give context. */
export const SESSION_SETUP: string = "session.setup";

/** A session is over. */
export const SESSION_END: string = "session.end";

/** A message joined the session. An answer can deny, ask or allow. */
export const SESSION_MESSAGE: string = "session.message";

/** An instruction file was read. */
export const INSTRUCTIONS_LOADED: string = "instructions.loaded";
/** In its payload must be a string. */
export const INSTRUCTIONS_LOADED_PAYLOAD_FILE_PATH: string = "/file_path";

/** The person sent a prompt. An answer can deny, ask or allow; rewrite `payload.prompt`; give context. */
export const PROMPT_SUBMIT: string = "prompt.submit";
/** In its payload must be a string. */
export const PROMPT_SUBMIT_PAYLOAD_PROMPT: string = "/prompt";

/** A slash command or MCP prompt becomes a prompt. An answer can deny, ask or allow; give context. */
export const PROMPT_EXPAND: string = "prompt.expand";
/** In its payload must be a string. */
export const PROMPT_EXPAND_PAYLOAD_PROMPT: string = "/prompt";

/** The person interrupted. */
export const PROMPT_INTERRUPT: string = "prompt.interrupt";

/** The tools for the next model call are chosen. An answer can rewrite `payload.tool_config`. */
export const MODEL_SELECT_TOOLS: string = "model.select-tools";
/** In its payload must be an object. */
export const MODEL_SELECT_TOOLS_PAYLOAD_REQUEST: string = "/request";
/** In its payload may be any JSON. */
export const MODEL_SELECT_TOOLS_PAYLOAD_TOOL_CONFIG: string = "/tool_config";

/** A request goes to the model. An answer can deny, ask or allow; rewrite `payload.request`; give context. */
export const MODEL_REQUEST: string = "model.request";
/** In its payload must be an object. */
export const MODEL_REQUEST_PAYLOAD_REQUEST: string = "/request";

/** A request is judged while it is already under way. An answer can deny, ask or allow. */
export const MODEL_MODERATE: string = "model.moderate";
/** In its payload must be an object. */
export const MODEL_MODERATE_PAYLOAD_REQUEST: string = "/request";

/** A deployment is chosen. An answer can deny, ask or allow; rewrite `payload.deployments`. */
export const MODEL_ROUTE: string = "model.route";
/** In its payload must be an array. */
export const MODEL_ROUTE_PAYLOAD_DEPLOYMENTS: string = "/deployments";

/** A streamed answer begins. An answer can deny, ask or allow. */
export const MODEL_STREAM_START: string = "model.stream-start";

/** A piece of a streamed answer. An answer can deny, ask or allow; rewrite `payload.chunk`. */
export const MODEL_STREAM_CHUNK: string = "model.stream-chunk";
/** In its payload must be any JSON. */
export const MODEL_STREAM_CHUNK_PAYLOAD_CHUNK: string = "/chunk";

/** A streamed answer is over. An answer can deny, ask or allow. */
export const MODEL_STREAM_END: string = "model.stream-end";

/** The model answered. An answer can deny, ask or allow; rewrite `payload.response`. */
export const MODEL_RESPONSE: string = "model.response";
/** In its payload must be an object. */
export const MODEL_RESPONSE_PAYLOAD_RESPONSE: string = "/response";

/** The model call failed. */
export const MODEL_ERROR: string = "model.error";
/** In its payload must be any JSON. */
export const MODEL_ERROR_PAYLOAD_ERROR: string = "/error";

/** A model call is written to the log. An answer can rewrite `payload.record`. */
export const MODEL_LOG: string = "model.log";
/** In its payload must be an object. */
export const MODEL_LOG_PAYLOAD_RECORD: string = "/record";

/** The model is about to change. An answer can deny, ask or allow. */
export const MODEL_SWITCH_BEFORE: string = "model.switch-before";
/** In its payload must be a string. */
export const MODEL_SWITCH_BEFORE_PAYLOAD_TO_MODEL: string = "/to_model";

/** The model changed. An answer can give context. */
export const MODEL_SWITCH_AFTER: string = "model.switch-after";
/** In its payload must be a string. */
export const MODEL_SWITCH_AFTER_PAYLOAD_TO_MODEL: string = "/to_model";

/** Text goes to the screen. An answer can rewrite `payload.text`. */
export const MESSAGE_DISPLAY: string = "message.display";
/** In its payload must be a string. */
export const MESSAGE_DISPLAY_PAYLOAD_TEXT: string = "/text";

/** A tool is about to run. An answer can deny, ask or allow; rewrite `tool.input`; give context. */
export const TOOL_BEFORE: string = "tool.before";

/** The agent works out whether a tool needs a permission. An answer can deny, ask or allow. */
export const PERMISSION_CHECK: string = "permission.check";

/** The person is about to be asked. An answer can deny, ask or allow; rewrite `tool.input`. */
export const PERMISSION_REQUEST: string = "permission.request";

/** A permission was given. */
export const PERMISSION_GRANTED: string = "permission.granted";

/** A permission was refused. */
export const PERMISSION_DENIED: string = "permission.denied";

/** A tool has run; a deny is feedback, or withholds the result. An answer can deny, ask or allow; rewrite `tool.output`; give context. */
export const TOOL_AFTER: string = "tool.after";

/** A tool has failed; a deny is feedback. An answer can deny, ask or allow; give context. */
export const TOOL_ERROR: string = "tool.error";
/** In its payload must be any JSON. */
export const TOOL_ERROR_PAYLOAD_ERROR: string = "/error";

/** All tools of one model turn have run. An answer can deny, ask or allow; give context. */
export const TOOL_BATCH_AFTER: string = "tool.batch-after";
/** In its payload must be an array. */
export const TOOL_BATCH_AFTER_PAYLOAD_TOOL_CALLS: string = "/tool_calls";

/** The agent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context. */
export const AGENT_STOP: string = "agent.stop";

/** The turn ended in an error. */
export const AGENT_STOP_FAILURE: string = "agent.stop-failure";
/** In its payload must be any JSON. */
export const AGENT_STOP_FAILURE_PAYLOAD_ERROR: string = "/error";

/** A subagent begins. An answer can give context. */
export const SUBAGENT_START: string = "subagent.start";

/** A subagent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context. */
export const SUBAGENT_STOP: string = "subagent.stop";

/** A team mate has nothing to do; a deny makes it go on. An answer can deny, ask or allow. */
export const TEAM_IDLE: string = "team.idle";
/** In its payload must be a string. */
export const TEAM_IDLE_PAYLOAD_TEAMMATE_NAME: string = "/teammate_name";

/** A task is about to be created. An answer can deny, ask or allow. */
export const TASK_CREATED: string = "task.created";
/** In its payload must be a string. */
export const TASK_CREATED_PAYLOAD_TASK_ID: string = "/task_id";

/** A task is about to be closed. An answer can deny, ask or allow. */
export const TASK_COMPLETED: string = "task.completed";
/** In its payload must be a string. */
export const TASK_COMPLETED_PAYLOAD_TASK_ID: string = "/task_id";

/** The context is about to be compacted. An answer can deny, ask or allow. */
export const COMPACT_BEFORE: string = "compact.before";

/** The context was compacted. */
export const COMPACT_AFTER: string = "compact.after";

/** The person is notified. */
export const NOTIFICATION: string = "notification";
/** In its payload must be a string. */
export const NOTIFICATION_PAYLOAD_MESSAGE: string = "/message";

/** The agent's configuration is about to change. An answer can deny, ask or allow. */
export const CONFIG_CHANGE: string = "config.change";
/** In its payload must be a string. */
export const CONFIG_CHANGE_PAYLOAD_SOURCE: string = "/source";

/** The working directory changed. */
export const CWD_CHANGED: string = "cwd.changed";
/** In its payload must be a string. */
export const CWD_CHANGED_PAYLOAD_OLD_CWD: string = "/old_cwd";
/** In its payload must be a string. */
export const CWD_CHANGED_PAYLOAD_NEW_CWD: string = "/new_cwd";

/** A directory joined the workspace. */
export const DIRECTORY_ADDED: string = "directory.added";
/** In its payload must be a string. */
export const DIRECTORY_ADDED_PAYLOAD_DIRECTORY: string = "/directory";

/** A watched file changed. */
export const FILE_CHANGED: string = "file.changed";
/** In its payload must be a string. */
export const FILE_CHANGED_PAYLOAD_FILE_PATH: string = "/file_path";

/** A worktree is about to be created. An answer can deny, ask or allow; rewrite `payload.path`. */
export const WORKTREE_CREATE: string = "worktree.create";
/** In its payload may be any JSON. */
export const WORKTREE_CREATE_PAYLOAD_PATH: string = "/path";

/** A worktree was removed. */
export const WORKTREE_REMOVE: string = "worktree.remove";
/** In its payload must be a string. */
export const WORKTREE_REMOVE_PAYLOAD_WORKTREE_PATH: string = "/worktree_path";

/** An MCP server asks the person something. An answer can deny, ask or allow; rewrite `payload.answer`. */
export const ELICITATION_REQUEST: string = "elicitation.request";
/** In its payload must be a string. */
export const ELICITATION_REQUEST_PAYLOAD_MCP_SERVER_NAME: string = "/mcp_server_name";
/** In its payload may be any JSON. */
export const ELICITATION_REQUEST_PAYLOAD_ANSWER: string = "/answer";

/** The person's answer goes to the MCP server. An answer can deny, ask or allow; rewrite `payload.answer`. */
export const ELICITATION_RESULT: string = "elicitation.result";
/** In its payload must be a string. */
export const ELICITATION_RESULT_PAYLOAD_MCP_SERVER_NAME: string = "/mcp_server_name";
/** In its payload must be an object. */
export const ELICITATION_RESULT_PAYLOAD_ANSWER: string = "/answer";

/** The status line is drawn. An answer can rewrite `payload.text`. */
export const UI_STATUS_LINE: string = "ui.status-line";
/** In its payload may be any JSON. */
export const UI_STATUS_LINE_PAYLOAD_TEXT: string = "/text";

/** Files are suggested to the person. An answer can rewrite `payload.files`. */
export const UI_FILE_SUGGESTION: string = "ui.file-suggestion";
/** In its payload may be any JSON. */
export const UI_FILE_SUGGESTION_PAYLOAD_FILES: string = "/files";
