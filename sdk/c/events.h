/* Written by `cargo xtask event-types`; do not edit.
 *
 * The canonical events: their names, and JSON pointers to what is known of their payloads. */
#ifndef HOOKBOX_EVENTS_H
#define HOOKBOX_EVENTS_H

/* A session begins or goes on. An answer can give context. */
#define HOOKBOX_SESSION_START "session.start"

/* A repository is set up. An answer can give context. */
#define HOOKBOX_SESSION_SETUP "session.setup"

/* A session is over. */
#define HOOKBOX_SESSION_END "session.end"

/* A message joined the session. An answer can deny, ask or allow. */
#define HOOKBOX_SESSION_MESSAGE "session.message"

/* An instruction file was read. */
#define HOOKBOX_INSTRUCTIONS_LOADED "instructions.loaded"
/* In its payload must be a string. */
#define HOOKBOX_INSTRUCTIONS_LOADED_PAYLOAD_FILE_PATH "/file_path"

/* The person sent a prompt. An answer can deny, ask or allow; rewrite `payload.prompt`; give context. */
#define HOOKBOX_PROMPT_SUBMIT "prompt.submit"
/* In its payload must be a string. */
#define HOOKBOX_PROMPT_SUBMIT_PAYLOAD_PROMPT "/prompt"

/* A slash command or MCP prompt becomes a prompt. An answer can deny, ask or allow; give context. */
#define HOOKBOX_PROMPT_EXPAND "prompt.expand"
/* In its payload must be a string. */
#define HOOKBOX_PROMPT_EXPAND_PAYLOAD_PROMPT "/prompt"

/* The person interrupted. */
#define HOOKBOX_PROMPT_INTERRUPT "prompt.interrupt"

/* The tools for the next model call are chosen. An answer can rewrite `payload.tool_config`. */
#define HOOKBOX_MODEL_SELECT_TOOLS "model.select-tools"
/* In its payload must be an object. */
#define HOOKBOX_MODEL_SELECT_TOOLS_PAYLOAD_REQUEST "/request"
/* In its payload may be any JSON. */
#define HOOKBOX_MODEL_SELECT_TOOLS_PAYLOAD_TOOL_CONFIG "/tool_config"

/* A request goes to the model. An answer can deny, ask or allow; rewrite `payload.request`; give context. */
#define HOOKBOX_MODEL_REQUEST "model.request"
/* In its payload must be an object. */
#define HOOKBOX_MODEL_REQUEST_PAYLOAD_REQUEST "/request"

/* A request is judged while it is already under way. An answer can deny, ask or allow. */
#define HOOKBOX_MODEL_MODERATE "model.moderate"
/* In its payload must be an object. */
#define HOOKBOX_MODEL_MODERATE_PAYLOAD_REQUEST "/request"

/* A deployment is chosen. An answer can deny, ask or allow; rewrite `payload.deployments`. */
#define HOOKBOX_MODEL_ROUTE "model.route"
/* In its payload must be an array. */
#define HOOKBOX_MODEL_ROUTE_PAYLOAD_DEPLOYMENTS "/deployments"

/* A streamed answer begins. An answer can deny, ask or allow. */
#define HOOKBOX_MODEL_STREAM_START "model.stream-start"

/* A piece of a streamed answer. An answer can deny, ask or allow; rewrite `payload.chunk`. */
#define HOOKBOX_MODEL_STREAM_CHUNK "model.stream-chunk"
/* In its payload must be any JSON. */
#define HOOKBOX_MODEL_STREAM_CHUNK_PAYLOAD_CHUNK "/chunk"

/* A streamed answer is over. An answer can deny, ask or allow. */
#define HOOKBOX_MODEL_STREAM_END "model.stream-end"

/* The model answered. An answer can deny, ask or allow; rewrite `payload.response`. */
#define HOOKBOX_MODEL_RESPONSE "model.response"
/* In its payload must be an object. */
#define HOOKBOX_MODEL_RESPONSE_PAYLOAD_RESPONSE "/response"

