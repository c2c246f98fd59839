# Written by `cargo xtask event-types`; do not edit.
"""The canonical events: their names, and what is known of their payloads."""

from typing import Any, Final, Literal, NotRequired, TypedDict

EventName = Literal[
    "session.start",
    "session.setup",
    "session.end",
    "session.message",
    "instructions.loaded",
    "prompt.submit",
    "prompt.expand",
    "prompt.interrupt",
    "model.select-tools",
    "model.request",
    "model.moderate",
    "model.route",
    "model.stream-start",
    "model.stream-chunk",
    "model.stream-end",
    "model.response",
    "model.error",
    "model.log",
    "model.switch-before",
    "model.switch-after",
    "message.display",
    "tool.before",
    "permission.check",
    "permission.request",
    "permission.granted",
    "permission.denied",
    "tool.after",
    "tool.error",
    "tool.batch-after",
    "agent.stop",
    "agent.stop-failure",
    "subagent.start",
    "subagent.stop",
    "team.idle",
    "task.created",
    "task.completed",
    "compact.before",
    "compact.after",
    "notification",
    "config.change",
    "cwd.changed",
    "directory.added",
    "file.changed",
    "worktree.create",
    "worktree.remove",
    "elicitation.request",
    "elicitation.result",
    "ui.status-line",
    "ui.file-suggestion",
]
"""Every canonical name. An event of another is `custom:NAME`."""

SESSION_START: Final = "session.start"
"""A session begins or goes on. An answer can give context."""
SESSION_SETUP: Final = "session.setup"
"""A repository is set up. An answer can give context."""
SESSION_END: Final = "session.end"
"""A session is over."""
SESSION_MESSAGE: Final = "session.message"
"""A message joined the session. An answer can deny, ask or allow."""
INSTRUCTIONS_LOADED: Final = "instructions.loaded"
"""An instruction file was read."""
PROMPT_SUBMIT: Final = "prompt.submit"
"""The person sent a prompt. An answer can deny, ask or allow; rewrite `payload.prompt`; give context."""
PROMPT_EXPAND: Final = "prompt.expand"
"""A slash command or MCP prompt becomes a prompt. An answer can deny, ask or allow; give context."""
PROMPT_INTERRUPT: Final = "prompt.interrupt"
"""The person interrupted."""
MODEL_SELECT_TOOLS: Final = "model.select-tools"
"""The tools for the next model call are chosen. An answer can rewrite `payload.tool_config`."""
MODEL_REQUEST: Final = "model.request"
"""A request goes to the model. An answer can deny, ask or allow; rewrite `payload.request`; give context."""
MODEL_MODERATE: Final = "model.moderate"
"""A request is judged while it is already under way. An answer can deny, ask or allow."""
MODEL_ROUTE: Final = "model.route"
"""A deployment is chosen. An answer can deny, ask or allow; rewrite `payload.deployments`."""
MODEL_STREAM_START: Final = "model.stream-start"
"""A streamed answer begins. An answer can deny, ask or allow."""
MODEL_STREAM_CHUNK: Final = "model.stream-chunk"
"""A piece of a streamed answer. An answer can deny, ask or allow; rewrite `payload.chunk`."""
MODEL_STREAM_END: Final = "model.stream-end"
"""A streamed answer is over. An answer can deny, ask or allow."""
MODEL_RESPONSE: Final = "model.response"
"""The model answered. An answer can deny, ask or allow; rewrite `payload.response`."""
MODEL_ERROR: Final = "model.error"
"""The model call failed."""
MODEL_LOG: Final = "model.log"
"""A model call is written to the log. An answer can rewrite `payload.record`."""
MODEL_SWITCH_BEFORE: Final = "model.switch-before"
"""The model is about to change. An answer can deny, ask or allow."""
MODEL_SWITCH_AFTER: Final = "model.switch-after"
"""The model changed. An answer can give context."""
MESSAGE_DISPLAY: Final = "message.display"
"""Text goes to the screen. An answer can rewrite `payload.text`."""
TOOL_BEFORE: Final = "tool.before"
"""A tool is about to run. An answer can deny, ask or allow; rewrite `tool.input`; give context."""
PERMISSION_CHECK: Final = "permission.check"
"""The agent works out whether a tool needs a permission. An answer can deny, ask or allow."""
PERMISSION_REQUEST: Final = "permission.request"
"""The person is about to be asked. An answer can deny, ask or allow; rewrite `tool.input`."""
PERMISSION_GRANTED: Final = "permission.granted"
"""A permission was given."""
PERMISSION_DENIED: Final = "permission.denied"
"""A permission was refused."""
TOOL_AFTER: Final = "tool.after"
"""A tool has run; a deny is feedback, or withholds the result. An answer can deny, ask or allow; rewrite `tool.output`; give context."""
TOOL_ERROR: Final = "tool.error"
"""A tool has failed; a deny is feedback. An answer can deny, ask or allow; give context."""
TOOL_BATCH_AFTER: Final = "tool.batch-after"
"""All tools of one model turn have run. An answer can deny, ask or allow; give context."""
AGENT_STOP: Final = "agent.stop"
"""The agent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context."""
AGENT_STOP_FAILURE: Final = "agent.stop-failure"
"""The turn ended in an error."""
SUBAGENT_START: Final = "subagent.start"
"""A subagent begins. An answer can give context."""
SUBAGENT_STOP: Final = "subagent.stop"
"""A subagent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context."""
TEAM_IDLE: Final = "team.idle"
"""A team mate has nothing to do; a deny makes it go on. An answer can deny, ask or allow."""
TASK_CREATED: Final = "task.created"
"""A task is about to be created. An answer can deny, ask or allow."""
TASK_COMPLETED: Final = "task.completed"
"""A task is about to be closed. An answer can deny, ask or allow."""
COMPACT_BEFORE: Final = "compact.before"
"""The context is about to be compacted. An answer can deny, ask or allow."""
COMPACT_AFTER: Final = "compact.after"
"""The context was compacted."""
NOTIFICATION: Final = "notification"
"""The person is notified."""
CONFIG_CHANGE: Final = "config.change"
"""The agent's configuration is about to change. An answer can deny, ask or allow."""
CWD_CHANGED: Final = "cwd.changed"
"""The working directory changed."""
DIRECTORY_ADDED: Final = "directory.added"
"""A directory joined the workspace."""
FILE_CHANGED: Final = "file.changed"
"""A watched file changed."""
WORKTREE_CREATE: Final = "worktree.create"
"""A worktree is about to be created. An answer can deny, ask or allow; rewrite `payload.path`."""
WORKTREE_REMOVE: Final = "worktree.remove"
"""A worktree was removed."""
ELICITATION_REQUEST: Final = "elicitation.request"
"""An MCP server asks the person something. An answer can deny, ask or allow; rewrite `payload.answer`."""
ELICITATION_RESULT: Final = "elicitation.result"
"""The person's answer goes to the MCP server. An answer can deny, ask or allow; rewrite `payload.answer`."""
UI_STATUS_LINE: Final = "ui.status-line"
"""The status line is drawn. An answer can rewrite `payload.text`."""
UI_FILE_SUGGESTION: Final = "ui.file-suggestion"
"""Files are suggested to the person. An answer can rewrite `payload.files`."""


