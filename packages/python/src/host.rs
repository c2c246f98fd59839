//! A host.

use std::{
    collections::HashMap,
    mem,
    panic::AssertUnwindSafe,
    path::PathBuf,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use futures_util::FutureExt as _;
use hookbox_binding::{BindingError, BoundHost, ErrorCode, HookHandle, HostOptions, NamedPlaces};
use pyo3::{PyTraverseError, PyVisit, prelude::*};
use tokio::task::AbortHandle;

use crate::{
    agent_input::{envelope, folder},
    error::{error, raised},
    function::{LOOP, PythonFunction, Shared, settle},
    json,
    process::Process,
    response::Response,
};

/// A host. Its own hooks and switches are stored separately from its runtime state, which a child process has to
/// create again.
///
/// Its locks are taken only by threads that hold the interpreter, and never while hooks run.
#[pyclass(frozen, subclass, module = "hookbox._native")]
pub(crate) struct Host {
    options: HostOptions,
    own: Mutex<ProgramHooks>,
    live: Mutex<Option<ProcessHost>>,
}

/// Hooks and switches that the program has set since the host was created.
#[derive(Default)]
struct ProgramHooks {
    next: u64,
    hooks: Vec<OwnHook>,
    switched: Vec<(PathBuf, String, bool)>,
}

struct OwnHook {
    number: u64,
    name: String,
    words: String,
    function: Shared,
}

/// The host in one process.
struct ProcessHost {
    process: &'static Process,
    host: BoundHost,
    handles: HashMap<u64, HookHandle>,
}

#[pymethods]
impl Host {
    #[new]
    #[pyo3(signature = (package, variables, *, config=None, session=None, hooks=true, own=None, home=None, config_home=None,
        state_home=None, cache_home=None, compiler=None, plugins=None, functions=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of Python's")]
    fn new(
        py: Python<'_>,
        package: PathBuf,
        variables: Vec<(String, String)>,
        config: Option<PathBuf>,
        session: Option<PathBuf>,
        hooks: bool,
        own: Option<(String, Vec<PathBuf>)>,
        home: Option<PathBuf>,
        config_home: Option<PathBuf>,
        state_home: Option<PathBuf>,
        cache_home: Option<PathBuf>,
        compiler: Option<PathBuf>,
        plugins: Option<PathBuf>,
        functions: Option<&str>,
    ) -> PyResult<Self> {
        let functions_here = match functions {
            None | Some("here") => true,
            Some("apart") => false,
            Some(other) => {
                let message = format!("`functions` is {other:?}, but must be \"here\" or \"apart\"");
                return Err(error(py, ErrorCode::Options, message));
            }
        };
        let places = NamedPlaces { home, config: config_home, cache: cache_home, state: state_home };
        let options = HostOptions {
            config,
            session,
            without_files: !hooks,
            own,
            places,
            compiler,
            plugins,
            package,
            functions_here,
            variables,
        };
        let host = Self { options: options.whole(), own: Mutex::default(), live: Mutex::default() };
        host.live(py)?;
        Ok(host)
    }

    /// The answer to what an agent sent.
    #[pyo3(signature = (agent, event, *, cwd=None, agent_timeout=None))]
    fn answer(
        &self,
        py: Python<'_>,
        agent: Option<String>,
        event: &Bound<'_, PyAny>,
        cwd: Option<PathBuf>,
        agent_timeout: Option<f64>,
    ) -> PyResult<Response> {
        let ask = envelope(agent, event, cwd, agent_timeout)?.open().map_err(|error| raised(py, &error))?;
        let (process, host) = self.live(py)?;
        Ok(Response::of(process.run(py, async { host.answer(ask).await })?))
    }

    /// Starts an answer without waiting: returns the response if it is immediate, else the object that cancels the
    /// call; `future` of `event_loop` then gets the response.
    #[expect(clippy::too_many_arguments, reason = "those of `answer`, and who waits")]
    fn begin_answer(
        &self,
        py: Python<'_>,
        event_loop: Py<PyAny>,
        future: Py<PyAny>,
        agent: Option<String>,
        event: &Bound<'_, PyAny>,
        cwd: Option<PathBuf>,
        agent_timeout: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let ask = envelope(agent, event, cwd, agent_timeout)?.open().map_err(|error| raised(py, &error))?;
        let (process, host) = self.live(py)?;
        let ask = ask.stepping_aside();
        let mut call = Waiting::new(process, event_loop, future, async move { host.answer(ask).await });
        let read = |py: Python<'_>, answered| Ok(Py::new(py, Response::of(answered))?.into_any());
        match call.poll_here(py)? {
            Some(ended) => read(py, ended?),
            None => call.go_on(py, read),
        }
    }

    /// Returns the hooks' outcome for an event in hookbox's own form.
    #[pyo3(signature = (event, *, cwd=None))]
    fn dispatch<'py>(
        &self,
        py: Python<'py>,
        event: &Bound<'py, PyAny>,
        cwd: Option<PathBuf>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (event, cwd) = (json::text("event", event)?, folder(cwd));
        let (process, host) = self.live(py)?;
        let outcome = process.run(py, async { host.dispatch(&event, &cwd).await })?;
        json::value(py, &outcome.map_err(|error| raised(py, &error))?)
    }

    /// Starts a dispatch without waiting, like `begin_answer`.
    fn begin_dispatch(
        &self,
        py: Python<'_>,
        event_loop: Py<PyAny>,
        future: Py<PyAny>,
        event: &Bound<'_, PyAny>,
        cwd: Option<PathBuf>,
    ) -> PyResult<Py<PyAny>> {
        let (event, cwd) = (json::text("event", event)?, folder(cwd));
        let (process, host) = self.live(py)?;
        let call = async move { host.dispatch(&event, &cwd).await };
        Waiting::new(process, event_loop, future, call).go_on(py, |py, outcome| {
            let outcome = outcome.map_err(|error| raised(py, &error))?;
            Ok(json::value(py, &outcome)?.unbind())
        })
    }

    /// Makes a function a hook; returns its number.
    fn add(&self, py: Python<'_>, words: &Bound<'_, PyAny>, function: Py<PyAny>) -> PyResult<u64> {
        let words = json::text("hook", words)?;
        let name = BoundHost::name_of_hook(&words).map_err(|error| raised(py, &error))?;
        self.live(py)?;
        let mut own = self.own();
        if own.hooks.iter().any(|hook| hook.name == name) {
            let message =
                format!("a hook of this program is called {name:?} already; give this one another `name`");
            return Err(error(py, ErrorCode::NameTaken, message));
        }
        let hook = OwnHook { number: own.next, name, words, function: Arc::new(function) };
        own.next += 1;
        if let Some(live) = self.locked().as_mut() {
            live.add(&hook).map_err(|error| raised(py, &error))?;
        }
        let number = hook.number;
        own.hooks.push(hook);
        Ok(number)
    }

    /// Takes a function out again; false if it is out.
    fn take_out(&self, py: Python<'_>, number: u64) -> PyResult<bool> {
        let (_, host) = self.live(py)?;
        let before = {
            let mut own = self.own();
            let before = own.hooks.len();
            own.hooks.retain(|hook| hook.number != number);
            before != own.hooks.len()
        };
        let handle = self.locked().as_mut().and_then(|live| live.handles.remove(&number));
        if let Some(handle) = handle {
            host.remove(handle);
        }
        Ok(before)
    }

    /// Switches hooks on or off by name, for as long as the host lives; returns how many of `cwd` that are.
    #[pyo3(signature = (name, enabled, *, cwd=None))]
    fn set_enabled(
        &self,
        py: Python<'_>,
        name: &str,
        enabled: bool,
        cwd: Option<PathBuf>,
    ) -> PyResult<usize> {
        let cwd = folder(cwd);
        let (process, host) = self.live(py)?;
        let mut own = self.own();
        own.switched.retain(|(_, known, _)| known != name);
        own.switched.push((cwd.clone(), name.to_owned(), enabled));
        drop(own);
        Ok(process.detached(py, || host.set_enabled(&cwd, name, enabled)))
    }

    /// The events that hooks of `cwd` are for.
    #[pyo3(signature = (cwd=None))]
    fn events(&self, py: Python<'_>, cwd: Option<PathBuf>) -> PyResult<Vec<String>> {
        let cwd = folder(cwd);
        let (process, host) = self.live(py)?;
        Ok(process.detached(py, || host.events(&cwd)))
    }

    /// The hooks of `cwd`, in the order of their chain.
    #[pyo3(signature = (cwd=None))]
    fn hooks<'py>(&self, py: Python<'py>, cwd: Option<PathBuf>) -> PyResult<Bound<'py, PyAny>> {
        let cwd = folder(cwd);
        let (process, host) = self.live(py)?;
        json::value(py, &process.detached(py, || host.hooks(&cwd)))
    }

    /// Loads and compiles what hooks of `cwd` call; returns those that cannot be made ready, and why.
    #[pyo3(signature = (cwd=None))]
    fn prepare<'py>(&self, py: Python<'py>, cwd: Option<PathBuf>) -> PyResult<Bound<'py, PyAny>> {
        let cwd = folder(cwd);
        let (process, host) = self.live(py)?;
        let failed = process.run(py, async { host.prepare(&cwd).await })?;
        json::value(py, &failed)
    }

    /// Reads all files anew at the next event.
    fn reload(&self, py: Python<'_>) -> PyResult<()> {
        let (process, host) = self.live(py)?;
        process.detached(py, || host.reload());
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Ok(own) = self.own.try_lock() {
            own.hooks.iter().try_for_each(|hook| visit.call(&*hook.function))?;
        }
        Ok(())
    }

    fn __clear__(&self) {
        let own = mem::take(&mut *self.own());
        let live = self.locked().take();
        drop((own, live));
    }
}

