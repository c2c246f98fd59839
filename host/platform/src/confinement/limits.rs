//! Resource limits of each process of a hook, enforced by the kernel.

use std::time::Duration;

/// The most that a process may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Memory that it may write to and does not share, bytes.
    pub memory: Option<u64>,
    /// Processes and threads of the whole user.
    pub processes: Option<u64>,
    /// Length of a file that it writes, bytes.
    pub file_size: u64,
    /// Processor time; at least a second, and counted in whole ones.
    pub cpu: Duration,
}

#[cfg(on_unix)]
mod unix {
    use rustix::process::{Resource, Rlimit, getrlimit};

    use super::Limits;

    impl Limits {
        /// Returns the limits that a process sets. They also turn off core dumps.
        pub(in super::super) fn of_kernel(&self) -> Vec<(Resource, Rlimit)> {
            let cpu = self.cpu.as_secs().max(1);
            // Not `RLIMIT_AS`: runtimes such as V8 and Go reserve gigabytes of address space that they never use.
            let memory = self.memory.map(|most| (Resource::Data, most));
            let processes = self.processes.map(|most| (Resource::Nproc, most));
            let sizes = [(Resource::Core, 0), (Resource::Fsize, self.file_size)];
            let both =
                sizes.into_iter().chain(memory).chain(processes).map(|(what, most)| (what, most, most));
            // The warning signal comes first, and a second later the one that cannot be ignored.
            both.chain([(Resource::Cpu, cpu, cpu.saturating_add(1))]).map(cap_limit).collect()
        }
    }

    /// Returns the limit, or the lower one that this process has: only root may raise it.
    fn cap_limit((what, soft, hard): (Resource, u64, u64)) -> (Resource, Rlimit) {
        let most = getrlimit(what).maximum.unwrap_or(u64::MAX);
        (what, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
    }

    #[cfg(test)]
    mod tests {
        use std::time::Duration;

        use super::*;

        #[test]
        fn only_the_limits_that_are_given_are_set() {
            let limits = |memory, processes| Limits { memory, processes, file_size: 9, cpu: Duration::ZERO };
            let set = |limits: Limits| -> Vec<_> {
                let all = limits.of_kernel();
                all.into_iter().map(|(what, limit)| (what, limit.current, limit.maximum)).collect()
            };
            let always = [
                (Resource::Core, Some(0), Some(0)),
                (Resource::Fsize, Some(9), Some(9)),
                (Resource::Cpu, Some(1), Some(2)),
            ];
            assert_eq!(set(limits(None, None)), always);
            let all = set(limits(Some(5), Some(7)));
            assert_eq!(all.len(), 5);
            assert!(all.contains(&(Resource::Data, Some(5), Some(5))));
            assert!(all.contains(&(Resource::Nproc, Some(7), Some(7))));
        }
    }
}
