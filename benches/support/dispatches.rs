//! One side of a comparison: calls of a long-running host.

use std::time::{Duration, Instant};

use hookbox::{Host, model::Event};
use tokio::runtime::Runtime;

/// Dispatches, the events made beforehand, in a runtime that is there already.
pub(crate) fn dispatches(runtime: &Runtime, host: &Host, event: &Event) -> impl FnMut(u32) -> Duration {
    move |block| {
        let events: Vec<_> = (0..block).map(|_| event.clone()).collect();
        runtime.block_on(async {
            let started = Instant::now();
            for event in events {
                let outcome = host.dispatch(event).await;
                assert!(outcome.failed().is_empty(), "{:?}", outcome.reports.first());
            }
            started.elapsed()
        })
    }
}
