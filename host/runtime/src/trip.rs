//! A hook that fails again and again is not called for a while: it would cost every event its timeout.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use hookbox_model::{Failure, FailureCode};

/// Failures in a row that trip a hook.
pub const FAILURES_TO_TRIP: u32 = 5;
/// How long a tripped hook is not called. Then one call decides: an answer resets it, a failure trips it again.
pub const TRIPPED_FOR: Duration = Duration::from_mins(1);

/// How often a hook has failed in a row, and when last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Failures without an answer in between.
    pub in_a_row: u32,
    /// When the last one was, in milliseconds since the Unix epoch.
    pub last: u64,
}

impl Failures {
    /// Is the hook tripped at this time (milliseconds since the Unix epoch)?
    pub fn tripped_at(&self, now: u64) -> bool {
        let until = self.last.saturating_add(u64::try_from(TRIPPED_FOR.as_millis()).unwrap_or(u64::MAX));
        self.in_a_row >= FAILURES_TO_TRIP && self.last <= now && now < until
    }
}

/// The failures of one hook of a running host.
#[derive(Debug, Default)]
pub(crate) struct Trip(Mutex<Failures>);

impl Trip {
    pub(crate) fn new(failures: Failures) -> Self {
        Self(Mutex::new(failures))
    }

    pub(crate) fn failures(&self) -> Failures {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the hook is not called, if it is tripped.
    pub(crate) fn check(&self, now: u64) -> Option<Failure> {
        let failures = self.failures();
        failures.tripped_at(now).then(|| {
            let (count, seconds) = (failures.in_a_row, TRIPPED_FOR.as_secs());
            Failure::new(
                FailureCode::Tripped,
                &format!("it failed {count} times in a row and is not called for {seconds} s; `hookbox list` shows it"),
            )
        })
    }

    /// Counts a call. What is not the hook's doing does not count: the caller gave up, the budget ran out, the hook was
    /// stopped from calling itself. That its file was replaced costs nothing to find out, and is to be told each time.
    pub(crate) fn record(&self, now: u64, failure: Option<FailureCode>) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match failure {
            None => *failures = Failures::default(),
            Some(
                FailureCode::Tripped
                | FailureCode::Cancelled
                | FailureCode::Budget
                | FailureCode::Loop
                | FailureCode::NotCompiled
                | FailureCode::Replaced,
            ) => {}
            Some(_) => *failures = Failures { in_a_row: failures.in_a_row.saturating_add(1), last: now },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_failures_in_a_row_trip_a_hook_for_a_minute() {
        let trip = Trip::default();
        for _ in 0..4 {
            trip.record(1_000, Some(FailureCode::Trap));
        }
        assert!(trip.check(1_000).is_none());
        trip.record(1_000, Some(FailureCode::Timeout));
        assert!(trip.check(60_999).is_some());
        assert!(trip.check(61_000).is_none());
    }

    #[test]
    fn an_answer_in_between_starts_the_count_anew() {
        let trip = Trip::default();
        for round in 0..20 {
            trip.record(0, (round % 5 != 4).then_some(FailureCode::Trap));
        }
        assert!(trip.check(0).is_none());
    }

    #[test]
    fn what_the_hook_did_not_do_does_not_count() {
        let trip = Trip::default();
        for _ in 0..9 {
            trip.record(0, Some(FailureCode::Budget));
        }
        assert_eq!(trip.failures(), Failures::default());
    }

    #[test]
    fn a_clock_set_back_does_not_keep_a_hook_tripped() {
        assert!(!Failures { in_a_row: 5, last: 9_000 }.tripped_at(8_000));
    }
}
