//! The request to the server.

use hookbox_sdk::Event;
use serde::Serialize;
use serde_json::Value;

/// A request for a decision about an event.
#[derive(Serialize)]
pub(crate) struct Question<'a> {
    event: &'a str,
    agent: &'a str,
    session: &'a str,
    cwd: &'a str,
    tool: Tool<'a>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    paths: &'a [String],
    input: Value,
}

impl<'a> Question<'a> {
    /// The one about this event, if it has a tool.
    pub(crate) fn of(event: &'a Event) -> Result<Option<Self>, String> {
        let Some(tool) = &event.tool else { return Ok(None) };
        let tool = Tool {
            name: &tool.name,
            command: tool.command.as_deref(),
            paths: &tool.paths,
            input: tool.input_as()?,
        };
        let Event { name, agent, session, cwd, .. } = event;
        Ok(Some(Self { event: name, agent, session, cwd, tool }))
    }
}
