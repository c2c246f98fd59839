//! run-claude, a proxy on `LiteLLM`: its four events, each a `HookContext` as JSON, and the changed context as the answer
//! (docs/reference/agents/run-claude.md). run-claude itself passes contexts between Python functions; the JSON has the fields of
//! that class, and three more for the tool events, which it leaves open.

mod contract;
mod events;
pub(super) mod facts;
mod hook_file;
mod proxied;
mod read;
mod request;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

use self::events::EVENTS;
pub(super) use self::proxied::of_the_proxy;
use super::{AgentHookFile, Dialect, EventSupport, InvalidEvent, ReadContext, Written};

/// run-claude.
#[derive(Clone, Copy, Debug)]
pub struct RunClaude;

/// Returns true if the input is a `HookContext`: its event is one of the four, and it has the members that each context has.
pub(super) fn is_hook_context(source: &RawObject<'_>) -> bool {
    let known = source.get_string("event").is_some_and(|event| events::find_row(&event).is_some());
    let has = |key| source.get(key).is_some();
    // `event` alone is also the mark of hookbox's own events and of cocode's.
    known && !has("hook_event_name") && ["model", "request_id", "timestamp"].into_iter().all(has)
}

impl Dialect for RunClaude {
    fn name(&self) -> &'static str {
        events::AGENT
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        read::read_event(&source, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::write_outcome(event, outcome)
    }

    fn write_failure(&self, _: Option<&str>, message: &str) -> Written {
        write::write_failure(message)
    }

    fn hook_file(&self) -> Option<&dyn AgentHookFile> {
        Some(self)
    }

    fn support(&self, _: &str, canonical: &EventName) -> EventSupport {
        let request = *canonical == EventName::ModelRequest;
        EventSupport { ask: false, context: request, ..EventSupport::from_canonical(canonical) }
    }

    /// True: run-claude's own hooks print into the log of the proxy, which contains its children's output.
    fn shows_logs(&self) -> bool {
        true
    }

    /// The proxy waits as long as it takes; this is as long as the longest call may take.
    fn agent_timeout(&self, _: &EventName) -> Duration {
        Duration::from_mins(10)
    }
}
