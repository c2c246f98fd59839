//! State of a process: the runtime, the machines, and the gate to the interpreter.
//!
//! A child after a fork has none of its parent's threads, so it creates this state again. Its copies of the parent's
//! state are left alone: to end them would wait for threads that do not exist.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use hookbox_binding::{BindingError, ErrorCode, Pool};
use pyo3::prelude::*;
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
    time::sleep,
};

use crate::{
    error::raised,
    function::{SIGNALLED, Signalled},
    program::Program,
};

/// Threads that drive timers and connections, and events that no thread waits for.
const THREADS: usize = 2;
/// Interval at which a call checks whether the user has pressed Ctrl-C.
const LOOK_FOR_SIGNALS: Duration = Duration::from_millis(50);
/// Time that the end of the interpreter waits for calls to end their hooks.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// One process.
pub(crate) struct Process {
    id: u32,
    pool: OnceLock<Pool>,
    runtime: OnceLock<Option<Runtime>>,
    /// Calls that have not ended.
    under_way: AtomicUsize,
    /// Threads between their decision to go back to the interpreter and their being there.
    returning: AtomicUsize,
    closing: AtomicBool,
    /// The thread that closed the process's state; it may continue.
    closer: Mutex<Option<ThreadId>>,
    end: watch::Sender<bool>,
    /// Objects that threads without the interpreter are done with.
    let_go: Mutex<Vec<Py<PyAny>>>,
}

/// Locked only by a thread that holds the interpreter, and a process forks only there: in a child, no other thread has
/// it locked.
static CURRENT: Mutex<Option<&'static Process>> = Mutex::new(None);

impl Process {
    /// This one.
    pub(crate) fn of(_: Python<'_>) -> &'static Self {
        let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        let id = std::process::id();
        match *current {
            Some(process) if process.id == id => process,
            _ => current.insert(Box::leak(Box::new(Self::new(id)))),
        }
    }

    fn new(id: u32) -> Self {
        Self {
            id,
            pool: OnceLock::new(),
            runtime: OnceLock::new(),
            under_way: AtomicUsize::new(0),
            returning: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            closer: Mutex::new(None),
            end: watch::Sender::new(false),
            let_go: Mutex::default(),
        }
    }

    /// The machines of its hosts.
    pub(crate) fn pool(&'static self) -> &'static Pool {
        self.pool.get_or_init(|| Pool::of_python(Arc::new(Program { process: self })))
    }

    /// Returns true in the process that created this state, and false in a child.
    pub(crate) fn is_current(&self) -> bool {
        self.id == std::process::id()
    }

    /// Returns the runtime that drives calls.
    pub(crate) fn runtime(&self) -> Result<&Runtime, BindingError> {
        let made = || {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(THREADS).thread_name("hookbox").enable_all().build().ok()
        };
        let no_threads = || BindingError::new(ErrorCode::Bug, "no threads can be started");
        self.runtime.get_or_init(made).as_ref().ok_or_else(no_threads)
    }

    /// Runs a call on this thread while others have the interpreter. Ctrl-C ends it, and so does the end of the interpreter.
    pub(crate) fn run<T: Send>(
        &'static self,
        py: Python<'_>,
        call: impl Future<Output = T> + Send,
    ) -> PyResult<T> {
        let signalled = Signalled::default();
        let call = SIGNALLED.scope(signalled.clone(), call);
        let ended = self.detached(py, || {
            let _counted = self.counted();
            let watched = async {
                tokio::select! {
                    biased;
                    value = call => Ok(value),
                    signal = self.signal(&signalled) => Err(End::Signal(signal)),
                    () = self.end() => Err(End::Error(BindingError::new(ErrorCode::Ending, "the interpreter ends"))),
                }
            };
            let run = || self.runtime().map_err(End::Error).and_then(|runtime| runtime.block_on(watched));
            catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(End::Error(BindingError::bug())))
        });
        if let Some(error) = signalled.take() {
            return Err(error);
        }
        ended.map_err(|end| match end {
            End::Signal(error) => error,
            End::Error(error) => raised(py, &error),
        })
    }

    /// Runs a function without the interpreter, and acquires the interpreter again.
    pub(crate) fn detached<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
        let value = py.detach(|| {
            let value = work();
            while !self.may_return() {
                // As newer interpreters do it: a thread that comes back too late waits for the process to end.
                thread::park();
            }
            value
        });
        self.returning.fetch_sub(1, Ordering::SeqCst);
        self.drop_let_go(py);
        value
    }

