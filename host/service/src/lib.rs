//! hookbox for programs that live on: an event of an agent in, its answer out, by the user's files as they are at that moment.
//!
//! `hookbox run` does this once for each process. A [`Service`] does it as often as it is asked, from any thread: what was loaded
//! stays loaded, what is counted is counted on, and files that change are read again. Every way in that is no process (the Agent
//! SDK's control protocol, a message bus, a package of another language) is a reader and a writer around it.

mod aside;
pub mod bus;
pub mod control;
mod first_poll;
pub mod logging;
mod machines;
mod own_hooks;
mod rules;
mod service;
mod stamps;
mod switched;

pub use self::{
    machines::Machines,
    own_hooks::HookHandle,
    service::{Answered, Ask, HookSource, Service, ServiceBuilder},
};
