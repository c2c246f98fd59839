//! Effective restrictions of a confinement on a machine, for display before a hook runs.

use std::{fmt, time::Duration};

use super::{KernelSupport, LEAST_LANDLOCK, refused_by};
use crate::hook::{Confinement, FileRules, ResourceLimits};

/// A requested setting that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsupportedSetting {
    /// `read` and `write`.
    Files,
    /// `network`.
    Network,
    /// `privileges`.
    Privileges,
    /// `processes`.
    Processes,
    /// `memory`.
    Memory,
}

impl fmt::Display for UnsupportedSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (setting, why) = match self {
            Self::Files => {
                let why = format!("need Landlock {LEAST_LANDLOCK} (Linux 6.2) or later");
                return write!(f, "`confine.read` and `write` {why}, which is not here: {REMEDY}");
            }
            Self::Network => ("network = false", "needs seccomp filters, which are not here"),
            Self::Privileges => ("privileges = false", "needs Linux"),
            Self::Processes => ("processes", "has no effect on root, and hookbox runs as root"),
            Self::Memory => ("memory", "needs Linux"),
        };
        write!(f, "`confine.{setting}` {why}: {REMEDY}")
    }
}

const REMEDY: &str = "run it where it can hold, or take the setting out";

/// Effective restrictions of a hook on a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that holds or does not")]
pub struct EffectiveConfinement {
    /// True if it has a session of its own, and so no terminal.
    pub session: bool,
    /// True if its process is killed when hookbox dies, even by a signal that cannot be caught.
    pub dies_with_host: bool,
    /// True if it gains no privileges by running a program.
    pub no_new_privileges: bool,
    /// The only files that it may access; `None`: all that the user may.
    pub files: Option<EffectiveFileRules>,
    /// True if it may open sockets to the network.
    pub network: bool,
    /// Memory of one process, bytes.
    pub memory: Option<u64>,
    /// Processes of the user.
    pub processes: Option<u64>,
    /// Length of a file, bytes.
    pub file_size: Option<u64>,
    /// Processor time of one process.
    pub cpu: Option<Duration>,
    /// Reason for not running it at all: the first unsupported setting.
    pub refused: Option<UnsupportedSetting>,
}

/// Effective rules for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveFileRules {
    /// The rules.
    pub rules: FileRules,
    /// Landlock's version.
    pub landlock: u32,
}

impl EffectiveConfinement {
    /// Returns the effective restrictions on `machine`; `None` is a hook of another system's file.
    pub fn on_machine(machine: &KernelSupport, confinement: Option<&Confinement>) -> Self {
        let own = confinement.is_some();
        let limits = confinement.map(|confinement| &confinement.limits);
        let files = confinement.and_then(|confinement| confinement.files.clone()).zip(machine.landlock);
        Self {
            session: own,
            dies_with_host: machine.death_signal,
            no_new_privileges: machine.no_new_privileges
                && confinement.is_some_and(Confinement::without_new_privileges),
            files: files.map(|(rules, landlock)| EffectiveFileRules { rules, landlock }),
            network: confinement.is_none_or(|confinement| confinement.network),
            memory: limits.filter(|_| machine.counts_memory).map(ResourceLimits::memory),
            processes: limits.and_then(|limits| limits.processes),
            file_size: limits.map(ResourceLimits::file_size),
            cpu: limits.map(ResourceLimits::cpu),
            refused: confinement.and_then(|confinement| refused_by(confinement, machine)),
        }
    }
}
