//! Hooks that run once: once in a session of the agent.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::registry::Hook;

/// Turns that are remembered. Beyond that hooks run once more.
const MOST_TURNS: usize = 65_536;

/// A hook has had its one turn in a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TurnTaken {
    /// The agent's name for the session; empty if it names none.
    pub session: String,
    /// The hook's [`HookId`](crate::HookId) as text.
    pub hook: String,
}

/// The turns that were taken.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashSet<TurnTaken>>);

impl Turns {
    /// With those of an earlier process.
    pub(super) fn new(taken: HashSet<TurnTaken>) -> Self {
        Self(Mutex::new(taken))
    }

    /// Has the hook had its turn?
    pub(crate) fn is_over(&self, hook: &Hook, session: &str) -> bool {
        hook.spec.once && self.taken().contains(&turn(hook, session))
    }

    /// Takes the turn; false if another call has it.
    pub(super) fn take(&self, hook: &Hook, session: &str) -> bool {
        if !hook.spec.once {
            return true;
        }
        self.add(turn(hook, session))
    }

    /// These were taken in another process.
    pub(crate) fn recall(&self, turns: impl IntoIterator<Item = TurnTaken>) {
        for turn in turns {
            self.add(turn);
        }
    }

    fn add(&self, turn: TurnTaken) -> bool {
        let mut taken = self.taken();
        if taken.len() >= MOST_TURNS {
            taken.clear();
        }
        taken.insert(turn)
    }

    /// All that were taken.
    pub(super) fn taken(&self) -> MutexGuard<'_, HashSet<TurnTaken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn turn(hook: &Hook, session: &str) -> TurnTaken {
    TurnTaken { session: session.to_owned(), hook: hook.id().to_owned() }
}
