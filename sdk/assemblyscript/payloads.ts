// Written by `cargo xtask event-types`; do not edit.
//
// What is known of the payloads of the canonical events: a class for each. The rest of a payload is the agent's own: `json.Json`
// reads it.
//
// `of` is null if the event is another one or its payload lacks what it must have.

import { Event } from "./event";
import * as events from "./events";
import { Json } from "./json";

/** The payload of `instructions.loaded`. */
export class InstructionsLoaded {
  constructor(
    public filePath: string,
  ) {}

  static of(event: Event): InstructionsLoaded | null {
    if (event.name != events.INSTRUCTIONS_LOADED) return null;
    const payload = new Json(event.payload);
    const filePath = payload.textAt(events.INSTRUCTIONS_LOADED_PAYLOAD_FILE_PATH);
    if (filePath === null) return null;
    return new InstructionsLoaded(filePath);
  }
}

/** The payload of `prompt.submit`. */
export class PromptSubmit {
  constructor(
    public prompt: string,
  ) {}

  static of(event: Event): PromptSubmit | null {
    if (event.name != events.PROMPT_SUBMIT) return null;
    const payload = new Json(event.payload);
    const prompt = payload.textAt(events.PROMPT_SUBMIT_PAYLOAD_PROMPT);
    if (prompt === null) return null;
    return new PromptSubmit(prompt);
  }
}

/** The payload of `prompt.expand`. */
export class PromptExpand {
  constructor(
    public prompt: string,
  ) {}

  static of(event: Event): PromptExpand | null {
    if (event.name != events.PROMPT_EXPAND) return null;
    const payload = new Json(event.payload);
    const prompt = payload.textAt(events.PROMPT_EXPAND_PAYLOAD_PROMPT);
    if (prompt === null) return null;
    return new PromptExpand(prompt);
  }
}

/** The payload of `model.select-tools`. */
export class ModelSelectTools {
  constructor(
    /** An object, as JSON. */
    public request: string,
    /** JSON. */
    public toolConfig: string | null,
  ) {}

  static of(event: Event): ModelSelectTools | null {
    if (event.name != events.MODEL_SELECT_TOOLS) return null;
    const payload = new Json(event.payload);
    const request = payload.objectAt(events.MODEL_SELECT_TOOLS_PAYLOAD_REQUEST);
    if (request === null) return null;
    const toolConfig = payload.at(events.MODEL_SELECT_TOOLS_PAYLOAD_TOOL_CONFIG);
    return new ModelSelectTools(request, toolConfig);
  }
}

/** The payload of `model.request`. */
export class ModelRequest {
  constructor(
    /** An object, as JSON. */
    public request: string,
  ) {}

  static of(event: Event): ModelRequest | null {
    if (event.name != events.MODEL_REQUEST) return null;
    const payload = new Json(event.payload);
    const request = payload.objectAt(events.MODEL_REQUEST_PAYLOAD_REQUEST);
    if (request === null) return null;
    return new ModelRequest(request);
  }
}

/** The payload of `model.moderate`. */
export class ModelModerate {
  constructor(
    /** An object, as JSON. */
    public request: string,
  ) {}

  static of(event: Event): ModelModerate | null {
    if (event.name != events.MODEL_MODERATE) return null;
    const payload = new Json(event.payload);
    const request = payload.objectAt(events.MODEL_MODERATE_PAYLOAD_REQUEST);
    if (request === null) return null;
    return new ModelModerate(request);
  }
}

/** The payload of `model.route`. */
export class ModelRoute {
  constructor(
    /** An array, as JSON. */
    public deployments: string,
  ) {}

  static of(event: Event): ModelRoute | null {
    if (event.name != events.MODEL_ROUTE) return null;
    const payload = new Json(event.payload);
    const deployments = payload.arrayAt(events.MODEL_ROUTE_PAYLOAD_DEPLOYMENTS);
    if (deployments === null) return null;
    return new ModelRoute(deployments);
  }
}

