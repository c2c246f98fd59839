//! An event that the agent's table does not know. What carries a tool call is judged like one that is about to run: it may be
//! another agent's, asked for by a wrong entry, and no guard is for an event that nobody knows.

use hookbox_model::RawObject;

use super::{
    Naming, Words,
    row::{EventRow, Reading},
    tool::Tool,
};

/// Where most agents tell a call.
const COPIED: Naming =
    Naming { server: None, prefix: "", name: ("tool_name", "toolName"), input: ("tool_input", "toolArgs") };

/// How it is read: with the call that is in it, in the words of this agent's other events or in those that most agents have.
pub(super) fn reading<S>(words: &Words, rows: &'static [EventRow<S>], members: &RawObject<'_>) -> Reading {
    let own = rows.iter().filter_map(|row| match row.reading.tool {
        Tool::Named(naming) | Tool::Offered(naming) => Some(naming),
        Tool::None | Tool::View(..) => None,
    });
    // Arguments alone are enough here: without a name the call cannot be judged, which is an error.
    let copied = Some(&COPIED).filter(|naming| naming.has_input(members));
    let told = copied
        .or_else(|| own.into_iter().find(|naming| naming.has_input(members) && naming.has_name(members)));
    match told {
        Some(naming) => Reading { tool: Tool::Named(naming), ..words.unknown },
        None => words.unknown,
    }
}
