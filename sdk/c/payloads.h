/* Written by `cargo xtask event-types`; do not edit.
 *
 * What is known of the payloads of the canonical events: a type for each, and what reads it. The rest of a payload is the
 * agent's own: `hookbox_json_at` and its like read it.
 *
 * Each reader is false, and its result not to be used, if the event is another one or its payload lacks what it must have. */
#ifndef HOOKBOX_PAYLOADS_H
#define HOOKBOX_PAYLOADS_H

#include "hookbox.h"

/* The payload of `instructions.loaded`. */
typedef struct {
    hookbox_text file_path;
} hookbox_instructions_loaded;

static inline bool hookbox_read_instructions_loaded(const hookbox_event *event, hookbox_instructions_loaded *payload) {
    return hookbox_is(event, HOOKBOX_INSTRUCTIONS_LOADED) &&
           hookbox_json_text(event->payload, HOOKBOX_INSTRUCTIONS_LOADED_PAYLOAD_FILE_PATH, &payload->file_path);
}

/* The payload of `prompt.submit`. */
typedef struct {
    hookbox_text prompt;
} hookbox_prompt_submit;

static inline bool hookbox_read_prompt_submit(const hookbox_event *event, hookbox_prompt_submit *payload) {
    return hookbox_is(event, HOOKBOX_PROMPT_SUBMIT) &&
           hookbox_json_text(event->payload, HOOKBOX_PROMPT_SUBMIT_PAYLOAD_PROMPT, &payload->prompt);
}

/* The payload of `prompt.expand`. */
typedef struct {
    hookbox_text prompt;
} hookbox_prompt_expand;

static inline bool hookbox_read_prompt_expand(const hookbox_event *event, hookbox_prompt_expand *payload) {
    return hookbox_is(event, HOOKBOX_PROMPT_EXPAND) &&
           hookbox_json_text(event->payload, HOOKBOX_PROMPT_EXPAND_PAYLOAD_PROMPT, &payload->prompt);
}

/* The payload of `model.select-tools`. */
typedef struct {
    /* An object, as JSON. */
    hookbox_text request;
    /* Is the next one there? */
    bool has_tool_config;
    /* JSON. */
    hookbox_text tool_config;
} hookbox_model_select_tools;

static inline bool hookbox_read_model_select_tools(const hookbox_event *event, hookbox_model_select_tools *payload) {
    if (!(hookbox_is(event, HOOKBOX_MODEL_SELECT_TOOLS) &&
          hookbox_json_object(event->payload, HOOKBOX_MODEL_SELECT_TOOLS_PAYLOAD_REQUEST, &payload->request))) {
        return false;
    }
    payload->has_tool_config = hookbox_json_at(event->payload, HOOKBOX_MODEL_SELECT_TOOLS_PAYLOAD_TOOL_CONFIG, &payload->tool_config);
    return true;
}

/* The payload of `model.request`. */
typedef struct {
    /* An object, as JSON. */
    hookbox_text request;
} hookbox_model_request;

static inline bool hookbox_read_model_request(const hookbox_event *event, hookbox_model_request *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_REQUEST) &&
           hookbox_json_object(event->payload, HOOKBOX_MODEL_REQUEST_PAYLOAD_REQUEST, &payload->request);
}

/* The payload of `model.moderate`. */
typedef struct {
    /* An object, as JSON. */
    hookbox_text request;
} hookbox_model_moderate;

static inline bool hookbox_read_model_moderate(const hookbox_event *event, hookbox_model_moderate *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_MODERATE) &&
           hookbox_json_object(event->payload, HOOKBOX_MODEL_MODERATE_PAYLOAD_REQUEST, &payload->request);
}

/* The payload of `model.route`. */
typedef struct {
    /* An array, as JSON. */
    hookbox_text deployments;
} hookbox_model_route;

static inline bool hookbox_read_model_route(const hookbox_event *event, hookbox_model_route *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_ROUTE) &&
           hookbox_json_array(event->payload, HOOKBOX_MODEL_ROUTE_PAYLOAD_DEPLOYMENTS, &payload->deployments);
}

