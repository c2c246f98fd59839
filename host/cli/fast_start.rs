//! What is done for the speed of a cold start and for nothing else. `docs/benchmarks.md`, "What makes the difference", has the
//! figures, and what else was done where it does not stand in the way of reading (`start.rs`, the linker's options, the cache of
//! native code). All of this may go when a small client speaks to a host that stays.

use std::panic;

use clap::Parser;

use crate::args::{RUN_EXAMPLES, RunArgs};

/// `hookbox run` alone: it is started for every tool call, and does not wait for the other commands to be described.
#[derive(Debug, Parser)]
#[command(name = "hookbox run", bin_name = "hookbox run", version, max_term_width = 100, after_help = RUN_EXAMPLES)]
#[command(about = "Answer one event: event on standard input, the agent's own answer on standard output")]
struct RunCommand {
    #[command(flatten)]
    args: RunArgs,
}

/// Is this `hookbox run`?
pub(crate) fn is_run() -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == "run")
}

/// The arguments of `hookbox run`, if it is that; ends the process with help or an error if they are wrong.
pub(crate) fn parse_run() -> Option<RunArgs> {
    let words = std::env::args_os().skip(2);
    is_run().then(|| RunCommand::parse_from(std::iter::once("hookbox run".into()).chain(words)).args)
}

/// A panic is answered, not symbolised: a backtrace costs more than the whole run.
pub(crate) fn without_backtraces() {
    panic::set_hook(Box::new(|_| {}));
}

/// Leaves `value` for the system to take back: the process ends in a moment, and the system is faster.
pub(crate) fn abandon<T>(value: T) {
    std::mem::forget(value);
}
