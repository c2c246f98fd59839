//! Processes: started without waiting for a file system that does not answer, ended as a group.

mod affinity;
mod ancestors;
#[cfg(on_unix)]
mod group;
#[cfg(on_unix)]
mod outputs;
mod own_process;
#[cfg(not(on_unix))]
mod portable;
mod starter;
mod successor;

#[cfg(not(on_unix))]
pub use self::portable::{
    Outputs, PipeReader, PipeWriter, ProcessGroup, ThreadPipes, into_nonblocking, signal_of,
};
pub use self::{
    affinity::CpuPin,
    ancestors::{Ancestor, list_ancestors},
    own_process::{
        Limit, address_space, available_memory, die_with_starter, executed_file, is_alive,
        offer_to_oom_killer, set_limit, time_of_children,
    },
    starter::{Starter, start_process},
    successor::hand_over,
};
#[cfg(on_unix)]
pub use self::{
    group::{PipeReader, PipeWriter, ProcessGroup, ThreadPipes, into_nonblocking, signal_of},
    outputs::Outputs,
};

/// hookbox's ends of the three standard streams of a process.
pub struct Pipes {
    /// Its input.
    pub stdin: PipeWriter,
    /// Its standard output.
    pub stdout: PipeReader,
    /// Its standard error.
    pub stderr: PipeReader,
}

/// Output of a process.
pub enum ProcessOutput {
    /// Bytes from its standard output.
    Stdout(Vec<u8>),
    /// Bytes from its standard error.
    Stderr(Vec<u8>),
}

/// Reason why no process can be started that leads a group.
#[cfg(not(on_unix))]
pub(crate) const NO_GROUPS: crate::Unsupported =
    crate::Unsupported { what: "end a process with all that it started", needs: "process groups" };
