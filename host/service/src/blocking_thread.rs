//! Runs blocking work on another thread than the one that answers.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
};

use tokio::sync::oneshot;

/// Runs this on a thread of its own, which belongs to no runtime: the next event may have another one. If no thread can be started, or it
/// panics, the closure is dropped.
pub(crate) fn spawn_detached(run: impl FnOnce() + Send + 'static) {
    let run = move || {
        let _panicked = catch_unwind(AssertUnwindSafe(run));
    };
    // The caller notices a thread that could not be started: the sender is dropped with the closure.
    let _none = thread::Builder::new().name("hookbox-files".to_owned()).spawn(run);
}

/// Runs this on another thread and returns its result. If that thread fails, runs it on the current thread.
pub(crate) async fn waited_for<T: Send + 'static>(run: impl Fn() -> T + Send + Sync + 'static) -> T {
    let (sender, value) = oneshot::channel();
    let run = Arc::new(run);
    let there = Arc::clone(&run);
    spawn_detached(move || {
        let _receiver_is_gone = sender.send(there());
    });
    match value.await {
        Ok(value) => value,
        // A blocked thread is better than an event without hooks.
        Err(_) => run(),
    }
}
