//! What has come in on a connection that nobody reads.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::Quiet;
#[cfg(on_unix)]
pub use self::unix::Quiet;
