// Written by `cargo xtask event-types`; do not edit.

import type { EventOf, Json, Payload, ToolCall } from "./hookbox.js";

/** A session begins or goes on. An answer can give context. */
export interface SessionStart extends EventOf<"session.start"> {}

/** A repository is set up. An answer can give context. */
export interface SessionSetup extends EventOf<"session.setup"> {}

/** A session is over. */
export interface SessionEnd extends EventOf<"session.end"> {}

/** A message joined the session. An answer can deny, ask or allow. */
export interface SessionMessage extends EventOf<"session.message"> {}

/** An instruction file was read. */
export interface InstructionsLoaded extends EventOf<"instructions.loaded"> {
  readonly payload: Payload & { readonly file_path: string };
}

/** The person sent a prompt. An answer can deny, ask or allow; rewrite `payload.prompt`; give context. */
export interface PromptSubmit extends EventOf<"prompt.submit"> {
  readonly payload: Payload & { readonly prompt: string };
}

/** A slash command or MCP prompt becomes a prompt. An answer can deny, ask or allow; give context. */
export interface PromptExpand extends EventOf<"prompt.expand"> {
  readonly payload: Payload & { readonly prompt: string };
}

/** The person interrupted. */
export interface PromptInterrupt extends EventOf<"prompt.interrupt"> {}

/** The tools for the next model call are chosen. An answer can rewrite `payload.tool_config`. */
export interface ModelSelectTools extends EventOf<"model.select-tools"> {
  readonly payload: Payload & { readonly request: { readonly [member: string]: Json }; readonly tool_config?: Json };
}

/** A request goes to the model. An answer can deny, ask or allow; rewrite `payload.request`; give context. */
export interface ModelRequest extends EventOf<"model.request"> {
  readonly payload: Payload & { readonly request: { readonly [member: string]: Json } };
}

/** A request is judged while it is already under way. An answer can deny, ask or allow. */
export interface ModelModerate extends EventOf<"model.moderate"> {
  readonly payload: Payload & { readonly request: { readonly [member: string]: Json } };
}

/** A deployment is chosen. An answer can deny, ask or allow; rewrite `payload.deployments`. */
export interface ModelRoute extends EventOf<"model.route"> {
  readonly payload: Payload & { readonly deployments: readonly Json[] };
}

/** A streamed answer begins. An answer can deny, ask or allow. */
export interface ModelStreamStart extends EventOf<"model.stream-start"> {}

/** A piece of a streamed answer. An answer can deny, ask or allow; rewrite `payload.chunk`. */
export interface ModelStreamChunk extends EventOf<"model.stream-chunk"> {
  readonly payload: Payload & { readonly chunk: Json };
}

/** A streamed answer is over. An answer can deny, ask or allow. */
export interface ModelStreamEnd extends EventOf<"model.stream-end"> {}

/** The model answered. An answer can deny, ask or allow; rewrite `payload.response`. */
export interface ModelResponse extends EventOf<"model.response"> {
  readonly payload: Payload & { readonly response: { readonly [member: string]: Json } };
}

/** The model call failed. */
export interface ModelError extends EventOf<"model.error"> {
  readonly payload: Payload & { readonly error: Json };
}

/** A model call is written to the log. An answer can rewrite `payload.record`. */
export interface ModelLog extends EventOf<"model.log"> {
  readonly payload: Payload & { readonly record: { readonly [member: string]: Json } };
}

/** The model is about to change. An answer can deny, ask or allow. */
export interface ModelSwitchBefore extends EventOf<"model.switch-before"> {
  readonly payload: Payload & { readonly to_model: string };
}

/** The model changed. An answer can give context. */
export interface ModelSwitchAfter extends EventOf<"model.switch-after"> {
  readonly payload: Payload & { readonly to_model: string };
}

/** Text goes to the screen. An answer can rewrite `payload.text`. */
export interface MessageDisplay extends EventOf<"message.display"> {
  readonly payload: Payload & { readonly text: string };
}

/** A tool is about to run. An answer can deny, ask or allow; rewrite `tool.input`; give context. */
export interface ToolBefore extends EventOf<"tool.before"> {
  readonly tool: ToolCall;
}

/** The agent works out whether a tool needs a permission. An answer can deny, ask or allow. */
export interface PermissionCheck extends EventOf<"permission.check"> {
  readonly tool: ToolCall;
}

/** The person is about to be asked. An answer can deny, ask or allow; rewrite `tool.input`. */
export interface PermissionRequest extends EventOf<"permission.request"> {
  readonly tool: ToolCall;
}

/** A permission was given. */
export interface PermissionGranted extends EventOf<"permission.granted"> {
  readonly tool: ToolCall;
}

/** A permission was refused. */
export interface PermissionDenied extends EventOf<"permission.denied"> {
  readonly tool: ToolCall;
}

/** A tool has run; a deny is feedback, or withholds the result. An answer can deny, ask or allow; rewrite `tool.output`; give context. */
export interface ToolAfter extends EventOf<"tool.after"> {
  readonly tool: ToolCall & { readonly output: Json };
}

/** A tool has failed; a deny is feedback. An answer can deny, ask or allow; give context. */
export interface ToolError extends EventOf<"tool.error"> {
  readonly tool: ToolCall;
  readonly payload: Payload & { readonly error: Json };
}

