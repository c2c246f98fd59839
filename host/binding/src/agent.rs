//! Information about agents.

use crate::{BindingError, options::named};

/// Returns the events of the agent of this name, each with its canonical event. An event that can become several canonical events is
/// listed once for each.
pub fn agent_events(agent: &str) -> Result<Vec<(&'static str, String)>, BindingError> {
    let events = named(agent)?.events();
    Ok(events.into_iter().map(|(name, canonical)| (name, canonical.to_string())).collect())
}
