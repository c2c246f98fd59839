//! Connections to programs of this machine and to hookbox's own children, and a test for near addresses.

mod local_networks;
#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

pub use self::local_networks::is_local_network;
#[cfg(not(on_unix))]
pub use self::portable::{Local, UnreadCheck, Wire};
#[cfg(on_unix)]
pub use self::unix::{Local, UnreadCheck, Wire};
