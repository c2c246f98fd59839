//! The interface [`Agents`] of the chain, implemented over all dialects.

use hookbox_core::interfaces::{Agents, ConfineError, Stopping};
use hookbox_model::{Event, Json, RawObject};

use super::{confined_commands, tools};

/// All agents with a dialect. The agent of an event is determined from the event's own members.
#[derive(Clone, Copy, Debug)]
pub struct DialectAgents;

impl Agents for DialectAgents {
    fn stopping(&self, event: &Event) -> Stopping {
        read_stopping(event)
    }

    fn redescribe(&self, event: &mut Event) {
        tools::redescribe_call(event);
    }

    fn started_by(&self, words: &[String], event: &Event) -> Result<Json, ConfineError> {
        confined_commands::started_by(words, event)
    }
}

/// Reads members of the payload, the same in every dialect that has them: `stop_hook_active` of Claude Code, Codex, Gemini CLI
/// and llxprt, `loop_count` of Cursor; `agent_id` of a subagent, `teammate_name`.
fn read_stopping(event: &Event) -> Stopping {
    let members = event.payload.members().unwrap_or_default();
    let text = |key| members.get_string(key).filter(|text| !text.is_empty());
    Stopping {
        first: is_first(&members),
        // Subagents and teammates stop on their own: their stops must not count for the main agent.
        agent_id: text("agent_id").or_else(|| text("teammate_name")).unwrap_or_default(),
    }
}

fn is_first(members: &RawObject<'_>) -> Option<bool> {
    let has_value = |key, first: &str| Some(members.get(key)?.get() == first);
    has_value("stop_hook_active", "false").or_else(|| has_value("loop_count", "0"))
}