/** The payload of `model.stream-chunk`. */
export class ModelStreamChunk {
  constructor(
    /** JSON. */
    public chunk: string,
  ) {}

  static of(event: Event): ModelStreamChunk | null {
    if (event.name != events.MODEL_STREAM_CHUNK) return null;
    const payload = new Json(event.payload);
    const chunk = payload.at(events.MODEL_STREAM_CHUNK_PAYLOAD_CHUNK);
    if (chunk === null) return null;
    return new ModelStreamChunk(chunk);
  }
}

/** The payload of `model.response`. */
export class ModelResponse {
  constructor(
    /** An object, as JSON. */
    public response: string,
  ) {}

  static of(event: Event): ModelResponse | null {
    if (event.name != events.MODEL_RESPONSE) return null;
    const payload = new Json(event.payload);
    const response = payload.objectAt(events.MODEL_RESPONSE_PAYLOAD_RESPONSE);
    if (response === null) return null;
    return new ModelResponse(response);
  }
}

/** The payload of `model.error`. */
export class ModelError {
  constructor(
    /** JSON. */
    public error: string,
  ) {}

  static of(event: Event): ModelError | null {
    if (event.name != events.MODEL_ERROR) return null;
    const payload = new Json(event.payload);
    const error = payload.at(events.MODEL_ERROR_PAYLOAD_ERROR);
    if (error === null) return null;
    return new ModelError(error);
  }
}

/** The payload of `model.log`. */
export class ModelLog {
  constructor(
    /** An object, as JSON. */
    public record: string,
  ) {}

  static of(event: Event): ModelLog | null {
    if (event.name != events.MODEL_LOG) return null;
    const payload = new Json(event.payload);
    const record = payload.objectAt(events.MODEL_LOG_PAYLOAD_RECORD);
    if (record === null) return null;
    return new ModelLog(record);
  }
}

/** The payload of `model.switch-before`. */
export class ModelSwitchBefore {
  constructor(
    public toModel: string,
  ) {}

  static of(event: Event): ModelSwitchBefore | null {
    if (event.name != events.MODEL_SWITCH_BEFORE) return null;
    const payload = new Json(event.payload);
    const toModel = payload.textAt(events.MODEL_SWITCH_BEFORE_PAYLOAD_TO_MODEL);
    if (toModel === null) return null;
    return new ModelSwitchBefore(toModel);
  }
}

/** The payload of `model.switch-after`. */
export class ModelSwitchAfter {
  constructor(
    public toModel: string,
  ) {}

  static of(event: Event): ModelSwitchAfter | null {
    if (event.name != events.MODEL_SWITCH_AFTER) return null;
    const payload = new Json(event.payload);
    const toModel = payload.textAt(events.MODEL_SWITCH_AFTER_PAYLOAD_TO_MODEL);
    if (toModel === null) return null;
    return new ModelSwitchAfter(toModel);
  }
}

/** The payload of `message.display`. */
export class MessageDisplay {
  constructor(
    public text: string,
  ) {}

  static of(event: Event): MessageDisplay | null {
    if (event.name != events.MESSAGE_DISPLAY) return null;
    const payload = new Json(event.payload);
    const text = payload.textAt(events.MESSAGE_DISPLAY_PAYLOAD_TEXT);
    if (text === null) return null;
    return new MessageDisplay(text);
  }
}

/** The payload of `tool.error`. */
export class ToolError {
  constructor(
    /** JSON. */
    public error: string,
  ) {}

  static of(event: Event): ToolError | null {
    if (event.name != events.TOOL_ERROR) return null;
    const payload = new Json(event.payload);
    const error = payload.at(events.TOOL_ERROR_PAYLOAD_ERROR);
    if (error === null) return null;
    return new ToolError(error);
  }
}

/** The payload of `tool.batch-after`. */
export class ToolBatchAfter {
  constructor(
    /** An array, as JSON. */
    public toolCalls: string,
  ) {}

