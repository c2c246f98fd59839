//! Calls of Python functions: by a long-running interpreter, or by the embedding program, if it is one itself.

use std::{future::Future, pin::Pin};

use hookbox_model::{Failure, Limits};

use crate::hook::PythonSpec;

/// One call of one function.
#[derive(Clone, Copy, Debug)]
pub struct PythonCall<'a> {
    /// The hook's name.
    pub hook: &'a str,
    /// The function.
    pub spec: &'a PythonSpec,
    /// Source of an adapter module: its function `argument(told, config)` makes the argument of the hook's function, and `said(told,
    /// config, returned)` an object of the return value. Without an adapter the argument is the event, a dict with `config` in it, and
    /// the return value is such an object or `None`.
    pub adapter: &'static str,
    /// The hook's own settings: an object as JSON.
    pub config: &'a str,
    /// The event for the function: an object as JSON. `None` if the function is only looked up, and not called.
    pub event: Option<&'a str>,
    /// Folder of the event.
    pub project: &'a str,
    /// Number of the snapshot of hooks that makes the call. A newer snapshot than those before loads changed modules again.
    pub generation: u64,
    /// Limits of the call. Its timeout drops the call's future.
    pub limits: &'a Limits,
}

/// Result of a call.
#[derive(Debug)]
pub struct PythonEnd {
    /// The function's result as JSON, an object or an empty text; or the failure.
    pub result: Result<String, Failure>,
    /// Text that it printed.
    pub log: String,
}

/// A call under way. Dropping it ends the call, if that is possible.
pub type PythonFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A caller of Python functions.
pub trait PythonRunner: Send + Sync + 'static {
    /// Returns the work before the first call, which counts to the chain's budget but not to the hook's timeout. `None` if it is ready.
    fn prepare<'a>(&'a self, spec: &'a PythonSpec) -> Option<PythonFuture<'a, Result<(), Failure>>> {
        let _ = spec;
        None
    }

    /// Calls a function, from any thread and concurrently with others.
    fn call<'a>(&'a self, call: PythonCall<'a>) -> PythonFuture<'a, PythonEnd>;

    /// Ends all processes that it has started, and their calls.
    fn end(&self) {}
}
