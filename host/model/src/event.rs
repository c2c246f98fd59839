//! One lifecycle moment of an agent.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{EventName, Json, record, words::words};

words! {
    /// Class of a tool, the same for all agents.
    pub enum ToolClass {
        /// Runs a command line.
        Shell = "shell",
        /// Reads the content of files.
        FileRead = "file-read",
        /// Creates, changes or removes files.
        FileWrite = "file-write",
        /// Looks for files or for text in them.
        Search = "search",
        /// Fetches from or searches the web.
        Web = "web",
        /// Belongs to an MCP server.
        Mcp = "mcp",
        /// Starts or steers another agent.
        Agent = "agent",
        /// None of these, or not known.
        Other = "other",
    }
}

/// A tool call: the agent's own fields and hookbox's normalised ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The agent's name for the tool.
    pub name: String,
    /// The class of the tool.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Unique for this event, or the caller's correlation id.
    pub id: String,
    /// Canonical name.
    pub name: EventName,
    /// The dialect it came in: `claude-code`.
    #[serde(deserialize_with = "record::name")]
    pub agent: Cow<'static, str>,
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
    /// Everything else in the event: an object that follows the schema of the canonical name.
    #[serde(deserialize_with = "record::object")]
    pub payload: Json,
    /// The input as the caller sent it, untouched.
    pub source: Json,
}

impl Event {
    /// Creates an event of the dialect `agent` with all other fields empty.
    pub fn new(name: EventName, agent: &'static str) -> Self {
        Self {
            id: String::new(),
            name,
            agent: Cow::Borrowed(agent),
            agent_event: String::new(),
            session: String::new(),
            cwd: String::new(),
            time: 0,
            tool: None,
            payload: Json::empty_object(),
            source: Json::empty_object(),
        }
    }
}
