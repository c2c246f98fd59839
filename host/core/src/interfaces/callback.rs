//! A hook as a closure of the embedding program.

use std::{error::Error, fmt, future::Future, sync::Arc};

use hookbox_model::{Answer, Event, Failure, FailureCode, HandlerKind, Json, Outcome};

use crate::interfaces::{Call, CallFuture, Handler, Reply};

/// Error of a closure: any error, or a text.
pub type CallbackError = Box<dyn Error + Send + Sync>;

/// A closure as a handler. Its `Err` is a failure with the code `hook-error`, in the error's words and those of what caused it; a
/// panic in it is caught by the chain.
///
/// ```
/// # mod hookbox { pub use hookbox_model as model; pub use hookbox_core::*; }
/// use hookbox::{Callback, model::Answer};
///
/// let no_shell = Callback::sync(|call| match &call.event.tool {
///     Some(tool) if tool.command.is_some() => Ok(Answer::deny("no-shell", "this session has no shell")),
///     _ => Ok(Answer::default()),
/// });
///
/// let tools_only = Callback::asynchronous(|call| async move {
///     let _tool = call.event.tool.ok_or("the event has no tool")?;
///     Ok(Answer::default())
/// });
/// # let _ = (no_shell, tools_only);
/// ```
#[derive(Clone)]
pub struct Callback(Arc<dyn Handler>);

impl Callback {
    /// Wraps a closure that answers immediately. It must not block for long: the chain cannot take the thread away from it.
    pub fn sync<F>(closure: F) -> Self
    where
        F: Fn(&Call<'_>) -> Result<Answer, CallbackError> + Send + Sync + 'static,
    {
        Self(Arc::new(SyncHandler(closure)))
    }

    /// Wraps a closure that answers later. It owns its call, so its future borrows nothing; a timeout or a cancellation drops that
    /// future.
    pub fn asynchronous<F, A>(closure: F) -> Self
    where
        F: Fn(OwnedCall) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Answer, CallbackError>> + Send + 'static,
    {
        Self(Arc::new(AsyncHandler(closure)))
    }

    /// Wraps a handler of the embedding program, which returns more than an answer, for example a log.
    pub fn handler(handler: impl Handler) -> Self {
        Self(Arc::new(handler))
    }
}

impl Handler for Callback {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Callback
    }

    fn is_brief(&self) -> bool {
        self.0.is_brief()
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        self.0.call(call)
    }
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

/// A [`Call`] without borrows.
#[derive(Clone, Debug)]
pub struct OwnedCall {
    /// The hook's name.
    pub hook: String,
    /// The event at this place of the chain.
    pub event: Event,
    /// The rewritable part as the caller sent it, if a transform before this hook changed it.
    pub original: Option<Json>,
    /// Outcome of the chain; only observers get it.
    pub outcome: Option<Outcome>,
    /// The hook's own settings.
    pub config: Json,
}

impl From<Call<'_>> for OwnedCall {
    fn from(call: Call<'_>) -> Self {
        Self {
            hook: call.hook.to_owned(),
            event: call.event.clone(),
            original: call.original.cloned(),
            outcome: call.outcome.cloned(),
            config: call.config.clone(),
        }
    }
}

// In both, the closure runs inside the future: the chain catches a panic there and nowhere else.

struct SyncHandler<F>(F);

impl<F> Handler for SyncHandler<F>
where
    F: Fn(&Call<'_>) -> Result<Answer, CallbackError> + Send + Sync + 'static,
{
    fn kind(&self) -> HandlerKind {
        HandlerKind::Callback
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move { into_reply((self.0)(&call)) })
    }
}

struct AsyncHandler<F>(F);

impl<F, A> Handler for AsyncHandler<F>
where
    F: Fn(OwnedCall) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Answer, CallbackError>> + Send + 'static,
{
    fn kind(&self) -> HandlerKind {
        HandlerKind::Callback
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move { into_reply((self.0)(OwnedCall::from(call)).await) })
    }
}

fn into_reply(result: Result<Answer, CallbackError>) -> Reply {
    result.map_err(|error| Failure::new(FailureCode::HookError, &format_causes(&*error))).into()
}

fn format_causes(error: &(dyn Error + 'static)) -> String {
    let (mut words, mut cause) = (error.to_string(), error.source());
    // `Display` of an error shows only its outermost cause.
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    words
}
