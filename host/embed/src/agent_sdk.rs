//! The control protocol of Claude Code's Agent SDK (docs/contracts/claude-sdk.md): messages between Claude Code and an SDK's program in
//! both directions, a line of JSON each. `hookbox-service` has the session that speaks it.

mod incoming;
mod outgoing;

pub use self::{
    incoming::{BadMessage, HookCallback, Incoming, parse_beginning},
    outgoing::{
        OnFailure, Registration, RenameError, format_cancel, format_error, format_initialize, format_success,
        rename_members,
    },
};

/// Events that callbacks of the SDK can be registered for.
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

/// Events at which Claude Code ignores the registered effect of a failure.
pub const FAILURE_IS_PASSED_OVER: [&str; 2] = ["Stop", "SubagentStop"];

/// Returns the event named in the input of a hook, if there is one.
pub fn event_of(input: &str) -> Option<String> {
    hookbox_model::RawObject::parse(input).ok()?.get_string("hook_event_name")
}

/// Claude Code's answer to `initialize`, limited to its members about hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Initialized {
    /// False if the callbacks were not registered, because the session was under way already.
    pub hooks_applied: bool,
    /// True if the registered effect of a failure applies.
    pub heeds_failures: bool,
}

impl Initialized {
    /// Parses the answer.
    pub fn read(reply: &hookbox_model::Json) -> Self {
        let members = reply.members().unwrap_or_default();
        let is = |key: &str, value: &str| members.get(key).is_some_and(|found| found.get() == value);
        Self {
            // The member may be missing; then the hooks are registered.
            hooks_applied: !is("hooks_applied", "false"),
            // A version without the member ignores `onFailure`.
            heeds_failures: is("hook_on_failure_supported", "true"),
        }
    }
}
