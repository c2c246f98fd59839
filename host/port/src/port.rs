//! What chain, handlers and dialects know of each other: the thing that a hook calls, the contract that it is called by,
//! and how a chain runs. Each of them knows this module and none of the others.

mod agents;
mod callback;
mod confiner;
mod contract;
mod environment;
mod policy;

use std::{future::Future, pin::Pin};

use hookbox_model::{
    Answer, Event, Failure, FailureCode, HandlerKind, Json, Limits, LogLine, Manifest, Outcome, PluginId,
    ProcessResult, Refusal, Usage,
};

use crate::Clock;

pub use self::contract::excerpt;
pub use self::{
    agents::{Agents, Stopping},
    callback::{Callback, CallbackError, OwnedCall},
    confiner::{Confiner, Unconfined},
    contract::{Contract, Placeholder, ProcessEnd},
    environment::Environment,
    policy::{
        ChainEnd, ChainPolicy, Kept, Late, Order, PlainTexts, RewriteMerge, Roles, Stops, Texts, VerdictMerge,
    },
};

/// One invocation of one handler.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The hook's name.
    pub hook: &'a str,
    /// The event as it stands at this place of the chain.
    pub event: &'a Event,
    /// The rewritable part as the caller sent it, if a transform before this hook changed it.
    pub original: Option<&'a Json>,
    /// What the chain came to; only observers get it.
    pub outcome: Option<&'a Outcome>,
    /// The hook's own settings.
    pub config: &'a Json,
    /// What the call may use. The chain enforces the timeout by dropping the call's future.
    pub limits: &'a Limits,
    /// What time of day it is.
    pub clock: &'a Clock,
}

/// What came of a call.
#[derive(Debug)]
pub struct Reply {
    /// The answer, or why there is none.
    pub result: Result<Answer, Failure>,
    /// What the handler tried and may not do.
    pub refused: Vec<Refusal>,
    /// What the call used; the chain fills in the wall clock, and the start if it is not said.
    pub usage: Usage,
    /// What the handler wrote to its log.
    pub log: Vec<LogLine>,
    /// How its process ended, if it started one.
    pub process: Option<ProcessResult>,
    /// The plugin that was called, if it is one.
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

/// The thing that a hook calls. It does not know what comes next in the chain.
pub trait Handler: Send + Sync + 'static {
    /// What it is.
    fn kind(&self) -> HandlerKind;

    /// What must happen before the first call (load, compile), within the chain's budget but not the hook's timeout.
    /// `None` if it is ready.
    fn prepare(&self) -> Option<PrepareFuture<'_>> {
        None
    }

    /// Tries as much of it as can be tried without an event, once it is ready: what a call would refuse whatever the
    /// event is, and in the same words. `hook` is the hook's name. `None` if there is nothing to try.
    fn try_out<'a>(&'a self, hook: &'a str, limits: &'a Limits) -> Option<PrepareFuture<'a>> {
        let _ = (hook, limits);
        None
    }

    /// What it says of itself, once it is ready.
    fn manifest(&self) -> Option<&Manifest> {
        None
    }

    /// What it says of itself and is not, once it is ready.
    fn mismatch(&self) -> Option<String> {
        None
    }

    /// What to say when that took too long.
    fn unprepared(&self) -> Failure {
        Failure::new(
            FailureCode::Budget,
            "the hook could not be made ready before the chain's budget was used up",
        )
    }

    /// Does a call end at once, within a fraction of a millisecond and without waiting for anything? Then a thread that others
    /// wait for may make it. Whoever asks cannot tell it from what it is given.
    fn is_brief(&self) -> bool {
        false
    }

    /// Calls it. Every way to fail is a [`Failure`] in the reply; a panic is caught by the chain.
    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a>;
}
