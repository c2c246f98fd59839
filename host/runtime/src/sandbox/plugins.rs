//! Loaded plugins, which the hosts of one machine share. A plugin that no host has is dropped.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use hookbox_model::{Grants, PluginId, Proposals};

use super::{CachePart, Isolated, Owner, Plugin};

/// Use of a component. Components with different uses share nothing, even if their files are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComponentUse {
    pub(crate) owner: Owner,
    /// Part of the cache with its native code.
    pub(crate) part: CachePart,
    /// Grants of its hook's entry.
    pub(crate) granted: Grants,
    pub(crate) proposals: Proposals,
}

/// A plugin, in this process or isolated.
pub(super) trait Identified {
    fn id(&self) -> &PluginId;
}

impl Identified for Plugin {
    fn id(&self) -> &PluginId {
        Self::id(self)
    }
}

impl Identified for Isolated {
    fn id(&self) -> &PluginId {
        Self::id(self)
    }
}

pub(super) struct Plugins<P>(Mutex<Vec<(ComponentUse, Weak<P>)>>);

impl<P> Default for Plugins<P> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<P: Identified> Plugins<P> {
    /// Returns the plugins with this use, of any digest: the file may have changed since.
    pub(super) fn find_by_use(&self, like: &ComponentUse) -> Vec<Arc<P>> {
        self.known()
            .iter()
            .filter(|(used, _)| used == like)
            .filter_map(|(_, plugin)| plugin.upgrade())
            .collect()
    }

    pub(super) fn find(&self, like: &ComponentUse, digest: &str) -> Option<Arc<P>> {
        self.find_by_use(like).into_iter().find(|plugin| plugin.id().digest == digest)
    }

    /// Registers a plugin as long as a host has it.
    pub(super) fn add(&self, used: ComponentUse, plugin: P) -> Arc<P> {
        let plugin = Arc::new(plugin);
        let mut known = self.known();
        // In a long-running machine, the entries of dropped plugins would pile up.
        known.retain(|(_, plugin)| plugin.strong_count() > 0);
        known.push((used, Arc::downgrade(&plugin)));
        plugin
    }

    fn known(&self) -> MutexGuard<'_, Vec<(ComponentUse, Weak<P>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
