//! What each process of a hook may use, by the kernel's own limits.

use rustix::process::{Resource, Rlimit, getrlimit};

use super::machine::Machine;
use crate::hook::ResourceLimits;

/// What a child sets for itlimits.
pub(super) fn of_child(limits: &ResourceLimits, machine: &Machine) -> Vec<(Resource, Rlimit)> {
    let cpu = limits.cpu().as_secs().max(1);
    let memory = machine.counts_memory.then(|| (Resource::Data, limits.memory()));
    let processes = limits.processes.map(|processes| (Resource::Nproc, processes));
    let sizes = [(Resource::Core, 0), (Resource::Fsize, limits.file_size())];
    let both = sizes.into_iter().chain(memory).chain(processes).map(|(what, most)| (what, most, most));
    // The signal that says so comes first, and a second later the one that nobody can ignore.
    both.chain([(Resource::Cpu, cpu, cpu.saturating_add(1))]).map(lowered).collect()
}

/// The limit, or the lower one that this process has: only root may raise it.
fn lowered((what, soft, hard): (Resource, u64, u64)) -> (Resource, Rlimit) {
    let most = getrlimit(what).maximum.unwrap_or(u64::MAX);
    (what, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
}
