//! What is known of agents.

use crate::{BindingError, options::named};

/// The events of the agent of this name in its own words, each with the canonical event that it becomes. One that can become several is
/// there as often.
pub fn agent_events(agent: &str) -> Result<Vec<(&'static str, String)>, BindingError> {
    let events = named(agent)?.events();
    Ok(events.into_iter().map(|(name, canonical)| (name, canonical.to_string())).collect())
}