    /// Does something with the interpreter, on a thread that may have none; `None` if that is at its end.
    pub(crate) fn attached<T>(&self, work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
        if !self.may_return() {
            return None;
        }
        let value = Python::try_attach(|py| {
            self.drop_let_go(py);
            work(py)
        });
        self.returning.fetch_sub(1, Ordering::SeqCst);
        value
    }

    /// Drops an object as soon as a thread holds the interpreter.
    ///
    /// `PyO3` keeps such objects behind a lock of the whole program. A fork while a thread has that lock leaves it locked in the child,
    /// which would hang at its next call. This list is the process's own, so a child has another.
    pub(crate) fn let_go(&self, object: Py<PyAny>) {
        if self.is_current() {
            self.let_go.lock().unwrap_or_else(PoisonError::into_inner).push(object);
        } else {
            mem::forget(object);
        }
    }

    /// Drops the released objects, unless the lock is taken; then the next caller does: in a hook that has forked, the
    /// lock may still be the parent's.
    fn drop_let_go(&self, _: Python<'_>) {
        let objects = self.let_go.try_lock().map(|mut objects| mem::take(&mut *objects));
        // Not while it is locked: an object's end may call hookbox.
        drop(objects);
    }

    /// Counts this thread as one that returns, if it may.
    fn may_return(&self) -> bool {
        self.returning.fetch_add(1, Ordering::SeqCst);
        let may = !self.closing.load(Ordering::SeqCst) || self.is_closer();
        if !may {
            self.returning.fetch_sub(1, Ordering::SeqCst);
        }
        may
    }

    fn is_closer(&self) -> bool {
        *self.closer.lock().unwrap_or_else(PoisonError::into_inner) == Some(thread::current().id())
    }

    /// Ends all calls, with the processes that their hooks have started, and lets no other thread back in.
    pub(crate) fn close(&self, py: Python<'_>) {
        *self.closer.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread::current().id());
        self.closing.store(true, Ordering::SeqCst);
        self.end.send_replace(true);
        py.detach(|| {
            let begun = Instant::now();
            while self.under_way.load(Ordering::SeqCst) > 0 && begun.elapsed() < LAST_WAIT {
                thread::sleep(Duration::from_millis(1));
            }
            while self.returning.load(Ordering::SeqCst) > 0 && begun.elapsed() < LAST_WAIT {
                thread::sleep(Duration::from_millis(1));
            }
        });
        // What the interpreter does on this thread after that is not to be ended at once.
        self.end.send_replace(false);
    }

    /// One call more, until it is dropped.
    pub(crate) fn counted(&self) -> Counted<'_> {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        Counted(&self.under_way)
    }

    /// Completes when the interpreter ends.
    pub(crate) async fn end(&self) {
        let mut end = self.end.subscribe();
        if end.wait_for(|ended| *ended).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// The exception that a signal's handler has raised.
    async fn signal(&self, signalled: &Signalled) -> PyErr {
        loop {
            sleep(LOOK_FOR_SIGNALS).await;
            if let Some(error) = signalled.take() {
                return error;
            }
            #[expect(
                clippy::redundant_closure_for_method_calls,
                reason = "the method alone is for one lifetime"
            )]
            let raised = self.attached(|py| py.check_signals());
            if let Some(Err(error)) = raised {
                return error;
            }
        }
    }
}

enum End {
    Signal(PyErr),
    Error(BindingError),
}

pub(crate) struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
