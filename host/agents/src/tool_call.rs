//! A tool call in an agent's JSON.

use hookbox_model::{Json, ToolCall};

use super::{InvalidEvent, tools};

/// The parts of a tool call, not yet described.
pub(super) struct ReceivedTool<'a> {
    pub(super) agent: &'a str,
    /// The agent's name for the event.
    pub(super) event: &'a str,
    pub(super) cwd: &'a str,
    pub(super) name: String,
    /// The agent's name for the arguments.
    pub(super) field: &'a str,
    pub(super) input: Json,
    pub(super) output: Option<Json>,
}

impl ReceivedTool<'_> {
    /// Returns the call with the facts derived from its arguments; an error if they name more files than a guard would see.
    pub(super) fn described(self) -> Result<ToolCall, InvalidEvent> {
        let Self { name, input, output, .. } = self;
        let described = tools::describe_call(self.agent, &name, &input, self.cwd);
        if described.truncated {
            let problem = format!("it names more than {} files; name fewer", tools::MAX_PATHS);
            return Err(InvalidEvent::for_field(self.event, self.field, problem));
        }
        let (class, command, paths) = (described.class, described.command, described.paths);
        Ok(ToolCall { name, class, command, paths, input, output })
    }
}
