//! The time that hooks which nobody has reviewed may take: a little of each event, all of them together. A file whose hooks
//! use it up is out for a while, so that a project can delay an agent once and not at every step.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hookbox_model::{Answer, Failure, FailureCode, HookReport, Labelled, Outcome, Tier};

use crate::hook::HookSpec;

/// What all hooks of the tier `unknown` together may take of one event.
pub const UNREVIEWED_BUDGET: Duration = Duration::from_millis(500);
/// What making them ready may take in the same event: their components may have to be compiled once.
pub(super) const READY_WITHIN: Duration = Duration::from_secs(5);
/// How long the hooks of a file are not called that used their time up.
pub const OUT_FOR: Duration = Duration::from_hours(1);
/// The same when they did it again within a day.
pub const OUT_AGAIN_FOR: Duration = Duration::from_hours(24);
/// Under this name reports and notices tell that the hooks of a project are out.
pub const PROJECT_HOOKS: &str = "project-hooks";

/// How often the hooks of a file used their time up, and when last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overruns {
    /// Times, each within a day of the one before.
    pub times: u32,
    /// When the last one was, in milliseconds since the Unix epoch.
    pub last: u64,
}

impl Overruns {
    /// How long its hooks are still out at this time (milliseconds since the Unix epoch); `None` if they are not.
    pub fn out_for(&self, now: u64) -> Option<Duration> {
        let most = match self.times {
            0 => return None,
            1 => OUT_FOR,
            _ => OUT_AGAIN_FOR,
        };
        // A clock that was set back must not keep them out for longer.
        let since = Duration::from_millis(now.checked_sub(self.last)?);
        most.checked_sub(since).filter(|left| !left.is_zero())
    }

    fn again(self, now: u64) -> Self {
        let recent = now.saturating_sub(self.last) <= millis(OUT_AGAIN_FOR);
        Self { times: if recent { self.times.saturating_add(1) } else { 1 }, last: now }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The file of a hook under which its overruns are kept.
fn file_of(spec: &HookSpec) -> String {
    spec.origin.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default()
}

/// The files whose hooks used their time up.
#[derive(Debug, Default)]
pub(crate) struct Strangers(Mutex<HashMap<String, Overruns>>);

impl Strangers {
    /// With those of an earlier process.
    pub(super) fn new(files: HashMap<String, Overruns>) -> Self {
        Self(Mutex::new(files))
    }

    pub(super) fn files(&self) -> MutexGuard<'_, HashMap<String, Overruns>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long this hook is still out.
    pub(crate) fn out_for(&self, spec: &HookSpec, now: u64) -> Option<Duration> {
        if spec.origin.tier != Tier::Unknown {
            return None;
        }
        let files = self.files();
        // Most hosts have none, and a name is not for nothing.
        if files.is_empty() { None } else { files.get(&file_of(spec))?.out_for(now) }
    }
}

/// The time of strangers in one event.
pub(super) struct StrangersTime<'a> {
    strangers: &'a Strangers,
    now: u64,
    spent: Mutex<Spent>,
}

#[derive(Default)]
struct Spent {
    /// Hooks that are being called.
    under_way: u32,
    /// Since when at least one is.
    since: Option<Instant>,
    /// Before that.
    before: Duration,
    /// Files whose hooks had no time left.
    overran: BTreeSet<String>,
}

impl<'a> StrangersTime<'a> {
    /// For an event at `now`, in milliseconds since the Unix epoch.
    pub(super) fn new(strangers: &'a Strangers, now: u64) -> Self {
        Self { strangers, now, spent: Mutex::default() }
    }

    /// Why this hook is not called, if it is out.
    pub(super) fn refuses(&self, spec: &HookSpec) -> Option<Failure> {
        let left = self.strangers.out_for(spec, self.now)?;
        let minutes = left.as_secs().div_ceil(60);
        let message =
            format!("the hooks of its file used up their time and are not called for {minutes} min");
        Some(Failure::new(FailureCode::Tripped, &message))
    }

    /// The hook's call begins; until when it may last. `None` if it is no stranger.
    pub(super) fn begin(&self, spec: &HookSpec, at: Instant) -> Option<Turn<'_>> {
        if spec.origin.tier != Tier::Unknown {
            return None;
        }
        let mut spent = self.spent();
        spent.under_way += 1;
        let since = *spent.since.get_or_insert(at);
        Some(Turn { time: self, until: since + UNREVIEWED_BUDGET.saturating_sub(spent.before) })
    }

