//! Codex: its thirteen events and its hook output (docs/reference/agents/codex.md).

mod answer;
mod contract;
mod events;
pub(super) mod facts;
mod hook_file;
mod matcher;
mod output;
mod switches;
pub(super) mod trust;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome};

use self::events::EVENTS;
use super::{
    Dialect, EventSupport, InvalidEvent, ReadContext, Written,
    agent_hook_file::AgentHookFile,
    synthesize::EventForm,
    table::{Words, find_event, find_form},
};

const NAME: &str = "codex";

/// Codex.
#[derive(Clone, Copy, Debug)]
pub struct Codex;

impl Dialect for Codex {
    fn name(&self) -> &'static str {
        NAME
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        find_event(&Words::HOOK_INPUT, &EVENTS, &source)?.build_event(NAME, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::write_outcome(event, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::write_failure(event, message)
    }

    fn hook_file(&self) -> Option<&dyn AgentHookFile> {
        Some(self)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        events::find_row(event)
            .map_or_else(|| EventSupport::from_canonical(canonical), events::determine_support)
    }

    fn event_form(&self, event: &str, canonical: &EventName) -> Option<EventForm> {
        find_form(&Words::HOOK_INPUT, &EVENTS, event, canonical)
    }

    /// Codex shortens the timeout of its last two events, regardless of its settings.
    fn agent_timeout(&self, event: &EventName) -> Duration {
        match event {
            EventName::SessionEnd | EventName::PromptInterrupt => Duration::from_secs(3),
            _ => Duration::from_mins(10),
        }
    }
}
