//! Where the agents that speak Gemini CLI's hook protocol differ (hook-contracts C.3). What the table does not name is
//! the same for all of them.

use super::events::Row;
use crate::dialect::schema::{Field, Kind::Object};

/// An agent that speaks Gemini CLI's hook protocol.
#[derive(Debug)]
pub(in crate::dialect) struct Variant {
    /// The dialect's name.
    pub(in crate::dialect) name: &'static str,
    /// Is `decision: "ask"` known? Where it is not, an ask is a deny.
    pub(super) asks: bool,
    /// Is JSON read whatever the exit code is? Where it is not, an answer in JSON must exit with 0.
    pub(super) json_at_any_exit: bool,
    /// Fields of the nested output that only this agent reads: the event, and the field.
    extras: &'static [(&'static str, Field)],
}

/// Gemini CLI itself.
pub(in crate::dialect) const GEMINI_CLI: Variant =
    Variant { name: "gemini-cli", asks: true, json_at_any_exit: true, extras: &[] };

/// llxprt-code.
pub(in crate::dialect) const LLXPRT: Variant = Variant {
    name: "llxprt",
    asks: false,
    json_at_any_exit: false,
    extras: &[("BeforeModel", ("llm_request_boundary", Object))],
};

impl Variant {
    /// The field of this name that the agent reads in its nested output for this event.
    pub(super) fn extra(&self, row: &'static Row, key: &str) -> Option<&'static Field> {
        let own = self.extras.iter().filter(|(event, _)| *event == row.name).map(|(_, field)| field);
        row.extras.iter().chain(own).find(|(field, _)| *field == key)
    }
}
