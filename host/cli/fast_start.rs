//! What is done for the speed of a cold start and for nothing else. `docs/benchmarks.md`, "What makes the difference", has the
//! figures, and what else was done where it does not stand in the way of reading (`start.rs`, the linker's options, the cache of
//! native code). All of this may go when a small client speaks to a host that stays.

use std::{ffi::OsString, panic};

/// Is this `hookbox run`?
pub(crate) fn is_run() -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == "run")
}

/// What stands behind `hookbox run`, if it is that: it is started for every tool call, and does not wait for the other commands
/// to be described.
pub(crate) fn words_of_run() -> Option<impl Iterator<Item = OsString>> {
    is_run().then(|| std::env::args_os().skip(2))
}

/// A panic is answered, not symbolised: a backtrace costs more than the whole run.
pub(crate) fn without_backtraces() {
    panic::set_hook(Box::new(|_| {}));
}

/// Leaves `value` for the system to take back: the process ends in a moment, and the system is faster.
pub(crate) fn abandon<T>(value: T) {
    std::mem::forget(value);
}
