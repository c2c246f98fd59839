//! How a callback is told that nobody waits for it any more.

use hookbox::model::FailureCode;
use tokio::sync::watch;

/// Why nobody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Claude Code took its request back.
    Cancelled,
    /// It took longer than it may.
    TimedOut,
    /// The stream, or the session, has ended.
    Ended,
}

impl Why {
    /// What it is for whoever reads a report.
    pub fn code(self) -> FailureCode {
        match self {
            Self::TimedOut => FailureCode::Timeout,
            Self::Cancelled | Self::Ended => FailureCode::Cancelled,
        }
    }
}

/// Says whether somebody waits still. Clones are the same.
#[derive(Clone, Debug)]
pub struct Cancellation(watch::Receiver<Option<Why>>);

impl Cancellation {
    pub(super) fn new() -> (Canceller, Self) {
        let (sender, receiver) = watch::channel(None);
        (Canceller(sender), Self(receiver))
    }

    /// Why nobody waits; `None` while somebody does.
    pub fn why(&self) -> Option<Why> {
        *self.0.borrow()
    }

    /// Ready once nobody waits.
    pub async fn cancelled(mut self) -> Why {
        let why = self.0.wait_for(Option::is_some).await.map(|why| *why);
        why.ok().flatten().unwrap_or(Why::Ended)
    }
}

/// The other end.
#[derive(Debug)]
pub(super) struct Canceller(watch::Sender<Option<Why>>);

impl Canceller {
    /// The first reason stands.
    pub(super) fn cancel(&self, why: Why) {
        self.0.send_if_modified(|said| {
            let is_first = said.is_none();
            said.get_or_insert(why);
            is_first
        });
    }
}