  static of(event: Event): ToolBatchAfter | null {
    if (event.name != events.TOOL_BATCH_AFTER) return null;
    const payload = new Json(event.payload);
    const toolCalls = payload.arrayAt(events.TOOL_BATCH_AFTER_PAYLOAD_TOOL_CALLS);
    if (toolCalls === null) return null;
    return new ToolBatchAfter(toolCalls);
  }
}

/** The payload of `agent.stop-failure`. */
export class AgentStopFailure {
  constructor(
    /** JSON. */
    public error: string,
  ) {}

  static of(event: Event): AgentStopFailure | null {
    if (event.name != events.AGENT_STOP_FAILURE) return null;
    const payload = new Json(event.payload);
    const error = payload.at(events.AGENT_STOP_FAILURE_PAYLOAD_ERROR);
    if (error === null) return null;
    return new AgentStopFailure(error);
  }
}

/** The payload of `team.idle`. */
export class TeamIdle {
  constructor(
    public teammateName: string,
  ) {}

  static of(event: Event): TeamIdle | null {
    if (event.name != events.TEAM_IDLE) return null;
    const payload = new Json(event.payload);
    const teammateName = payload.textAt(events.TEAM_IDLE_PAYLOAD_TEAMMATE_NAME);
    if (teammateName === null) return null;
    return new TeamIdle(teammateName);
  }
}

/** The payload of `task.created`. */
export class TaskCreated {
  constructor(
    public taskId: string,
  ) {}

  static of(event: Event): TaskCreated | null {
    if (event.name != events.TASK_CREATED) return null;
    const payload = new Json(event.payload);
    const taskId = payload.textAt(events.TASK_CREATED_PAYLOAD_TASK_ID);
    if (taskId === null) return null;
    return new TaskCreated(taskId);
  }
}

/** The payload of `task.completed`. */
export class TaskCompleted {
  constructor(
    public taskId: string,
  ) {}

  static of(event: Event): TaskCompleted | null {
    if (event.name != events.TASK_COMPLETED) return null;
    const payload = new Json(event.payload);
    const taskId = payload.textAt(events.TASK_COMPLETED_PAYLOAD_TASK_ID);
    if (taskId === null) return null;
    return new TaskCompleted(taskId);
  }
}

/** The payload of `notification`. */
export class Notification {
  constructor(
    public message: string,
  ) {}

  static of(event: Event): Notification | null {
    if (event.name != events.NOTIFICATION) return null;
    const payload = new Json(event.payload);
    const message = payload.textAt(events.NOTIFICATION_PAYLOAD_MESSAGE);
    if (message === null) return null;
    return new Notification(message);
  }
}

/** The payload of `config.change`. */
export class ConfigChange {
  constructor(
    public source: string,
  ) {}

  static of(event: Event): ConfigChange | null {
    if (event.name != events.CONFIG_CHANGE) return null;
    const payload = new Json(event.payload);
    const source = payload.textAt(events.CONFIG_CHANGE_PAYLOAD_SOURCE);
    if (source === null) return null;
    return new ConfigChange(source);
  }
}

/** The payload of `cwd.changed`. */
export class CwdChanged {
  constructor(
    public oldCwd: string,
    public newCwd: string,
  ) {}

  static of(event: Event): CwdChanged | null {
    if (event.name != events.CWD_CHANGED) return null;
    const payload = new Json(event.payload);
    const oldCwd = payload.textAt(events.CWD_CHANGED_PAYLOAD_OLD_CWD);
    if (oldCwd === null) return null;
    const newCwd = payload.textAt(events.CWD_CHANGED_PAYLOAD_NEW_CWD);
    if (newCwd === null) return null;
    return new CwdChanged(oldCwd, newCwd);
  }
}

/** The payload of `directory.added`. */
export class DirectoryAdded {
  constructor(
    public directory: string,
  ) {}

