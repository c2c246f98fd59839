//! State that is kept after an event: counts, runs of hooks that run once per session, and a line of the log.

use std::{
    collections::HashSet,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hookbox::{
    Clock, Counts, HookId, Machine, OnceCall,
    model::{Event, Outcome},
    redaction::Secrets,
};

use super::FolderHooks;
use crate::{
    WriteError, counts,
    event_log::{self, LoggedEvent},
    once_record::{self, OnceNotRecorded},
    places::HomeIsNoProject,
};

/// Minimum time between two writes of counts, since a long-running program handles thousands of events a second.
const MIN_WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// The state on the disk, and the time of its last write.
pub(super) struct KeptState {
    pub(super) counts: Counts,
    written: Option<Instant>,
    /// Notices given to the session that received one last.
    pub(super) notices_given: HashSet<OnceCall>,
}

impl KeptState {
    pub(super) fn new(counts: Counts) -> Mutex<Self> {
        Mutex::new(Self { counts, written: None, notices_given: HashSet::new() })
    }

    fn is_due(&self) -> bool {
        self.written.is_none_or(|written| written.elapsed() > MIN_WRITE_INTERVAL)
    }
}

impl FolderHooks {
    /// Adds the state of the event's session: the hooks that have already run once in it.
    #[must_use]
    pub fn in_session(self, event: &Event) -> Self {
        let turns = self.turns_taken(&event.session);
        self.kept().counts.once_calls = turns;
        self
    }

    /// Updates a long-running machine with the runs of other processes in the event's session: hooks that run once and have run
    /// there do not run on it.
    pub fn recall_runs(&self, event: &Event, machine: &Machine) {
        machine.merge_once_calls(self.turns_taken(&event.session));
    }

    fn turns_taken(&self, session: &str) -> HashSet<OnceCall> {
        let once = self.loaded.hooks.iter().any(|hook| hook.once);
        let file = self.places.once().filter(|_| once);
        file.map(|file| once_record::load_taken_hooks(&file, session)).unwrap_or_default()
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, KeptState> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if an event adds neither a count ([`Self::keep_counts`]) nor a line of the log ([`Self::log_outcome`]).
    pub fn has_nothing_to_write(&self, counts: &Counts, outcome: &Outcome) -> bool {
        let kept = self.kept();
        let are_kept = self.counts_file.is_none()
            || !kept.is_due()
            || counts::select_changed(&kept.counts, counts).is_none();
        are_kept && kept.counts.once_calls == counts.once_calls && !event_log::is_worth_logging(outcome)
    }

    /// Stores the counts of the machine after an event; they began with those read here. Of two concurrent calls one may
    /// lose a count, never a run of a hook that runs only once. Counts that cannot be written are lost: hooks that fail are
    /// called some more times. With frequent events counts are written once a second, and later ones with the next event.
    ///
    /// # Errors
    ///
    /// The runs of hooks that run once cannot be stored: these hooks run again in the next event. The rest is stored.
    pub fn keep_counts(&self, event: &Event, counts: Counts) -> Result<(), OnceNotRecorded> {
        let mut kept = self.kept();
        // Written at each event, unlike the counts: a hook that runs once must not run again.
        let turns = self.places.once().map_or(Ok(()), |file| {
            once_record::save_taken(&file, &event.session, &kept.counts.once_calls, &counts.once_calls)
        });
        kept.counts.once_calls.clone_from(&counts.once_calls);
        if let Some(file) = self.counts_file.as_ref().filter(|_| kept.is_due())
            && counts::save_counts(file, &kept.counts, &counts)
        {
            (kept.counts, kept.written) = (counts, Some(Instant::now()));
        }
        turns
    }

    /// Adds the hooks' answers about an event to the log, if there are any and the user has not turned the log off.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn log_outcome(&self, event: &Event, outcome: &Outcome) -> Result<(), WriteError> {
        let file = self.places.event_log().filter(|_| self.logs && event_log::is_worth_logging(outcome));
        let Some(file) = file else { return Ok(()) };
        // No agent works in there: `setup` and `doctor` test whether a call would be denied.
        if self.places.state().is_some_and(|state| Path::new(&event.cwd).starts_with(state)) {
            return Ok(());
        }
        let allowed = self.allowed.as_ref().map(|allowed| allowed.hooks.as_slice()).unwrap_or_default();
        let secrets = Secrets::from_variables(self.hooks_environment.iter());
        let project = self.root_of(event);
        // Not the time of the event, which the agent states.
        let now = Clock::machine().now_ms();
        let seen = LoggedEvent { event, outcome, project: &project, allowed, secrets: &secrets, now };
        let Some(line) = seen.line() else { return Ok(()) };
        event_log::append_line(&file, &line).map_err(|error| WriteError { file, error })
    }

    /// Returns true if the hooks' answers are logged.
    pub fn logs(&self) -> bool {
        self.logs
    }

    pub(super) fn root_of(&self, event: &Event) -> String {
        let folder = Path::new(&event.cwd);
        let root = self.places.project_root(folder).unwrap_or_else(|HomeIsNoProject| folder.to_owned());
        root.display().to_string()
    }

    /// Removes the failures of the hooks with these ids, which were found working, the overruns of the files read here, and the
    /// time used in all sessions.
    pub fn forget_failures(&self, repaired: &[HookId]) {
        if let Some(file) = self.places.failures() {
            let files = self.loaded.hooks.iter().filter_map(|hook| hook.origin.file.as_ref());
            let files: Vec<_> = files.map(|file| file.display().to_string()).collect();
            let repaired: Vec<_> = repaired.iter().map(ToString::to_string).collect();
            counts::forget_failures(&file, &repaired, &files);
        }
    }
}
