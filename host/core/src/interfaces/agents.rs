//! Questions of the chain about events that only dialects can answer.

use std::fmt::Debug;

use hookbox_model::{Event, Json};

use super::ConfineError;

/// Information of a stop event about the stops before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopping {
    /// True if the agent was not kept from stopping just before. `None` if its events do not contain this.
    pub first: Option<bool>,
    /// Identifier of the stopping agent within the session; empty if there is only one.
    pub agent_id: String,
}

/// All agents, as the chain knows them.
pub trait Agents: Debug + Send + Sync {
    /// Returns the information of a stop event about the stops before it.
    fn stopping(&self, event: &Event) -> Stopping;

    /// Updates the fields that follow from the arguments of the event's tool call after they changed.
    fn redescribe(&self, event: &mut Event);

    /// Returns the arguments of the event's tool call with its command wrapped in `words`, which take a shell and its command as further
    /// arguments.
    ///
    /// # Errors
    ///
    /// The event is not such a call, or it is not certain that the agent would run the result.
    fn started_by(&self, words: &[String], event: &Event) -> Result<Json, ConfineError>;
}
