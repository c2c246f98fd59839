//! Who calls functions of Python: one interpreter that stays, or the embedding program, if it is one itself.

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
    /// Source of a module that stands between: `argument(told, config)` makes what the function is given, and `said(told, config,
    /// returned)` an object of what it returned. Empty if it is given `told` with `config` in it, a dict, and returns such an object
    /// or `None`.
    pub adapter: &'static str,
    /// The hook's own settings: an object as JSON.
    pub config: &'a str,
    /// What it is told of the event: an object as JSON. `None` if it is only to be found, and not called.
    pub told: Option<&'a str>,
    /// Where the event is from.
    pub project: &'a str,
    /// Which snapshot of hooks asks. Modules that changed on the disk are taken anew for one that is newer than those before.
    pub generation: u64,
    /// What the call may use. Its timeout drops the call's future.
    pub limits: &'a Limits,
}

/// What came of a call.
#[derive(Debug)]
pub struct PythonEnd {
    /// What the function said, as JSON: an object, or nothing. Else why there is none.
    pub said: Result<String, Failure>,
    /// What it printed.
    pub log: String,
}

/// A call under way. Dropping it ends the call as far as that can be.
pub type PythonFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Calls functions of Python.
pub trait PythonRunner: Send + Sync + 'static {
    /// What must happen before the first call, within the chain's budget but not the hook's timeout. `None` if it is ready.
    fn prepare<'a>(&'a self, spec: &'a PythonSpec) -> Option<PythonFuture<'a, Result<(), Failure>>> {
        let _ = spec;
        None
    }

    /// Calls a function, from any thread and side by side with others.
    fn call<'a>(&'a self, call: PythonCall<'a>) -> PythonFuture<'a, PythonEnd>;

    /// Ends all that it has started, and whatever is under way there.
    fn end(&self) {}
}