  static of(event: Event): DirectoryAdded | null {
    if (event.name != events.DIRECTORY_ADDED) return null;
    const payload = new Json(event.payload);
    const directory = payload.textAt(events.DIRECTORY_ADDED_PAYLOAD_DIRECTORY);
    if (directory === null) return null;
    return new DirectoryAdded(directory);
  }
}

/** The payload of `file.changed`. */
export class FileChanged {
  constructor(
    public filePath: string,
  ) {}

  static of(event: Event): FileChanged | null {
    if (event.name != events.FILE_CHANGED) return null;
    const payload = new Json(event.payload);
    const filePath = payload.textAt(events.FILE_CHANGED_PAYLOAD_FILE_PATH);
    if (filePath === null) return null;
    return new FileChanged(filePath);
  }
}

/** The payload of `worktree.create`. */
export class WorktreeCreate {
  constructor(
    /** JSON. */
    public path: string | null,
  ) {}

  static of(event: Event): WorktreeCreate | null {
    if (event.name != events.WORKTREE_CREATE) return null;
    const payload = new Json(event.payload);
    const path = payload.at(events.WORKTREE_CREATE_PAYLOAD_PATH);
    return new WorktreeCreate(path);
  }
}

/** The payload of `worktree.remove`. */
export class WorktreeRemove {
  constructor(
    public worktreePath: string,
  ) {}

  static of(event: Event): WorktreeRemove | null {
    if (event.name != events.WORKTREE_REMOVE) return null;
    const payload = new Json(event.payload);
    const worktreePath = payload.textAt(events.WORKTREE_REMOVE_PAYLOAD_WORKTREE_PATH);
    if (worktreePath === null) return null;
    return new WorktreeRemove(worktreePath);
  }
}

/** The payload of `elicitation.request`. */
export class ElicitationRequest {
  constructor(
    public mcpServerName: string,
    /** JSON. */
    public answer: string | null,
  ) {}

  static of(event: Event): ElicitationRequest | null {
    if (event.name != events.ELICITATION_REQUEST) return null;
    const payload = new Json(event.payload);
    const mcpServerName = payload.textAt(events.ELICITATION_REQUEST_PAYLOAD_MCP_SERVER_NAME);
    if (mcpServerName === null) return null;
    const answer = payload.at(events.ELICITATION_REQUEST_PAYLOAD_ANSWER);
    return new ElicitationRequest(mcpServerName, answer);
  }
}

/** The payload of `elicitation.result`. */
export class ElicitationResult {
  constructor(
    public mcpServerName: string,
    /** An object, as JSON. */
    public answer: string,
  ) {}

  static of(event: Event): ElicitationResult | null {
    if (event.name != events.ELICITATION_RESULT) return null;
    const payload = new Json(event.payload);
    const mcpServerName = payload.textAt(events.ELICITATION_RESULT_PAYLOAD_MCP_SERVER_NAME);
    if (mcpServerName === null) return null;
    const answer = payload.objectAt(events.ELICITATION_RESULT_PAYLOAD_ANSWER);
    if (answer === null) return null;
    return new ElicitationResult(mcpServerName, answer);
  }
}

/** The payload of `ui.status-line`. */
export class UiStatusLine {
  constructor(
    /** JSON. */
    public text: string | null,
  ) {}

  static of(event: Event): UiStatusLine | null {
    if (event.name != events.UI_STATUS_LINE) return null;
    const payload = new Json(event.payload);
    const text = payload.at(events.UI_STATUS_LINE_PAYLOAD_TEXT);
    return new UiStatusLine(text);
  }
}

/** The payload of `ui.file-suggestion`. */
export class UiFileSuggestion {
  constructor(
    /** JSON. */
    public files: string | null,
  ) {}

  static of(event: Event): UiFileSuggestion | null {
    if (event.name != events.UI_FILE_SUGGESTION) return null;
    const payload = new Json(event.payload);
    const files = payload.at(events.UI_FILE_SUGGESTION_PAYLOAD_FILES);
    return new UiFileSuggestion(files);
  }
}
