//! Circuit breaker: trips a hook that fails repeatedly, so that it is not called for a while.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hookbox_model::{Failure, FailureCode};

use super::{bounded_counts::evict_oldest, changed_files};
use crate::hook_index::Hook;

/// Failures in a row that trip a hook.
pub const FAILURES_TO_TRIP: u32 = 5;
/// Time for which a tripped hook is not called. Then one call decides: an answer resets it, a failure trips it again.
pub const TRIPPED_FOR: Duration = Duration::from_mins(1);
/// Most failing hooks that are remembered, the youngest.
const MOST_HOOKS: usize = 4096;

/// A hook's failures in a row, with the time of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Failures without an answer in between.
    pub in_a_row: u32,
    /// Time of the last one, milliseconds since the Unix epoch.
    pub last: u64,
}

impl Failures {
    /// Returns true if the hook is tripped at this time (milliseconds since the Unix epoch).
    pub fn tripped_at(&self, now: u64) -> bool {
        let until = self.last.saturating_add(u64::try_from(TRIPPED_FOR.as_millis()).unwrap_or(u64::MAX));
        // A failure from the future is from before the clock was set back; it must not extend the pause.
        self.in_a_row >= FAILURES_TO_TRIP && self.last <= now && now < until
    }
}

/// The failures of all hooks of a machine, by the hook's [`HookId`](crate::HookId) as text.
#[derive(Debug, Default)]
pub(crate) struct Trips {
    /// True if there are failures. Most machines have none, and computing a hook's id costs time.
    any: AtomicBool,
    hooks: Mutex<HashMap<String, Failures>>,
}

impl Trips {
    /// Creates the state with an earlier process's failures.
    pub(super) fn new(hooks: HashMap<String, Failures>) -> Self {
        Self { any: AtomicBool::new(!hooks.is_empty()), hooks: Mutex::new(hooks) }
    }

    pub(crate) fn failures_of(&self, hook: &Hook) -> Failures {
        if !self.any.load(Ordering::Relaxed) {
            return Failures::default();
        }
        self.hooks().get(hook.id()).copied().unwrap_or_default()
    }

    pub(super) fn tripped_failure(&self, hook: &Hook, cwd: &str, now: u64) -> Option<Failure> {
        let failures = self.failures_of(hook);
        let is_tripped =
            failures.tripped_at(now) && !changed_files::has_changed(&hook.spec, cwd, failures.last);
        is_tripped.then(|| {
            let (count, seconds) = (failures.in_a_row, TRIPPED_FOR.as_secs());
            Failure::new(
                FailureCode::Tripped,
                &format!("it failed {count} times in a row and is not called for {seconds} s, until it is changed or `hookbox check` finds it in order"),
            )
        })
    }

    /// Counts a call. A failure without the hook's fault does not count: the caller gave up, the budget ran out, the
    /// hook was stopped from calling itself. A replaced file is detected at no cost, and is reported each time.
    pub(super) fn record_call(&self, hook: &Hook, now: u64, failure: Option<FailureCode>) {
        match failure {
            None if self.any.load(Ordering::Relaxed) => {
                self.hooks().remove(hook.id());
            }
            None
            | Some(
                FailureCode::Tripped
                | FailureCode::Cancelled
                | FailureCode::Budget
                | FailureCode::Loop
                | FailureCode::NotCompiled
                | FailureCode::Replaced,
            ) => {}
            Some(_) => self.count_failure(hook.id(), now),
        }
    }

    fn count_failure(&self, hook: &str, now: u64) {
        let mut hooks = self.hooks();
        let failures = hooks.entry(hook.to_owned()).or_default();
        *failures = Failures { in_a_row: failures.in_a_row.saturating_add(1), last: now };
        evict_oldest(&mut hooks, MOST_HOOKS, |failures| failures.last);
        self.any.store(true, Ordering::Relaxed);
    }

    /// Returns the failures, by hook. Hooks whose last call succeeded are not in it.
    pub(super) fn hooks(&self) -> MutexGuard<'_, HashMap<String, Failures>> {
        self.hooks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Callback, CallbackHook, model::EventName};

    fn make_hook() -> Hook {
        let spec = CallbackHook::gate("a", [EventName::ToolBefore]);
        Hook::new(spec.into(), Arc::new(Callback::sync(|_| Err("".into()))))
    }

    #[test]
    fn five_failures_in_a_row_trip_a_hook_for_a_minute() {
        let (trips, hook) = (Trips::default(), make_hook());
        for _ in 0..4 {
            trips.record_call(&hook, 1_000, Some(FailureCode::Trap));
        }
        assert!(trips.tripped_failure(&hook, "/", 1_000).is_none());
        trips.record_call(&hook, 1_000, Some(FailureCode::Timeout));
        assert!(trips.tripped_failure(&hook, "/", 60_999).is_some());
        assert!(trips.tripped_failure(&hook, "/", 61_000).is_none());
    }

    #[test]
    fn an_answer_in_between_starts_the_count_anew() {
        let (trips, hook) = (Trips::default(), make_hook());
        for round in 0..20 {
            trips.record_call(&hook, 0, (round % 5 != 4).then_some(FailureCode::Trap));
        }
        assert!(trips.tripped_failure(&hook, "/", 0).is_none());
    }

    #[test]
    fn what_the_hook_did_not_do_does_not_count() {
        let (trips, hook) = (Trips::default(), make_hook());
        for _ in 0..9 {
            trips.record_call(&hook, 0, Some(FailureCode::Budget));
        }
        assert_eq!(trips.failures_of(&hook), Failures::default());
    }

    #[test]
    fn a_machine_that_sees_ever_new_hooks_remembers_the_youngest() {
        let trips = Trips::default();
        (0..=MOST_HOOKS as u64).for_each(|number| trips.count_failure(&number.to_string(), number));
        let hooks = trips.hooks();
        assert_eq!(hooks.len(), MOST_HOOKS);
        assert!(!hooks.contains_key("0") && hooks.contains_key(&MOST_HOOKS.to_string()));
    }

    #[test]
    fn a_clock_set_back_does_not_keep_a_hook_tripped() {
        assert!(!Failures { in_a_row: 5, last: 9_000 }.tripped_at(8_000));
    }
}
