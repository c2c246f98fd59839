//! The control protocol of Claude Code's Agent SDK (docs/contracts/claude-sdk.md): messages of Claude Code that an SDK's program gets, and
//! those that it sends, a line of JSON each. `hookbox-service` has the session that speaks it.

mod incoming;
mod outgoing;

pub use self::{
    incoming::{BadMessage, HookCallback, Incoming, beginning},
    outgoing::{OnFailure, Registration, cancel, error, initialize, renamed, success},
};

/// The events that callbacks of the SDK are for.
pub const EVENTS: [&str; 10] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "Notification",
    "SubagentStart",
    "PermissionRequest",
];

/// At these Claude Code passes over what a hook that fails is to mean.
pub const FAILURE_IS_PASSED_OVER: [&str; 2] = ["Stop", "SubagentStop"];

/// The event that the input of a hook is about, if it says so.
pub fn event_of(input: &str) -> Option<String> {
    hookbox_model::RawObject::parse(input).ok()?.string("hook_event_name")
}

/// What Claude Code answers to `initialize`, as far as it is about hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Initialized {
    /// False if nobody registered the callbacks: the session was under way already.
    pub hooks_applied: bool,
    /// Does a hook that fails mean what its registration says?
    pub heeds_failures: bool,
}

impl Initialized {
    /// As it was answered.
    pub fn read(reply: &hookbox_model::Json) -> Self {
        let members = reply.members().unwrap_or_default();
        let is = |key: &str, value: &str| members.get(key).is_some_and(|said| said.get() == value);
        Self {
            hooks_applied: !is("hooks_applied", "false"),
            heeds_failures: is("hook_on_failure_supported", "true"),
        }
    }
}
