//! The program's own hooks: closures, and hooks that are in no file. They come and go while the service lives.

use std::sync::{
    Arc, PoisonError, RwLock,
    atomic::{AtomicU64, Ordering},
};

use hookbox::{Callback, CallbackHook, HookSpec, Hooks};

/// A hook of the program's own, or several that came together, to be taken out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookHandle(u64);

/// All of them, in the order in which they came.
#[derive(Default)]
pub(crate) struct OwnHooks {
    hooks: RwLock<Arc<[OwnHook]>>,
    /// How often they have changed.
    changes: AtomicU64,
    next: AtomicU64,
}

#[derive(Clone)]
struct OwnHook {
    handle: HookHandle,
    calls: Calls,
}

#[derive(Clone)]
enum Calls {
    Closure(Box<CallbackHook>, Callback),
    Configured(Vec<HookSpec>),
}

impl OwnHooks {
    pub(crate) fn add(&self, hook: CallbackHook, callback: Callback) -> HookHandle {
        self.push(Calls::Closure(Box::new(hook), callback))
    }

    pub(crate) fn add_configured(&self, hooks: Vec<HookSpec>) -> HookHandle {
        self.push(Calls::Configured(hooks))
    }

    fn push(&self, calls: Calls) -> HookHandle {
        let handle = HookHandle(self.next.fetch_add(1, Ordering::Relaxed));
        self.change(|hooks| hooks.push(OwnHook { handle, calls }));
        handle
    }

    /// False if it is out already.
    pub(crate) fn remove(&self, handle: HookHandle) -> bool {
        let mut found = false;
        self.change(|hooks| {
            hooks.retain(|hook| {
                hook.handle != handle || {
                    found = true;
                    false
                }
            });
        });
        found
    }

    fn change(&self, change: impl FnOnce(&mut Vec<OwnHook>)) {
        let mut hooks = self.hooks.write().unwrap_or_else(PoisonError::into_inner);
        let mut changed = hooks.to_vec();
        change(&mut changed);
        *hooks = changed.into();
        // Within the lock: who reads this number and then the hooks has those hooks or later ones.
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// Who has read these hooks has to read them again.
    pub(crate) fn touch(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// These hooks and the program's.
    pub(crate) fn added_to(&self, hooks: Hooks) -> Hooks {
        let own = Arc::clone(&self.hooks.read().unwrap_or_else(PoisonError::into_inner));
        own.iter().fold(hooks, |hooks, own| match own.calls.clone() {
            Calls::Closure(hook, callback) => hooks.callback(*hook, callback),
            Calls::Configured(configured) => hooks.hooks(configured),
        })
    }
}