/* The payload of `model.stream-chunk`. */
typedef struct {
    /* JSON. */
    hookbox_text chunk;
} hookbox_model_stream_chunk;

static inline bool hookbox_read_model_stream_chunk(const hookbox_event *event, hookbox_model_stream_chunk *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_STREAM_CHUNK) &&
           hookbox_json_at(event->payload, HOOKBOX_MODEL_STREAM_CHUNK_PAYLOAD_CHUNK, &payload->chunk);
}

/* The payload of `model.response`. */
typedef struct {
    /* An object, as JSON. */
    hookbox_text response;
} hookbox_model_response;

static inline bool hookbox_read_model_response(const hookbox_event *event, hookbox_model_response *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_RESPONSE) &&
           hookbox_json_object(event->payload, HOOKBOX_MODEL_RESPONSE_PAYLOAD_RESPONSE, &payload->response);
}

/* The payload of `model.error`. */
typedef struct {
    /* JSON. */
    hookbox_text error;
} hookbox_model_error;

static inline bool hookbox_read_model_error(const hookbox_event *event, hookbox_model_error *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_ERROR) &&
           hookbox_json_at(event->payload, HOOKBOX_MODEL_ERROR_PAYLOAD_ERROR, &payload->error);
}

/* The payload of `model.log`. */
typedef struct {
    /* An object, as JSON. */
    hookbox_text record;
} hookbox_model_log;

static inline bool hookbox_read_model_log(const hookbox_event *event, hookbox_model_log *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_LOG) &&
           hookbox_json_object(event->payload, HOOKBOX_MODEL_LOG_PAYLOAD_RECORD, &payload->record);
}

/* The payload of `model.switch-before`. */
typedef struct {
    hookbox_text to_model;
} hookbox_model_switch_before;

static inline bool hookbox_read_model_switch_before(const hookbox_event *event, hookbox_model_switch_before *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_SWITCH_BEFORE) &&
           hookbox_json_text(event->payload, HOOKBOX_MODEL_SWITCH_BEFORE_PAYLOAD_TO_MODEL, &payload->to_model);
}

/* The payload of `model.switch-after`. */
typedef struct {
    hookbox_text to_model;
} hookbox_model_switch_after;

static inline bool hookbox_read_model_switch_after(const hookbox_event *event, hookbox_model_switch_after *payload) {
    return hookbox_is(event, HOOKBOX_MODEL_SWITCH_AFTER) &&
           hookbox_json_text(event->payload, HOOKBOX_MODEL_SWITCH_AFTER_PAYLOAD_TO_MODEL, &payload->to_model);
}

/* The payload of `message.display`. */
typedef struct {
    hookbox_text text;
} hookbox_message_display;

static inline bool hookbox_read_message_display(const hookbox_event *event, hookbox_message_display *payload) {
    return hookbox_is(event, HOOKBOX_MESSAGE_DISPLAY) &&
           hookbox_json_text(event->payload, HOOKBOX_MESSAGE_DISPLAY_PAYLOAD_TEXT, &payload->text);
}

/* The payload of `tool.error`. */
typedef struct {
    /* JSON. */
    hookbox_text error;
} hookbox_tool_error;

static inline bool hookbox_read_tool_error(const hookbox_event *event, hookbox_tool_error *payload) {
    return hookbox_is(event, HOOKBOX_TOOL_ERROR) &&
           hookbox_json_at(event->payload, HOOKBOX_TOOL_ERROR_PAYLOAD_ERROR, &payload->error);
}

/* The payload of `tool.batch-after`. */
typedef struct {
    /* An array, as JSON. */
    hookbox_text tool_calls;
} hookbox_tool_batch_after;

static inline bool hookbox_read_tool_batch_after(const hookbox_event *event, hookbox_tool_batch_after *payload) {
    return hookbox_is(event, HOOKBOX_TOOL_BATCH_AFTER) &&
           hookbox_json_array(event->payload, HOOKBOX_TOOL_BATCH_AFTER_PAYLOAD_TOOL_CALLS, &payload->tool_calls);
}

