//! A stopwatch for concurrent tasks.

use std::time::{Duration, Instant};

/// The time in which at least one of several tasks runs.
#[derive(Default)]
pub(super) struct Stopwatch {
    /// Count of running tasks.
    under_way: u32,
    /// Time since which at least one task runs.
    since: Option<Instant>,
    /// Time that was measured before `since`.
    pub(super) before: Duration,
}

impl Stopwatch {
    /// Starts a task; returns the time since which at least one task runs.
    pub(super) fn start_task(&mut self, at: Instant) -> Instant {
        self.under_way += 1;
        // Concurrent hooks count once, since the agent waits for them once.
        *self.since.get_or_insert(at)
    }

    pub(super) fn end_task(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
        if self.under_way == 0 {
            let since = self.since.take();
            self.before += since.map(|since| since.elapsed()).unwrap_or_default();
        }
    }
}
