//! Events that a program creates itself.

use std::borrow::Cow;

use hookbox::{
    agents::{Dialect as _, ReadContext, native::Native},
    model::{Event, Json},
};

use crate::{BindingError, ErrorCode, options::named};

/// Parses the event in this JSON text, in hookbox's own format: the input of a hook, so that a hook can forward it.
pub(crate) fn read(text: &str, arrival: &ReadContext) -> Result<Event, BindingError> {
    let source = Json::parse_cut_object(text).map_err(|error| bad(&error.to_string()))?;
    let agent = source.members().and_then(|members| members.get_string("agent"));
    let event = Native.read(source, arrival).map_err(|error| bad(&error.to_string()))?;
    match agent {
        // The native dialect sets its own name; a program that forwards an agent's event keeps that of the
        // agent.
        Some(agent) => Ok(Event { agent: Cow::Borrowed(named(&agent)?.name()), ..event }),
        None => Ok(event),
    }
}

fn bad(why: &str) -> BindingError {
    BindingError::new(ErrorCode::Event, why)
}
