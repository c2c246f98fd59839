//! cocode: its thirteen events and three answers (docs/contracts/cocode.md).
//!
//! A command with `pass_context = true` and a webhook get a `HookContext` as serde writes it: `event`, `session_id`,
//! `cwd` and `env` always; `tool_name`, `tool_input`, `tool_output`, `error`, `user_prompt` and `agent_id` where the
//! event has them, else `null`.

mod contract;
mod events;
pub(super) mod facts;
mod own_hooks;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

use self::events::EVENTS;
use super::{
    Arrival, Dialect, EventSupport, InvalidEvent, Written,
    hook_input::{HookInput, Moves, Words},
    own_hooks::OwnHooks,
    schema::Kind,
};

/// cocode.
#[derive(Clone, Copy, Debug)]
pub struct Cocode;

const NAME: &str = "cocode";
const WORDS: Words = Words { event: "event", output: "tool_output" };
const RENAMED: &[(&str, &str)] = &[("user_prompt", "prompt")];
/// The agent's whole environment, secrets too. A hook has no environment but what it is granted, and every hook may read
/// the source, so this is the one member that is in neither.
const ENVIRONMENT: &str = "env";

/// Does this input have the members that a `HookContext` always has? hookbox's own events have an `event` too, and
/// none of the others.
pub(super) fn is_context(source: &RawObject<'_>) -> bool {
    let is = |key, kind: Kind| source.get(key).is_some_and(|value| kind.admits(value.get()));
    let texts = ["event", "session_id", "cwd"].iter().all(|key| is(key, Kind::Text));
    texts && is(ENVIRONMENT, Kind::Object) && source.get("hook_event_name").is_none()
}

impl Dialect for Cocode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        EVENTS.iter().map(|row| (row.name, row.canonical.clone())).collect()
    }

    fn read(&self, source: Json, arrival: &Arrival) -> Result<Event, InvalidEvent> {
        let members = RawObject::parse(source.as_str())?;
        let look = |event: &str| events::row(event).map(|row| (row, &row.canonical, row.required));
        let (event, name, _) = WORDS.known(&members, look)?;
        let dropped: Vec<&str> = members
            .iter()
            .filter(|(key, value)| *key == ENVIRONMENT || value.get() == "null")
            .map(|(key, _)| key)
            .collect();
        let kept = members.without(&[ENVIRONMENT]);
        let added = added(&name, &members);
        let input = HookInput { agent: NAME, words: &WORDS, source: &kept, members: &members, event };
        let payload = input.payload(Moves { renamed: RENAMED, dropped: &dropped, added: &added });
        let mut event = input.into_event(name, payload, arrival)?;
        forget_absent_output(&mut event);
        Ok(event)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        write::outcome(&event.agent_event, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::failure(event, message)
    }

    fn own_hooks(&self) -> Option<&dyn OwnHooks> {
        Some(self)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        let row = events::row(event);
        let (block, rewrite) =
            row.map_or((canonical.traits().block, false), |row| (row.rejects, row.rewrite.is_some()));
        EventSupport { block, ask: false, rewrite, context: false, sure: true }
    }

    fn patience(&self, _: &EventName) -> Duration {
        Duration::from_mins(10)
    }
}

/// A notification of cocode has no text, and ours must have one.
fn added(name: &EventName, members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    match (name, members.string("message")) {
        (EventName::Notification, None) => vec![("message", "\"\"".to_owned())],
        _ => Vec::new(),
    }
}

/// `null` is the result of a tool that has run, and no result before that.
fn forget_absent_output(event: &mut Event) {
    if let (Some(tool), false) = (&mut event.tool, event.name == EventName::ToolAfter) {
        tool.output = tool.output.take().filter(|output| output.as_str() != "null");
    }
}
