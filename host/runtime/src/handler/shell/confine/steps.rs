//! What a child does between its start and its program.

use std::{io, os::unix::process::CommandExt as _, process::Command};

use rustix::process::{Pid, Resource, Rlimit};

use super::{files::Ruleset, kernel, network::Filter};

/// What a child leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum Group {
    /// A group of its own, in our session: it keeps our terminal, in the background.
    #[default]
    Own,
    /// A session of its own, and so a group: it has no terminal, and `/dev/tty` cannot be opened.
    Session,
}

/// All that it does, made ready before the fork. The child of a program with threads may do nothing there that takes a
/// lock, and so may not even allocate: it makes calls to the kernel, with what is here.
#[derive(Debug, Default)]
pub(in super::super) struct Steps {
    pub(super) group: Group,
    pub(super) limits: Vec<(Resource, Rlimit)>,
    pub(super) no_new_privileges: bool,
    pub(super) files: Option<Ruleset>,
    pub(super) network: Option<Filter>,
}

impl Steps {
    /// Makes `command` take these steps.
    pub(in super::super) fn before(self, command: &mut Command) {
        if self.group == Group::Own {
            command.process_group(0);
        }
        let host = rustix::process::getpid();
        kernel::before(command, move || self.take(host));
    }

    /// Runs in the child: kernel calls only. The files come before the network, whose filter holds for what comes after
    /// it.
    fn take(&self, host: Pid) -> io::Result<()> {
        if self.group == Group::Session {
            rustix::process::setsid()?;
        }
        die_with(host)?;
        for (resource, limit) in &self.limits {
            rustix::process::setrlimit(*resource, *limit)?;
        }
        if self.no_new_privileges {
            kernel::no_new_privileges()?;
        }
        self.files.as_ref().map_or(Ok(()), Ruleset::restrict_self)?;
        self.network.as_ref().map_or(Ok(()), Filter::restrict_self)
    }
}

/// Has the kernel kill this child when the thread that started it ends. It may have ended before it was asked.
#[cfg(target_os = "linux")]
fn die_with(host: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    if rustix::process::getppid() == Some(host) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
}

#[cfg(not(target_os = "linux"))]
fn die_with(_: Pid) -> io::Result<()> {
    Ok(())
}
