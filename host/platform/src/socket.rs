//! Connections: to a program of this machine, to a child of ours, and what has come in on one that nobody reads.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::{Local, Quiet, Wire};
#[cfg(on_unix)]
pub use self::unix::{Local, Quiet, Wire};
