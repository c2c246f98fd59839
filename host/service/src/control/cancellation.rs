//! Cancellation of a callback whose answer is not awaited any more.

use hookbox::model::FailureCode;
use tokio::sync::watch;

/// Reason of a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelReason {
    /// Claude Code cancelled its request.
    Cancelled,
    /// Its time limit has passed.
    TimedOut,
    /// The stream, or the session, has ended.
    Ended,
}

impl CancelReason {
    /// Returns the failure code for reports.
    pub fn code(self) -> FailureCode {
        match self {
            Self::TimedOut => FailureCode::Timeout,
            Self::Cancelled | Self::Ended => FailureCode::Cancelled,
        }
    }
}

/// State of a call: whether its answer is still awaited. Clones share one state.
#[derive(Clone, Debug)]
pub struct Cancellation(watch::Receiver<Option<CancelReason>>);

impl Cancellation {
    pub(super) fn new() -> (Canceller, Self) {
        let (sender, receiver) = watch::channel(None);
        (Canceller(sender), Self(receiver))
    }

    /// Returns the reason; `None` while the answer is awaited.
    pub fn why(&self) -> Option<CancelReason> {
        *self.0.borrow()
    }

    /// Waits for the cancellation.
    pub async fn cancelled(mut self) -> CancelReason {
        let why = self.0.wait_for(Option::is_some).await.map(|why| *why);
        // Without the sender the session is gone.
        why.ok().flatten().unwrap_or(CancelReason::Ended)
    }
}

#[derive(Debug)]
pub(super) struct Canceller(watch::Sender<Option<CancelReason>>);

impl Canceller {
    /// Cancels the call. Only the first reason counts.
    pub(super) fn cancel(&self, why: CancelReason) {
        self.0.send_if_modified(|reason| {
            let is_first = reason.is_none();
            reason.get_or_insert(why);
            is_first
        });
    }
}