/** All tools of one model turn have run. An answer can deny, ask or allow; give context. */
export interface ToolBatchAfter extends EventOf<"tool.batch-after"> {
  readonly payload: Payload & { readonly tool_calls: readonly Json[] };
}

/** The agent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context. */
export interface AgentStop extends EventOf<"agent.stop"> {}

/** The turn ended in an error. */
export interface AgentStopFailure extends EventOf<"agent.stop-failure"> {
  readonly payload: Payload & { readonly error: Json };
}

/** A subagent begins. An answer can give context. */
export interface SubagentStart extends EventOf<"subagent.start"> {}

/** A subagent wants to stop; a deny makes it go on. An answer can deny, ask or allow; give context. */
export interface SubagentStop extends EventOf<"subagent.stop"> {}

/** A team mate has nothing to do; a deny makes it go on. An answer can deny, ask or allow. */
export interface TeamIdle extends EventOf<"team.idle"> {
  readonly payload: Payload & { readonly teammate_name: string };
}

/** A task is about to be created. An answer can deny, ask or allow. */
export interface TaskCreated extends EventOf<"task.created"> {
  readonly payload: Payload & { readonly task_id: string };
}

/** A task is about to be closed. An answer can deny, ask or allow. */
export interface TaskCompleted extends EventOf<"task.completed"> {
  readonly payload: Payload & { readonly task_id: string };
}

/** The context is about to be compacted. An answer can deny, ask or allow. */
export interface CompactBefore extends EventOf<"compact.before"> {}

/** The context was compacted. */
export interface CompactAfter extends EventOf<"compact.after"> {}

/** The person is notified. */
export interface Notification extends EventOf<"notification"> {
  readonly payload: Payload & { readonly message: string };
}

/** The agent's configuration is about to change. An answer can deny, ask or allow. */
export interface ConfigChange extends EventOf<"config.change"> {
  readonly payload: Payload & { readonly source: string };
}

/** The working directory changed. */
export interface CwdChanged extends EventOf<"cwd.changed"> {
  readonly payload: Payload & { readonly old_cwd: string; readonly new_cwd: string };
}

/** A directory joined the workspace. */
export interface DirectoryAdded extends EventOf<"directory.added"> {
  readonly payload: Payload & { readonly directory: string };
}

/** A watched file changed. */
export interface FileChanged extends EventOf<"file.changed"> {
  readonly payload: Payload & { readonly file_path: string };
}

/** A worktree is about to be created. An answer can deny, ask or allow; rewrite `payload.path`. */
export interface WorktreeCreate extends EventOf<"worktree.create"> {
  readonly payload: Payload & { readonly path?: Json };
}

/** A worktree was removed. */
export interface WorktreeRemove extends EventOf<"worktree.remove"> {
  readonly payload: Payload & { readonly worktree_path: string };
}

/** An MCP server asks the person something. An answer can deny, ask or allow; rewrite `payload.answer`. */
export interface ElicitationRequest extends EventOf<"elicitation.request"> {
  readonly payload: Payload & { readonly mcp_server_name: string; readonly answer?: Json };
}

/** The person's answer goes to the MCP server. An answer can deny, ask or allow; rewrite `payload.answer`. */
export interface ElicitationResult extends EventOf<"elicitation.result"> {
  readonly payload: Payload & { readonly mcp_server_name: string; readonly answer: { readonly [member: string]: Json } };
}

/** The status line is drawn. An answer can rewrite `payload.text`. */
export interface UiStatusLine extends EventOf<"ui.status-line"> {
  readonly payload: Payload & { readonly text?: Json };
}

/** Files are suggested to the person. An answer can rewrite `payload.files`. */
export interface UiFileSuggestion extends EventOf<"ui.file-suggestion"> {
  readonly payload: Payload & { readonly files?: Json };
}

/** Every event that has a canonical name. `event.name` tells which it is. */
export type KnownEvent =
  | SessionStart
  | SessionSetup
  | SessionEnd
  | SessionMessage
  | InstructionsLoaded
  | PromptSubmit
  | PromptExpand
  | PromptInterrupt
  | ModelSelectTools
  | ModelRequest
  | ModelModerate
  | ModelRoute
  | ModelStreamStart
  | ModelStreamChunk
  | ModelStreamEnd
  | ModelResponse
  | ModelError
  | ModelLog
  | ModelSwitchBefore
  | ModelSwitchAfter
  | MessageDisplay
  | ToolBefore
  | PermissionCheck
  | PermissionRequest
  | PermissionGranted
  | PermissionDenied
  | ToolAfter
  | ToolError
  | ToolBatchAfter
  | AgentStop
  | AgentStopFailure
  | SubagentStart
  | SubagentStop
  | TeamIdle
  | TaskCreated
  | TaskCompleted
  | CompactBefore
  | CompactAfter
  | Notification
  | ConfigChange
  | CwdChanged
  | DirectoryAdded
  | FileChanged
  | WorktreeCreate
  | WorktreeRemove
  | ElicitationRequest
  | ElicitationResult
  | UiStatusLine
  | UiFileSuggestion;
