//! What comes out of a session.

use std::{
    fmt,
    task::{Context, Poll},
};

use hookbox::model::{Failure, FailureCode};
use hookbox_embed::agent_sdk::Initialized;
use tokio::sync::mpsc;

/// Something for the program to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// A line to be written to Claude Code as a whole. It has no end yet.
    Line(String),
    /// What came of `initialize`.
    Initialized(Result<Initialized, Failure>),
    /// A message that is about no hook ([`Others::HandBack`](super::Others::HandBack)).
    NotOurs(NotOurs),
    /// For whoever reads the program's log.
    Log(Entry),
}

/// A message that is about no hook, as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOurs {
    /// What its answer is recognised by, if it is a request. Whoever routes it answers it.
    pub request_id: Option<String>,
    /// What is asked for, or what it is.
    pub kind: String,
    /// The message.
    pub line: String,
}

/// Something that went wrong, of one request or of none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which request.
    pub request_id: Option<String>,
    /// Which callback.
    pub callback_id: Option<String>,
    /// How it failed, if a callback did.
    pub code: Option<FailureCode>,
    /// What happened.
    pub message: String,
    /// Where a panic was, and by what way (`hookbox::keep_panic_backtraces`).
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

/// What comes out of a session, in order.
#[derive(Debug)]
pub struct Said(pub(super) mpsc::UnboundedReceiver<Told>);

impl Said {
    /// The next thing; `None` once the session has ended and no callback runs any more.
    pub async fn next(&mut self) -> Option<Told> {
        self.0.recv().await
    }

    /// The same, for who waits for several things.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Told>> {
        self.0.poll_recv(context)
    }
}
