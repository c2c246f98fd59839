//! Differences between the agents that use Gemini CLI's hook protocol (docs/reference/agents/llxprt.md). Anything that the table does not
//! list is common to all of them.

use super::{events::GeminiEvent, switches::Switch};
use crate::schema::{
    Field,
    Kind::{Any, Flag},
};

/// Member that hides a hook's output from the user; every event's answer may have it, next to its nested output.
pub(super) const SUPPRESS: Field = ("suppressOutput", Flag);

/// The switch of both; its second place is the older one.
const ENABLED: Switch = super::facts::ENABLED;

/// An agent that speaks Gemini CLI's hook protocol.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    /// True if `decision: "ask"` is known. Otherwise an ask is a deny.
    pub(super) asks: bool,
    /// True if JSON is read with any exit code. Otherwise an answer in JSON must exit with 0.
    pub(super) json_at_any_exit: bool,
    /// Variables with the working directory, for hooks.
    pub(super) cwd_variables: &'static [&'static str],
    /// Variables with the session, for hooks.
    pub(super) session_variables: &'static [&'static str],
    /// True if `BeforeTool` reads Claude Code's `permissionDecision`.
    pub(super) permission_decision: bool,
    /// Members with a fixed set of values, if present: the event, the member, the values.
    pub(super) choices: &'static [(&'static str, &'static str, &'static [&'static str])],
    /// Events whose hooks run regardless of their matcher.
    pub(super) unmatched: &'static [&'static str],
    /// Settings that switch off all hooks.
    pub(super) switches: &'static [Switch],
    /// Fields of the nested output that only this agent reads: the event, and the field.
    extras: &'static [(&'static str, Field)],
}

pub(crate) const GEMINI_CLI: Variant = Variant {
    name: "gemini-cli",
    asks: true,
    json_at_any_exit: true,
    cwd_variables: &["GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"],
    session_variables: &["GEMINI_SESSION_ID"],
    permission_decision: false,
    choices: &[],
    unmatched: &[],
    switches: &[ENABLED],
    extras: &[],
};

pub(crate) const LLXPRT: Variant = Variant {
    name: "llxprt",
    asks: false,
    json_at_any_exit: false,
    cwd_variables: &["LLXPRT_PROJECT_DIR"],
    session_variables: &[],
    permission_decision: true,
    choices: &[
        ("SessionStart", "source", &["startup", "resume", "clear", "compress"]),
        ("SessionEnd", "reason", &["exit", "clear", "logout", "prompt_input_exit", "other"]),
        ("PreCompress", "trigger", &["manual", "auto"]),
    ],
    unmatched: &["Notification"],
    switches: &[ENABLED, &["tools.enableHooks"]],
    // A boundary of another kind is kept: the agent then treats it as malformed.
    extras: &[("BeforeModel", ("llm_request_boundary", Any))],
};

impl Variant {
    /// Returns the field of this name that the agent reads in its nested output for this event.
    pub(super) fn find_extra(&self, row: &'static GeminiEvent, key: &str) -> Option<&'static Field> {
        self.list_extras(row).find(|(field, _)| *field == key)
    }

    /// Returns the fields that the agent reads in its nested output for this event, in addition to those of all events.
    pub(super) fn list_extras(&self, row: &'static GeminiEvent) -> impl Iterator<Item = &'static Field> {
        let own = self.extras.iter().filter(|(event, _)| *event == row.name).map(|(_, field)| field);
        row.answer.extras.iter().chain(own)
    }
}
