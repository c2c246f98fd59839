//! Runs isolated guests in a worker process without access: no environment, no file, no descriptor except its
//! connection, and only the system calls that computing needs. An exploit that breaks out of the sandbox would be in
//! that process, and not in the host.
//!
//! The process is the compiler's program, started with [`WORKER`]. [`serve_guests`] is the worker's side; all else is the
//! host's side. A `WorkerPool` is the worker pool of one adversary, and a process has one call at a time: an abandoned call
//! ends its process, and affects no other call.

mod admit;
mod exchange;
mod frame;
mod isolated;
mod message;
mod pool;
mod process;
mod serve;

pub(super) use self::pool::WorkerPools;
pub(crate) use self::{
    isolated::Isolated,
    pool::{TrustDomain, WorkerPool},
};
pub use self::{
    pool::is_possible,
    process::probe_privileges,
    serve::{WorkerError, serve_guests},
};

/// Argument of the compiler's program for running guests; the guests' memory in bytes follows.
pub const WORKER: &str = "--worker";

/// Memory that the process may write to in addition to its guests', bytes: for their code, wasmtime and messages.
const ROOM: u64 = 512 << 20;

/// Returns the memory that the process may write to, if a guest may have this much: memory of earlier guests is kept
/// for a while.
pub fn memory_limit(of_guest: u64) -> u64 {
    of_guest.saturating_mul(4).saturating_add(ROOM)
}
