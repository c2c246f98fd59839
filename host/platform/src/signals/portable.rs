//! No signals: the process that ends this one from outside chooses its exit code too.

/// Does nothing: there is no such signal.
pub fn survive_full_files() {}

/// A handler of shutdown signals, which do not exist here.
pub struct SignalExit(());

impl SignalExit {
    /// Ignores the exit code, since no signal ends the process.
    pub fn start_handling(_: u8) -> Self {
        Self(())
    }

    /// Does nothing: there is nothing to hand over.
    pub fn hand_over(&self) {}
}

/// A delay of shutdown signals, which do not exist here.
pub struct ShutdownDelay(());

impl ShutdownDelay {
    /// Does nothing: there is nothing to delay.
    pub fn begin_delay() -> Self {
        Self(())
    }

    /// Returns false: there was no shutdown signal.
    pub fn has_signal(&self) -> bool {
        false
    }
}

/// Never ready.
pub async fn shutdown_signal() {
    std::future::pending::<()>().await;
}
