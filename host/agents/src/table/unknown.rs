//! Events that the agent's table does not know. An event with a tool call is treated like a call that is about to run: it may be another
//! agent's, sent by a wrong entry, and no guard handles unknown events.

use hookbox_model::RawObject;

use super::{
    ToolMembers, Words,
    row::{EventRow, Reading},
    tool::Tool,
};

/// Members in which most agents put a call.
const COPIED: ToolMembers = ToolMembers {
    server: None,
    prefix: "",
    name: ("tool_name", "toolName"),
    input: ("tool_input", "toolArgs"),
};

/// Returns the reading: with the contained call, in the field names of this agent's other events or in the most common ones.
pub(super) fn build_reading<S>(
    words: &Words,
    rows: &'static [EventRow<S>],
    members: &RawObject<'_>,
) -> Reading {
    let own = rows.iter().filter_map(|row| match row.reading.tool {
        Tool::Named(naming) | Tool::Offered(naming) => Some(naming),
        Tool::None | Tool::View(..) => None,
    });
    // Arguments alone are enough here: without a name the call cannot be judged, which is an error.
    // The common names first: an unknown event is most likely another agent's.
    let copied = Some(&COPIED).filter(|naming| naming.has_input(members));
    let found = copied
        .or_else(|| own.into_iter().find(|naming| naming.has_input(members) && naming.has_name(members)));
    match found {
        Some(naming) => Reading { tool: Tool::Named(naming), ..words.unknown },
        None => words.unknown,
    }
}
