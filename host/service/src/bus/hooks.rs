//! List and switches of the session's hooks.

use std::fmt;

use hookbox::{
    HookState,
    model::{EventName, HandlerKind, Layer, Role},
};
use serde::Serialize;

use super::HookBus;

/// A hook, and whether it is enabled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BusHook {
    /// Name for switching it: its name, or the command of a hook of an agent's own file without one.
    pub name: String,
    /// Its events, by hookbox's names.
    pub events: Vec<EventName>,
    /// Its role.
    pub role: Role,
    /// Kind of its handler.
    pub kind: HandlerKind,
    /// Its configuration layer.
    pub layer: Layer,
    /// True if it is enabled.
    pub enabled: bool,
}

/// Error: the hook is the administrator's, and only the administrator can switch it off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Managed(String);

impl fmt::Display for Managed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is the administrator's hook; only they can switch it off", self.0)
    }
}

impl std::error::Error for Managed {}

impl HookBus {
    /// Returns all hooks of the session, in the order in which they run. It blocks its thread while files are read.
    pub fn all_hooks(&self) -> Vec<BusHook> {
        self.0.service.host(&self.0.folder).hooks().map(|hook| BusHook::of(&hook)).collect()
    }

    /// Switches hooks on or off for the lifetime of the service, by the names that their agent uses. Returns the number of hooks of the
    /// session with this name; 0 is not an error.
    ///
    /// # Errors
    ///
    /// One of them is the administrator's, and would be off.
    pub fn set_hook_enabled(&self, name: &str, enabled: bool) -> Result<usize, Managed> {
        let is_managed = |hook: &BusHook| hook.name == name && hook.layer == Layer::Managed;
        // Before anything is switched: a name may belong to hooks of several layers.
        if !enabled && self.all_hooks().iter().any(is_managed) {
            return Err(Managed(name.to_owned()));
        }
        Ok(self.0.service.set_hook_enabled(&self.0.folder, name, enabled))
    }
}

impl BusHook {
    fn of(hook: &HookState<'_>) -> Self {
        let spec = hook.spec;
        Self {
            name: spec.known_as().to_owned(),
            events: spec.events.clone(),
            role: spec.role,
            kind: spec.target.handler_kind(),
            layer: spec.origin.layer,
            enabled: hook.enabled,
        }
    }
}
