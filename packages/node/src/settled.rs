//! The result of a call.

use hookbox_binding::{Answered, BindingError, BoundHost};
use napi_derive::napi;

/// The result of a call: an answer, a text, or an error. `index.js` converts it for the program.
#[napi]
pub struct Settled(Ended);

enum Ended {
    Answered(Box<Answered>),
    Text(String),
    Error(BindingError),
}

impl Settled {
    pub(crate) fn of_answer(ended: Result<Answered, BindingError>) -> Self {
        Self(ended.map_or_else(Ended::Error, |answered| Ended::Answered(Box::new(answered))))
    }

    pub(crate) fn of_text(ended: Result<String, BindingError>) -> Self {
        Self(ended.map_or_else(Ended::Error, Ended::Text))
    }

    fn response(&self) -> Option<&Answered> {
        match &self.0 {
            Ended::Answered(answered) => Some(answered),
            Ended::Text(_) | Ended::Error(_) => None,
        }
    }

    fn error(&self) -> Option<&BindingError> {
        match &self.0 {
            Ended::Error(error) => Some(error),
            Ended::Answered(_) | Ended::Text(_) => None,
        }
    }
}

#[napi]
impl Settled {
    /// Code of the error, if the call failed.
    #[napi(getter)]
    pub fn error_code(&self) -> Option<&'static str> {
        self.error().map(|error| error.code.as_str())
    }

    /// Message of the error, if the call failed.
    #[napi(getter)]
    pub fn error_message(&self) -> Option<String> {
        self.error().map(|error| error.message.clone())
    }

    /// Returns the result if it is JSON text.
    #[napi(getter)]
    pub fn text(&self) -> Option<String> {
        match &self.0 {
            Ended::Text(text) => Some(text.clone()),
            Ended::Answered(_) | Ended::Error(_) => None,
        }
    }

    /// Returns the text for the agent on standard output.
    #[napi(getter)]
    pub fn stdout(&self) -> Option<String> {
        self.response().map(|answered| answered.response.written.stdout.clone())
    }

    /// Returns the text for the agent on standard error.
    #[napi(getter)]
    pub fn stderr(&self) -> Option<String> {
        self.response().map(|answered| answered.response.written.stderr.clone())
    }

    /// The exit code.
    #[napi(getter)]
    pub fn exit_code(&self) -> Option<u8> {
        self.response().map(|answered| answered.response.written.exit)
    }

    /// Reason of a refusal.
    #[napi(getter)]
    pub fn reason(&self) -> Option<String> {
        self.response().and_then(|answered| answered.response.reason.clone())
    }

    /// Returns the result of a callback of Claude Code's Agent SDK, as JSON text.
    #[napi]
    pub fn agent_sdk_output(&self, event: String) -> Option<String> {
        self.response().and_then(|answered| hookbox_binding::agent_sdk_output(answered, &event))
    }

    /// Returns the hooks' outcome, as JSON text.
    #[napi(getter)]
    pub fn outcome(&self) -> Option<String> {
        self.response().and_then(BoundHost::outcome)
    }
}
