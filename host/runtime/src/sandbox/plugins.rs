//! What is loaded, so that the hosts of one machine share it. Nothing is kept that no host has.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use hookbox_model::{Grants, Proposals};

use super::{Owner, Plugin, Provenance};

/// How a component is used. Two that are used differently share nothing, whatever is in their files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// Whose the entries are that it keeps.
    pub(crate) owner: Owner,
    /// Who brings it.
    pub(crate) provenance: Provenance,
    /// What its hook's entry grants.
    pub(crate) granted: Grants,
    /// What its hook's entry says that it needs.
    pub(crate) proposals: Proposals,
}

/// The plugins that hosts have.
#[derive(Default)]
pub(super) struct Plugins(Mutex<Vec<(Use, Weak<Plugin>)>>);

impl Plugins {
    /// Those that are used like this, whatever is in them: the file may have changed since.
    pub(super) fn used(&self, like: &Use) -> Vec<Arc<Plugin>> {
        self.known()
            .iter()
            .filter(|(used, _)| used == like)
            .filter_map(|(_, plugin)| plugin.upgrade())
            .collect()
    }

    /// The one with this digest.
    pub(super) fn find(&self, like: &Use, digest: &str) -> Option<Arc<Plugin>> {
        self.used(like).into_iter().find(|plugin| plugin.id().digest == digest)
    }

    /// Makes it known for as long as somebody has it.
    pub(super) fn add(&self, used: Use, plugin: Plugin) -> Arc<Plugin> {
        let plugin = Arc::new(plugin);
        let mut known = self.known();
        known.retain(|(_, plugin)| plugin.strong_count() > 0);
        known.push((used, Arc::downgrade(&plugin)));
        plugin
    }

    fn known(&self) -> MutexGuard<'_, Vec<(Use, Weak<Plugin>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
