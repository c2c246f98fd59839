//! Where the agents that speak Gemini CLI's hook protocol differ (hook-contracts C.3). What the table does not name is
//! the same for all of them.

use hookbox_model::Outcome;

use super::{events::Row, suppress};
use crate::dialect::schema::{
    Field,
    Kind::{Flag, Object},
};

/// What hides a hook's output from the person; every event's answer may say it, beside its nested output.
pub(super) const SUPPRESS: Field = ("suppressOutput", Flag);

/// An agent that speaks Gemini CLI's hook protocol.
#[derive(Debug)]
pub(in crate::dialect) struct Variant {
    /// The dialect's name.
    pub(in crate::dialect) name: &'static str,
    /// Is `decision: "ask"` known? Where it is not, an ask is a deny.
    pub(super) asks: bool,
    /// Is JSON read whatever the exit code is? Where it is not, an answer in JSON must exit with 0.
    pub(super) json_at_any_exit: bool,
    /// Variables that tell a hook the working directory.
    pub(super) cwd_variables: &'static [&'static str],
    /// Variables that tell a hook the session.
    pub(super) session_variables: &'static [&'static str],
    /// Where the reason of a stop is looked for, in this order.
    pub(super) stop_reasons: [&'static str; 2],
    /// The reason of a stop that has none.
    pub(super) stop_without_reason: &'static str,
    /// Does `BeforeTool` read Claude Code's `permissionDecision`?
    pub(super) permission_decision: bool,
    /// Is the output of these hooks hidden from the person?
    pub(super) suppresses: fn(&Outcome) -> bool,
    /// Fields of the nested output that only this agent reads: the event, and the field.
    extras: &'static [(&'static str, Field)],
}

/// Gemini CLI itself.
pub(in crate::dialect) const GEMINI_CLI: Variant = Variant {
    name: "gemini-cli",
    asks: true,
    json_at_any_exit: true,
    cwd_variables: &["GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"],
    session_variables: &["GEMINI_SESSION_ID"],
    stop_reasons: ["stopReason", "reason"],
    stop_without_reason: "No reason provided",
    permission_decision: false,
    suppresses: suppress::by_any,
    extras: &[],
};

/// llxprt-code.
pub(in crate::dialect) const LLXPRT: Variant = Variant {
    name: "llxprt",
    asks: false,
    json_at_any_exit: false,
    cwd_variables: &["LLXPRT_PROJECT_DIR"],
    session_variables: &[],
    stop_reasons: ["reason", "stopReason"],
    stop_without_reason: "Hook requested stop",
    permission_decision: true,
    suppresses: suppress::with_the_first_notice,
    extras: &[("BeforeModel", ("llm_request_boundary", Object))],
};

impl Variant {
    /// The field of this name that the agent reads in its nested output for this event.
    pub(super) fn extra(&self, row: &'static Row, key: &str) -> Option<&'static Field> {
        self.extras(row).find(|(field, _)| *field == key)
    }

    /// The fields that the agent reads in its nested output for this event, besides those of all events.
    pub(super) fn extras(&self, row: &'static Row) -> impl Iterator<Item = &'static Field> {
        let own = self.extras.iter().filter(|(event, _)| *event == row.name).map(|(_, field)| field);
        row.extras.iter().chain(own)
    }
}
