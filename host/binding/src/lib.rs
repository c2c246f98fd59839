//! What the packages of hookbox for other languages have in common: values in, values out, and codes for what goes wrong.
//!
//! A package turns its language's values into JSON text and back, and calls its functions. All else is here, so that two packages
//! differ in nothing but their language: which words a hook has, what an event may leave out, what a function may answer.

mod agent;
mod agent_sdk;
mod bus;
mod error;
mod event;
mod function;
mod hook;
mod host;
mod options;
mod outcome;
mod pool;

pub use hookbox::{
    handler::python::FUNCTIONS,
    model::{Failure, FailureCode, Limit},
    python::{PythonCall, PythonEnd, PythonFuture, PythonRunner},
};
pub use hookbox_files::places::NamedPlaces;
pub use hookbox_service::{Answered, HookHandle};

pub use self::{
    agent::agent_events,
    agent_sdk::{agent_sdk_events, agent_sdk_output},
    bus::{BoundBus, Ear},
    error::{BindingError, ErrorCode},
    function::{FunctionCall, FunctionFailure, HookFunction},
    host::{BoundHost, Envelope},
    options::HostOptions,
    pool::Pool,
};

/// Ends what a program does once and a thread may have begun: a child of a fork would wait for that thread for ever.
pub fn before_fork() {
    hookbox::redaction::prepare();
}
