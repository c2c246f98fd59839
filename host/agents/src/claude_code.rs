//! Claude Code: its 33 events and its hook output (docs/reference/agents/claude-code.md).

mod answer;
mod ask_conversion;
mod async_hooks;
mod callback;
mod command;
mod contract;
mod events;
mod exceptions;
pub(super) mod facts;
mod hook_file;
mod http;
mod matcher;
mod output;
mod permission_rule;
mod policy;
mod terminal;
mod wildcard;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome};

pub use self::callback::{InvalidOutput, check_output, convert_output};
pub(super) use self::contract::{OUTPUT_ONLY, read_output};
use self::events::EVENTS;
use super::{
    Dialect, EventSupport, InvalidEvent, ReadContext, Written,
    agent_hook_file::AgentHookFile,
    synthesize::EventForm,
    table::{Words, find_event, find_form},
};

/// Claude Code.
#[derive(Clone, Copy, Debug)]
pub struct ClaudeCode;

/// Returns true if `event` is the name of a Claude Code event.
pub(super) fn is_known_event(event: &str) -> bool {
    events::find_row(event).is_some()
}

impl Dialect for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        find_event(&Words::HOOK_INPUT, &EVENTS, &source)?.build_event(self.name(), arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::write_outcome(event, &ask_conversion::as_answered(event, outcome))
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        exceptions::write_failure(event, message)
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

    // The timeouts of a hook without `timeout` in its entry. `SessionEnd` has 1.5 s for all hooks together.
    fn agent_timeout(&self, event: &EventName) -> Duration {
        match event {
            EventName::SessionEnd => Duration::from_millis(1500),
            EventName::MessageDisplay => Duration::from_secs(10),
            EventName::PromptSubmit | EventName::ModelSwitchBefore | EventName::ModelSwitchAfter => {
                Duration::from_secs(30)
            }
            _ => Duration::from_mins(10),
        }
    }
}
