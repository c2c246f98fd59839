//! Interface between chain, handlers and dialects: the handler that a hook calls, the contract of the call, and the policy of a chain.
//! Each of them knows this module and none of the others.

mod agents;
mod callback;
mod confiner;
mod contract;
mod environment;
mod facts;
mod policy;

use std::{future::Future, pin::Pin, sync::Arc};

use hookbox_model::{
    Answer, CapabilityRefusal, Event, Failure, FailureCode, HandlerKind, Json, Limits, LogLine, Manifest,
    Outcome, PluginId, ProcessResult, Usage,
};

use crate::Clock;

pub use self::contract::escape_excerpt;
pub use self::{
    agents::{Agents, Stopping},
    callback::{Callback, CallbackError, OwnedCall},
    confiner::{ConfineError, Confiner},
    contract::{Contract, Placeholder, ProcessEnd},
    environment::Environment,
    facts::{CommandLine, FactsFuture, FactsNotSent, FactsSource},
    policy::{
        ChainEnd, ChainPolicy, Kept, OnTimeout, Order, PlainTexts, RewriteMerge, Roles, StopLimit, Texts,
        VerdictMerge,
    },
};

/// One invocation of one handler.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The hook's name.
    pub hook: &'a str,
    /// The event at this place of the chain.
    pub event: &'a Event,
    /// The rewritable part as the caller sent it, if a transform before this hook changed it.
    pub original: Option<&'a Json>,
    /// Outcome of the chain; only observers get it.
    pub outcome: Option<&'a Outcome>,
    /// The hook's own settings.
    pub config: &'a Json,
    /// Limits of the call. The chain enforces the timeout by dropping the call's future.
    pub limits: &'a Limits,
    /// Source of the time of day.
    pub clock: &'a Clock,
    /// Source of the facts about the event's command line; `None` outside a chain that can compute them.
    pub facts: Option<&'a Arc<dyn FactsSource>>,
}

/// Result of a call.
#[derive(Debug)]
pub struct Reply {
    /// The answer, or the failure.
    pub result: Result<Answer, Failure>,
    /// Refused attempts of the handler.
    pub refused: Vec<CapabilityRefusal>,
    /// Resources that the call used; the chain fills in the wall clock, and the start if it is not set.
    pub usage: Usage,
    /// Lines that the handler wrote to its log.
    pub log: Vec<LogLine>,
    /// Result of its process, if one was started.
    pub process: Option<ProcessResult>,
    /// The called plugin, if it is one.
    pub plugin: Option<PluginId>,
}

impl From<Result<Answer, Failure>> for Reply {
    fn from(result: Result<Answer, Failure>) -> Self {
        Self {
            result,
            refused: Vec::new(),
            usage: Usage::default(),
            log: Vec::new(),
            process: None,
            plugin: None,
        }
    }
}

impl From<Failure> for Reply {
    fn from(failure: Failure) -> Self {
        Self::from(Err(failure))
    }
}

/// A call under way. Dropping it ends the call and all that it started, processes too.
pub type CallFuture<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// A handler being made ready.
pub type PrepareFuture<'a> = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + 'a>>;

/// A handler: a component, a process, a webhook, a function or a closure. It does not know what comes next in the chain.
pub trait Handler: Send + Sync + 'static {
    /// Returns its kind.
    fn kind(&self) -> HandlerKind;

    /// Returns the work before the first call (load, compile), which counts to the chain's budget but not to the hook's timeout. `None`
    /// if it is ready.
    fn prepare(&self) -> Option<PrepareFuture<'_>> {
        None
    }

    /// Tests everything that can be tested without an event, once the handler is ready: returns the failure that a call would have for
    /// any event, in the same words. `hook` is the hook's name. `None` if there is nothing to test.
    fn run_self_test<'a>(&'a self, hook: &'a str, limits: &'a Limits) -> Option<PrepareFuture<'a>> {
        let _ = (hook, limits);
        None
    }

    /// Returns its manifest, once it is ready.
    fn manifest(&self) -> Option<&Manifest> {
        None
    }

    /// Returns a difference between its manifest and its content, once it is ready.
    fn mismatch(&self) -> Option<String> {
        None
    }

    /// Returns the failure for a preparation that took too long.
    fn unprepared(&self) -> Failure {
        Failure::new(
            FailureCode::Budget,
            "the hook could not be made ready before the chain's budget was used up",
        )
    }

    /// Returns true if a call ends within a fraction of a millisecond and without waiting for anything. Then a thread that others wait
    /// for may make it. The handler must state this, since its caller cannot detect it.
    fn is_brief(&self) -> bool {
        false
    }

    /// Calls the handler. Every way to fail is a [`Failure`] in the reply; a panic is caught by the chain.
    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a>;
}
