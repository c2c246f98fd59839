//! What cocode's agent loop tells of the hooks of an event, as values (docs/contracts/cocode.md).

use hookbox_model::{Event, Outcome, Status};
use serde::Serialize;

/// Something that happened in the loop, as serde writes it.
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

/// One for each hook that was called, in their order; those whose turn did not come are not told of.
pub fn loop_events<'a>(event: &'a Event, outcome: &'a Outcome) -> Vec<LoopEvent<'a>> {
    let called = outcome.reports.iter().filter(|report| report.status != Status::Skipped);
    let told = called
        .map(|report| LoopEvent::HookExecuted { hook_type: &event.agent_event, hook_name: &report.hook });
    told.collect()
}
