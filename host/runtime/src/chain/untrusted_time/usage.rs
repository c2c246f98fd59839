//! Time that untrusted hooks used, from event to event: the overruns of each file, and the time of each session.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use hookbox_model::TrustLevel;

use super::super::bounded_counts::evict_oldest;
use crate::hook::HookSpec;

/// Suspension of the hooks of a file that used up their time.
pub const SUSPENSION: Duration = Duration::from_hours(1);
/// Suspension of the hooks of a file that used up their time again within a day.
pub const REPEATED_SUSPENSION: Duration = Duration::from_hours(24);
/// Time that all untrusted hooks together may take of one session within [`SESSION_WINDOW`], including
/// their preparation.
pub const UNREVIEWED_SESSION_BUDGET: Duration = Duration::from_secs(5);
/// Period over which a session's time is added up, and the longest suspension of its unreviewed hooks once that time is
/// used up.
pub const SESSION_WINDOW: Duration = Duration::from_hours(1);
/// Most files and most sessions that are remembered, the youngest.
pub(super) const MOST_COUNTED: usize = 1024;

/// How often the hooks of a file used up their time, with the time of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overruns {
    /// Count of overruns, each within a day of the one before.
    pub times: u32,
    /// Time of the last one, milliseconds since the Unix epoch.
    pub last: u64,
}

impl Overruns {
    /// Returns how long the file's hooks are still suspended at this time (milliseconds since the Unix epoch); `None`
    /// if they are not.
    pub fn out_for(&self, now: u64) -> Option<Duration> {
        let most = match self.times {
            0 => return None,
            1 => SUSPENSION,
            _ => REPEATED_SUSPENSION,
        };
        // A clock that was set back must not extend the suspension.
        let since = Duration::from_millis(now.checked_sub(self.last)?);
        most.checked_sub(since).filter(|left| !left.is_zero())
    }

    pub(super) fn with_overrun(self, now: u64) -> Self {
        let recent = now.saturating_sub(self.last) <= to_millis(REPEATED_SUSPENSION);
        Self { times: if recent { self.times.saturating_add(1) } else { 1 }, last: now }
    }
}

/// Time that unreviewed hooks took of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionTime {
    /// Milliseconds spent since `since`.
    pub spent: u32,
    /// Time of the first addition, milliseconds since the Unix epoch.
    pub since: u64,
}

impl SessionTime {
    pub(super) fn remaining_time(self, now: u64) -> Duration {
        let spent = if self.is_over(now) { Duration::ZERO } else { Duration::from_millis(self.spent.into()) };
        UNREVIEWED_SESSION_BUDGET.saturating_sub(spent)
    }

    fn is_over(self, now: u64) -> bool {
        // With a clock that was set back, the window would not end for a long time; so a new one begins.
        now.checked_sub(self.since).is_none_or(|since| since >= to_millis(SESSION_WINDOW))
    }

    /// Returns how long the session's hooks are still suspended; `None` if they are not.
    pub(super) fn out_for(self, now: u64) -> Option<Duration> {
        if u64::from(self.spent) < to_millis(UNREVIEWED_SESSION_BUDGET) {
            return None;
        }
        let since = Duration::from_millis(now.checked_sub(self.since)?);
        SESSION_WINDOW.checked_sub(since).filter(|left| !left.is_zero())
    }

    fn add_time(self, spent: Duration, now: u64) -> Self {
        let Self { spent: before, since } =
            if self.is_over(now) { Self { spent: 0, since: now } } else { self };
        let spent = u32::try_from(spent.as_millis()).unwrap_or(u32::MAX);
        Self { spent: before.saturating_add(spent), since }
    }
}

fn to_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the file to which a hook's overruns are counted.
pub(super) fn file_of(spec: &HookSpec) -> String {
    spec.origin.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default()
}

/// Overruns of untrusted hooks.
#[derive(Debug, Default)]
pub(crate) struct UntrustedUsage {
    files: Mutex<HashMap<String, Overruns>>,
    /// Time spent, by session.
    sessions: Mutex<HashMap<String, SessionTime>>,
}

impl UntrustedUsage {
    /// Creates the state with an earlier process's values.
    pub(in crate::chain) fn new(
        files: HashMap<String, Overruns>,
        sessions: HashMap<String, SessionTime>,
    ) -> Self {
        Self { files: Mutex::new(files), sessions: Mutex::new(sessions) }
    }

    pub(in crate::chain) fn files(&self) -> MutexGuard<'_, HashMap<String, Overruns>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::chain) fn sessions(&self) -> MutexGuard<'_, HashMap<String, SessionTime>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how long this hook is still suspended.
    pub(crate) fn out_for(&self, spec: &HookSpec, now: u64) -> Option<Duration> {
        if spec.origin.trust_level != TrustLevel::Untrusted {
            return None;
        }
        let files = self.files();
        // Most hosts have no overruns, and building a file name costs time.
        if files.is_empty() { None } else { files.get(&file_of(spec))?.out_for(now) }
    }

    /// Adds to the time of the session's untrusted hooks. Returns true if that uses it up.
    pub(super) fn add_to(&self, session: String, spent: Duration, now: u64) -> bool {
        let mut sessions = self.sessions();
        let time = sessions.entry(session).or_default();
        let was_out = time.out_for(now).is_some();
        *time = time.add_time(spent, now);
        let is_over = !was_out && time.out_for(now).is_some();
        evict_oldest(&mut sessions, MOST_COUNTED, |time| time.since);
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_without_end_take_no_memory_without_end() {
        let untrusted = UntrustedUsage::default();
        let start = 1_700_000_000_000;
        for number in 0..2000 {
            untrusted.add_to(number.to_string(), Duration::from_secs(6), start + number);
        }
        let sessions = untrusted.sessions();
        assert_eq!(sessions.len(), MOST_COUNTED);
        assert!(sessions.contains_key("1999") && !sessions.contains_key("0"));
    }
}