/* The payload of `agent.stop-failure`. */
typedef struct {
    /* JSON. */
    hookbox_text error;
} hookbox_agent_stop_failure;

static inline bool hookbox_read_agent_stop_failure(const hookbox_event *event, hookbox_agent_stop_failure *payload) {
    return hookbox_is(event, HOOKBOX_AGENT_STOP_FAILURE) &&
           hookbox_json_at(event->payload, HOOKBOX_AGENT_STOP_FAILURE_PAYLOAD_ERROR, &payload->error);
}

/* The payload of `team.idle`. */
typedef struct {
    hookbox_text teammate_name;
} hookbox_team_idle;

static inline bool hookbox_read_team_idle(const hookbox_event *event, hookbox_team_idle *payload) {
    return hookbox_is(event, HOOKBOX_TEAM_IDLE) &&
           hookbox_json_text(event->payload, HOOKBOX_TEAM_IDLE_PAYLOAD_TEAMMATE_NAME, &payload->teammate_name);
}

/* The payload of `task.created`. */
typedef struct {
    hookbox_text task_id;
} hookbox_task_created;

static inline bool hookbox_read_task_created(const hookbox_event *event, hookbox_task_created *payload) {
    return hookbox_is(event, HOOKBOX_TASK_CREATED) &&
           hookbox_json_text(event->payload, HOOKBOX_TASK_CREATED_PAYLOAD_TASK_ID, &payload->task_id);
}

/* The payload of `task.completed`. */
typedef struct {
    hookbox_text task_id;
} hookbox_task_completed;

static inline bool hookbox_read_task_completed(const hookbox_event *event, hookbox_task_completed *payload) {
    return hookbox_is(event, HOOKBOX_TASK_COMPLETED) &&
           hookbox_json_text(event->payload, HOOKBOX_TASK_COMPLETED_PAYLOAD_TASK_ID, &payload->task_id);
}

/* The payload of `notification`. */
typedef struct {
    hookbox_text message;
} hookbox_notification;

static inline bool hookbox_read_notification(const hookbox_event *event, hookbox_notification *payload) {
    return hookbox_is(event, HOOKBOX_NOTIFICATION) &&
           hookbox_json_text(event->payload, HOOKBOX_NOTIFICATION_PAYLOAD_MESSAGE, &payload->message);
}

/* The payload of `config.change`. */
typedef struct {
    hookbox_text source;
} hookbox_config_change;

static inline bool hookbox_read_config_change(const hookbox_event *event, hookbox_config_change *payload) {
    return hookbox_is(event, HOOKBOX_CONFIG_CHANGE) &&
           hookbox_json_text(event->payload, HOOKBOX_CONFIG_CHANGE_PAYLOAD_SOURCE, &payload->source);
}

/* The payload of `cwd.changed`. */
typedef struct {
    hookbox_text old_cwd;
    hookbox_text new_cwd;
} hookbox_cwd_changed;

static inline bool hookbox_read_cwd_changed(const hookbox_event *event, hookbox_cwd_changed *payload) {
    return hookbox_is(event, HOOKBOX_CWD_CHANGED) &&
           hookbox_json_text(event->payload, HOOKBOX_CWD_CHANGED_PAYLOAD_OLD_CWD, &payload->old_cwd) &&
           hookbox_json_text(event->payload, HOOKBOX_CWD_CHANGED_PAYLOAD_NEW_CWD, &payload->new_cwd);
}

/* The payload of `directory.added`. */
typedef struct {
    hookbox_text directory;
} hookbox_directory_added;

static inline bool hookbox_read_directory_added(const hookbox_event *event, hookbox_directory_added *payload) {
    return hookbox_is(event, HOOKBOX_DIRECTORY_ADDED) &&
           hookbox_json_text(event->payload, HOOKBOX_DIRECTORY_ADDED_PAYLOAD_DIRECTORY, &payload->directory);
}

/* The payload of `file.changed`. */
typedef struct {
    hookbox_text file_path;
} hookbox_file_changed;

