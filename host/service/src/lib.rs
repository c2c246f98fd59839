//! hookbox for long-running programs: takes an event of an agent and returns its answer, by the current state of the user's files.
//!
//! `hookbox run` does this once per process. A [`Service`] does it any number of times, from any thread: loaded plugins stay loaded,
//! counts continue, and changed files are read again. Every other interface (the Agent SDK's control protocol, a message bus, a package
//! of another language) is a reader and a writer around it.

mod blocking_thread;
pub mod bus;
pub mod control;
mod file_stamps;
mod first_poll;
mod folder_state;
pub mod logging;
mod machines;
mod program_hooks;
mod service;
mod switched_hooks;

pub use self::{
    machines::Machines,
    program_hooks::HookHandle,
    service::{AgentRequest, Answered, HookSource, Service, ServiceBuilder},
};
