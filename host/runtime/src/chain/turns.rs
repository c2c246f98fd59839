//! Hooks that run once in a session of the agent.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::registry::Hook;

/// Most calls that are remembered. Beyond that hooks run once more.
const MOST_TURNS: usize = 65_536;

/// A hook that has had its single call in a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TurnTaken {
    /// The agent's name for the session; empty if it names none.
    pub session: String,
    /// The hook's [`HookId`](crate::HookId) as text.
    pub hook: String,
}

/// The calls that were made.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashSet<TurnTaken>>);

impl Turns {
    /// Creates the state with an earlier process's calls.
    pub(super) fn new(taken: HashSet<TurnTaken>) -> Self {
        Self(Mutex::new(taken))
    }

    /// Returns true if the hook has had its single call.
    pub(crate) fn is_over(&self, hook: &Hook, session: &str) -> bool {
        hook.spec.once && self.taken().contains(&make_turn(hook, session))
    }

    /// Claims the call; returns false if another event has claimed it.
    pub(super) fn claim_turn(&self, hook: &Hook, session: &str) -> bool {
        if !hook.spec.once {
            return true;
        }
        self.add_turn(make_turn(hook, session))
    }

    /// Adds the calls that another process made.
    pub(crate) fn merge_turns(&self, turns: impl IntoIterator<Item = TurnTaken>) {
        for turn in turns {
            self.add_turn(turn);
        }
    }

    fn add_turn(&self, turn: TurnTaken) -> bool {
        let mut taken = self.taken();
        if taken.len() >= MOST_TURNS {
            // A long-running host must not grow without a bound. To run a hook a second time is the lesser
            // harm.
            taken.clear();
        }
        taken.insert(turn)
    }

    /// Returns all calls that were made.
    pub(super) fn taken(&self) -> MutexGuard<'_, HashSet<TurnTaken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_turn(hook: &Hook, session: &str) -> TurnTaken {
    TurnTaken { session: session.to_owned(), hook: hook.id().to_owned() }
}
