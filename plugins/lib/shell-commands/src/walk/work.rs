//! Bounds of the work of a walk.

use super::Walker;
use crate::word::Doubt;

/// How much text expansions may give in all, in bytes.
const MAX_EXPANDED: usize = 1024 * 1024;
/// Maximum size of the words in all, in bytes; those of a loop each time.
const MAX_READ: usize = 16 * 1024 * 1024;

impl Walker<'_> {
    /// Counts work that no other limit sees.
    pub(super) fn spend_text(&mut self, bytes: usize) -> bool {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded > MAX_EXPANDED {
            self.doubt(Doubt::TooComplex("its words expand to too much text"));
            return false;
        }
        true
    }

    /// Counts estimated work; false if the budget is used up.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        let is_left = self.budget.spend(work);
        if !is_left {
            self.exhausted();
        }
        is_left
    }

    pub(super) fn exhausted(&mut self) {
        self.doubt(Doubt::TooComplex("it does more than is looked at in one call"));
    }

    /// Counts what has to be read, whatever it becomes.
    pub(super) fn spend_word(&mut self, bytes: usize) -> bool {
        self.read = self.read.saturating_add(bytes);
        if self.read > MAX_READ {
            self.doubt(Doubt::TooComplex("its words have too much text"));
            return false;
        }
        true
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.budget.is_spent()
            || self.expanded > MAX_EXPANDED
            || self.read > MAX_READ
            || self.touched.as_ref().is_some_and(|touched| touched.is_cut)
    }
}
