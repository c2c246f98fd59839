//! No signals: the process that ends this one from outside chooses its exit code too.

/// Does nothing: there is no such signal.
pub fn survive_full_files() {}

/// A handler of shutdown signals, which do not exist here.
pub struct Refusal(());

impl Refusal {
    /// Ignores the exit code, since no signal ends the process.
    pub fn start_handling(_: u8) -> Self {
        Self(())
    }

    /// Does nothing: there is nothing to hand over.
    pub fn hand_over(&self) {}
}

/// A delay of shutdown signals, which do not exist here.
pub struct HeldBack(());

impl HeldBack {
    /// Does nothing: there is nothing to delay.
    pub fn begin_delay() -> Self {
        Self(())
    }

    /// Returns false: there was no shutdown signal.
    pub fn is_told(&self) -> bool {
        false
    }
}

/// Never ready.
pub async fn told_to_end() {
    std::future::pending::<()>().await;
}
