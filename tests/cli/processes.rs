//! Which processes are there, by a word in their command line that no other has.

use std::{
    fs,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// How long a process may take to be there or to be gone.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// A number of seconds to sleep for that no other process sleeps for.
pub(crate) fn long_sleep() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("86400.{}{:03}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The processes with this word in their command line; zombies have none.
pub(crate) fn list_processes(word: &str) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| {
            let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            String::from_utf8_lossy(&line).contains(word).then_some(pid)
        })
        .collect()
}

/// Looks until no process has this word, and fails if that takes too long.
pub(crate) fn expect_none(word: &str) {
    wait_until(&format!("a process of {word} was left behind"), || list_processes(word).is_empty());
}

/// Looks until a process has this word, and fails if that takes too long.
pub(crate) fn expect_some(word: &str) {
    wait_until(&format!("no process of {word:?} was started"), || !list_processes(word).is_empty());
}

/// Looks until something holds, and fails if that takes too long.
pub(crate) fn wait_until(otherwise: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + MAX_WAIT;
    while !holds() {
        assert!(Instant::now() < deadline, "{otherwise}");
        thread::yield_now();
    }
}

/// Ends the processes with this word when it is dropped, so that a failed test leaves none.
pub(crate) struct KilledAtEnd(pub(crate) String);

impl Drop for KilledAtEnd {
    fn drop(&mut self) {
        for pid in list_processes(&self.0) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
