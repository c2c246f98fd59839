//! llxprt-code's message bus: what `hookbox/_bus.py` needs of us.

use std::{
    mem,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use hookbox_binding::{BoundBus, ErrorCode, MessageCallback};
use pyo3::prelude::*;

use crate::{
    agent_input::folder,
    error::{error, raised},
    host::{Host, Waiting},
    json,
    process::Process,
};

/// A bus in one process.
#[pyclass(frozen, module = "hookbox._native")]
pub(crate) struct Bus {
    process: &'static Process,
    /// There until it is dropped.
    bound: Option<BoundBus>,
    signalled: Signalled,
}

/// Exception that a signal's handler has raised while hookbox's Python code received a message.
type Signalled = Arc<Mutex<Option<PyErr>>>;

#[pymethods]
impl Bus {
    /// `hear` is called with the text of each message, and with `None` once there will be no more. It must not wait.
    #[new]
    #[pyo3(signature = (host, hear, *, session=None, cwd=None))]
    fn new(
        py: Python<'_>,
        host: &Bound<'_, Host>,
        hear: Py<PyAny>,
        session: Option<String>,
        cwd: Option<PathBuf>,
    ) -> PyResult<Self> {
        let (process, host) = host.get().live(py)?;
        let runtime = process.runtime().map_err(|error| raised(py, &error))?;
        let signalled = Signalled::default();
        let ear = make_message_callback(process, hear, Arc::clone(&signalled));
        let bus = host.bus(session, &folder(cwd), runtime.handle(), ear);
        Ok(Self { process, bound: Some(bus), signalled })
    }

    /// Sends a message to all subscribers.
    fn publish(&self, py: Python<'_>, message: &Bound<'_, PyAny>) -> PyResult<()> {
        let message = json::text("message", message)?;
        let bus = self.live(py)?;
        let published = self.process.detached(py, || bus.publish(&message));
        published.map_err(|error| raised(py, &error))?;
        match self.signalled.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Runs the hooks of an event that the program is at.
    fn fire<'py>(
        &self,
        py: Python<'py>,
        event: &str,
        input: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (input, bus) = (json::text("input", input)?, self.live(py)?);
        let result = self.process.run(py, async { bus.fire(event, &input).await })?;
        json::value(py, &result.map_err(|error| raised(py, &error))?)
    }

    /// Starts `fire` without waiting: `future` of `event_loop` gets the result.
    fn begin_fire(
        &self,
        py: Python<'_>,
        event_loop: Py<PyAny>,
        future: Py<PyAny>,
        event: String,
        input: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let (input, bus) = (json::text("input", input)?, self.live(py)?.clone());
        let call = async move { bus.fire(&event, &input).await };
        Waiting::new(self.process, event_loop, future, call).go_on(py, |py, result| {
            let result = result.map_err(|error| raised(py, &error))?;
            Ok(json::value(py, &result)?.unbind())
        })
    }

    /// All hooks of the session, in the order in which they run.
    fn all_hooks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bus = self.live(py)?;
        json::value(py, &self.process.detached(py, || bus.all_hooks()))
    }

    /// Switches hooks on or off by name; returns how many of the session that are.
    fn set_hook_enabled(&self, py: Python<'_>, name: &str, enabled: bool) -> PyResult<usize> {
        let bus = self.live(py)?;
        let set = self.process.detached(py, || bus.set_hook_enabled(name, enabled));
        set.map_err(|error| raised(py, &error))
    }

    /// Ends it, and hooks under way with it.
    fn dispose(&self, py: Python<'_>) {
        if let Ok(bus) = self.live(py) {
            self.process.detached(py, || bus.dispose());
        }
    }

    /// Returns true if the bus has been disposed of.
    #[getter]
    fn disposed(&self, py: Python<'_>) -> bool {
        self.live(py).map_or(true, BoundBus::is_disposed)
    }
}

impl Bus {
    fn live(&self, py: Python<'_>) -> PyResult<&BoundBus> {
        let message = "this bus is the parent process's; make one of this process by `host.bus()`";
        let bus = self.bound.as_ref().filter(|_| self.process.is_current());
        bus.ok_or_else(|| error(py, ErrorCode::Disposed, message))
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        // In a child its locks may be held by threads that are not there.
        if !self.process.is_current() {
            mem::forget(self.bound.take());
        }
    }
}

/// Calls this function of Python's from whatever thread.
fn make_message_callback(
    process: &'static Process,
    hear: Py<PyAny>,
    signalled: Signalled,
) -> MessageCallback {
    Arc::new(move |text: Option<&str>| {
        let result = process.attached(|py| hear.call1(py, (text,)).map(drop));
        if let Some(Err(error)) = result {
            *signalled.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    })
}