class InstructionsLoaded(TypedDict):
    """The payload of `instructions.loaded`; what else it has is the agent's own."""

    file_path: str


class PromptSubmit(TypedDict):
    """The payload of `prompt.submit`; what else it has is the agent's own."""

    prompt: str


class PromptExpand(TypedDict):
    """The payload of `prompt.expand`; what else it has is the agent's own."""

    prompt: str


class ModelSelectTools(TypedDict):
    """The payload of `model.select-tools`; what else it has is the agent's own."""

    request: dict[str, Any]
    tool_config: NotRequired[Any]


class ModelRequest(TypedDict):
    """The payload of `model.request`; what else it has is the agent's own."""

    request: dict[str, Any]


class ModelModerate(TypedDict):
    """The payload of `model.moderate`; what else it has is the agent's own."""

    request: dict[str, Any]


class ModelRoute(TypedDict):
    """The payload of `model.route`; what else it has is the agent's own."""

    deployments: list[Any]


class ModelStreamChunk(TypedDict):
    """The payload of `model.stream-chunk`; what else it has is the agent's own."""

    chunk: Any


class ModelResponse(TypedDict):
    """The payload of `model.response`; what else it has is the agent's own."""

    response: dict[str, Any]


class ModelError(TypedDict):
    """The payload of `model.error`; what else it has is the agent's own."""

    error: Any


class ModelLog(TypedDict):
    """The payload of `model.log`; what else it has is the agent's own."""

    record: dict[str, Any]


class ModelSwitchBefore(TypedDict):
    """The payload of `model.switch-before`; what else it has is the agent's own."""

    to_model: str


class ModelSwitchAfter(TypedDict):
    """The payload of `model.switch-after`; what else it has is the agent's own."""

    to_model: str


class MessageDisplay(TypedDict):
    """The payload of `message.display`; what else it has is the agent's own."""

    text: str


class ToolError(TypedDict):
    """The payload of `tool.error`; what else it has is the agent's own."""

    error: Any


class ToolBatchAfter(TypedDict):
    """The payload of `tool.batch-after`; what else it has is the agent's own."""

    tool_calls: list[Any]


class AgentStopFailure(TypedDict):
    """The payload of `agent.stop-failure`; what else it has is the agent's own."""

    error: Any


class TeamIdle(TypedDict):
    """The payload of `team.idle`; what else it has is the agent's own."""

    teammate_name: str


class TaskCreated(TypedDict):
    """The payload of `task.created`; what else it has is the agent's own."""

    task_id: str


class TaskCompleted(TypedDict):
    """The payload of `task.completed`; what else it has is the agent's own."""

    task_id: str


class Notification(TypedDict):
    """The payload of `notification`; what else it has is the agent's own."""

    message: str


class ConfigChange(TypedDict):
    """The payload of `config.change`; what else it has is the agent's own."""

    source: str


class CwdChanged(TypedDict):
    """The payload of `cwd.changed`; what else it has is the agent's own."""

    old_cwd: str
    new_cwd: str


class DirectoryAdded(TypedDict):
    """The payload of `directory.added`; what else it has is the agent's own."""

    directory: str


class FileChanged(TypedDict):
    """The payload of `file.changed`; what else it has is the agent's own."""

    file_path: str


class WorktreeCreate(TypedDict):
    """The payload of `worktree.create`; what else it has is the agent's own."""

    path: NotRequired[Any]


class WorktreeRemove(TypedDict):
    """The payload of `worktree.remove`; what else it has is the agent's own."""

    worktree_path: str


class ElicitationRequest(TypedDict):
    """The payload of `elicitation.request`; what else it has is the agent's own."""

    mcp_server_name: str
    answer: NotRequired[Any]


class ElicitationResult(TypedDict):
    """The payload of `elicitation.result`; what else it has is the agent's own."""

    mcp_server_name: str
    answer: dict[str, Any]


class UiStatusLine(TypedDict):
    """The payload of `ui.status-line`; what else it has is the agent's own."""

    text: NotRequired[Any]


class UiFileSuggestion(TypedDict):
    """The payload of `ui.file-suggestion`; what else it has is the agent's own."""

    files: NotRequired[Any]