impl Host {
    fn own(&self) -> MutexGuard<'_, ProgramHooks> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn locked(&self) -> MutexGuard<'_, Option<ProcessHost>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host in this process.
    pub(crate) fn live(&self, py: Python<'_>) -> PyResult<(&'static Process, BoundHost)> {
        let process = Process::of(py);
        let mut live = self.locked();
        if let Some(live) = live.as_ref().filter(|live| std::ptr::eq(live.process, process)) {
            return Ok((process, live.host.clone()));
        }
        let made = self.made(process).map_err(|error| raised(py, &error))?;
        let host = made.host.clone();
        // To end the parent's would wait for its threads.
        mem::forget(live.replace(made));
        Ok((process, host))
    }

    fn made(&self, process: &'static Process) -> Result<ProcessHost, BindingError> {
        let host = BoundHost::new(&self.options, process.pool())?;
        let mut live = ProcessHost { process, host, handles: HashMap::new() };
        let own = self.own();
        own.hooks.iter().try_for_each(|hook| live.add(hook))?;
        for (folder, name, enabled) in &own.switched {
            live.host.set_enabled(folder, name, *enabled);
        }
        Ok(live)
    }
}

impl ProcessHost {
    fn add(&mut self, hook: &OwnHook) -> Result<(), BindingError> {
        let function = PythonFunction { process: self.process, function: Arc::clone(&hook.function) };
        let handle = self.host.hook(&hook.words, Arc::new(function))?;
        self.handles.insert(hook.number, handle);
        Ok(())
    }
}

