//! Connections: to a program of this machine, and what has come in on one that nobody reads.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::{Local, Quiet};
#[cfg(on_unix)]
pub use self::unix::{Local, Quiet};
