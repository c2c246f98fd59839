//! What a call that was begun on a thread which others wait for leaves to other threads.

use std::{
    future::poll_fn,
    sync::atomic::{AtomicBool, Ordering},
    task::Poll,
};

/// Whether a call is in a poll on a thread that others wait for, and has to end that before it does what may take long.
#[derive(Default)]
pub(crate) struct FirstPoll(AtomicBool);

impl FirstPoll {
    /// For a call whose first poll is on a thread that others wait for.
    pub(crate) fn hurried() -> Self {
        Self(AtomicBool::new(true))
    }

    pub(crate) fn is_hurried(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends it, once: whoever made it goes on elsewhere.
    pub(crate) async fn end(&self) {
        if self.0.swap(false, Ordering::Relaxed) {
            let mut polled = false;
            poll_fn(|context| {
                if std::mem::replace(&mut polled, true) {
                    return Poll::Ready(());
                }
                context.waker().wake_by_ref();
                Poll::Pending
            })
            .await;
        }
    }
}
