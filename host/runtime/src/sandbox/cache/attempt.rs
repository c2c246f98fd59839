//! What was not compiled, so that it is not tried again at every event: a project may bring a component that is made to be
//! expensive to compile.

use std::time::{Duration, Instant};

use hookbox_model::Failure;
use serde::{Deserialize, Serialize};

use super::{CacheDir, Wanted};
use crate::{
    Clock,
    sandbox::compile::{CompileError, Spent, Task, not_compiled},
};

/// What the compiler refused it would refuse again, unless it lacked something at the time.
pub(super) const REFUSED_FOR: Duration = Duration::from_hours(24);
/// What was given up may be a matter of a busy machine.
const GIVEN_UP_FOR: Duration = Duration::from_mins(10);
/// A compiler that used less processor time than this was not tried.
const TRIED: Duration = Duration::from_secs(4);

/// How compiling ended, without native code.
#[derive(Serialize, Deserialize)]
struct Record {
    /// Seconds since the Unix epoch.
    at: u64,
    /// What the compiler said; `None` if it was not waited for.
    refused: Option<String>,
}

/// A component that is being compiled. Dropped before its end, it was given up.
pub(super) struct Attempt<'a> {
    dir: &'a CacheDir,
    key: &'a str,
    begun: Instant,
    spent: Spent,
    ended: bool,
}

impl<'a> Attempt<'a> {
    /// To make the native code of this key.
    pub(super) fn new(dir: &'a CacheDir, key: &'a str) -> Self {
        Self { dir, key, begun: Instant::now(), spent: Spent::default(), ended: false }
    }

    /// Where the compiler's processor time is counted.
    pub(super) fn spent(&self) -> &Spent {
        &self.spent
    }

    /// It came to its end, whatever that was.
    pub(super) fn end(mut self, made: &Result<Vec<u8>, CompileError>) {
        self.ended = true;
        match made {
            Ok(_) => {}
            Err(CompileError::Refused(said)) => self.dir.record(self.key, Some(said)),
            // It took all the time or memory that it may have; or it could not begin, which may change at any time.
            Err(CompileError::Failed(_)) => self.given_up(),
        }
    }

    fn given_up(&self) {
        if is_to_blame(self.spent.time(), self.begun.elapsed()) {
            self.dir.record(self.key, None);
        }
    }
}

/// Was it the component that took so long, and not a crowd that had the processors?
fn is_to_blame(spent: Duration, elapsed: Duration) -> bool {
    spent >= TRIED && spent >= elapsed / 4
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.given_up();
        }
    }
}

impl CacheDir {
    /// Why what is wanted is not compiled now, if it was tried a while ago.
    pub(super) fn tried(&self, key: &str, wanted: Wanted<'_>) -> Option<Failure> {
        let record = self.read::<Record>(&name(key))?;
        let age = now().checked_sub(Duration::from_secs(record.at))?;
        match record.refused {
            Some(said) => (age < REFUSED_FOR)
                .then(|| CompileError::Refused(said).of(Task::Compile(wanted.proposals), wanted.path)),
            None => (age < GIVEN_UP_FOR).then(|| {
                let minutes = GIVEN_UP_FOR.saturating_sub(age).as_secs().div_ceil(60);
                let why = format!("it took too long, and is not tried again for {minutes} min");
                not_compiled(wanted.path, &why)
            }),
        }
    }

    /// Forgets what was not compiled.
    pub fn try_again(&self) {
        for (name, _) in self.entries().iter().filter(|(name, _)| name.ends_with(SUFFIX)) {
            self.remove(name);
        }
    }

    fn record(&self, key: &str, refused: Option<&str>) {
        let record = Record { at: now().as_secs(), refused: refused.map(ToOwned::to_owned) };
        // Without it, it is tried again; nothing else is lost.
        let _ = self.write(&name(key), &record);
        self.prune();
    }
}

/// How the names of these records end.
pub(super) const SUFFIX: &str = ".uncompiled";

fn name(key: &str) -> String {
    format!("{key}{SUFFIX}")
}

fn now() -> Duration {
    Duration::from_millis(Clock::machine().now_ms())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_is_blamed_for_its_own_time_and_not_for_a_crowd() {
        let blamed = |spent, elapsed| is_to_blame(Duration::from_secs(spent), Duration::from_secs(elapsed));
        assert!(blamed(4, 4) && blamed(6, 24));
        // It had too little time, or a processor for too little of it.
        assert!(!blamed(3, 3) && !blamed(4, 60) && !blamed(0, 60));
    }
}
