//! One event of every name, with only the required members.

/// Claude Code's events and their own members.
pub(crate) const CLAUDE_CODE: [(&str, &str); 33] = [
    ("SessionStart", r#""source":"startup""#),
    ("Setup", r#""trigger":"init""#),
    ("InstructionsLoaded", r#""file_path":"/p/CLAUDE.md""#),
    ("UserPromptSubmit", r#""prompt":"go""#),
    ("UserPromptExpansion", r#""command_name":"x","prompt":"go""#),
    ("MessageDisplay", r#""delta":"text""#),
    ("PreToolUse", r#""tool_name":"Bash","tool_input":{"command":"ls"}"#),
    ("PermissionRequest", r#""tool_name":"Bash","tool_input":{"command":"ls"}"#),
    ("PermissionDenied", r#""tool_name":"Bash","tool_input":{"command":"ls"}"#),
    ("PostToolUse", r#""tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":null"#),
    ("PostToolUseFailure", r#""tool_name":"Bash","tool_input":{"command":"ls"},"error":"1""#),
    ("PostToolBatch", r#""tool_calls":[]"#),
    ("Notification", r#""message":"look""#),
    ("SubagentStart", r#""agent_type":"x""#),
    ("SubagentStop", r#""stop_hook_active":false"#),
    ("TaskCreated", r#""task_id":"1""#),
    ("TaskCompleted", r#""task_id":"1""#),
    ("Stop", r#""stop_hook_active":false"#),
    ("StopFailure", r#""error":"x""#),
    ("TeammateIdle", r#""teammate_name":"x""#),
    ("ConfigChange", r#""source":"user_settings""#),
    ("CwdChanged", r#""old_cwd":"/","new_cwd":"/p""#),
    ("DirectoryAdded", r#""directory":"/p""#),
    ("FileChanged", r#""file_path":"/p/a","event":"add""#),
    ("WorktreeCreate", r#""name":"x""#),
    ("WorktreeRemove", r#""worktree_path":"/w""#),
    ("PreCompact", r#""trigger":"auto""#),
    ("PostCompact", r#""trigger":"auto""#),
    ("SessionEnd", r#""reason":"other""#),
    ("Elicitation", r#""mcp_server_name":"s""#),
    ("ElicitationResult", r#""mcp_server_name":"s","action":"accept","content":{"a":1}"#),
    ("PreModelSwitch", r#""to_model":"m""#),
    ("PostModelSwitch", r#""to_model":"m""#),
];

/// Codex's events and their own members.
pub(crate) const CODEX: [(&str, &str); 13] = [
    ("SessionStart", r#""source":"startup""#),
    ("UserPromptSubmit", r#""turn_id":"t","prompt":"go""#),
    ("PreToolUse", r#""turn_id":"t","tool_name":"Bash","tool_input":{"command":"ls"}"#),
    ("PermissionRequest", r#""turn_id":"t","tool_name":"Bash","tool_input":{"command":"ls"}"#),
    ("PostToolUse", r#""turn_id":"t","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"""#),
    ("SubagentStart", r#""turn_id":"t","agent_type":"x""#),
    ("SubagentStop", r#""turn_id":"t","stop_hook_active":false"#),
    ("Stop", r#""turn_id":"t","stop_hook_active":false,"last_assistant_message":null"#),
    ("PreCompact", r#""turn_id":"t","trigger":"auto""#),
    ("PostCompact", r#""turn_id":"t","trigger":"auto""#),
    ("StopFailure", r#""turn_id":"t","error":"overloaded","error_details":null"#),
    ("Interrupt", r#""turn_id":"t""#),
    ("SessionEnd", r#""reason":"other""#),
];

/// Gemini CLI's events and their own members; the second `AfterTool` is the one after a failure.
pub(crate) const GEMINI_CLI: [(&str, &str); 12] = [
    ("BeforeTool", r#""tool_name":"replace","tool_input":{}"#),
    ("AfterTool", r#""tool_name":"replace","tool_input":{},"tool_response":{"error":null}"#),
    ("AfterTool", r#""tool_name":"replace","tool_input":{},"tool_response":{"error":{"message":"no"}}"#),
    ("BeforeAgent", r#""prompt":"go""#),
    ("AfterAgent", r#""prompt":"go","prompt_response":"done","stop_hook_active":false"#),
    ("BeforeModel", r#""llm_request":{}"#),
    ("AfterModel", r#""llm_request":{},"llm_response":{}"#),
    ("BeforeToolSelection", r#""llm_request":{"toolConfig":{"mode":"AUTO"}}"#),
    ("SessionStart", r#""source":"startup""#),
    ("SessionEnd", r#""reason":"exit""#),
    ("PreCompress", r#""trigger":"auto""#),
    ("Notification", r#""notification_type":"ToolPermission","message":"m","details":{}"#),
];

/// LiteLLM's methods, their arguments, and the resulting events.
pub(crate) const LITELLM: [(&str, &str, &str); 23] = [
    (
        "async_pre_call_hook",
        r#""call_type":"mcp_call","data":{"mcp_tool_name":"read","mcp_arguments":{"path":"a"}}"#,
        "tool.before",
    ),
    ("async_pre_call_hook", r#""call_type":"acompletion","data":{"messages":[]}"#, "model.request"),
    ("async_moderation_hook", r#""data":{}"#, "model.moderate"),
    ("async_post_call_success_hook", r#""data":{},"response":{}"#, "model.response"),
    ("async_post_call_failure_hook", r#""request_data":{},"exception":"no""#, "model.error"),
    ("async_post_call_streaming_hook", r#""response":"Hel""#, "model.stream-chunk"),
    ("async_post_call_streaming_iterator_hook", r#""request_data":{},"end":true"#, "model.stream-end"),
    ("async_post_call_streaming_iterator_hook", r#""request_data":{},"chunk":{}"#, "model.stream-chunk"),
    ("async_filter_deployments", r#""model":"m","healthy_deployments":[{},{}]"#, "model.route"),
    ("async_pre_call_deployment_hook", r#""kwargs":{"model":"m"}"#, "model.route"),
    (
        "async_post_mcp_tool_call_hook",
        r#""kwargs":{"name":"read","arguments":{"path":"a"}},"response_obj":{}"#,
        "tool.after",
    ),
    ("async_logging_hook", r#""kwargs":{},"result":{},"call_type":"acompletion""#, "model.log"),
    ("logging_hook", r#""kwargs":{},"result":{},"call_type":"acompletion""#, "model.log"),
    ("log_pre_api_call", r#""kwargs":{}"#, "model.log"),
    ("log_post_api_call", r#""kwargs":{}"#, "model.log"),
    ("log_success_event", r#""kwargs":{}"#, "model.log"),
    ("log_failure_event", r#""kwargs":{}"#, "model.log"),
    ("log_stream_event", r#""kwargs":{}"#, "model.log"),
    ("async_log_pre_api_call", r#""kwargs":{}"#, "model.log"),
    ("async_log_success_event", r#""kwargs":{}"#, "model.log"),
    ("async_log_failure_event", r#""kwargs":{}"#, "model.log"),
    ("async_log_stream_event", r#""kwargs":{}"#, "model.log"),
    ("async_log_input_event", r#""kwargs":{}"#, "model.log"),
];

/// Returns the whole input of a sample.
pub(crate) fn make_input(event: &str, members: &str) -> String {
    format!(r#"{{"session_id":"s","cwd":"/p","hook_event_name":"{event}",{members}}}"#)
}
