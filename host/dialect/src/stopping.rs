//! Previous stops, as reported by an event at which an agent stops.

use hookbox_model::{Event, RawObject};
use hookbox_port::port::Stopping;

/// Members of the payload, the same in every dialect that has them: `stop_hook_active` of Claude Code, Codex, Gemini CLI
/// and llxprt, `loop_count` of Cursor; `agent_id` of a subagent, `teammate_name`.
pub(super) fn read_stopping(event: &Event) -> Stopping {
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
