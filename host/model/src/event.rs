//! One lifecycle moment of an agent.

use std::fmt;

use crate::{EventName, Json};

/// What a tool does, whatever an agent calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolClass {
    /// Runs a command line.
    Shell,
    /// Reads the content of files.
    FileRead,
    /// Creates, changes or removes files.
    FileWrite,
    /// Looks for files or for text in them.
    Search,
    /// Fetches from or searches the web.
    Web,
    /// Belongs to an MCP server.
    Mcp,
    /// Starts or steers another agent.
    Agent,
    /// None of these, or not known.
    Other,
}

impl ToolClass {
    /// Every class.
    pub const ALL: [Self; 8] = [
        Self::Shell,
        Self::FileRead,
        Self::FileWrite,
        Self::Search,
        Self::Web,
        Self::Mcp,
        Self::Agent,
        Self::Other,
    ];

    /// The word for it in configuration and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::FileRead => "file-read",
            Self::FileWrite => "file-write",
            Self::Search => "search",
            Self::Web => "web",
            Self::Mcp => "mcp",
            Self::Agent => "agent",
            Self::Other => "other",
        }
    }

    /// The class of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == name)
    }
}

impl fmt::Display for ToolClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A tool call, in the agent's own words and in ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The agent's name for the tool.
    pub name: String,
    /// What it does.
    pub class: ToolClass,
    /// The command line, for a shell tool. Follows from `input`.
    pub command: Option<String>,
    /// The files it names, absolute, lexically normalised. Follow from `input`.
    pub paths: Vec<String>,
    /// The agent's arguments.
    pub input: Json,
    /// The result, after the call.
    pub output: Option<Json>,
}

/// One lifecycle moment: a canonical name, a common header, a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Unique for this event, or the caller's correlation id.
    pub id: String,
    /// Canonical name.
    pub name: EventName,
    /// The dialect it came in: `claude-code`.
    pub agent: &'static str,
    /// Its name in that dialect: `PreToolUse`.
    pub agent_event: String,
    /// The agent's session; empty if the caller named none.
    pub session: String,
    /// The agent's working directory, absolute; empty if the caller named none.
    pub cwd: String,
    /// Milliseconds since the Unix epoch.
    pub time: u64,
    /// The tool call that the event is about.
    pub tool: Option<ToolCall>,
    /// Everything else that it carries: an object, by the schema of the canonical name.
    pub payload: Json,
    /// What the caller sent, untouched.
    pub source: Json,
}
