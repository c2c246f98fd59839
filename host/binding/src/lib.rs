//! Shared code of hookbox's packages for other languages: values in, values out, and error codes.
//!
//! A package converts its language's values to JSON text and back, and calls its functions. Everything else is here, so that packages
//! differ only in their language: the keys of a hook, the defaults of an event, the valid answers of a function.

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
pub use hookbox_app::places::NamedPlaces;
pub use hookbox_service::{Answered, HookHandle};

pub use self::{
    agent::agent_events,
    agent_sdk::{agent_sdk_events, agent_sdk_output},
    bus::{BoundBus, MessageCallback},
    error::{BindingError, ErrorCode},
    function::{FunctionCall, FunctionFailure, HookFunction},
    host::{BoundHost, Envelope},
    options::HostOptions,
    pool::Pool,
};

/// Finishes one-time initialisation that another thread may have begun: a child of a fork would wait for that thread for ever.
pub fn before_fork() {
    hookbox::redaction::compile_patterns();
}
