//! Time limits of untrusted hooks: a small budget in each event for all of them together. A file whose hooks use it up
//! is suspended for a while, so that a project can delay an agent once and not at every step. A second budget limits
//! each session, over all files: otherwise hooks could stay just below the first budget at every step, or come from a
//! file in each folder.

mod stopwatch;
mod usage;

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hookbox_model::{Answer, Failure, FailureCode, HookReport, Labelled, Outcome, TrustLevel};

pub(crate) use self::usage::UntrustedUsage;
pub use self::usage::{
    Overruns, REPEATED_SUSPENSION, SESSION_WINDOW, SUSPENSION, SessionTime, UNREVIEWED_SESSION_BUDGET,
};
use self::{
    stopwatch::Stopwatch,
    usage::{MOST_COUNTED, file_of},
};
use super::bounded_counts::evict_oldest;
use crate::hook::HookSpec;

/// Time that all untrusted hooks together may take of one event.
pub const UNREVIEWED_BUDGET: Duration = Duration::from_millis(500);
/// Time that preparing these hooks may take in one event, within the session's remaining time: their components may
/// have to be compiled once.
const READY_WITHIN: Duration = Duration::from_secs(5);
/// Smallest time in an event that is counted: each counted time is written to a file.
const MIN_COUNTED_TIME: Duration = Duration::from_millis(20);
/// Longest session name that is distinguished from others, bytes.
const MAX_SESSION_BYTES: usize = 256;
/// Name in reports and notices of suspended project hooks.
pub const PROJECT_HOOKS: &str = "project-hooks";

/// Time of the untrusted hooks in one event.
pub(super) struct UntrustedTime<'a> {
    untrusted: &'a UntrustedUsage,
    /// The event's session, if there are untrusted hooks.
    session: String,
    now: u64,
    spent: Mutex<SpentTime>,
}

#[derive(Default)]
struct SpentTime {
    calls: Stopwatch,
    /// Calls and preparation: the time that counts in the session.
    work: Stopwatch,
    /// Start of the first preparation.
    ready_since: Option<Instant>,
    /// Files whose hooks ran out of time.
    overran: BTreeSet<String>,
}

impl<'a> UntrustedTime<'a> {
    /// Creates the state for an event of this session at `now`, milliseconds since the Unix epoch.
    pub(super) fn new(untrusted: &'a UntrustedUsage, session: &str, now: u64) -> Self {
        // The name comes from the agent's JSON, can have any length, and is stored.
        let session = session.get(..session.floor_char_boundary(MAX_SESSION_BYTES)).unwrap_or_default();
        Self { untrusted, session: session.to_owned(), now, spent: Mutex::default() }
    }

    pub(super) fn suspension_failure(&self, spec: &HookSpec) -> Option<Failure> {
        if spec.origin.trust_level != TrustLevel::Untrusted {
            return None;
        }
        let (owner, left) = match self.untrusted.out_for(spec, self.now) {
            Some(left) => ("the hooks of its file", left),
            None => ("the hooks of projects in this session", self.session_out_for()?),
        };
        let minutes = left.as_secs().div_ceil(60);
        let message = format!("{owner} used up their time and are not called for {minutes} min");
        Some(Failure::new(FailureCode::Tripped, &message))
    }

    fn session_out_for(&self) -> Option<Duration> {
        self.untrusted.sessions().get(&self.session)?.out_for(self.now)
    }

    /// Returns the time limit of preparation: all untrusted hooks share it.
    pub(super) fn ready_by(&self, at: Instant) -> Instant {
        *self.spent().ready_since.get_or_insert(at) + READY_WITHIN.min(self.session_left())
    }

