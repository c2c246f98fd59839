//! Hooks of the program: closures, and hooks without a file. They can be added and removed while the service runs.

use std::sync::{
    Arc, PoisonError, RwLock,
    atomic::{AtomicU64, Ordering},
};

use hookbox::{Callback, CallbackHook, HookSpec, Hooks};

/// Handle for removing one or several hooks that were added together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookHandle(u64);

/// All hooks of the program, in the order of their registration.
#[derive(Default)]
pub(crate) struct ProgramHooks {
    hooks: RwLock<Arc<[ProgramHook]>>,
    changes: AtomicU64,
    next: AtomicU64,
}

#[derive(Clone)]
struct ProgramHook {
    handle: HookHandle,
    calls: Calls,
}

#[derive(Clone)]
enum Calls {
    Closure(Box<CallbackHook>, Callback),
    Configured(Vec<HookSpec>),
}

impl ProgramHooks {
    pub(crate) fn add(&self, hook: CallbackHook, callback: Callback) -> HookHandle {
        self.push(Calls::Closure(Box::new(hook), callback))
    }

    pub(crate) fn add_configured(&self, hooks: Vec<HookSpec>) -> HookHandle {
        self.push(Calls::Configured(hooks))
    }

    fn push(&self, calls: Calls) -> HookHandle {
        let handle = HookHandle(self.next.fetch_add(1, Ordering::Relaxed));
        self.change_hooks(|hooks| hooks.push(ProgramHook { handle, calls }));
        handle
    }

    /// Removes hooks; false if they are removed already.
    pub(crate) fn remove(&self, handle: HookHandle) -> bool {
        let mut found = false;
        self.change_hooks(|hooks| {
            hooks.retain(|hook| {
                hook.handle != handle || {
                    found = true;
                    false
                }
            });
        });
        found
    }

    fn change_hooks(&self, change: impl FnOnce(&mut Vec<ProgramHook>)) {
        let mut hooks = self.hooks.write().unwrap_or_else(PoisonError::into_inner);
        let mut changed = hooks.to_vec();
        change(&mut changed);
        *hooks = changed.into();
        // Within the lock: a reader of this number and then of the hooks gets those hooks or later ones.
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// Makes readers of these hooks read them again.
    pub(crate) fn touch(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }

    pub(crate) fn changes(&self) -> u64 {
        // Pairs with `Release` in `change_hooks`.
        self.changes.load(Ordering::Acquire)
    }

    pub(crate) fn added_to(&self, hooks: Hooks) -> Hooks {
        // Only the list is copied under the lock: building hooks takes longer.
        let own = Arc::clone(&self.hooks.read().unwrap_or_else(PoisonError::into_inner));
        own.iter().fold(hooks, |hooks, own| match own.calls.clone() {
            Calls::Closure(hook, callback) => hooks.callback(*hook, callback),
            Calls::Configured(configured) => hooks.hooks(configured),
        })
    }
}
