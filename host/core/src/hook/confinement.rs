//! Confinement of a shell hook, as configured.

use std::{fmt, path::PathBuf, time::Duration};

// These defaults are limits that only a process out of control reaches.
/// Default limit on the memory of one process, bytes (16 GiB).
pub const DEFAULT_MEMORY: u64 = 16 << 30;
/// Default limit on the length of a file, bytes (64 GiB).
pub const DEFAULT_FILE_SIZE: u64 = 64 << 30;
/// Default limit on the processor time of one process.
pub const DEFAULT_CPU: Duration = Duration::from_hours(1);

/// Confinement of a hook of hookbox's configuration. The default does not affect honest hooks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Confinement {
    /// The only files that it may read and write, in addition to those that every program needs to start; `None`: all that the user may.
    pub files: Option<FileRules>,
    /// True if it may open sockets to other machines, or to this one by its address.
    pub network: bool,
    /// True if it may gain privileges by running a program like `sudo`. `None`: no, where the machine can prevent it.
    pub privileges: Option<bool>,
    /// Limits of each of its processes.
    pub limits: ResourceLimits,
}

impl Default for Confinement {
    fn default() -> Self {
        Self { files: None, network: true, privileges: None, limits: ResourceLimits::default() }
    }
}

impl Confinement {
    /// Returns true if a program must not gain privileges. Rules for files and the network need that: a program with more rights than its
    /// caller could be led astray by them.
    pub fn without_new_privileges(&self) -> bool {
        self.privileges != Some(true) || self.files.is_some() || !self.network
    }
}

/// The only files that a hook may read and write. A folder stands for all below it, a file for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileRules {
    /// Paths that it may read and run.
    pub read: Vec<Place>,
    /// Paths that it may read, change, make and remove; not run.
    pub write: Vec<Place>,
}

/// A place in the file system, as a setting names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The event's project folder; nothing if that is not a folder.
    Project,
    /// Below the user's home folder.
    Home(PathBuf),
    /// An absolute path.
    Path(PathBuf),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Project => f.write_str("project"),
            Self::Home(path) => write!(f, "~/{}", path.display()),
            Self::Path(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Limits of each process; `None` is the default. They are the user's own: root can raise them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceLimits {
    /// Memory that it may write to and does not share, bytes (`RLIMIT_DATA`). The address space would be no measure: many
    /// runtimes reserve far more than they use.
    pub memory: Option<u64>,
    /// Processes and threads of the whole user, this hook's and all others (`RLIMIT_NPROC`). It has no default, since their number is
    /// unknown. The kernel does not count root's.
    pub processes: Option<u64>,
    /// Length of a file that it writes, bytes (`RLIMIT_FSIZE`).
    pub file_size: Option<u64>,
    /// Processor time, in seconds (`RLIMIT_CPU`).
    pub cpu: Option<Duration>,
}

impl ResourceLimits {
    /// Returns the limit on memory, bytes.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// Returns the limit on the length of a file, bytes.
    pub fn file_size(&self) -> u64 {
        self.file_size.unwrap_or(DEFAULT_FILE_SIZE)
    }

    /// Returns the limit on processor time.
    pub fn cpu(&self) -> Duration {
        self.cpu.unwrap_or(DEFAULT_CPU)
    }
}
