//! What is kept of an event once it is over: counts, turns of hooks that run only once, and a line of the log.

use std::{
    collections::HashSet,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hookbox::{
    Clock, Counts, HookId, Machine, TurnTaken,
    model::{Event, Outcome},
    redaction::Secrets,
};

use super::Setup;
use crate::{
    Unwritten, counts,
    event_log::{self, Seen},
    once::{self, NotKept},
    places::HomeIsNoProject,
};

/// Counts are written no more often than this, since a program that lives on is asked thousands of times a second.
const WRITTEN_AGAIN: Duration = Duration::from_secs(1);

/// What is on the disk, and since when.
pub(super) struct Kept {
    pub(super) counts: Counts,
    written: Option<Instant>,
    /// What the session that was told something last was told.
    pub(super) told: HashSet<TurnTaken>,
}

impl Kept {
    pub(super) fn new(counts: Counts) -> Mutex<Self> {
        Mutex::new(Self { counts, written: None, told: HashSet::new() })
    }

    fn is_due(&self) -> bool {
        self.written.is_none_or(|written| written.elapsed() > WRITTEN_AGAIN)
    }
}

impl Setup {
    /// With what is known of the event's session: which hooks have had their one turn in it.
    #[must_use]
    pub fn in_session(self, event: &Event) -> Self {
        let turns = self.turns_taken(&event.session);
        self.kept().counts.turns = turns;
        self
    }

    /// Tells a machine that lives on what other processes did in the event's session: hooks that run once and had their turn there
    /// have none on it.
    pub fn recall(&self, event: &Event, machine: &Machine) {
        machine.recall(self.turns_taken(&event.session));
    }

    fn turns_taken(&self, session: &str) -> HashSet<TurnTaken> {
        let once = self.loaded.hooks.iter().any(|hook| hook.once);
        let file = self.places.once().filter(|_| once);
        file.map(|file| once::taken(&file, session)).unwrap_or_default()
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is nothing written of what an event came to, neither a count ([`Self::keep`]) nor a line of the log ([`Self::log`])?
    pub fn has_nothing_to_write(&self, counts: &Counts, outcome: &Outcome) -> bool {
        let kept = self.kept();
        let are_kept =
            self.counts_file.is_none() || !kept.is_due() || counts::changed(&kept.counts, counts).is_none();
        are_kept && kept.counts.turns == counts.turns && !event_log::is_said(outcome)
    }

    /// After an event: keeps what its machine has counted, which began with what this setup knew. Of two that do so at the same
    /// time one may lose a count, never a turn of a hook that runs only once. Counts that cannot be written are lost: hooks that
    /// fail are called some more times. Who keeps often writes once a second, and what came after that with the next event.
    ///
    /// # Errors
    ///
    /// It cannot be kept which hooks have had their one turn: they have another in the next event. The rest is kept.
    pub fn keep(&self, event: &Event, counts: Counts) -> Result<(), NotKept> {
        let mut kept = self.kept();
        let turns = self
            .places
            .once()
            .map_or(Ok(()), |file| once::save(&file, &event.session, &kept.counts.turns, &counts.turns));
        kept.counts.turns.clone_from(&counts.turns);
        if let Some(file) = self.counts_file.as_ref().filter(|_| kept.is_due())
            && counts::save(file, &kept.counts, &counts)
        {
            (kept.counts, kept.written) = (counts, Some(Instant::now()));
        }
        turns
    }

    /// Adds what the hooks said about an event to the log, if they said anything and the user did not say that nothing is kept.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn log(&self, event: &Event, outcome: &Outcome) -> Result<(), Unwritten> {
        let file = self.places.event_log().filter(|_| self.logs && event_log::is_said(outcome));
        let Some(file) = file else { return Ok(()) };
        // Nobody works in there: `setup` and `doctor` ask whether a call would be denied.
        if self.places.state().is_some_and(|state| Path::new(&event.cwd).starts_with(state)) {
            return Ok(());
        }
        let allowed = self.allowed.as_ref().map(|allowed| allowed.hooks.as_slice()).unwrap_or_default();
        let secrets = Secrets::among(self.hooks_environment.iter());
        let project = self.root_of(event);
        let now = Clock::machine().now_ms();
        let seen = Seen { event, outcome, project: &project, allowed, secrets: &secrets, now };
        let Some(line) = seen.line() else { return Ok(()) };
        event_log::append(&file, &line).map_err(|error| Unwritten { file, error })
    }

    /// Is it written down what hooks say?
    pub fn logs(&self) -> bool {
        self.logs
    }

    /// The folder of the event's project.
    pub(super) fn root_of(&self, event: &Event) -> String {
        let folder = Path::new(&event.cwd);
        let root = self.places.project_root(folder).unwrap_or_else(|HomeIsNoProject| folder.to_owned());
        root.display().to_string()
    }

    /// Forgets what the hooks with these ids failed, which were found in order, that hooks of the files read here used their time
    /// up, and what sessions they took time of.
    pub fn forget_failures(&self, mended: &[HookId]) {
        if let Some(file) = self.places.failures() {
            let files = self.loaded.hooks.iter().filter_map(|hook| hook.origin.file.as_ref());
            let files: Vec<_> = files.map(|file| file.display().to_string()).collect();
            let mended: Vec<_> = mended.iter().map(ToString::to_string).collect();
            counts::forget(&file, &mended, &files);
        }
    }
}
