//! What the chain asks about events, and only the dialects know.

use std::fmt::Debug;

use hookbox_model::{Event, Json};

use super::Unconfined;

/// What an event at which an agent stops tells of the stops before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopping {
    /// Was the agent not kept from stopping just before? `None` if its events do not tell.
    pub first: Option<bool>,
    /// Which agent of the session stops; empty if there is but one.
    pub who: String,
}

/// All agents, as the chain knows them.
pub trait Agents: Debug + Send + Sync {
    /// What an event at which an agent stops tells of the stops before it.
    fn stopping(&self, event: &Event) -> Stopping;

    /// Brings what follows from the arguments of the event's tool call up to date after they changed.
    fn redescribe(&self, event: &mut Event);

    /// The arguments of the event's tool call with its command started by `words`, which take a shell and its command behind
    /// them.
    ///
    /// # Errors
    ///
    /// It is no such call, or it is not sure that the agent would run that.
    fn started_by(&self, words: &[String], event: &Event) -> Result<Json, Unconfined>;
}
