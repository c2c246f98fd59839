//! Functions of Python as hooks.

use std::sync::{Arc, Mutex, PoisonError};

use hookbox_binding::{FunctionCall, FunctionFailure, HookFunction};
use pyo3::{prelude::*, sync::PyOnceLock};
use tokio::{sync::oneshot, task_local};

use crate::{json, process::Process};

/// An object of Python's that threads without the interpreter may hold.
pub(crate) type Shared = Arc<Py<PyAny>>;

task_local! {
    /// The event loop of the caller that waits for the answer; `async` functions run on it.
    pub(crate) static LOOP: Option<Shared>;
    /// Exception that a signal's handler raised while one of hookbox's calls was in Python. It belongs to the caller,
    /// and is not a failure of a hook.
    pub(crate) static SIGNALLED: Signalled;
}

/// Takes an exception that is meant for the caller.
#[derive(Clone, Default)]
pub(crate) struct Signalled(Arc<Mutex<Option<PyErr>>>);

impl Signalled {
    pub(crate) fn put(&self, error: PyErr) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A function, in one process.
pub(crate) struct PythonFunction {
    pub(crate) process: &'static Process,
    /// A `hookbox._hooks.Function`.
    pub(crate) function: Shared,
}

impl HookFunction for PythonFunction {
    fn call(&self, event: String) -> FunctionCall<'_> {
        Box::pin(async move {
            let event_loop = LOOP.try_with(Clone::clone).ok().flatten();
            let signalled = SIGNALLED.try_with(Clone::clone).unwrap_or_default();
            let (sender, receiver) = oneshot::channel();
            let ticket = Ticket(Mutex::new(Some(sender)));
            let begun = self.process.attached(|py| self.begin(py, event, ticket, event_loop, &signalled));
            let begun = begun.ok_or_else(|| FunctionFailure::new("the interpreter is at its end"))?;
            let given_up = CancelGuard::new(self.process, begun?, signalled);
            let result = receiver.await;
            given_up.forget();
            result.unwrap_or_else(|_| Err(FunctionFailure::new("the function ended without an answer")))
        })
    }
}

impl PythonFunction {
    /// Returns what gives the call up.
    fn begin(
        &self,
        py: Python<'_>,
        event: String,
        ticket: Ticket,
        event_loop: Option<Shared>,
        signalled: &Signalled,
    ) -> Result<Py<PyAny>, FunctionFailure> {
        let event_loop = event_loop.map(|event_loop| event_loop.clone_ref(py));
        let begun = self.function.call1(py, (event, ticket, event_loop));
        let begun = begun.map_err(|error| {
            signalled.put(error);
            FunctionFailure::new("the call was interrupted")
        })?;
        // A text says why it was not called.
        match begun.extract::<String>(py) {
            Ok(why) => Err(FunctionFailure::new(why)),
            Err(_) => Ok(begun),
        }
    }
}

/// A guard that cancels a call when it is dropped.
pub(crate) struct CancelGuard {
    process: &'static Process,
    call: Option<Py<PyAny>>,
    signalled: Signalled,
}

impl CancelGuard {
    /// Creates a guard; `call` cancels the call.
    pub(crate) fn new(process: &'static Process, call: Py<PyAny>, signalled: Signalled) -> Self {
        Self { process, call: Some(call), signalled }
    }

    /// Lets the call continue.
    pub(crate) fn forget(mut self) {
        if let Some(call) = self.call.take() {
            self.process.let_go(call);
        }
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        if let Some(call) = self.call.take()
            && let Some(Some(error)) = self.process.attached(move |py| call.call0(py).err())
        {
            self.signalled.put(error);
        }
    }
}

/// Receiver of one call's answer, which it takes once. If the ticket is lost, the call has no answer.
#[pyclass(frozen, module = "hookbox._native")]
pub(crate) struct Ticket(Mutex<Option<Sender>>);

type Sender = oneshot::Sender<Result<String, FunctionFailure>>;

#[pymethods]
impl Ticket {
    /// Delivers the value that the function returned.
    ///
    /// # Errors
    ///
    /// `TypeError` if the value is not JSON.
    fn answered(&self, said: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = json::text("answer", said)?;
        self.send(Ok(text));
        Ok(())
    }

    /// Delivers the failure of a function: the reason and the place.
    fn failed(&self, message: String, trace: String) {
        self.send(Err(FunctionFailure { message, trace }));
    }
}

impl Ticket {
    fn send(&self, result: Result<String, FunctionFailure>) {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Nobody waits for it any more.
        let _late = sender.map(|sender| sender.send(result).is_err());
    }
}

/// `hookbox._hooks.settle`, which puts a result into a future of an event loop.
pub(crate) fn settle(py: Python<'_>, event_loop: &Shared, future: &Shared, result: PyResult<Py<PyAny>>) {
    static SETTLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let (value, error) = match result {
        Ok(value) => (Some(value), None),
        Err(error) => (None, Some(error)),
    };
    let scheduled = SETTLE.import(py, "hookbox._hooks", "settle").and_then(|settle: &Bound<'_, PyAny>| {
        event_loop.call_method1(py, "call_soon_threadsafe", (settle, &**future, value, error))
    });
    // A loop that was closed has nobody who waits.
    drop(scheduled);
}
