//! A hook callback of an SDK's program.

use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

use hookbox::{
    CallbackError, Panicked, catch_panic, caught_here,
    model::{Failure, FailureCode, Json},
};

use super::cancellation::Cancellation;

/// A call of a callback.
#[derive(Clone, Debug)]
pub struct SdkCall {
    /// The callback's id.
    pub callback_id: String,
    /// Claude Code's name for the event: from the input, else the event for which the callback was registered.
    pub event: String,
    /// The input that a hook gets on its standard input. It has the members that Claude Code knows at that moment: only the member that
    /// names the event can be relied on.
    pub input: Json,
    /// The tool call; `None` if the event is about none, or Claude Code does not name it.
    pub tool_use_id: Option<String>,
    /// Signals that the answer is not awaited any more.
    pub cancellation: Cancellation,
}

type Answer = Pin<Box<dyn Future<Output = Result<Json, CallbackFailure>> + Send>>;
type DenyWriter = dyn Fn(&str, &str) -> Option<Json> + Send + Sync;

/// Failure of a callback, with a backtrace if it panicked.
pub(super) struct CallbackFailure {
    pub(super) failure: Failure,
    pub(super) trace: Option<String>,
}

impl From<Failure> for CallbackFailure {
    fn from(failure: Failure) -> Self {
        Self { failure, trace: None }
    }
}

impl From<Panicked> for CallbackFailure {
    fn from(panicked: Panicked) -> Self {
        let message = format!("the callback panicked: {}", panicked.message);
        Self { failure: Failure::new(FailureCode::Panic, &message), trace: panicked.trace }
    }
}

impl From<CallbackError> for CallbackFailure {
    fn from(error: CallbackError) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        Self { failure: Failure::new(FailureCode::HookError, &message), trace: None }
    }
}

/// A closure that answers events of Claude Code with its output object, or an error in its own words.
#[derive(Clone)]
pub struct SdkCallback {
    call: Arc<dyn Fn(SdkCall) -> Answer + Send + Sync>,
    refusal: Option<Arc<DenyWriter>>,
    pub(super) farewell: Duration,
}

impl fmt::Debug for SdkCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SdkCallback")
    }
}

impl SdkCallback {
    /// Wraps a closure that answers later. Its future is dropped once the answer is not awaited any more.
    pub fn asynchronous<F, A>(closure: F) -> Self
    where
        F: Fn(SdkCall) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Json, CallbackError>> + Send + 'static,
    {
        let closure = Arc::new(closure);
        Self::new(move |call| {
            let closure = Arc::clone(&closure);
            // Within the future, where its panic is caught.
            Box::pin(async move { Ok(catch_panic(async move { closure(call).await }).await??) })
        })
    }

    /// Wraps a closure that blocks, and runs it on a thread of its own. The thread cannot be taken away from it, so it must check
    /// [`SdkCall::cancellation`] if it may take long.
    pub fn blocking<F>(closure: F) -> Self
    where
        F: Fn(SdkCall) -> Result<Json, CallbackError> + Send + Sync + 'static,
    {
        let closure = Arc::new(closure);
        Self::new(move |call| {
            let closure = Arc::clone(&closure);
            Box::pin(async move {
                // A closure that blocks would stop the runtime's other callbacks.
                let called = tokio::task::spawn_blocking(move || caught_here(|| closure(call)));
                match called.await {
                    Ok(answered) => Ok(answered??),
                    Err(error) => Err(CallbackError::from(error).into()),
                }
            })
        })
    }

    fn new(call: impl Fn(SdkCall) -> Answer + Send + Sync + 'static) -> Self {
        Self { call: Arc::new(call), refusal: None, farewell: Duration::ZERO }
    }

    /// Lets its future run for this long after the answer is not awaited any more, to clean up on [`SdkCall::cancellation`].
    #[must_use]
    pub fn with_farewell(self, farewell: Duration) -> Self {
        Self { farewell, ..self }
    }

    /// Sets the output, made from the event and the reason, for a callback that fails or returns an invalid answer: a guard's refusal.
    /// Without it, or where it returns `None`, Claude Code gets an error, and decides.
    #[must_use]
    pub fn refusing(self, refusal: impl Fn(&str, &str) -> Option<Json> + Send + Sync + 'static) -> Self {
        Self { refusal: Some(Arc::new(refusal)), ..self }
    }

    pub(super) fn call(&self, call: SdkCall) -> Answer {
        (self.call)(call)
    }

    pub(super) fn build_refusal(&self, event: &str, message: &str) -> Option<Json> {
        let refusal = self.refusal.as_ref()?;
        // A panic here must not prevent the answer to the request.
        caught_here(|| refusal(event, message)).ok().flatten()
    }
}
