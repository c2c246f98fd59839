//! Code-Forge: its sixteen events as JSON, and its exit code (docs/reference/agents/code-forge.md). Code-Forge itself passes events to a
//! hook in environment variables (`variables`); the JSON is the one that its `HookEvent.to_json` writes.

mod contract;
mod event_in_variables;
mod events;
pub(super) mod facts;
mod fnmatch;
mod hook_file;
pub mod hooks_json;
pub mod pattern;
mod python_json;
mod read;
pub mod templates;
pub mod variables;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

use self::events::EVENTS;
use super::{
    Dialect, EventSupport, InvalidEvent, ReadContext, Written, agent_hook_file::AgentHookFile, schema::Kind,
};

/// Code-Forge.
#[derive(Clone, Copy, Debug)]
pub struct CodeForge;

/// Returns true for an object with `type`, `timestamp` and `data`, where the type's family is one of Code-Forge's, and no member is another
/// agent's name for the event.
pub(super) fn resembles_event(source: &RawObject<'_>) -> bool {
    let is = |key, kind: Kind| source.get(key).is_some_and(|value| kind.admits(value.get()));
    // `type` and `data` are common names; an input that names its event elsewhere is another agent's.
    let strange = source.get("hook_event_name").is_some() || source.get("event").is_some();
    let named = source.get_string("type").is_some_and(|event| events::of_a_family(&event));
    named && !strange && is("timestamp", Kind::Number) && is("data", Kind::Object)
}

impl Dialect for CodeForge {
    fn name(&self) -> &'static str {
        events::AGENT
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        read::read_event(&source, arrival)
    }

    fn event_in_variables(&self, get: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        event_in_variables::build_event(get)
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

    fn support(&self, _: &str, canonical: &EventName) -> EventSupport {
        let block = canonical.traits().block;
        // Code-Forge reads an exit code and nothing else.
        EventSupport { block, ask: false, rewrite: false, context: false, sure: true }
    }

    /// Returns Code-Forge's default timeout of a hook.
    fn agent_timeout(&self, _: &EventName) -> Duration {
        Duration::from_secs(10)
    }
}
