//! What an agent is to be told.

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
    /// What the agent reads on standard output.
    #[getter]
    fn stdout(&self) -> &str {
        &self.0.response.written.stdout
    }

    /// What it reads on standard error.
    #[getter]
    fn stderr(&self) -> &str {
        &self.0.response.written.stderr
    }

    /// The exit code.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.0.response.written.exit
    }

    /// Why something is refused; `None` if nothing is.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.0.response.reason.as_deref()
    }

    /// What the hooks came to, with a report of each; `None` if there was no event to ask them about.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        BoundHost::outcome(&self.0).map(|text| json::value(py, &text)).transpose()
    }

    /// What a callback of Claude Code's Agent SDK returns for this event, by Claude Code's own name; `None` if that cannot be said, and the
    /// callback must fail with what is on standard error.
    fn agent_sdk_output<'py>(&self, py: Python<'py>, event: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        agent_sdk_output(&self.0, event).map(|text| json::value(py, &text)).transpose()
    }

    fn __repr__(&self) -> String {
        let reason = self.reason().map_or_else(|| "None".to_owned(), |reason| format!("{reason:?}"));
        format!("Response(exit_code={}, reason={reason})", self.exit_code())
    }
}
