//! Signals of Unix.

use std::{
    future::poll_fn,
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Poll,
};

use signal_hook::{
    consts::signal::{
        SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1,
        SIGUSR2, SIGVTALRM, SIGXCPU,
    },
    flag, low_level,
};
use tokio::signal::unix::{SignalKind, signal};

/// Two more signals of Linux, with these numbers on most machines: a stack fault and a power failure.
const OF_LINUX: [i32; 2] = [16, 30];
/// Signals that end a process, except three that no program may handle so, SIGKILL, real-time signals, and the next.
const DEADLY: [i32; 12] = [
    SIGABRT, SIGALRM, SIGBUS, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
];
/// Signals that ask a process to end.
const SHUTDOWN_SIGNALS: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];
/// File size limit exceeded (`ulimit -f`); the number is equal on every Linux but MIPS's.
const SIGXFSZ: i32 = 25;

/// Makes writing to a file at its size limit an error of the write. Uses a handler and not "ignore", which hooks would inherit.
pub fn survive_full_files() {
    // Where the system refuses, nothing changes.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Makes deadly signals end the process with an exit code; shutdown signals do so until they are handed over.
pub struct SignalExit {
    undelivered: Arc<AtomicBool>,
}

impl SignalExit {
    /// Starts handling signals, with this exit code: that of a refusal.
    pub fn start_handling(exit: u8) -> Self {
        let (always, undelivered) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(true)));
        let of_linux = OF_LINUX.into_iter().filter(|_| cfg!(on_linux));
        let deadly = DEADLY.into_iter().chain(of_linux).map(|signal| (signal, &always));
        for (signal, armed) in deadly.chain(SHUTDOWN_SIGNALS.map(|signal| (signal, &undelivered))) {
            // Where the system refuses, nothing changes.
            let _ = flag::register_conditional_shutdown(signal, i32::from(exit), Arc::clone(armed));
        }
        Self { undelivered }
    }

    /// Leaves shutdown signals to another handler from now on.
    pub fn hand_over(&self) {
        self.undelivered.store(false, Ordering::SeqCst);
    }
}

/// Delays shutdown signals while a value exists, so that temporary state is removed first. After such a signal the process ends when
/// the last value is dropped.
pub struct ShutdownDelay(());

/// Shared state of all [`ShutdownDelay`] values: handlers stay as long as the process.
struct DelayState {
    /// The signal that came meanwhile; 0 for none.
    received: Arc<AtomicUsize>,
    /// True if a signal ends the process, as without a handler.
    deadly: Arc<AtomicBool>,
    /// Number of values.
    living: Mutex<usize>,
}

static HOLDING: LazyLock<DelayState> = LazyLock::new(|| {
    let holding = DelayState { received: Arc::default(), deadly: Arc::default(), living: Mutex::default() };
    for signal in SHUTDOWN_SIGNALS {
        let number = usize::try_from(signal).unwrap_or_default();
        // Where the system refuses, nothing changes.
        let _ = flag::register_usize(signal, Arc::clone(&holding.received), number);
        let _ = flag::register_conditional_default(signal, Arc::clone(&holding.deadly));
    }
    holding
});

impl ShutdownDelay {
    /// Starts the delay.
    pub fn begin_delay() -> Self {
        let mut living = HOLDING.living.lock().unwrap_or_else(PoisonError::into_inner);
        *living += 1;
        HOLDING.deadly.store(false, Ordering::SeqCst);
        Self(())
    }

    /// Returns true if a shutdown signal came meanwhile.
    pub fn has_signal(&self) -> bool {
        HOLDING.received.load(Ordering::SeqCst) != 0
    }
}

impl Drop for ShutdownDelay {
    fn drop(&mut self) {
        let mut living = HOLDING.living.lock().unwrap_or_else(PoisonError::into_inner);
        *living -= 1;
        if *living > 0 {
            return;
        }
        // Before the check below: a signal in between then ends the process itself and is not missed.
        HOLDING.deadly.store(true, Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(HOLDING.received.load(Ordering::SeqCst)) {
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}

/// Waits for a shutdown signal. Needs a runtime with I/O.
pub async fn shutdown_signal() {
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
    poll_fn(|context| {
        // If none is ready, each of them was polled, so each signal wakes this task.
        let is_received = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
        if is_received { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
