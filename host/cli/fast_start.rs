//! Shortcuts for the speed of a cold start alone. `docs/internals/benchmarks.md`, "What makes the difference", has the figures, and
//! further measures that do not affect readability (`start.rs`, the linker's options, the cache of native code). All of this
//! may go when a small client talks to a long-running host.

use std::{ffi::OsString, panic};

/// Returns true if the command line is `hookbox VERB`.
pub(crate) fn is_command(verb: &str) -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == verb)
}

/// Returns the words behind `hookbox VERB`, if the command line is that: a command that is started for every tool call, or
/// every command, does not wait for the descriptions of the others.
pub(crate) fn words_of(verb: &str) -> Option<impl Iterator<Item = OsString>> {
    is_command(verb).then(|| std::env::args_os().skip(2))
}

/// Turns panic messages off: a panic is answered, and a backtrace costs more than the whole run.
pub(crate) fn without_backtraces() {
    panic::set_hook(Box::new(|_| {}));
}

/// Leaks `value`: the process ends in a moment, and the system frees it faster.
pub(crate) fn leak_value<T>(value: T) {
    std::mem::forget(value);
}
