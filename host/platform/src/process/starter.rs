//! A thread that starts a process and stays until the process ends.
//!
//! Starting a process may take any time: a file system that does not answer blocks its child before its program runs. So a thread waits
//! for that, and the caller may give up. The thread stays because Linux ends a child with a death signal when the *thread* that started
//! it ends, not when the process does.

use std::{
    convert::Infallible,
    io,
    process::{Child, Command},
    sync::{Condvar, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

/// Stack of the thread, bytes: it only starts a process.
const STACK: usize = 256 << 10;

/// Keeps the thread until it is dropped; nothing is ever sent.
#[derive(Debug)]
pub struct Starter {
    _alive: mpsc::Sender<Infallible>,
}

/// Time that a caller that gives up waits for a process that may be there already.
const GRACE: Duration = Duration::from_millis(100);
/// Time of the last start that hung: others that are given up then would take as long, and the agent waits.
static LAST_HUNG_START: Mutex<Option<Instant>> = Mutex::new(None);
/// Time after that in which callers do not wait again.
const NO_GRACE: Duration = Duration::from_secs(1);

/// Lock for starts: true while a process is between its fork and its program. In between it holds copies of all descriptors of hookbox,
/// also of those that tell another start that its program runs, so that the other start would wait for this one.
static STARTING: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
/// Longest wait of a start for the lock: a start that hangs must not block the others. Its copied descriptors are older than theirs.
const MAX_LOCK_WAIT: Duration = Duration::from_millis(50);

fn spawn_locked(command: &mut Command) -> io::Result<Child> {
    let (starting, over) = &STARTING;
    let busy = starting.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut busy, waited) =
        over.wait_timeout_while(busy, MAX_LOCK_WAIT, |busy| *busy).unwrap_or_else(PoisonError::into_inner);
    *busy = true;
    drop(busy);
    let child = command.spawn();
    if !waited.timed_out() {
        *starting.lock().unwrap_or_else(PoisonError::into_inner) = false;
        over.notify_one();
    }
    child
}

struct Pending<T> {
    process: Option<oneshot::Receiver<io::Result<T>>>,
    /// Closed once the process was handed over, or ended because its caller gave up.
    handed_over: mpsc::Receiver<Infallible>,
}

impl<T> Pending<T> {
    async fn await_process(mut self) -> io::Result<T> {
        let Some(process) = &mut self.process else { return Err(ended_error()) };
        let process = process.await;
        self.process = None;
        process.map_err(|_| ended_error())?
    }
}

fn ended_error() -> io::Error {
    io::Error::other("the thread that starts processes ended")
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        if self.process.take().is_none() {
            return;
        }
        let mut hung = LAST_HUNG_START.lock().unwrap_or_else(PoisonError::into_inner);
        // hookbox may exit next, and then nothing ends the children that the new process has started by now.
        let awaits_end = hung.is_none_or(|hung| hung.elapsed() > NO_GRACE);
        if awaits_end && self.handed_over.recv_timeout(GRACE) == Err(mpsc::RecvTimeoutError::Timeout) {
            *hung = Some(Instant::now());
        }
    }
}

/// Starts `command` and hands the child to `owner`, whose drop must end it: so a process ends that starts after its caller gave up. Its
/// process dies with its starter, unless it ended before.
pub async fn start_process<T: Send + 'static>(
    mut command: Command,
    owner: impl FnOnce(Child, Starter) -> T + Send + 'static,
) -> io::Result<T> {
    let (started, process) = oneshot::channel();
    let (handing, handed_over) = mpsc::channel();
    let run = move || {
        let (alive, end) = mpsc::channel();
        let child = spawn_locked(&mut command);
        // The command holds descriptors that the child now has.
        // They would keep a socket to the child open, and so hide the child's end, since this thread stays.
        drop(command);
        drop(started.send(child.map(|child| owner(child, Starter { _alive: alive }))));
        drop(handing);
        let _ = end.recv();
    };
    thread::Builder::new().name("hookbox-starter".to_owned()).stack_size(STACK).spawn(run)?;
    Pending { process: Some(process), handed_over }.await_process().await
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
        task::{Context, Waker},
    };

    use super::*;

    /// An owner that ends a process and records that it did.
    struct Owner(Child, Arc<AtomicBool>);

    impl Drop for Owner {
        fn drop(&mut self) {
            let _ = self.0.wait();
            self.1.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a process is what is tested")]
    fn a_process_that_is_given_up_while_it_starts_is_ended_before_that_is_known() {
        for _ in 0..20 {
            let ended = Arc::new(AtomicBool::new(false));
            let tells = Arc::clone(&ended);
            {
                let start = pin!(start_process(Command::new("true"), |child, _| Owner(child, tells)));
                let _ = start.poll(&mut Context::from_waker(Waker::noop()));
            }
            assert!(ended.load(Ordering::SeqCst));
        }
    }
}
