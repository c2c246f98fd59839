//! The response for an agent.

use hookbox_binding::{Answered, BoundHost, agent_sdk_output};
use pyo3::prelude::*;

use crate::json;

/// The answer to an agent, in its own words.
#[pyclass(frozen, module = "hookbox")]
pub(crate) struct Response(Answered);

impl Response {
    pub(crate) fn of(answered: Answered) -> Self {
        Self(answered)
    }
}

#[pymethods]
impl Response {
    /// Text for the agent on standard output.
    #[getter]
    fn stdout(&self) -> &str {
        &self.0.response.written.stdout
    }

    /// Text for the agent on standard error.
    #[getter]
    fn stderr(&self) -> &str {
        &self.0.response.written.stderr
    }

    /// The exit code.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.0.response.written.exit
    }

    /// The reason of a refusal; `None` if nothing is refused.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.0.response.reason.as_deref()
    }

    /// The hooks' outcome, with a report of each; `None` if there was no event to run them for.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        BoundHost::outcome(&self.0).map(|text| json::value(py, &text)).transpose()
    }

    /// The result of a callback of Claude Code's Agent SDK for this event, by Claude Code's own name; `None` if it
    /// cannot be expressed, and the callback must fail with the text on standard error.
    fn agent_sdk_output<'py>(&self, py: Python<'py>, event: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        agent_sdk_output(&self.0, event).map(|text| json::value(py, &text)).transpose()
    }

    fn __repr__(&self) -> String {
        let reason = self.reason().map_or_else(|| "None".to_owned(), |reason| format!("{reason:?}"));
        format!("Response(exit_code={}, reason={reason})", self.exit_code())
    }
}
