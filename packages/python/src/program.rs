//! Functions of Python that files name, called in this program.

use std::sync::{Mutex, PoisonError};

use hookbox_binding::{
    FUNCTIONS, Failure, FailureCode, Limit, PythonCall, PythonEnd, PythonFuture, PythonRunner,
};
use pyo3::{prelude::*, sync::PyOnceLock, types::PyDict};
use tokio::sync::oneshot;

use crate::{
    function::{CancelGuard, SIGNALLED, Signalled},
    process::Process,
};

/// Calls them in the interpreter that the process has.
pub(crate) struct Program {
    pub(crate) process: &'static Process,
}

impl PythonRunner for Program {
    fn call<'a>(&'a self, call: PythonCall<'a>) -> PythonFuture<'a, PythonEnd> {
        Box::pin(async move { called(self.process, call).await.unwrap_or_else(failed) })
    }
}

async fn called(process: &'static Process, call: PythonCall<'_>) -> Result<PythonEnd, Failure> {
    let at_its_end = || Failure::new(FailureCode::HookError, "the interpreter is at its end");
    let signalled = SIGNALLED.try_with(Clone::clone).unwrap_or_default();
    let (sender, ended) = oneshot::channel();
    let ticket = FunctionTicket(Mutex::new(Some(sender)));
    let begun = process.attached(|py| begin(py, &call, ticket, &signalled)).ok_or_else(at_its_end)?;
    let given_up = CancelGuard::new(process, begun?, signalled);
    let ended = ended.await;
    given_up.forget();
    ended.map_err(|_| Failure::new(FailureCode::HookError, "the function ended without an answer"))
}

fn failed(failure: Failure) -> PythonEnd {
    PythonEnd { result: Err(failure), log: String::new() }
}

/// Returns what gives the call up.
fn begin(
    py: Python<'_>,
    call: &PythonCall<'_>,
    ticket: FunctionTicket,
    signalled: &Signalled,
) -> Result<Py<PyAny>, Failure> {
    static BEGIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let begun = BEGIN
        .import(py, "hookbox._functions", "begin")
        .and_then(|begin: &Bound<'_, PyAny>| begin.call1((job(py, call)?, ticket)));
    let begun = begun.map_err(|error| {
        signalled.put(error);
        Failure::new(FailureCode::HookError, "the call was interrupted")
    })?;
    // A text says why it was not called.
    match begun.extract::<String>() {
        Ok(why) => Err(Failure::new(FailureCode::HookError, &why)),
        Err(_) => Ok(begun.unbind()),
    }
}

fn job<'py>(py: Python<'py>, call: &PythonCall<'_>) -> PyResult<Bound<'py, PyDict>> {
    let PythonCall { spec, adapter, config, event, generation, limits, .. } = call;
    let job = PyDict::new(py);
    job.set_item("module", &spec.module)?;
    job.set_item("function", &spec.function)?;
    job.set_item("path", &spec.path)?;
    job.set_item("adapter", adapter)?;
    job.set_item("config", config)?;
    job.set_item("told", event)?;
    job.set_item("generation", generation)?;
    job.set_item("most", limits.get(Limit::Output))?;
    Ok(job)
}

/// Source of a module that finds functions and calls them.
#[pyfunction]
pub(crate) fn functions() -> &'static str {
    FUNCTIONS
}

/// Receiver of one call's result, which it takes once. If the ticket is lost, the call has no result.
#[pyclass(frozen, module = "hookbox._native")]
pub(crate) struct FunctionTicket(Mutex<Option<oneshot::Sender<PythonEnd>>>);

#[pymethods]
impl FunctionTicket {
    /// Delivers the function's return value, as JSON text, and the text that it printed.
    fn said(&self, said: String, log: String) {
        self.send(PythonEnd { result: Ok(said), log });
    }

    /// Delivers the failure of a function: the reason.
    fn failed(&self, code: &str, message: &str, log: String) {
        let code = FailureCode::named(code).unwrap_or(FailureCode::HookError);
        self.send(PythonEnd { result: Err(Failure::new(code, message)), log });
    }
}

impl FunctionTicket {
    fn send(&self, end: PythonEnd) {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Nobody waits for it any more.
        let _late = sender.map(|sender| sender.send(end).is_err());
    }
}
