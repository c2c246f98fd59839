//! One side of a comparison: calls of a long-running host.

use std::time::{Duration, Instant};

use hookbox::{Host, model::Event};
use tokio::runtime::Runtime;

/// Measures dispatches, with the events made beforehand, in an existing runtime.
pub(crate) fn time_dispatches(runtime: &Runtime, host: &Host, event: &Event) -> impl FnMut(u32) -> Duration {
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
