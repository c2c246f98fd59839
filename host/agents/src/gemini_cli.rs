//! Gemini CLI: its eleven events and its hook output (docs/reference/agents/gemini-cli.md).

mod answer;
mod changes;
mod command_line;
pub(super) mod contract;
mod events;
pub(super) mod facts;
pub(super) mod hook_file;
mod matcher;
pub(super) mod read;
pub mod suppressed_output;
mod switches;
pub(super) mod variant;
pub(super) mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome};

use self::{events::EVENTS, variant::GEMINI_CLI};
use super::{
    Dialect, EventSupport, InvalidEvent, ReadContext, Written, agent_hook_file::AgentHookFile,
    synthesize::EventForm, table,
};

/// Agent timeout of Gemini CLI and its fork.
// The default of the entry's `timeout`, 60,000 ms.
pub(super) const AGENT_TIMEOUT: Duration = Duration::from_mins(1);

/// Gemini CLI.
#[derive(Clone, Copy, Debug)]
pub struct GeminiCli;

/// Returns true if `event` is the name of a Gemini CLI event.
pub(super) fn is_known_event(event: &str) -> bool {
    events::find_row(event).is_some()
}

/// Returns the names of the events, Gemini CLI's and hookbox's.
pub(super) fn list_event_names() -> Vec<(&'static str, EventName)> {
    EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
}

impl Dialect for GeminiCli {
    fn name(&self) -> &'static str {
        GEMINI_CLI.name
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        list_event_names()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        read::read_event(&GEMINI_CLI, &source, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::write_outcome(&GEMINI_CLI, event, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::write_failure(event, message)
    }

    fn hook_file(&self) -> Option<&dyn AgentHookFile> {
        Some(self)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        determine_support(event, canonical)
    }

    fn event_form(&self, event: &str, canonical: &EventName) -> Option<EventForm> {
        find_form(event, canonical)
    }

    fn agent_timeout(&self, _: &EventName) -> Duration {
        AGENT_TIMEOUT
    }
}

/// Returns the form of an event of both agents.
pub(super) fn find_form(event: &str, canonical: &EventName) -> Option<EventForm> {
    table::find_form(&read::WORDS, &EVENTS, event, canonical)
}

pub(super) fn determine_support(event: &str, canonical: &EventName) -> EventSupport {
    events::find_row(event).map_or_else(|| EventSupport::from_canonical(canonical), events::determine_support)
}
