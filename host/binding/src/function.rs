//! Functions of another language as hooks.

use std::{future::Future, pin::Pin, sync::Arc};

use hookbox::{
    Callback,
    dialect::native::{event_json, parse_answer},
    model::{Answer, Failure, FailureCode, HandlerKind, Json, LogLevel, LogLine},
    port::{Call, CallFuture, Handler, Reply},
};

/// A call of a function, under way: JSON text of its answer, or why there is none. When nobody wants to know any more it is dropped.
pub type FunctionCall<'a> = Pin<Box<dyn Future<Output = Result<String, FunctionFailure>> + Send + 'a>>;

/// A function that is a hook. It is called on whatever thread the chain runs, so it must find one of its language's.
pub trait HookFunction: Send + Sync + 'static {
    /// Calls it with the event as JSON text, in the form that every hook without one of its own is told: `docs/configuration.md`.
    fn call(&self, event: String) -> FunctionCall<'_>;
}

/// Why a function has no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFailure {
    /// In one line.
    pub message: String,
    /// Where it happened, for the hook's log; may be empty.
    pub trace: String,
}

impl FunctionFailure {
    /// Without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), trace: String::new() }
    }
}

/// The function as a hook calls it.
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
            let said = self.0.call(told(&call)).await;
            match said.and_then(|text| answer(&text)) {
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

/// The event, with the hook's own settings if it has some.
fn told(call: &Call<'_>) -> String {
    let event = event_json(call);
    match event.strip_suffix('}') {
        Some(members) if *call.config != Json::empty_object() => {
            format!("{members},\"config\":{}}}", call.config.as_str())
        }
        _ => event,
    }
}

/// No value is no opinion.
fn answer(text: &str) -> Result<Answer, FunctionFailure> {
    if text == "null" {
        return Ok(Answer::default());
    }
    parse_answer(text).map_err(|error| FunctionFailure::new(error.to_string()))
}
