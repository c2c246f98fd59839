//! The hook side of the Agent SDK's control protocol (docs/reference/agents/claude-sdk.md).
//!
//! A program registers [`Callbacks`]: closures, or the service itself. A [`Session`] is one Claude Code that calls them. It does no I/O:
//! the program passes bytes to it, and takes lines to write, messages and log entries from [`SessionOutputs`].

mod callback;
mod callback_call;
mod callbacks;
mod cancellation;
mod service_callbacks;
mod session;
mod session_output;

pub use hookbox_embed::agent_sdk::{Initialized, OnFailure};

pub use self::{
    callback::{SdkCall, SdkCallback},
    callbacks::{Callbacks, Group, Unregistered},
    cancellation::{CancelReason, Cancellation},
    session::{INITIALIZE_WAITS, MAX_LINE_BYTES, MAX_UNDER_WAY, OtherMessages, Session},
    session_output::{Entry, SessionOutput, SessionOutputs, UnhandledMessage},
};
