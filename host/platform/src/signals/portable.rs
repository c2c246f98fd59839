//! No signals: who ends this process from outside chooses its exit code too, and nothing here could answer.

/// There is no such signal.
pub fn survive_full_files() {}

/// Nothing tells the process to end.
pub struct Refusal(());

impl Refusal {
    /// There is no code that nobody hears.
    pub fn by(_: u8) -> Self {
        Self(())
    }

    /// There is nothing to hand over.
    pub fn hand_over(&self) {}
}

/// Never ready.
pub async fn told_to_end() {
    std::future::pending::<()>().await;
}