    /// Begins the preparation of a hook, which lasts until the returned value is dropped. `None` if the hook is not
    /// untrusted.
    pub(super) fn begin_preparation(&self, spec: &HookSpec, at: Instant) -> Option<Preparation<'_>> {
        if spec.origin.trust_level != TrustLevel::Untrusted {
            return None;
        }
        self.spent().work.start_task(at);
        Some(Preparation { time: self })
    }

    /// Records that the hook was not ready in time. This counts against the file if all the time was available.
    pub(super) fn overran_preparation(&self, spec: &HookSpec) {
        // A file is not at fault if other files of the session had already used most of its time.
        if self.session_left() >= READY_WITHIN {
            self.record_overrun(spec);
        }
    }

    fn session_left(&self) -> Duration {
        let spent = self.untrusted.sessions().get(&self.session).copied().unwrap_or_default();
        spent.remaining_time(self.now)
    }

    /// Begins the call of a hook; the returned value has its time limit. `None` if the hook is not untrusted.
    pub(super) fn begin_call(&self, spec: &HookSpec, at: Instant) -> Option<UntrustedCall<'_>> {
        if spec.origin.trust_level != TrustLevel::Untrusted {
            return None;
        }
        let mut spent = self.spent();
        spent.work.start_task(at);
        let since = spent.calls.start_task(at);
        Some(UntrustedCall {
            time: self,
            until: since + UNREVIEWED_BUDGET.saturating_sub(spent.calls.before),
        })
    }

    /// Records that the hook ran out of time.
    pub(super) fn record_overrun(&self, spec: &HookSpec) {
        if spec.origin.trust_level == TrustLevel::Untrusted {
            self.spent().overran.insert(file_of(spec));
        }
    }

    /// Saves the overruns, and reports each once.
    pub(super) fn save_overruns(self, outcome: &mut Outcome) {
        let Self { untrusted, session, now, spent } = self;
        let SpentTime { overran, work, .. } = spent.into_inner().unwrap_or_else(PoisonError::into_inner);
        let took = work.before;
        let is_session_over = took >= MIN_COUNTED_TIME && untrusted.add_to(session, took, now);
        if !overran.is_empty() {
            let mut files = untrusted.files();
            for file in overran {
                let overruns = files.entry(file).or_default();
                *overruns = overruns.with_overrun(now);
                evict_oldest(&mut files, MOST_COUNTED, |overruns| overruns.last);
            }
            let ms = UNREVIEWED_BUDGET.as_millis();
            let notice = format!(
                "the untrusted hooks of this project used up the {ms} ms that they may take together; \
                 they are not called for a while (see `hookbox list`; `hookbox check` enables them again; of a plugin of the agent's, \
                 `hookbox check --bundle DIR` with its folder)"
            );
            push_notice(notice, outcome);
        } else if is_session_over {
            let seconds = UNREVIEWED_SESSION_BUDGET.as_secs();
            let notice = format!(
                "the untrusted hooks of projects used up the {seconds} s that they may take together in a \
                 session; they are not called for a while in this one (`hookbox check` ends it)"
            );
            push_notice(notice, outcome);
        }
    }

    fn spent(&self) -> MutexGuard<'_, SpentTime> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn push_notice(notice: String, outcome: &mut Outcome) {
    let answer = Answer { notice: Some(notice.clone()), ..Answer::default() };
    outcome.reports.push(HookReport::of_host(PROJECT_HOOKS, answer));
    outcome.notices.push(Labelled { hook: PROJECT_HOOKS.to_owned(), value: notice });
}

/// An untrusted hook that is being called. Its time counts until this is dropped.
pub(super) struct UntrustedCall<'a> {
    time: &'a UntrustedTime<'a>,
    /// End of the untrusted hooks' time.
    pub(super) until: Instant,
}

impl Drop for UntrustedCall<'_> {
    fn drop(&mut self) {
        let mut spent = self.time.spent();
        spent.calls.end_task();
        spent.work.end_task();
    }
}

/// An untrusted hook that is being prepared. The time counts in the session until this is dropped.
pub(super) struct Preparation<'a> {
    time: &'a UntrustedTime<'a>,
}

impl Drop for Preparation<'_> {
    fn drop(&mut self) {
        self.time.spent().work.end_task();
    }
}

#[cfg(test)]
mod tests {
    use hookbox_model::EventName;

    use super::*;
    use crate::{CallbackHook, Origin};

    const HOUR: u64 = 60 * 60 * 1000;

    fn untrusted_spec() -> HookSpec {
        let base = HookSpec::from(CallbackHook::gate("a", [EventName::ToolBefore]));
        let origin = Origin {
            trust_level: TrustLevel::Untrusted,
            file: Some("/p/hooks.toml".into()),
            ..base.origin.clone()
        };
        HookSpec { origin, ..base }
    }

    #[test]
    fn hooks_that_run_side_by_side_share_one_time_and_those_after_them_have_the_rest() {
        let untrusted = UntrustedUsage::default();
        let time = UntrustedTime::new(&untrusted, "s", 0);
        let start = Instant::now();
        let long_ago = start.checked_sub(Duration::from_millis(200)).unwrap();
        let first = time.begin_call(&untrusted_spec(), long_ago).unwrap();
        let concurrent = time.begin_call(&untrusted_spec(), start).unwrap();
        assert_eq!(
            (first.until, concurrent.until),
            (long_ago + UNREVIEWED_BUDGET, long_ago + UNREVIEWED_BUDGET)
        );
        drop((first, concurrent));
        let later = start + Duration::from_secs(3);
        let after = time.begin_call(&untrusted_spec(), later).unwrap();
        assert!(after.until + Duration::from_millis(200) <= later + UNREVIEWED_BUDGET);
    }

