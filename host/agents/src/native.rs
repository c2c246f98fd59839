//! hookbox's own dialect: the event and the outcome as JSON, for callers without a format of their own, and the format of events and
//! answers of shell hooks and webhooks.

mod answer;
mod answer_text;
mod contract;
mod event;
pub(super) mod facts;
mod fields;
mod outcome;
mod program_contract;
mod samples;

use std::time::Duration;

use hookbox_core::hookfile::find_nearest;
use hookbox_model::{Event, EventName, Json, Outcome};

pub use self::{
    answer::{AnswerError, parse_answer},
    contract::NativeContract,
    event::event_json,
    program_contract::ProgramContract,
};
use super::{Dialect, InvalidEvent, ReadContext, Written};

/// hookbox's own dialect.
#[derive(Clone, Copy, Debug)]
pub struct Native;

/// Returns the required members of an event, `tool.…` or `payload.…`, each with its kind ("a string"). The sender may add any other member
/// to the payload.
pub fn list_required(event: &EventName) -> Vec<(String, &'static str)> {
    fields::list_required(event)
}

/// Returns true if the payload of the event requires this member.
pub(super) fn requires_member(event: &EventName, member: &str) -> bool {
    fields::list_payload(event).iter().any(|(name, _)| *name == member)
}

pub(super) use fields::{needs_output, needs_tool};

/// Harmless events of this name, in this dialect: for trying a hook out. For a tool call there are several, of several tools.
pub fn make_samples(event: &EventName) -> Vec<Json> {
    samples::make_samples(event)
}

impl Dialect for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EventName::KNOWN.iter().map(|event| (event.as_str(), event.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        event::read_event(&source, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        outcome::write_outcome(&event.name, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        outcome::write_failure(event, message)
    }

    /// Returns the time of the longest call; a caller that waits less has its own deadline.
    fn agent_timeout(&self, _: &EventName) -> Duration {
        Duration::from_mins(10)
    }
}

/// Checks that this key is one of `known`. Otherwise returns the problem, with the known key that it resembles.
fn unknown_key(key: &str, known: &[&str]) -> Option<String> {
    if known.contains(&key) {
        return None;
    }
    Some(match find_nearest(key, known) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("known are: {}", known.join(", ")),
    })
}
