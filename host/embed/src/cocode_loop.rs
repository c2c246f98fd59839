//! Events of cocode's agent loop about hooks, as values (docs/reference/agents/cocode.md).

use hookbox_model::{Event, Outcome, Status};
use serde::Serialize;

/// An event of the loop, as serde writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum LoopEvent<'a> {
    /// A hook was called.
    HookExecuted {
        /// cocode's name for the event: `PreToolUse`.
        hook_type: &'a str,
        /// The hook's name.
        hook_name: &'a str,
    },
}

/// Returns an event for each hook that was called, in their order; skipped hooks have none.
pub fn loop_events<'a>(event: &'a Event, outcome: &'a Outcome) -> Vec<LoopEvent<'a>> {
    // A hook that the chain skipped after a rejection has not been executed.
    let called = outcome.reports.iter().filter(|report| report.status != Status::Skipped);
    let events = called
        .map(|report| LoopEvent::HookExecuted { hook_type: &event.agent_event, hook_name: &report.hook });
    events.collect()
}
