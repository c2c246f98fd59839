//! cocode: its thirteen events and three answers (docs/reference/agents/cocode.md).
//!
//! A command with `pass_context = true` and a webhook get a `HookContext` as serde writes it: `event`, `session_id`,
//! `cwd` and `env` always; `tool_name`, `tool_input`, `tool_output`, `error`, `user_prompt` and `agent_id` where the
//! event has them, else `null`.

mod contract;
mod events;
pub(super) mod facts;
mod hook_file;
mod write;

use std::time::Duration;

use hookbox_core::Condition;
use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

use self::events::{CocodeControl, EVENTS, RENAMED};
use super::{
    Dialect, EventSupport, InvalidEvent, ReadContext, Written,
    agent_hook_file::AgentHookFile,
    schema::Kind,
    synthesize::EventForm,
    table::{Reading, Words, find_event, find_form},
};

/// cocode.
#[derive(Clone, Copy, Debug)]
pub struct Cocode;

const NAME: &str = "cocode";
/// Field names of cocode's input. Members that an event lacks are `null`.
const WORDS: Words = Words {
    event: "event",
    outputs: &["tool_output"],
    // serde writes every absent member as `null`; hooks would take such a member for a present one.
    nulls: false,
    unknown: Reading { renamed: RENAMED, ..Reading::HOOK_INPUT },
    ..Words::HOOK_INPUT
};
/// The agent's whole environment, secrets included. A hook has only the granted environment, and every hook may read the source, so this
/// member is removed from both.
const ENVIRONMENT: &str = "env";

/// Returns true if the input has the members that every `HookContext` has. hookbox's native events have an `event` too, but none of the
/// other members.
pub(super) fn is_context(source: &RawObject<'_>) -> bool {
    let is = |key, kind: Kind| source.get(key).is_some_and(|value| kind.admits(value.get()));
    let texts = ["event", "session_id", "cwd"].iter().all(|key| is(key, Kind::Text));
    // Claude Code's FileChanged has an `event` too.
    texts && is(ENVIRONMENT, Kind::Object) && source.get("hook_event_name").is_none()
}

/// Parses the `tool_matcher` of a hook for this event: a tool's name, or a prefix that ends with `*`. An event without a tool has nothing
/// to match.
pub fn tool_matcher(event: &str, matcher: &str) -> Condition {
    hook_file::parse_condition(matcher, events::find_row(event).is_some_and(hook_file::has_tool))
}

impl Dialect for Cocode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        // Removed before the event is built, so that the environment is in neither the payload nor the kept
        // source.
        let kept = RawObject::parse(source.as_str())?.without_members(&[ENVIRONMENT]);
        find_event(&WORDS, &EVENTS, &kept)?.build_event(NAME, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::write_outcome(&event.agent_event, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::write_failure(event, message)
    }

    fn hook_file(&self) -> Option<&dyn AgentHookFile> {
        Some(self)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        let unknown = || EventSupport {
            ask: false,
            rewrite: false,
            context: false,
            ..EventSupport::from_canonical(canonical)
        };
        events::find_row(event).map_or_else(unknown, |row| {
            row.determine_support(row.answer.control == CocodeControl::Reject, false)
        })
    }

    fn event_form(&self, event: &str, canonical: &EventName) -> Option<EventForm> {
        find_form(&WORDS, &EVENTS, event, canonical)
    }

    fn agent_timeout(&self, _: &EventName) -> Duration {
        Duration::from_mins(10)
    }
}
