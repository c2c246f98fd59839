//! What is done for the speed of a cold start and for nothing else. `docs/benchmarks.md`, "What makes the difference", has the
//! figures, and what else was done where it does not stand in the way of reading (`start.rs`, the linker's options, the cache of
//! native code). All of this may go when a small client speaks to a host that stays.

use std::{ffi::OsString, panic};

/// Is this `hookbox VERB`?
pub(crate) fn is(verb: &str) -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == verb)
}

/// What stands behind `hookbox VERB`, if it is that: what is started for every tool call, or every command, does not wait for the
/// other commands to be described.
pub(crate) fn words_of(verb: &str) -> Option<impl Iterator<Item = OsString>> {
    is(verb).then(|| std::env::args_os().skip(2))
}

/// A panic is answered, not symbolised: a backtrace costs more than the whole run.
pub(crate) fn without_backtraces() {
    panic::set_hook(Box::new(|_| {}));
}

/// Leaves `value` for the system to take back: the process ends in a moment, and the system is faster.
pub(crate) fn abandon<T>(value: T) {
    std::mem::forget(value);
}
