//! Processes: started without waiting for a file system that does not answer, ended as a group.

#[cfg(on_unix)]
mod group;
mod own;
#[cfg(not(on_unix))]
mod portable;
mod starter;
mod successor;

#[cfg(on_unix)]
pub use self::group::{PipeReader, PipeWriter, ProcessGroup, ThreadPipes, signal_of, unread};
#[cfg(not(on_unix))]
pub use self::portable::{PipeReader, PipeWriter, ProcessGroup, ThreadPipes, signal_of, unread};
pub use self::{
    own::{Limit, address_space, die_with_starter, executed_file, limit, time_of_children},
    starter::{Starter, start},
    successor::hand_over,
};

/// The three standard streams of a process, our ends.
pub struct Pipes {
    /// Its input.
    pub stdin: PipeWriter,
    /// What it says.
    pub stdout: PipeReader,
    /// What it complains of.
    pub stderr: PipeReader,
}

/// Why no process starts that leads a group.
#[cfg(not(on_unix))]
pub(crate) const NO_GROUPS: crate::Unsupported =
    crate::Unsupported { what: "end a process with all that it started", needs: "process groups" };
