//! Information and limits of this process.

use std::{path::PathBuf, time::Duration};

use crate::Unsupported;

/// A resource limit of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Processor time, seconds.
    Cpu(u64),
    /// Address space, bytes.
    AddressSpace(u64),
    /// Length of a core dump, bytes.
    CoreDump(u64),
    /// Memory that it may write to and does not share, bytes.
    Data(u64),
    /// Length of a file that it writes, bytes.
    FileSize(u64),
    /// Descriptors.
    Descriptors(u64),
}

#[cfg(on_unix)]
mod unix {
    use nix::sys::{
        resource::{UsageWho, getrusage},
        time::{TimeVal, TimeValLike},
    };
    use rustix::{
        io::Errno,
        process::{Pid, Resource, Rlimit, getrlimit, setrlimit, test_kill_process},
    };

    use super::{Duration, Limit, Unsupported};

    /// Sets the kernel's limit for this process. Where the kernel refuses, nothing changes.
    pub fn set_limit(limit: Limit) -> Result<(), Unsupported> {
        let (resource, most) = match limit {
            Limit::Cpu(seconds) => (Resource::Cpu, seconds),
            Limit::AddressSpace(bytes) => (Resource::As, bytes),
            Limit::CoreDump(bytes) => (Resource::Core, bytes),
            Limit::Data(bytes) => (Resource::Data, bytes),
            Limit::FileSize(bytes) => (Resource::Fsize, bytes),
            Limit::Descriptors(number) => (Resource::Nofile, number),
        };
        let now = getrlimit(resource);
        // A lower limit that is in force already holds; a privileged process could raise it.
        let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
        let _ = setrlimit(resource, Rlimit { current: lower(now.current), maximum: lower(now.maximum) });
        Ok(())
    }

    /// Returns the limit on this process's address space, bytes; `None` if it is unlimited.
    pub fn address_space() -> Option<u64> {
        getrlimit(Resource::As).current
    }

    /// Returns how much memory this process may still map under its limits, bytes; `None` without a limit, or where its use is unknown.
    pub fn available_memory() -> Option<u64> {
        let limits = [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current);
        if limits == [None, None] {
            return None;
        }
        // Numbers of pages: all, resident, shared, code, 0, data and stack (proc_pid_statm(5)).
        let used = std::fs::read_to_string("/proc/self/statm").ok()?;
        let pages: Vec<u64> = used.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        let page = u64::try_from(rustix::param::page_size()).ok()?;
        let used = [pages.first()?, pages.get(5)?].map(|count| count.saturating_mul(page));
        limits.into_iter().zip(used).filter_map(|(limit, used)| Some(limit?.saturating_sub(used))).min()
    }

    /// Returns true if there is a process with this number.
    pub fn is_alive(process: u32) -> bool {
        let process = i32::try_from(process).ok().and_then(Pid::from_raw);
        // A process of another user may not be signalled, and exists.
        process.is_some_and(|process| test_kill_process(process) != Err(Errno::SRCH))
    }

    /// Returns the processor time of all children that were waited for; `None` where it is not counted.
    pub fn time_of_children() -> Option<Duration> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let micros = |time: TimeVal| u64::try_from(time.num_microseconds()).unwrap_or_default();
        Some(Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time())))
    }
}

#[cfg(not(on_unix))]
mod portable {
    use super::{Duration, Limit, Unsupported};

    /// Reports that there are no limits.
    pub fn set_limit(_: Limit) -> Result<(), Unsupported> {
        Err(Unsupported { what: "bound what a process uses", needs: "limits of the kernel (rlimits)" })
    }

    /// Returns `None`: there is no limit.
    pub fn address_space() -> Option<u64> {
        None
    }

    /// Returns `None`: there is no limit.
    pub fn available_memory() -> Option<u64> {
        None
    }

    /// Returns true, since it is unknown.
    pub fn is_alive(_: u32) -> bool {
        true
    }

    /// Returns `None`: the time is not counted.
    pub fn time_of_children() -> Option<Duration> {
        None
    }
}

#[cfg(not(on_unix))]
pub use self::portable::{address_space, available_memory, is_alive, set_limit, time_of_children};
#[cfg(on_unix)]
pub use self::unix::{address_space, available_memory, is_alive, set_limit, time_of_children};

/// Has the kernel end this process when the thread that started it ends, where it can: callers need another bound, too.
pub fn die_with_starter() {
    #[cfg(on_linux)]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

/// Makes this process the OOM killer's first choice, on Linux: a process that works for hookbox is started again, and hookbox itself must
/// answer the agent.
pub fn offer_to_oom_killer() {
    #[cfg(on_linux)]
    {
        use rustix::fs::{Mode, OFlags};
        let score =
            rustix::fs::open("/proc/self/oom_score_adj", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty());
        // 1000 is the highest score. Raising one's own score needs no privilege.
        let _ = score.and_then(|score| rustix::io::write(score, b"1000"));
    }
}

/// Returns the file that the system executed, which may differ from the caller's name for it; `None` where the system does not report it.
#[cfg(on_linux)]
pub fn executed_file() -> Option<PathBuf> {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    Some(PathBuf::from(OsStr::from_bytes(rustix::param::linux_execfn().to_bytes())))
}

/// Returns `None`: the system does not report it.
#[cfg(not(on_linux))]
pub fn executed_file() -> Option<PathBuf> {
    None
}