/* The model call failed. */
#define HOOKBOX_MODEL_ERROR "model.error"
/* In its payload must be any JSON. */
#define HOOKBOX_MODEL_ERROR_PAYLOAD_ERROR "/error"

/* A model call is written to the log. An answer can rewrite `payload.record`. */
#define HOOKBOX_MODEL_LOG "model.log"
/* In its payload must be an object. */
#define HOOKBOX_MODEL_LOG_PAYLOAD_RECORD "/record"

/* The model is about to change. An answer can deny, ask or allow. */
#define HOOKBOX_MODEL_SWITCH_BEFORE "model.switch-before"
/* In its payload must be a string. */
#define HOOKBOX_MODEL_SWITCH_BEFORE_PAYLOAD_TO_MODEL "/to_model"

/* The model changed. An answer can give context. */
#define HOOKBOX_MODEL_SWITCH_AFTER "model.switch-after"
/* In its payload must be a string. */
#define HOOKBOX_MODEL_SWITCH_AFTER_PAYLOAD_TO_MODEL "/to_model"

/* Text goes to the screen. An answer can rewrite `payload.text`. */
#define HOOKBOX_MESSAGE_DISPLAY "message.display"
/* In its payload must be a string. */
#define HOOKBOX_MESSAGE_DISPLAY_PAYLOAD_TEXT "/text"

/* A tool is about to run. An answer can deny, ask or allow; rewrite `tool.input`; give context. */
#define HOOKBOX_TOOL_BEFORE "tool.before"

/* The agent works out whether a tool needs a permission. An answer can deny, ask or allow. */
#define HOOKBOX_PERMISSION_CHECK "permission.check"

/* The person is about to be asked. An answer can deny, ask or allow; rewrite `tool.input`. */
#define HOOKBOX_PERMISSION_REQUEST "permission.request"

/* A permission was given. */
#define HOOKBOX_PERMISSION_GRANTED "permission.granted"

/* A permission was refused. */
#define HOOKBOX_PERMISSION_DENIED "permission.denied"

/* A tool has run; a deny is feedback, or withholds the result. An answer can deny, ask or allow; rewrite `tool.output`; give context. */
#define HOOKBOX_TOOL_AFTER "tool.after"

/* A tool has failed; a deny is feedback. An answer can deny, ask or allow; give context. */
#define HOOKBOX_TOOL_ERROR "tool.error"
/* In its payload must be any JSON. */
#define HOOKBOX_TOOL_ERROR_PAYLOAD_ERROR "/error"

/* All tools of one model turn have run. An answer can deny, ask or allow; give context. */
#define HOOKBOX_TOOL_BATCH_AFTER "tool.batch-after"
/* In its payload must be an array. */
#define HOOKBOX_TOOL_BATCH_AFTER_PAYLOAD_TOOL_CALLS "/tool_calls"

/* The agent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context. */
#define HOOKBOX_AGENT_STOP "agent.stop"

/* The turn ended in an error. */
#define HOOKBOX_AGENT_STOP_FAILURE "agent.stop-failure"
/* In its payload must be any JSON. */
#define HOOKBOX_AGENT_STOP_FAILURE_PAYLOAD_ERROR "/error"

/* A subagent begins. An answer can give context. */
#define HOOKBOX_SUBAGENT_START "subagent.start"

/* A subagent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context. */
#define HOOKBOX_SUBAGENT_STOP "subagent.stop"

/* A team mate has nothing to do; a deny makes it go on. An answer can deny, ask or allow. */
#define HOOKBOX_TEAM_IDLE "team.idle"
/* In its payload must be a string. */
#define HOOKBOX_TEAM_IDLE_PAYLOAD_TEAMMATE_NAME "/teammate_name"

/* A task is about to be created. An answer can deny, ask or allow. */
#define HOOKBOX_TASK_CREATED "task.created"
/* In its payload must be a string. */
#define HOOKBOX_TASK_CREATED_PAYLOAD_TASK_ID "/task_id"

