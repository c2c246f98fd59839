//! What is loaded, so that the hosts of one machine share it. Nothing is kept that no host has.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use hookbox_model::{Grants, PluginId, Proposals};

use super::{Isolated, Owner, Plugin, Provenance};

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

/// A plugin, wherever it runs.
pub(super) trait Known {
    /// Which one it is.
    fn id(&self) -> &PluginId;
}

impl Known for Plugin {
    fn id(&self) -> &PluginId {
        Self::id(self)
    }
}

impl Known for Isolated {
    fn id(&self) -> &PluginId {
        Self::id(self)
    }
}

/// The plugins that hosts have.
pub(super) struct Plugins<P>(Mutex<Vec<(Use, Weak<P>)>>);

impl<P> Default for Plugins<P> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<P: Known> Plugins<P> {
    /// Those that are used like this, whatever is in them: the file may have changed since.
    pub(super) fn used(&self, like: &Use) -> Vec<Arc<P>> {
        self.known()
            .iter()
            .filter(|(used, _)| used == like)
            .filter_map(|(_, plugin)| plugin.upgrade())
            .collect()
    }

    /// The one with this digest.
    pub(super) fn find(&self, like: &Use, digest: &str) -> Option<Arc<P>> {
        self.used(like).into_iter().find(|plugin| plugin.id().digest == digest)
    }

    /// Makes it known for as long as somebody has it.
    pub(super) fn add(&self, used: Use, plugin: P) -> Arc<P> {
        let plugin = Arc::new(plugin);
        let mut known = self.known();
        known.retain(|(_, plugin)| plugin.strong_count() > 0);
        known.push((used, Arc::downgrade(&plugin)));
        plugin
    }

    fn known(&self) -> MutexGuard<'_, Vec<(Use, Weak<P>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
