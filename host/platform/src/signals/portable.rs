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

/// Holds nothing back: nobody tells the process to end.
pub struct HeldBack(());

impl HeldBack {
    /// There is nothing to hold back.
    pub fn begin() -> Self {
        Self(())
    }

    /// It is not told.
    pub fn is_told(&self) -> bool {
        false
    }
}

/// Never ready.
pub async fn told_to_end() {
    std::future::pending::<()>().await;
}
