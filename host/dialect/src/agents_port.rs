//! The port through which the chain uses the dialects.

use hookbox_model::{Event, Json};
use hookbox_port::port::{Agents, ConfineError, Stopping};

use super::{confined, stopping, tools};

/// All agents with a dialect. The agent of an event is determined from the event's own members.
#[derive(Clone, Copy, Debug)]
pub struct DialectAgents;

impl Agents for DialectAgents {
    fn stopping(&self, event: &Event) -> Stopping {
        stopping::read_stopping(event)
    }

    fn redescribe(&self, event: &mut Event) {
        tools::redescribe_call(event);
    }

    fn started_by(&self, words: &[String], event: &Event) -> Result<Json, ConfineError> {
        confined::started_by(words, event)
    }
}
