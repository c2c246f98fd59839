//! Guests of strangers run in a process that has nothing: no environment, no file, no descriptor but the one it talks on, and of
//! the kernel only what it takes to compute. Whoever broke out of the sandbox would be there, and not here.
//!
//! The process is the compiler's program, started with [`WORKER`]. [`serve`] is what it does; all else is the host's side. A
//! `Crew` has the processes for the plugins of one adversary, and a process has one call at a time: a call that is
//! given up ends its process, and nobody else's call.

mod admit;
mod crew;
mod exchange;
mod frame;
mod isolated;
mod message;
mod process;
mod serve;

pub(super) use self::crew::Crews;
pub use self::{
    crew::is_possible,
    process::probe,
    serve::{WorkerError, serve},
};
pub(crate) use self::{
    crew::{Crew, Whose},
    isolated::Isolated,
};

/// The word that has the compiler's program run guests; the bytes of memory that they may have follow it.
pub const WORKER: &str = "--worker";

/// Memory that the process may write to beside that of its guests, bytes: their code, what wasmtime and a message need.
const ROOM: u64 = 512 << 20;

/// Memory that the process may write to if a guest may have this much: what the guests before it left stays for a while.
pub fn memory(of_guest: u64) -> u64 {
    of_guest.saturating_mul(4).saturating_add(ROOM)
}
