//! Signals that would end this process without an answer. An agent takes a hook that was ended by a signal for one that
//! has nothing to say.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use signal_hook::{
    consts::signal::{
        SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1,
        SIGUSR2, SIGVTALRM, SIGXCPU,
    },
    flag,
};

/// Those that end a process, but for three that no program may handle so, and SIGKILL.
const DEADLY: [i32; 15] = [
    SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1,
    SIGUSR2, SIGVTALRM, SIGXCPU,
];
/// More than a file may be long (`ulimit -f`); the same number on every Linux but MIPS's.
const SIGXFSZ: i32 = 25;

/// Has a file that may not grow be an error of whoever writes it. A handler and not "ignore", which hooks would inherit.
pub(crate) fn survive_full_files() {
    // Where the system refuses, it stays as it was.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// While it says so, deadly signals end the process with an exit code.
pub(crate) struct Refusal(Arc<AtomicBool>);

impl Refusal {
    /// From now on with this code: that of a refusal.
    pub(crate) fn by(exit: u8) -> Self {
        let armed = Arc::new(AtomicBool::new(true));
        for signal in DEADLY {
            // Where the system refuses, it stays as it was.
            let _ = flag::register_conditional_shutdown(signal, i32::from(exit), Arc::clone(&armed));
        }
        Self(armed)
    }

    /// Somebody else deals with being told to end.
    pub(crate) fn hand_over(&self) {
        self.0.store(false, Ordering::SeqCst);
    }
}