/* A task is about to be closed. An answer can deny, ask or allow. */
#define HOOKBOX_TASK_COMPLETED "task.completed"
/* In its payload must be a string. */
#define HOOKBOX_TASK_COMPLETED_PAYLOAD_TASK_ID "/task_id"

/* The context is about to be compacted. An answer can deny, ask or allow. */
#define HOOKBOX_COMPACT_BEFORE "compact.before"

/* The context was compacted. */
#define HOOKBOX_COMPACT_AFTER "compact.after"

/* The person is notified. */
#define HOOKBOX_NOTIFICATION "notification"
/* In its payload must be a string. */
#define HOOKBOX_NOTIFICATION_PAYLOAD_MESSAGE "/message"

/* The agent's configuration is about to change. An answer can deny, ask or allow. */
#define HOOKBOX_CONFIG_CHANGE "config.change"
/* In its payload must be a string. */
#define HOOKBOX_CONFIG_CHANGE_PAYLOAD_SOURCE "/source"

/* The working directory changed. */
#define HOOKBOX_CWD_CHANGED "cwd.changed"
/* In its payload must be a string. */
#define HOOKBOX_CWD_CHANGED_PAYLOAD_OLD_CWD "/old_cwd"
/* In its payload must be a string. */
#define HOOKBOX_CWD_CHANGED_PAYLOAD_NEW_CWD "/new_cwd"

/* A directory joined the workspace. */
#define HOOKBOX_DIRECTORY_ADDED "directory.added"
/* In its payload must be a string. */
#define HOOKBOX_DIRECTORY_ADDED_PAYLOAD_DIRECTORY "/directory"

/* A watched file changed. */
#define HOOKBOX_FILE_CHANGED "file.changed"
/* In its payload must be a string. */
#define HOOKBOX_FILE_CHANGED_PAYLOAD_FILE_PATH "/file_path"

/* A worktree is about to be created. An answer can deny, ask or allow; rewrite `payload.path`. */
#define HOOKBOX_WORKTREE_CREATE "worktree.create"
/* In its payload may be any JSON. */
#define HOOKBOX_WORKTREE_CREATE_PAYLOAD_PATH "/path"

/* A worktree was removed. */
#define HOOKBOX_WORKTREE_REMOVE "worktree.remove"
/* In its payload must be a string. */
#define HOOKBOX_WORKTREE_REMOVE_PAYLOAD_WORKTREE_PATH "/worktree_path"

/* An MCP server asks the person something. An answer can deny, ask or allow; rewrite `payload.answer`. */
#define HOOKBOX_ELICITATION_REQUEST "elicitation.request"
/* In its payload must be a string. */
#define HOOKBOX_ELICITATION_REQUEST_PAYLOAD_MCP_SERVER_NAME "/mcp_server_name"
/* In its payload may be any JSON. */
#define HOOKBOX_ELICITATION_REQUEST_PAYLOAD_ANSWER "/answer"

/* The person's answer goes to the MCP server. An answer can deny, ask or allow; rewrite `payload.answer`. */
#define HOOKBOX_ELICITATION_RESULT "elicitation.result"
/* In its payload must be a string. */
#define HOOKBOX_ELICITATION_RESULT_PAYLOAD_MCP_SERVER_NAME "/mcp_server_name"
/* In its payload must be an object. */
#define HOOKBOX_ELICITATION_RESULT_PAYLOAD_ANSWER "/answer"

/* The status line is drawn. An answer can rewrite `payload.text`. */
#define HOOKBOX_UI_STATUS_LINE "ui.status-line"
/* In its payload may be any JSON. */
#define HOOKBOX_UI_STATUS_LINE_PAYLOAD_TEXT "/text"

/* Files are suggested to the person. An answer can rewrite `payload.files`. */
#define HOOKBOX_UI_FILE_SUGGESTION "ui.file-suggestion"
/* In its payload may be any JSON. */
#define HOOKBOX_UI_FILE_SUGGESTION_PAYLOAD_FILES "/files"

#endif
