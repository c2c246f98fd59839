//! The Python package `hookbox`: hookbox in a Python program.
//!
//! This crate converts values and handles threads and the interpreter's lifetime; `hookbox-binding` defines the host.
//! Python calls the functions (`hookbox/_hooks.py`): a thread that the interpreter ends in the middle of a function
//! must have no frames of hookbox on its stack.

mod agent_input;
mod bus;
mod error;
mod function;
mod host;
mod json;
mod process;
mod program;
mod response;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        bus::Bus,
        function::Ticket,
        host::{Host, UnderWay},
        program::{FunctionTicket, functions},
        response::Response,
    };
    use super::{error::raised, json, process::Process};

    /// The events of an agent: pairs of its own name for one, and the canonical event that it becomes.
    #[pyfunction]
    fn agent_events(py: Python<'_>, agent: &str) -> PyResult<Vec<(&'static str, String)>> {
        hookbox_binding::agent_events(agent).map_err(|error| raised(py, &error))
    }

    /// The events of Claude Code, and what a program with its Agent SDK registers for each.
    #[pyfunction]
    fn agent_sdk_events(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        json::value(py, &hookbox_binding::agent_sdk_events())
    }

    /// Called before each fork.
    #[pyfunction]
    fn before_fork() {
        hookbox_binding::before_fork();
    }

    /// Called when the interpreter is about to end: cancels pending calls, and lets none of hookbox's threads back in.
    #[pyfunction]
    fn close(py: Python<'_>) {
        Process::of(py).close(py);
    }
}
