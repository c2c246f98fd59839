//! The side of the Agent SDK's control protocol that has the hooks (docs/contracts/claude-sdk.md).
//!
//! [`Callbacks`] are what a program registers: closures, or the service itself. A [`Session`] is one Claude Code that asks them. It
//! does no I/O: bytes are handed to it, and what is to be written, told or decided comes out of [`Said`].

mod callback;
mod callbacks;
mod calling;
mod cancellation;
mod of_service;
mod session;
mod told;

pub use hookbox_embed::agent_sdk::{Initialized, OnFailure};

pub use self::{
    callback::{SdkCall, SdkCallback},
    callbacks::{Callbacks, Group, Unregistered},
    cancellation::{Cancellation, Why},
    session::{INITIALIZE_WAITS, MAX_LINE_BYTES, MAX_UNDER_WAY, Others, Session},
    told::{Entry, NotOurs, Said, Told},
};
