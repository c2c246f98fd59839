//! Functions of another language as hooks.

use std::{future::Future, pin::Pin, sync::Arc};

use hookbox::{
    Callback,
    agents::native::{event_json, parse_answer},
    interfaces::{Call, CallFuture, Handler, Reply},
    model::{Answer, Failure, FailureCode, HandlerKind, Json, LogLevel, LogLine},
};

/// A function call under way: its result is the JSON text of the answer, or a failure. It is dropped when the answer is not needed any
/// more.
pub type FunctionCall<'a> = Pin<Box<dyn Future<Output = Result<String, FunctionFailure>> + Send + 'a>>;

/// A function that is a hook. It is called on any thread of the chain, so it must enter a thread of its language.
pub trait HookFunction: Send + Sync + 'static {
    /// Calls the function with the event as JSON text, in hookbox's own format: `docs/reference/configuration.md`.
    fn call(&self, event: String) -> FunctionCall<'_>;
}

/// Reason why a function has no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFailure {
    /// The message, in one line.
    pub message: String,
    /// Stack trace for the hook's log; may be empty.
    pub trace: String,
}

impl FunctionFailure {
    /// Creates a failure without a trace.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), trace: String::new() }
    }
}

pub(crate) fn callback(function: Arc<dyn HookFunction>) -> Callback {
    Callback::handler(Function(function))
}

struct Function(Arc<dyn HookFunction>);

impl Handler for Function {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Callback
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            let result = self.0.call(format_event(&call)).await;
            match result.and_then(|text| answer(&text)) {
                Ok(answer) => Reply::from(Ok(answer)),
                Err(FunctionFailure { message, trace }) => {
                    let mut reply = Reply::from(Failure::new(FailureCode::HookError, &message));
                    reply.log = trace.lines().map(|line| LogLine::new(LogLevel::Error, line)).collect();
                    reply
                }
            }
        })
    }
}

/// Returns the event, with the hook's own settings if it has some.
fn format_event(call: &Call<'_>) -> String {
    let event = event_json(call);
    match event.strip_suffix('}') {
        Some(members) if *call.config != Json::empty_object() => {
            // A function has no other way to its settings: a component gets them from the sandbox.
            format!("{members},\"config\":{}}}", call.config.as_str())
        }
        _ => event,
    }
}

/// Parses an answer. `null` means that the hook has no opinion.
fn answer(text: &str) -> Result<Answer, FunctionFailure> {
    // A function without a return value returns `None` or `undefined`, which is `null` in JSON.
    if text == "null" {
        return Ok(Answer::default());
    }
    parse_answer(text).map_err(|error| FunctionFailure::new(error.to_string()))
}
