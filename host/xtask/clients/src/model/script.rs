//! Answers of the model: one command after the other, then a final text.

use serde_json::Value;

/// The part of the conversation that one request shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct VisibleConversation {
    /// The tools that the model may call: empty where a client wants a title or a summary.
    pub(super) tools: Vec<String>,
    /// Results of the calls so far.
    pub(super) results: Vec<String>,
}

/// The model's answer to a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Text(&'static str),
    Call { id: String, tool: &'static str, arguments: Value },
}

/// The tool of a client that runs shell commands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shell {
    pub(crate) tool: &'static str,
    /// Builds the tool's arguments for a command.
    pub(crate) arguments: fn(&str) -> Value,
}

/// The commands of a session. Every request contains the progress, so a repeated request gets the same answer.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) shell: Shell,
    pub(crate) commands: Vec<String>,
}

impl Script {
    pub(super) fn next(&self, asked: &VisibleConversation) -> Reply {
        let turn = asked.results.len();
        match self.commands.get(turn) {
            // A request without the tool is for a title or a summary.
            Some(command) if asked.tools.iter().any(|tool| tool == self.shell.tool) => Reply::Call {
                id: format!("call_{turn}"),
                tool: self.shell.tool,
                arguments: (self.shell.arguments)(command),
            },
            _ => Reply::Text("Done."),
        }
    }
}
