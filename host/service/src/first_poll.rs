//! Handover of a call from a thread that others wait for to other threads.

use std::{
    future::poll_fn,
    sync::atomic::{AtomicBool, Ordering},
    task::Poll,
};

/// State of a call: true during a first poll on a thread that others wait for. The call must end that poll before it does work that may
/// take long.
#[derive(Default)]
pub(crate) struct FirstPoll(AtomicBool);

impl FirstPoll {
    /// Creates the state of a call whose first poll is on a thread that others wait for.
    pub(crate) fn hurried() -> Self {
        Self(AtomicBool::new(true))
    }

    pub(crate) fn is_hurried(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends the first poll, once: the call continues elsewhere.
    pub(crate) async fn end(&self) {
        if self.0.swap(false, Ordering::Relaxed) {
            let mut polled = false;
            poll_fn(|context| {
                if std::mem::replace(&mut polled, true) {
                    return Poll::Ready(());
                }
                // The executor polls again, and that poll is on another thread.
                context.waker().wake_by_ref();
                Poll::Pending
            })
            .await;
        }
    }
}
