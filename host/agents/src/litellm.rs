//! LiteLLM: the methods of a `CustomLogger` in its proxy (docs/reference/agents/litellm.md). A method is an event; a small Python class
//! sends its arguments as JSON and applies the answer. The wire format is hookbox's.

mod events;
pub(super) mod facts;
mod hook_file;
mod mcp;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

use self::events::{EVENTS, Rewritten};
use super::{
    AgentHookFile, Dialect, EventSupport, InvalidEvent, ReadContext, Written,
    table::{Reading, Words, find_event},
};

/// LiteLLM's proxy.
#[derive(Clone, Copy, Debug)]
pub struct Litellm;

/// The member that names the method. No other dialect has it.
const METHOD: &str = "litellm_hook";
const WORDS: Words = Words { event: METHOD, noun: "a method", unknown: Reading::PLAIN, ..Words::HOOK_INPUT };

impl Dialect for Litellm {
    fn name(&self) -> &'static str {
        "litellm"
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        let found = find_event(&WORDS, &EVENTS, &source)?;
        let mut event = found.build_event(self.name(), arrival)?;
        let members = RawObject::parse(source.as_str())?;
        event.tool = match event.name {
            EventName::ToolBefore => Some(mcp::read_call(&event, &members, "data")?),
            EventName::ToolAfter => Some(mcp::read_call(&event, &members, "kwargs")?),
            _ => None,
        };
        if event.session.is_empty() {
            // Without a session, hooks that count per session would count all calls of the proxy as one.
            event.session = call_id(&members);
        }
        Ok(event)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::write_outcome(events::row_of_event(&event.agent_event, &event.name), outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::write_failure(event, message)
    }

    fn hook_file(&self) -> Option<&dyn AgentHookFile> {
        Some(self)
    }

    /// True: the proxy has a log, which its operator reads.
    fn shows_logs(&self) -> bool {
        true
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        let row = events::row_of_event(event, canonical);
        let rewrite = row.is_some_and(|row| !matches!(row.answer, Rewritten::Nowhere));
        let context = *canonical == EventName::ModelRequest;
        EventSupport { ask: false, rewrite, context, ..EventSupport::from_canonical(canonical) }
    }

    /// LiteLLM waits as long as its own caller does; ten minutes is the longest that its requests take by default.
    fn agent_timeout(&self, _: &EventName) -> Duration {
        Duration::from_mins(10)
    }
}

/// Returns LiteLLM's id for the call, which all methods of one call share: its session, as a proxy knows no other.
fn call_id(members: &RawObject<'_>) -> String {
    ["data", "request_data", "kwargs", "request_kwargs"]
        .iter()
        .find_map(|key| RawObject::parse(members.get(key)?.get()).ok()?.get_string("litellm_call_id"))
        .unwrap_or_default()
}
