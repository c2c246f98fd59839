//! How much work the judgement of one event may take.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Work that is left, in units of about one instruction; clones share it. An estimate from the text alone, so that the same line always
/// gets the same verdict: what it allows takes less than the fuel that a hook has unless its entry says otherwise.
#[derive(Clone, Debug)]
pub struct Budget(Arc<AtomicUsize>);

/// Most work of one event in a plugin. The work of some commands is twice the estimate, and a text is parsed as a whole before.
const OF_A_PLUGIN: usize = 260_000_000;
/// Most work of one line in the host, where no fuel counts.
const OF_THE_HOST: usize = 10 * OF_A_PLUGIN;

/// A simple command, before its words.
pub(crate) const COMMAND: usize = 70_000;
/// A program that is called, also by a wrapper.
pub(crate) const CALL: usize = 30_000;
/// Each word of a call behind the first, and each byte of a word.
pub(crate) const WORD: usize = 110_000;
pub(crate) const WORD_BYTE: usize = 2_000;
/// A redirection.
pub(crate) const REDIRECT: usize = 100_000;
/// Each byte of code in another language.
pub(crate) const CODE_BYTE: usize = 3_500;

impl Budget {
    /// For one event that a plugin judges.
    pub fn of_a_plugin() -> Self {
        Self(Arc::new(AtomicUsize::new(OF_A_PLUGIN)))
    }

    /// For one line that the host looks at.
    pub(crate) fn of_the_host() -> Self {
        Self(Arc::new(AtomicUsize::new(OF_THE_HOST)))
    }

    /// Takes this much; returns false if nothing is left then, so that each walk learns of its end.
    pub(crate) fn spend(&self, work: usize) -> bool {
        let left = self.0.load(Ordering::Relaxed).saturating_sub(work);
        self.0.store(left, Ordering::Relaxed);
        left > 0
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}