    #[test]
    fn the_users_own_hooks_are_not_counted() {
        let own = HookSpec::from(CallbackHook::gate("a", [EventName::ToolBefore]));
        let untrusted = UntrustedUsage::default();
        let time = UntrustedTime::new(&untrusted, "s", 0);
        assert!(time.begin_call(&own, Instant::now()).is_none());
        time.record_overrun(&own);
        let mut outcome = Outcome::default();
        time.save_overruns(&mut outcome);
        assert_eq!(outcome, Outcome::default());
    }

    #[test]
    fn who_uses_the_time_up_is_out_for_an_hour_and_then_for_a_day() {
        let untrusted = UntrustedUsage::default();
        let overrun = |now| {
            let time = UntrustedTime::new(&untrusted, "s", now);
            time.record_overrun(&untrusted_spec());
            time.save_overruns(&mut Outcome::default());
        };
        let out = |now| untrusted.out_for(&untrusted_spec(), now).is_some();
        overrun(HOUR);
        assert!(out(HOUR) && out(2 * HOUR - 1) && !out(2 * HOUR));
        overrun(2 * HOUR);
        assert!(out(3 * HOUR) && out(26 * HOUR - 1) && !out(26 * HOUR));
        overrun(100 * HOUR);
        assert!(out(101 * HOUR - 1) && !out(101 * HOUR));
        assert!(!out(99 * HOUR), "a clock set back keeps nobody out");
    }

    #[test]
    fn staying_below_the_time_of_an_event_uses_up_that_of_the_session_whatever_the_file() {
        let untrusted = UntrustedUsage::default();
        let event = |session: &str, now, spent: u64| {
            let time = UntrustedTime::new(&untrusted, session, now);
            let refused = time.suspension_failure(&untrusted_spec()).is_some();
            time.spent().work.before = Duration::from_millis(spent);
            let mut outcome = Outcome::default();
            time.save_overruns(&mut outcome);
            (refused, outcome.notices.len())
        };
        for now in 0..11 {
            assert_eq!(event("s", now, 450), (false, 0), "{now}");
        }
        assert_eq!(event("s", 11, 450), (false, 1), "the last one that is called, and it is told");
        assert_eq!(event("s", 12, 0), (true, 0));
        assert_eq!(event("other", 12, 0), (false, 0), "another session has its own time");
        assert_eq!(event("s", HOUR - 1, 0), (true, 0));
        assert_eq!(event("s", HOUR, 450), (false, 0), "and it has time again");
        assert_eq!(untrusted.sessions().get("s"), Some(&SessionTime { spent: 450, since: HOUR }));
        for now in 0..1000 {
            assert_eq!(event("quick", now, 19), (false, 0), "what is quick does not add up");
        }
    }

    #[test]
    fn hooks_that_are_made_ready_share_one_time() {
        let untrusted = UntrustedUsage::default();
        let time = UntrustedTime::new(&untrusted, "s", 0);
        let first = Instant::now();
        assert_eq!(time.ready_by(first), first + READY_WITHIN);
        assert_eq!(time.ready_by(first + Duration::from_secs(4)), first + READY_WITHIN);
    }

    #[test]
    fn time_in_which_hooks_are_made_ready_counts_in_the_session_and_not_in_the_event() {
        let untrusted = UntrustedUsage::default();
        let long_ago = Instant::now().checked_sub(Duration::from_secs(4)).unwrap();
        let time = UntrustedTime::new(&untrusted, "s", 0);
        drop(time.begin_preparation(&untrusted_spec(), long_ago));
        let start = Instant::now();
        assert_eq!(time.begin_call(&untrusted_spec(), start).unwrap().until, start + UNREVIEWED_BUDGET);
        time.save_overruns(&mut Outcome::default());
        let spent = untrusted.sessions().get("s").unwrap().spent;
        assert!(spent >= 4000, "{spent}");
        let next = UntrustedTime::new(&untrusted, "s", 1);
        assert!(next.ready_by(start) <= start + Duration::from_secs(1), "the rest of the session's time");
        next.overran_preparation(&untrusted_spec());
        assert!(next.spent().overran.is_empty(), "less time than a file may have is not the file's fault");
    }
}