/// A call that an event loop waits for.
#[pyclass(frozen, module = "hookbox._native")]
pub(crate) struct UnderWay(AbortHandle);

#[pymethods]
impl UnderWay {
    /// Ends it, with all that it has started.
    fn cancel(&self) {
        self.0.abort();
    }
}

/// A call, and the future of an event loop that waits for it.
pub(crate) struct Waiting<T> {
    process: &'static Process,
    event_loop: Shared,
    future: Shared,
    call: Pin<Box<dyn Future<Output = thread::Result<T>> + Send>>,
}

impl<T: Send + 'static> Waiting<T> {
    pub(crate) fn new(
        process: &'static Process,
        event_loop: Py<PyAny>,
        future: Py<PyAny>,
        call: impl Future<Output = T> + Send + 'static,
    ) -> Self {
        let (event_loop, future) = (Arc::new(event_loop), Arc::new(future));
        let call = LOOP.scope(Some(Arc::clone(&event_loop)), call);
        Self { process, event_loop, future, call: Box::pin(AssertUnwindSafe(call).catch_unwind()) }
    }

    /// Returns the result, if the call does not have to wait for anything.
    fn poll_here(&mut self, py: Python<'_>) -> PyResult<Option<PyResult<T>>> {
        let (process, call) = (self.process, &mut self.call);
        let runtime = process.runtime().map_err(|error| raised(py, &error))?;
        let ended = process.detached(py, || {
            let _counted = process.counted();
            let _entered = runtime.enter();
            call.as_mut().now_or_never()
        });
        Ok(ended.map(|ended| caught(py, ended)))
    }

    /// Runs the call on hookbox's threads, and puts the result into the future. Returns the object that cancels the
    /// call.
    pub(crate) fn go_on(
        self,
        py: Python<'_>,
        read: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> PyResult<Py<PyAny>> {
        let Self { process, event_loop, future, call } = self;
        let runtime = process.runtime().map_err(|error| raised(py, &error))?;
        let task = runtime.spawn(async move {
            let _counted = process.counted();
            let ended = tokio::select! {
                biased;
                value = call => value,
                () = process.end() => return,
            };
            // They are moved, so that they end while the interpreter is there.
            process.attached(move |py| {
                let (event_loop, future) = (event_loop, future);
                let read = caught(py, ended).and_then(|value| read(py, value));
                settle(py, &event_loop, &future, read);
            });
        });
        Ok(Py::new(py, UnderWay(task.abort_handle()))?.into_any())
    }
}

/// A panic is an error.
fn caught<T>(py: Python<'_>, ended: thread::Result<T>) -> PyResult<T> {
    ended.map_err(|_| raised(py, &BindingError::bug()))
}