static inline bool hookbox_read_file_changed(const hookbox_event *event, hookbox_file_changed *payload) {
    return hookbox_is(event, HOOKBOX_FILE_CHANGED) &&
           hookbox_json_text(event->payload, HOOKBOX_FILE_CHANGED_PAYLOAD_FILE_PATH, &payload->file_path);
}

/* The payload of `worktree.create`. */
typedef struct {
    /* Is the next one there? */
    bool has_path;
    /* JSON. */
    hookbox_text path;
} hookbox_worktree_create;

static inline bool hookbox_read_worktree_create(const hookbox_event *event, hookbox_worktree_create *payload) {
    if (!(hookbox_is(event, HOOKBOX_WORKTREE_CREATE))) {
        return false;
    }
    payload->has_path = hookbox_json_at(event->payload, HOOKBOX_WORKTREE_CREATE_PAYLOAD_PATH, &payload->path);
    return true;
}

/* The payload of `worktree.remove`. */
typedef struct {
    hookbox_text worktree_path;
} hookbox_worktree_remove;

static inline bool hookbox_read_worktree_remove(const hookbox_event *event, hookbox_worktree_remove *payload) {
    return hookbox_is(event, HOOKBOX_WORKTREE_REMOVE) &&
           hookbox_json_text(event->payload, HOOKBOX_WORKTREE_REMOVE_PAYLOAD_WORKTREE_PATH, &payload->worktree_path);
}

/* The payload of `elicitation.request`. */
typedef struct {
    hookbox_text mcp_server_name;
    /* Is the next one there? */
    bool has_answer;
    /* JSON. */
    hookbox_text answer;
} hookbox_elicitation_request;

static inline bool hookbox_read_elicitation_request(const hookbox_event *event, hookbox_elicitation_request *payload) {
    if (!(hookbox_is(event, HOOKBOX_ELICITATION_REQUEST) &&
          hookbox_json_text(event->payload, HOOKBOX_ELICITATION_REQUEST_PAYLOAD_MCP_SERVER_NAME, &payload->mcp_server_name))) {
        return false;
    }
    payload->has_answer = hookbox_json_at(event->payload, HOOKBOX_ELICITATION_REQUEST_PAYLOAD_ANSWER, &payload->answer);
    return true;
}

/* The payload of `elicitation.result`. */
typedef struct {
    hookbox_text mcp_server_name;
    /* An object, as JSON. */
    hookbox_text answer;
} hookbox_elicitation_result;

static inline bool hookbox_read_elicitation_result(const hookbox_event *event, hookbox_elicitation_result *payload) {
    return hookbox_is(event, HOOKBOX_ELICITATION_RESULT) &&
           hookbox_json_text(event->payload, HOOKBOX_ELICITATION_RESULT_PAYLOAD_MCP_SERVER_NAME, &payload->mcp_server_name) &&
           hookbox_json_object(event->payload, HOOKBOX_ELICITATION_RESULT_PAYLOAD_ANSWER, &payload->answer);
}

/* The payload of `ui.status-line`. */
typedef struct {
    /* Is the next one there? */
    bool has_text;
    /* JSON. */
    hookbox_text text;
} hookbox_ui_status_line;

static inline bool hookbox_read_ui_status_line(const hookbox_event *event, hookbox_ui_status_line *payload) {
    if (!(hookbox_is(event, HOOKBOX_UI_STATUS_LINE))) {
        return false;
    }
    payload->has_text = hookbox_json_at(event->payload, HOOKBOX_UI_STATUS_LINE_PAYLOAD_TEXT, &payload->text);
    return true;
}

/* The payload of `ui.file-suggestion`. */
typedef struct {
    /* Is the next one there? */
    bool has_files;
    /* JSON. */
    hookbox_text files;
} hookbox_ui_file_suggestion;

static inline bool hookbox_read_ui_file_suggestion(const hookbox_event *event, hookbox_ui_file_suggestion *payload) {
    if (!(hookbox_is(event, HOOKBOX_UI_FILE_SUGGESTION))) {
        return false;
    }
    payload->has_files = hookbox_json_at(event->payload, HOOKBOX_UI_FILE_SUGGESTION_PAYLOAD_FILES, &payload->files);
    return true;
}

#endif
