//! What a child does between its start and its program.

use std::{io, process::Command};

use super::{Filter, Limits, Ruleset};

/// What a child leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Group {
    /// A group of its own, in our session: it keeps our terminal, in the background.
    #[default]
    Own,
    /// A session of its own, and so a group: it has no terminal, and `/dev/tty` cannot be opened.
    Session,
}

/// All that it does, made ready before the fork. In any case it leads a group, and dies with the thread that started it where
/// [`KernelSupport::death_signal`](super::KernelSupport::death_signal) says so.
#[derive(Debug, Default)]
pub struct Steps {
    /// What it leads.
    pub group: Group,
    /// What it and each process that it starts may use.
    pub limits: Option<Limits>,
    /// Does it gain no privileges by running a program?
    pub no_new_privileges: bool,
    /// The only files that it may touch.
    pub files: Option<Ruleset>,
    /// What keeps it from the network.
    pub network: Option<Filter>,
}

impl Steps {
    /// Makes `command` take these steps. One that fails in the child fails the start of its program.
    #[cfg(on_unix)]
    pub fn before(self, command: &mut Command) -> io::Result<()> {
        use std::os::unix::process::CommandExt as _;
        if self.group == Group::Own {
            command.process_group(0);
        }
        let ready = unix::Ready::new(self);
        super::kernel::before(command, move || ready.take());
        Ok(())
    }

    /// Takes these steps in this very process, but for its group, and has it become `command`: its terminal, its number, and whoever
    /// waits for its exit code are the command's then. Comes back with an error only.
    #[cfg(on_unix)]
    pub fn become_command(self, command: &mut Command) -> io::Error {
        use std::os::unix::process::CommandExt as _;
        match unix::Ready::new(self).restrict() {
            Ok(()) => command.exec(),
            Err(error) => error,
        }
    }

    /// Says that there are no such steps.
    #[cfg(not(on_unix))]
    pub fn become_command(self, _: &mut Command) -> io::Error {
        crate::process::NO_GROUPS.into()
    }

    /// Says that there are no such steps.
    #[cfg(not(on_unix))]
    pub fn before(self, _: &mut Command) -> io::Result<()> {
        Err(crate::process::NO_GROUPS.into())
    }
}

#[cfg(on_unix)]
mod unix {
    use std::io;

    use rustix::process::{Pid, Resource, Rlimit};

    use super::{
        super::{Filter, Limits, Ruleset, kernel},
        Group, Steps,
    };

    /// The child of a program with threads may do nothing before its program that takes a lock, and so may not even
    /// allocate: it makes calls to the kernel, with what is here.
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

        /// Runs in the child: kernel calls only. The files come before the network, whose filter holds for what comes
        /// after it.
        pub(super) fn take(&self) -> io::Result<()> {
            if self.steps.group == Group::Session {
                rustix::process::setsid()?;
            }
            die_with(self.host)?;
            self.restrict()
        }

        /// All that is no matter of who waits for whom.
        pub(super) fn restrict(&self) -> io::Result<()> {
            for (resource, limit) in &self.limits {
                rustix::process::setrlimit(*resource, *limit)?;
            }
            if self.steps.no_new_privileges {
                kernel::no_new_privileges()?;
            }
            self.steps.files.as_ref().map_or(Ok(()), Ruleset::restrict_self)?;
            self.steps.network.as_ref().map_or(Ok(()), Filter::restrict_self)
        }
    }

    /// Has the kernel kill this child when the thread that started it ends. It may have ended before it was asked.
    #[cfg(on_linux)]
    fn die_with(host: Pid) -> io::Result<()> {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        if rustix::process::getppid() == Some(host) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
    }

    /// Nobody may ask for it here: [`KernelSupport::death_signal`](super::super::KernelSupport::death_signal) says no.
    #[cfg(not(on_linux))]
    #[expect(clippy::unnecessary_wraps, reason = "Linux may refuse it")]
    fn die_with(_: Pid) -> io::Result<()> {
        Ok(())
    }
}
