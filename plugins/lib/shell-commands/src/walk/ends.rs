//! The states of a shell behind a pipeline.

use crate::scope::Scope;

/// Possible states behind a pipeline: after success, and after failure. Neither if it never returns.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) success: Option<Scope>,
    pub(super) failure: Option<Scope>,
}

impl Ends {
    /// Adds the ends of another pipeline, which may have run instead.
    pub(super) fn join(&mut self, other: Self) {
        self.success = merged(self.success.take(), other.success);
        self.failure = merged(self.failure.take(), other.failure);
    }

    /// Merges the states after success and failure.
    pub(super) fn either(self) -> Option<Scope> {
        merged(self.success, self.failure)
    }
}

fn merged(one: Option<Scope>, other: Option<Scope>) -> Option<Scope> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.merge(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}