    /// The hook had no time left.
    pub(super) fn overran(&self, spec: &HookSpec) {
        if spec.origin.tier == Tier::Unknown {
            self.spent().overran.insert(file_of(spec));
        }
    }

    /// Keeps in mind who used the time up, and tells it once.
    pub(super) fn end(self, outcome: &mut Outcome) {
        let Self { strangers, now, spent } = self;
        let overran = spent.into_inner().unwrap_or_else(PoisonError::into_inner).overran;
        if overran.is_empty() {
            return;
        }
        let mut files = strangers.files();
        for file in overran {
            let overruns = files.entry(file).or_default();
            *overruns = overruns.again(now);
        }
        let ms = UNREVIEWED_BUDGET.as_millis();
        let notice = format!(
            "the hooks of this project, which nobody has reviewed, used up the {ms} ms that they may take together; they \
             are not called for a while (`hookbox list` shows it, `hookbox check` ends it)"
        );
        let answer = Answer { notice: Some(notice.clone()), ..Answer::default() };
        outcome.reports.push(HookReport::of_host(PROJECT_HOOKS, answer));
        outcome.notices.push(Labelled { hook: PROJECT_HOOKS.to_owned(), value: notice });
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stranger's hook that is being called. Its time counts until this is dropped.
pub(super) struct Turn<'a> {
    time: &'a StrangersTime<'a>,
    /// When the strangers' time is over.
    pub(super) until: Instant,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut spent = self.time.spent();
        spent.under_way = spent.under_way.saturating_sub(1);
        if spent.under_way == 0 {
            let since = spent.since.take();
            spent.before += since.map(|since| since.elapsed()).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use hookbox_model::EventName;

    use super::*;
    use crate::{CallbackHook, Origin};

    const HOUR: u64 = 60 * 60 * 1000;

    fn stranger() -> HookSpec {
        let base = CallbackHook::gate("a", [EventName::ToolBefore]).into_spec();
        let origin =
            Origin { tier: Tier::Unknown, file: Some("/p/hooks.toml".into()), ..base.origin.clone() };
        HookSpec { origin, ..base }
    }

    #[test]
    fn hooks_that_run_side_by_side_share_one_time_and_those_after_them_have_the_rest() {
        let strangers = Strangers::default();
        let time = StrangersTime::new(&strangers, 0);
        let start = Instant::now();
        let long_ago = start.checked_sub(Duration::from_millis(200)).unwrap();
        let first = time.begin(&stranger(), long_ago).unwrap();
        let beside = time.begin(&stranger(), start).unwrap();
        assert_eq!((first.until, beside.until), (long_ago + UNREVIEWED_BUDGET, long_ago + UNREVIEWED_BUDGET));
        drop((first, beside));
        let later = start + Duration::from_secs(3);
        let after = time.begin(&stranger(), later).unwrap();
        assert!(after.until + Duration::from_millis(200) <= later + UNREVIEWED_BUDGET);
    }

    #[test]
    fn the_users_own_hooks_are_not_counted() {
        let own = CallbackHook::gate("a", [EventName::ToolBefore]).into_spec();
        let strangers = Strangers::default();
        let time = StrangersTime::new(&strangers, 0);
        assert!(time.begin(&own, Instant::now()).is_none());
        time.overran(&own);
        let mut outcome = Outcome::default();
        time.end(&mut outcome);
        assert_eq!(outcome, Outcome::default());
    }

    #[test]
    fn who_uses_the_time_up_is_out_for_an_hour_and_then_for_a_day() {
        let strangers = Strangers::default();
        let overrun = |now| {
            let time = StrangersTime::new(&strangers, now);
            time.overran(&stranger());
            time.end(&mut Outcome::default());
        };
        let out = |now| strangers.out_for(&stranger(), now).is_some();
        overrun(HOUR);
        assert!(out(HOUR) && out(2 * HOUR - 1) && !out(2 * HOUR));
        overrun(2 * HOUR);
        assert!(out(3 * HOUR) && out(26 * HOUR - 1) && !out(26 * HOUR));
        overrun(100 * HOUR);
        assert!(out(101 * HOUR - 1) && !out(101 * HOUR));
        assert!(!out(99 * HOUR), "a clock set back keeps nobody out");
    }
}
