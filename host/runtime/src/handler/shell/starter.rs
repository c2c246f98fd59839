//! The thread that starts a process and stays for as long as it runs.
//!
//! Linux ends a child that asked for it when the *thread* that started it ends, not when the process does. The first
//! thread of a program lives as long as the program; one of a pool may end in the middle of a call, so that there each
//! process is started by a thread of its own.

use std::{
    io,
    process::{Child, Command},
};

#[cfg(target_os = "linux")]
pub(super) use self::thread::{Starter, start};

/// Where nothing ends with a thread, nothing has to stay.
#[cfg(not(target_os = "linux"))]
pub(super) struct Starter;

#[cfg(not(target_os = "linux"))]
pub(super) fn start(mut command: Command) -> io::Result<(Child, Starter)> {
    Ok((command.spawn()?, Starter))
}

#[cfg(target_os = "linux")]
mod thread {
    use std::{convert::Infallible, sync::mpsc, thread};

    use super::{super::confine::is_first_thread, Child, Command, io};

    /// Its stack, bytes: it only starts a process.
    const STACK: usize = 256 << 10;

    /// Keeps the thread until it is dropped; nothing is ever sent. The first thread needs nothing to stay.
    pub(in super::super) struct Starter {
        _alive: Option<mpsc::Sender<Infallible>>,
    }

    /// Starts `command`. Its process dies with what is returned, unless it ended before.
    pub(in super::super) fn start(mut command: Command) -> io::Result<(Child, Starter)> {
        if is_first_thread() {
            return Ok((command.spawn()?, Starter { _alive: None }));
        }
        let (started, child) = mpsc::sync_channel(1);
        let (alive, end) = mpsc::channel();
        let run = move || {
            let _ = started.send(command.spawn());
            // The command holds descriptors that the child has now.
            drop(command);
            let _ = end.recv();
        };
        thread::Builder::new().name("hookbox-starter".to_owned()).stack_size(STACK).spawn(run)?;
        let child =
            child.recv().map_err(|_| io::Error::other("the thread that starts processes ended"))??;
        Ok((child, Starter { _alive: Some(alive) }))
    }
}
