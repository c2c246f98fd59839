//! Signals that would end this process without an answer. An agent takes a hook that was ended by a signal for one that
//! has nothing to say.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::{HeldBack, Refusal, survive_full_files, told_to_end};
#[cfg(on_unix)]
pub use self::unix::{HeldBack, Refusal, survive_full_files, told_to_end};
