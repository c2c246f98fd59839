//! Records components that could not be compiled, so that compiling is not tried again at every event: a project may
//! bring a component that is made to be expensive to compile.

use std::time::{Duration, Instant};

use hookbox_model::Failure;
use serde::{Deserialize, Serialize};

use super::{CacheDir, RequestedComponent};
use crate::{
    Clock,
    sandbox::compile::{CompileError, CompilerTime, Task, not_compiled},
};

/// Lifetime of a refusal by the compiler. It would refuse again, unless it lacked a resource at the time.
pub(super) const REFUSED_FOR: Duration = Duration::from_hours(24);
/// Lifetime of a record of an abandoned attempt, which may be due to a busy machine.
const ABANDONED_LIFETIME: Duration = Duration::from_mins(10);
/// Least processor time of an attempt that counts.
const TRIED: Duration = Duration::from_secs(4);

/// Record of an attempt without native code.
#[derive(Serialize, Deserialize)]
struct Record {
    /// Time, seconds since the Unix epoch.
    at: u64,
    /// Message of the compiler; `None` if it was not waited for.
    refused: Option<String>,
}

/// A component that is being compiled. If dropped before its end, the attempt counts as abandoned.
pub(super) struct Attempt<'a> {
    dir: &'a CacheDir,
    key: &'a str,
    begun: Instant,
    spent: CompilerTime,
    ended: bool,
}

impl<'a> Attempt<'a> {
    /// Begins an attempt to compile the native code of this key.
    pub(super) fn new(dir: &'a CacheDir, key: &'a str) -> Self {
        Self { dir, key, begun: Instant::now(), spent: CompilerTime::default(), ended: false }
    }

    /// Returns the counter of the compiler's processor time.
    pub(super) fn spent(&self) -> &CompilerTime {
        &self.spent
    }

    pub(super) fn finish_with(mut self, made: &Result<Vec<u8>, CompileError>) {
        self.ended = true;
        match made {
            Ok(_) => {}
            Err(CompileError::Refused(message)) => self.dir.record_attempt(self.key, Some(message)),
            // The compiler used all its time or memory; or it could not begin, which may change at any time.
            Err(CompileError::Failed(_)) => self.given_up(),
        }
    }

    fn given_up(&self) {
        if is_to_blame(self.spent.time(), self.begun.elapsed()) {
            self.dir.record_attempt(self.key, None);
        }
    }
}

/// Returns true if the component caused the long time, and not a busy machine.
fn is_to_blame(spent: Duration, elapsed: Duration) -> bool {
    // In a crowd of processes the compiler waits for a processor most of the time; then its long duration
    // states nothing about the component.
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
    /// Returns a failure if this component was tried recently.
    pub(super) fn recent_failure(&self, key: &str, wanted: RequestedComponent<'_>) -> Option<Failure> {
        let record = self.read_record::<Record>(&record_name(key))?;
        // A record from the future was written before the clock was set back. It would not expire for a long
        // time, so it does not count.
        let age = current_time().checked_sub(Duration::from_secs(record.at))?;
        match record.refused {
            Some(message) => (age < REFUSED_FOR).then(|| {
                CompileError::Refused(message).into_failure(Task::Compile(wanted.proposals), wanted.path)
            }),
            None => (age < ABANDONED_LIFETIME).then(|| {
                let minutes = ABANDONED_LIFETIME.saturating_sub(age).as_secs().div_ceil(60);
                let why = format!("it took too long, and is not tried again for {minutes} min");
                not_compiled(wanted.path, &why)
            }),
        }
    }

    /// Removes all records, so that compiling is tried again.
    pub fn try_again(&self) {
        for (name, _) in self.entries().iter().filter(|(name, _)| name.ends_with(SUFFIX)) {
            self.remove_file(name);
        }
    }

    fn record_attempt(&self, key: &str, refused: Option<&str>) {
        let record = Record { at: current_time().as_secs(), refused: refused.map(ToOwned::to_owned) };
        // Without the record compiling is tried again; it has no other effect.
        let _ = self.write_record(&record_name(key), &record);
        self.prune();
    }
}

/// Suffix of these records' names.
pub(super) const SUFFIX: &str = ".uncompiled";

fn record_name(key: &str) -> String {
    format!("{key}{SUFFIX}")
}

fn current_time() -> Duration {
    Duration::from_millis(Clock::machine().now_ms())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_is_blamed_for_its_own_time_and_not_for_a_crowd() {
        let blamed = |spent, elapsed| is_to_blame(Duration::from_secs(spent), Duration::from_secs(elapsed));
        assert!(blamed(4, 4) && blamed(6, 24));
        // It had too little time, or too small a part of a processor.
        assert!(!blamed(3, 3) && !blamed(4, 60) && !blamed(0, 60));
    }
}
