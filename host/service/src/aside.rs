//! What a call that was begun on a thread which others wait for leaves to other threads.

use std::{
    future::poll_fn,
    sync::atomic::{AtomicBool, Ordering},
    task::Poll,
};

/// Where a call has to step aside before it does what may take long, if it has not done so.
#[derive(Default)]
pub(crate) struct Aside(AtomicBool);

impl Aside {
    /// For a call whose first poll is on a thread that others wait for.
    pub(crate) fn wanted() -> Self {
        Self(AtomicBool::new(true))
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends the poll that it is in, once: whoever made that goes on elsewhere.
    pub(crate) async fn step(&self) {
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
