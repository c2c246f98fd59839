//! Output of a session.

use std::{
    fmt,
    task::{Context, Poll},
};

use hookbox::model::{Failure, FailureCode};
use hookbox_embed::agent_sdk::Initialized;
use tokio::sync::mpsc;

/// A task for the program.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionOutput {
    /// A line to be written to Claude Code as a whole. It has no line end yet.
    Line(String),
    /// The result of `initialize`.
    Initialized(Result<Initialized, Failure>),
    /// A message that is not about hooks ([`OtherMessages::HandBack`](super::OtherMessages::HandBack)).
    Unhandled(UnhandledMessage),
    /// An entry for the program's log.
    Log(Entry),
}

/// A message that is not about hooks, as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnhandledMessage {
    /// Id of the request, if it is one. The program that routes it answers it.
    pub request_id: Option<String>,
    /// Subtype of the request, or type of the message.
    pub kind: String,
    /// The message.
    pub line: String,
}

/// An error, of one request or of none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The request.
    pub request_id: Option<String>,
    /// The callback.
    pub callback_id: Option<String>,
    /// Failure code, if a callback failed.
    pub code: Option<FailureCode>,
    /// The error.
    pub message: String,
    /// Place and backtrace of a panic (`hookbox::keep_panic_backtraces`).
    pub trace: Option<String>,
}

impl Entry {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { request_id: None, callback_id: None, code: None, message: message.into(), trace: None }
    }

    pub(super) fn of(request_id: &str, message: impl Into<String>) -> Self {
        Self { request_id: Some(request_id.to_owned()), ..Self::new(message) }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(callback) = &self.callback_id {
            write!(f, "the callback {callback}: ")?;
        }
        if let Some(code) = self.code {
            write!(f, "{code}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(request) = &self.request_id {
            write!(f, " (request {request})")?;
        }
        match &self.trace {
            Some(trace) => write!(f, "\n{trace}"),
            None => Ok(()),
        }
    }
}

/// Output of a session, in order.
#[derive(Debug)]
pub struct SessionOutputs(pub(super) mpsc::UnboundedReceiver<SessionOutput>);

impl SessionOutputs {
    /// Waits for the next output; `None` once the session has ended and no callback runs any more.
    pub async fn next(&mut self) -> Option<SessionOutput> {
        self.0.recv().await
    }

    /// Polls for the next output, for tasks that wait for several things.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<SessionOutput>> {
        self.0.poll_recv(context)
    }
}
