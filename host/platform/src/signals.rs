//! Signals that would end this process without an answer. An agent treats a hook that was ended by a signal as a hook without an opinion.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::{ShutdownDelay, SignalExit, shutdown_signal, survive_full_files};
#[cfg(on_unix)]
pub use self::unix::{ShutdownDelay, SignalExit, shutdown_signal, survive_full_files};
