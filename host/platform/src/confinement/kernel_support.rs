//! Confinement features of this machine.

/// The least version of Landlock that confines files: before it, any file could be cut short (Linux 6.2).
pub const LEAST_LANDLOCK: u32 = 3;

/// Confinement features of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that a kernel has or has not")]
pub struct KernelSupport {
    /// Landlock's version (its ABI), if there is one.
    pub landlock: Option<u32>,
    /// True if there are seccomp filters for this processor.
    pub seccomp: bool,
    /// True if a process can be kept from gaining privileges.
    pub no_new_privileges: bool,
    /// True if a process can be ended together with the one that started it.
    pub death_signal: bool,
    /// True if the limit on memory counts the memory that programs use.
    pub counts_memory: bool,
    /// True if the limit on processes applies to this user. It does not apply to root.
    pub counts_processes: bool,
}

impl KernelSupport {
    /// Returns the features of this machine.
    #[cfg(on_linux)]
    pub fn detect_features() -> Self {
        Self {
            landlock: super::kernel::landlock_version(),
            seccomp: has_filters(),
            no_new_privileges: true,
            death_signal: true,
            // Since Linux 4.7, `RLIMIT_DATA` counts private writable mappings too; elsewhere it counts `brk` and the data
            // segment only.
            counts_memory: true,
            // The kernel exempts root from `RLIMIT_NPROC`, so the limit would be accepted and have no effect.
            counts_processes: !rustix::process::getuid().is_root(),
        }
    }

    /// Returns the features of this machine.
    #[cfg(not(on_linux))]
    pub fn detect_features() -> Self {
        Self {
            landlock: None,
            seccomp: false,
            no_new_privileges: false,
            death_signal: false,
            counts_memory: false,
            #[cfg(on_unix)]
            counts_processes: !rustix::process::getuid().is_root(),
            #[cfg(not(on_unix))]
            counts_processes: false,
        }
    }

    /// Returns true if a hook can be restricted to some files.
    pub fn confines_files(&self) -> bool {
        self.landlock.is_some_and(|version| version >= LEAST_LANDLOCK)
    }
}

/// Returns true if the kernel reports filters; false on processors that the filters cannot be made for.
#[cfg(on_linux)]
fn has_filters() -> bool {
    const ACTIONS_FILE: &str = "/proc/sys/kernel/seccomp/actions_avail";
    let made = cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"));
    // Linux 4.14 and newer list their actions here; a refused call must end with an error number, not with the end
    // of the process.
    made && std::fs::read_to_string(ACTIONS_FILE)
        .is_ok_and(|actions| actions.split_whitespace().any(|word| word == "errno"))
}
