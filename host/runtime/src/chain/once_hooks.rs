//! Hooks that run once in a session of the agent.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::hook_index::Hook;

/// Most calls that are remembered. Beyond that hooks run once more.
const MAX_ONCE_CALLS: usize = 65_536;

/// A hook that has had its single call in a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OnceCall {
    /// The agent's name for the session; empty if it names none.
    pub session: String,
    /// The hook's [`HookId`](crate::HookId) as text.
    pub hook: String,
}

#[derive(Debug, Default)]
pub(crate) struct OnceCalls(Mutex<HashSet<OnceCall>>);

impl OnceCalls {
    /// Creates the state with an earlier process's calls.
    pub(super) fn new(taken: HashSet<OnceCall>) -> Self {
        Self(Mutex::new(taken))
    }

    /// Returns true if the hook has had its single call.
    pub(crate) fn is_over(&self, hook: &Hook, session: &str) -> bool {
        hook.spec.once && self.taken().contains(&make_once_call(hook, session))
    }

    /// Claims the call; returns false if another event has claimed it.
    pub(super) fn claim_call(&self, hook: &Hook, session: &str) -> bool {
        if !hook.spec.once {
            return true;
        }
        self.add_call(make_once_call(hook, session))
    }

    /// Adds the calls that another process made.
    pub(crate) fn merge_calls(&self, calls: impl IntoIterator<Item = OnceCall>) {
        for call in calls {
            self.add_call(call);
        }
    }

    fn add_call(&self, call: OnceCall) -> bool {
        let mut taken = self.taken();
        if taken.len() >= MAX_ONCE_CALLS {
            // A long-running host must not grow without a bound. To run a hook a second time is the lesser
            // harm.
            taken.clear();
        }
        taken.insert(call)
    }

    pub(super) fn taken(&self) -> MutexGuard<'_, HashSet<OnceCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_once_call(hook: &Hook, session: &str) -> OnceCall {
    OnceCall { session: session.to_owned(), hook: hook.id().to_owned() }
}
