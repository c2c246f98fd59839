//! Errors as exceptions.

use hookbox_binding::{BindingError, ErrorCode};
use pyo3::{exceptions::PyRuntimeError, prelude::*, sync::PyOnceLock};

/// The exception `hookbox.Error`.
pub(crate) fn raised(py: Python<'_>, error: &BindingError) -> PyErr {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = CLASS.import(py, "hookbox._errors", "Error");
    match class.and_then(|class: &Bound<'_, PyAny>| class.call1((error.code.as_str(), &error.message))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Creates the exception for a code and a message.
pub(crate) fn error(py: Python<'_>, code: ErrorCode, message: impl Into<String>) -> PyErr {
    raised(py, &BindingError::new(code, message))
}
