//! Information about agents.

use napi::Error;
use napi_derive::napi;

use crate::host::{Code, thrown};

/// The events of an agent, as pairs: its own name for one, and the canonical event that it becomes.
#[napi]
pub fn agent_events(agent: String) -> Result<Vec<Vec<String>>, Error<Code>> {
    let events = hookbox_binding::agent_events(&agent).map_err(thrown)?;
    Ok(events.into_iter().map(|(name, canonical)| vec![name.to_owned(), canonical]).collect())
}

/// The events of Claude Code and what a program with its Agent SDK registers for each, as JSON text.
#[napi]
pub fn agent_sdk_events() -> String {
    hookbox_binding::agent_sdk_events()
}
