package hookbox

import "encoding/json"

// EventName is the canonical name of an event, or "custom:" and a name.
type EventName string

// Event is one moment of an agent's work, before or after something happens.
type Event struct {
	// ID is unique for this event; the correlation id, if the caller gave one.
	ID string `json:"id"`
	// Name is the canonical name.
	Name EventName `json:"event"`
	// Agent is the dialect it came in: "claude-code".
	Agent string `json:"agent"`
	// AgentEvent is its name in that dialect: "PreToolUse".
	AgentEvent string `json:"agent_event"`
	// Session is the agent's; empty if the caller named none.
	Session string `json:"session"`
	// Cwd is the agent's working directory, absolute; empty if the caller named none.
	Cwd string `json:"cwd"`
	// Time is milliseconds since the Unix epoch.
	Time uint64 `json:"time"`
	// Tool is the call that the event is about. It is there for tool.* (but tool.batch-after) and permission.*.
	Tool *Tool `json:"tool"`
	// Payload is everything else that the event carries, an object by the schema of its name.
	Payload json.RawMessage `json:"payload"`
	// Original is the rewritable part as the caller sent it, if a hook before this one changed it.
	Original json.RawMessage `json:"original"`
	// Outcome is what the chain came to. Only observers have it.
	Outcome *Outcome `json:"outcome"`
}

// Tool is a tool call, in the agent's own words and in ours.
type Tool struct {
	// Name is the agent's name for the tool: "Bash".
	Name string `json:"name"`
	// Class says what it does, whatever an agent calls it.
	Class ToolClass `json:"class"`
	// Command is the command line, of a tool of class Shell; else empty.
	Command string `json:"command"`
	// Paths are the files that the call names, absolute.
	Paths []string `json:"paths"`
	// Input has the agent's arguments.
	Input json.RawMessage `json:"input"`
	// Output is the result, after the call.
	Output json.RawMessage `json:"output"`
}

// ToolClass says what a tool does.
type ToolClass string

const (
	Shell      ToolClass = "shell"
	FileRead   ToolClass = "file-read"
	FileWrite  ToolClass = "file-write"
	Search     ToolClass = "search"
	Web        ToolClass = "web"
	MCP        ToolClass = "mcp"
	Agent      ToolClass = "agent"
	OtherClass ToolClass = "other"
)

// Outcome is what a chain came to, for hooks that only observe.
type Outcome struct {
	// Verdict that won: "none", "allow", "ask" or "deny".
	Verdict string `json:"verdict"`
	// Deciders are the names of the hooks that said so.
	Deciders []string `json:"deciders"`
	// Rewritten is the rewritable part as the chain left it, if the chain changed it.
	Rewritten json.RawMessage `json:"rewritten"`
	// Failed are the names of the hooks that failed.
	Failed []string `json:"failed"`
}
