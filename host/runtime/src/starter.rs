//! The thread that starts a process and stays for as long as it runs.
//!
//! To start a process may take any time: a file system that does not answer holds its child back before its program is there.
//! So a thread waits for that, and whoever wants the process may give up. The thread stays because Linux ends a child that
//! asked for it when the *thread* that started it ends, not when the process does.

use std::{
    convert::Infallible,
    io,
    process::{Child, Command},
    sync::mpsc,
    thread,
};

use tokio::sync::oneshot;

/// Its stack, bytes: it only starts a process.
const STACK: usize = 256 << 10;

/// Keeps the thread until it is dropped; nothing is ever sent.
pub(crate) struct Starter {
    _alive: mpsc::Sender<Infallible>,
}

/// Starts `command` and hands the child to `owner`, whose drop must end it: that is what happens to a process that starts
/// when nobody waits for it any more. Its process dies with its starter, unless it ended before.
pub(crate) async fn start<T: Send + 'static>(
    mut command: Command,
    owner: impl FnOnce(Child, Starter) -> T + Send + 'static,
) -> io::Result<T> {
    let (started, process) = oneshot::channel();
    let run = move || {
        let (alive, end) = mpsc::channel();
        let child = command.spawn();
        // The command holds descriptors that the child has now.
        drop(command);
        drop(started.send(child.map(|child| owner(child, Starter { _alive: alive }))));
        let _ = end.recv();
    };
    thread::Builder::new().name("hookbox-starter".to_owned()).stack_size(STACK).spawn(run)?;
    process.await.map_err(|_| io::Error::other("the thread that starts processes ended"))?
}
