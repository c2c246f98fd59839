package hookbox

// The canonical events.
const (
	// SessionStart: a session begins or goes on.
	SessionStart EventName = "session.start"
	// SessionSetup: a repository is set up.
	SessionSetup EventName = "session.setup"
	// SessionEnd: a session is over.
	SessionEnd EventName = "session.end"
	// SessionMessage: a message joined the session.
	SessionMessage EventName = "session.message"
	// InstructionsLoaded: an instruction file was read.
	InstructionsLoaded EventName = "instructions.loaded"
	// PromptSubmit: the person sent a prompt.
	PromptSubmit EventName = "prompt.submit"
	// PromptExpand: a slash command or MCP prompt becomes a prompt.
	PromptExpand EventName = "prompt.expand"
	// PromptInterrupt: the person interrupted.
	PromptInterrupt EventName = "prompt.interrupt"
	// ModelSelectTools: the tools for the next model call are chosen.
	ModelSelectTools EventName = "model.select-tools"
	// ModelRequest: a request goes to the model.
	ModelRequest EventName = "model.request"
	// ModelModerate: a request is judged while it is already under way.
	ModelModerate EventName = "model.moderate"
	// ModelRoute: a deployment is chosen.
	ModelRoute EventName = "model.route"
	// ModelStreamStart: a streamed answer begins.
	ModelStreamStart EventName = "model.stream-start"
	// ModelStreamChunk: a piece of a streamed answer.
	ModelStreamChunk EventName = "model.stream-chunk"
	// ModelStreamEnd: a streamed answer is over.
	ModelStreamEnd EventName = "model.stream-end"
	// ModelResponse: the model answered.
	ModelResponse EventName = "model.response"
	// ModelError: the model call failed.
	ModelError EventName = "model.error"
	// ModelLog: a model call is written to the log.
	ModelLog EventName = "model.log"
	// ModelSwitchBefore: the model is about to change.
	ModelSwitchBefore EventName = "model.switch-before"
	// ModelSwitchAfter: the model changed.
	ModelSwitchAfter EventName = "model.switch-after"
	// MessageDisplay: text goes to the screen.
	MessageDisplay EventName = "message.display"
	// ToolBefore: a tool is about to run.
	ToolBefore EventName = "tool.before"
	// PermissionCheck: the agent works out whether a tool needs a permission.
	PermissionCheck EventName = "permission.check"
	// PermissionRequest: the person is about to be asked.
	PermissionRequest EventName = "permission.request"
	// PermissionGranted: a permission was given.
	PermissionGranted EventName = "permission.granted"
	// PermissionDenied: a permission was refused.
	PermissionDenied EventName = "permission.denied"
	// ToolAfter: a tool has run; a deny is feedback, or withholds the result.
	ToolAfter EventName = "tool.after"
	// ToolError: a tool has failed; a deny is feedback.
	ToolError EventName = "tool.error"
	// ToolBatchAfter: all tools of one model turn have run.
	ToolBatchAfter EventName = "tool.batch-after"
	// AgentStop: the agent wants to stop; a deny makes it go on.
	AgentStop EventName = "agent.stop"
	// AgentStopFailure: the turn ended in an error.
	AgentStopFailure EventName = "agent.stop-failure"
	// SubagentStart: a subagent begins.
	SubagentStart EventName = "subagent.start"
	// SubagentStop: a subagent wants to stop; a deny makes it go on.
	SubagentStop EventName = "subagent.stop"
	// TeamIdle: a team mate has nothing to do; a deny makes it go on.
	TeamIdle EventName = "team.idle"
	// TaskCreated: a task is about to be created.
	TaskCreated EventName = "task.created"
	// TaskCompleted: a task is about to be closed.
	TaskCompleted EventName = "task.completed"
	// CompactBefore: the context is about to be compacted.
	CompactBefore EventName = "compact.before"
	// CompactAfter: the context was compacted.
	CompactAfter EventName = "compact.after"
	// Notification: the person is notified.
	Notification EventName = "notification"
	// ConfigChange: the agent's configuration is about to change.
	ConfigChange EventName = "config.change"
	// CwdChanged: the working directory changed.
	CwdChanged EventName = "cwd.changed"
	// DirectoryAdded: a directory joined the workspace.
	DirectoryAdded EventName = "directory.added"
	// FileChanged: a watched file changed.
	FileChanged EventName = "file.changed"
	// WorktreeCreate: a worktree is about to be created.
	WorktreeCreate EventName = "worktree.create"
	// WorktreeRemove: a worktree was removed.
	WorktreeRemove EventName = "worktree.remove"
	// ElicitationRequest: an MCP server asks the person something.
	ElicitationRequest EventName = "elicitation.request"
	// ElicitationResult: the person's answer goes to the MCP server.
	ElicitationResult EventName = "elicitation.result"
	// UIStatusLine: the status line is drawn.
	UIStatusLine EventName = "ui.status-line"
	// UIFileSuggestion: files are suggested to the person.
	UIFileSuggestion EventName = "ui.file-suggestion"
)
