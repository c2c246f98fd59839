//! What each process of a hook may use, by the kernel's own limits.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit};

use super::machine::Machine;

/// Memory of one process if nothing is said, bytes (16 GiB).
pub const DEFAULT_MEMORY: u64 = 16 << 30;
/// Length of a file if nothing is said, bytes (64 GiB).
pub const DEFAULT_FILE_SIZE: u64 = 64 << 30;
/// Processor time of one process if nothing is said.
pub const DEFAULT_CPU: Duration = Duration::from_hours(1);

/// Limits of each process; `None` is the default. They are the user's own: root can raise them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceLimits {
    /// Memory that it may write to and does not share, bytes (`RLIMIT_DATA`). The address space would be no measure: many
    /// runtimes reserve far more than they use.
    pub memory: Option<u64>,
    /// Processes and threads of the whole user, this hook's and all others (`RLIMIT_NPROC`); without a default, since
    /// nobody knows how many there are. The kernel does not count root's.
    pub processes: Option<u64>,
    /// Length of a file that it writes, bytes (`RLIMIT_FSIZE`).
    pub file_size: Option<u64>,
    /// Processor time, in seconds (`RLIMIT_CPU`).
    pub cpu: Option<Duration>,
}

impl ResourceLimits {
    /// Memory, bytes.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// Length of a file, bytes.
    pub fn file_size(&self) -> u64 {
        self.file_size.unwrap_or(DEFAULT_FILE_SIZE)
    }

    /// Processor time.
    pub fn cpu(&self) -> Duration {
        self.cpu.unwrap_or(DEFAULT_CPU)
    }

    /// What a child sets for itself.
    pub(super) fn of_child(&self, machine: &Machine) -> Vec<(Resource, Rlimit)> {
        let cpu = self.cpu().as_secs().max(1);
        let memory = machine.counts_memory.then(|| (Resource::Data, self.memory()));
        let processes = self.processes.map(|processes| (Resource::Nproc, processes));
        let sizes = [(Resource::Core, 0), (Resource::Fsize, self.file_size())];
        let both = sizes.into_iter().chain(memory).chain(processes).map(|(what, most)| (what, most, most));
        // The signal that says so comes first, and a second later the one that nobody can ignore.
        both.chain([(Resource::Cpu, cpu, cpu.saturating_add(1))]).map(lowered).collect()
    }
}

/// The limit, or the lower one that this process has: only root may raise it.
fn lowered((what, soft, hard): (Resource, u64, u64)) -> (Resource, Rlimit) {
    let most = getrlimit(what).maximum.unwrap_or(u64::MAX);
    (what, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
}
