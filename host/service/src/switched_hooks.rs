//! Hooks that the program has switched off while it runs: they stay off when files are read again.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use hookbox::Host;

/// Names, and whether their hooks are enabled. Hooks that were never switched are not in it.
#[derive(Default)]
pub(crate) struct Switched(Mutex<BTreeMap<String, bool>>);

impl Switched {
    pub(crate) fn set(&self, name: &str, enabled: bool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), enabled);
    }

    pub(crate) fn apply(&self, host: &Host) {
        for (name, enabled) in &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            host.set_hook_enabled(name, *enabled);
        }
    }
}
