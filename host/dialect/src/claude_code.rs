//! Claude Code: its 33 events and its hook output (docs/contracts/claude-code.md).

mod answer;
mod aside;
mod asking;
mod command;
mod contract;
mod events;
mod exceptions;
pub(super) mod facts;
mod http;
mod matcher;
mod output;
mod own_hooks;
mod permission_rule;
mod policy;
mod terminal;
mod wildcard;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

pub(super) use self::contract::{OUTPUT_ONLY, read_output};
use self::events::EVENTS;
use super::{
    Arrival, Dialect, EventSupport, InvalidEvent, Written,
    hook_input::{HookInput, Moves, USUAL},
    object::Object,
    own_hooks::OwnHooks,
};

/// Claude Code.
#[derive(Clone, Copy, Debug)]
pub struct ClaudeCode;

/// Is this the name of an event of Claude Code?
pub(super) fn knows(event: &str) -> bool {
    events::row(event).is_some()
}

impl Dialect for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &Arrival) -> Result<Event, InvalidEvent> {
        let members = RawObject::parse(source.as_str())?;
        let look = |event: &str| events::row(event).map(|row| (row, &row.canonical, row.required));
        let (event, name, row) = USUAL.known(&members, look)?;
        let input =
            HookInput { agent: self.name(), words: &USUAL, source: &source, members: &members, event };
        let payload = match name {
            EventName::ElicitationResult => input.payload(Moves {
                dropped: &ANSWER,
                added: &[("answer", answer(&members))],
                ..Moves::default()
            }),
            _ => input.payload(Moves { renamed: row.map_or(&[], |row| row.renamed), ..Moves::default() }),
        };
        input.into_event(name, payload, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::outcome(event, &asking::as_answered(event, outcome))
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        exceptions::failure(event, message)
    }

    fn own_hooks(&self) -> Option<&dyn OwnHooks> {
        Some(self)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        events::row(event).map_or_else(|| EventSupport::of(canonical), events::ClaudeEvent::support)
    }

    fn patience(&self, event: &EventName) -> Duration {
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

const ANSWER: [&str; 2] = ["action", "content"];

/// What a person answered to an MCP server, as the one part that a hook may rewrite.
fn answer(members: &RawObject<'_>) -> String {
    let mut answer = Object::new();
    for key in ANSWER {
        if let Some(value) = members.get(key) {
            answer.raw(key, value.get());
        }
    }
    answer.finish()
}
