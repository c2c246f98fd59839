//! Steps of a child process between fork and exec.

use std::{io, process::Command};

use super::{CommandSeccomp, Limits, Ruleset};

/// Process group or session of a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Group {
    /// A group of its own, in hookbox's session: it keeps hookbox's terminal, in the background.
    #[default]
    Own,
    /// A session of its own, and so a group: it has no terminal, and `/dev/tty` cannot be opened.
    Session,
}

/// The steps of a child, prepared before the fork. The child always leads a group, and dies with the thread that started it where
/// [`KernelSupport::death_signal`](super::KernelSupport::death_signal) is true.
#[derive(Debug, Default)]
pub struct Steps {
    /// The group or session that it leads.
    pub group: Group,
    /// Limits of the child and of each process that it starts.
    pub limits: Option<Limits>,
    /// True if it gains no privileges by running a program.
    pub no_new_privileges: bool,
    /// The only files that it may touch.
    pub files: Option<Ruleset>,
    /// The filter that blocks the network.
    pub network: Option<CommandSeccomp>,
}

impl Steps {
    /// Makes `command` take these steps. A failed step fails the start of the program.
    #[cfg(on_unix)]
    pub fn apply_to(self, command: &mut Command) -> io::Result<()> {
        use std::os::unix::process::CommandExt as _;
        if self.group == Group::Own {
            command.process_group(0);
        }
        let ready = unix::Ready::new(self);
        super::kernel::run_before_exec(command, move || ready.take());
        Ok(())
    }

    /// Takes these steps in this process, but for its group, and replaces it with `command`, which keeps the terminal, the process number
    /// and the process that waits for its exit code. Returns only on error.
    #[cfg(on_unix)]
    pub fn become_command(self, command: &mut Command) -> io::Error {
        use std::os::unix::process::CommandExt as _;
        match unix::Ready::new(self).restrict() {
            Ok(()) => command.exec(),
            Err(error) => error,
        }
    }

    /// Reports that there are no such steps.
    #[cfg(not(on_unix))]
    pub fn become_command(self, _: &mut Command) -> io::Error {
        crate::process::NO_GROUPS.into()
    }

    /// Reports that there are no such steps.
    #[cfg(not(on_unix))]
    pub fn apply_to(self, _: &mut Command) -> io::Result<()> {
        Err(crate::process::NO_GROUPS.into())
    }
}

#[cfg(on_unix)]
mod unix {
    use std::io;

    use rustix::process::{Pid, Resource, Rlimit};

    use super::{
        super::{CommandSeccomp, Limits, Ruleset, kernel},
        Group, Steps,
    };

    /// The prepared steps. The child of a program with threads may do nothing before its program that takes a lock, and so may not even
    /// allocate: it only makes system calls with these values.
    pub(super) struct Ready {
        host: Pid,
        limits: Vec<(Resource, Rlimit)>,
        steps: Steps,
    }

    impl Ready {
        pub(super) fn new(steps: Steps) -> Self {
            let limits = steps.limits.as_ref().map(Limits::of_kernel).unwrap_or_default();
            Self { host: rustix::process::getpid(), limits, steps }
        }

        /// Runs in the child: system calls only. The files come before the network, whose filter applies to later calls.
        pub(super) fn take(&self) -> io::Result<()> {
            if self.steps.group == Group::Session {
                rustix::process::setsid()?;
            }
            die_with(self.host)?;
            self.restrict()
        }

        /// Applies all steps except group and death signal.
        pub(super) fn restrict(&self) -> io::Result<()> {
            for (resource, limit) in &self.limits {
                rustix::process::setrlimit(*resource, *limit)?;
            }
            if self.steps.no_new_privileges {
                // Before the rules: without it, the kernel refuses Landlock rules of an unprivileged process.
                kernel::no_new_privileges()?;
            }
            self.steps.files.as_ref().map_or(Ok(()), Ruleset::restrict_self)?;
            self.steps.network.as_ref().map_or(Ok(()), CommandSeccomp::restrict_self)
        }
    }

    /// Has the kernel kill this child when the thread that started it ends. The thread may have ended before the request.
    #[cfg(on_linux)]
    fn die_with(host: Pid) -> io::Result<()> {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        if rustix::process::getppid() == Some(host) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
    }

    /// Does nothing: it must not be requested here, since [`KernelSupport::death_signal`](super::super::KernelSupport::death_signal) is
    /// false.
    #[cfg(not(on_linux))]
    #[expect(clippy::unnecessary_wraps, reason = "Linux may refuse it")]
    fn die_with(_: Pid) -> io::Result<()> {
        Ok(())
    }
}
