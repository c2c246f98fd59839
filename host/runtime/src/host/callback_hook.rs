//! A closure's place in the chain.

use hookbox_model::{EventName, Limits, Role};

use crate::{HookSpec, Target, ToolMatcher};

/// A closure's place in the chain: trust level `own`, layer `session`.
#[derive(Clone, Debug)]
pub struct CallbackHook(HookSpec);

impl From<CallbackHook> for HookSpec {
    fn from(hook: CallbackHook) -> Self {
        hook.0
    }
}

impl From<HookSpec> for CallbackHook {
    /// Converts a configured hook to a closure's place in the chain.
    fn from(spec: HookSpec) -> Self {
        Self(spec)
    }
}

impl CallbackHook {
    /// Creates a hook that may ask, deny or allow.
    pub fn gate(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Gate, events)
    }

    /// Creates a hook that may rewrite.
    pub fn transform(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Transform, events)
    }

    /// Creates a hook that only observes.
    pub fn observe(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Observe, events)
    }

    /// Restricts the hook to these tools.
    #[must_use]
    pub fn tool(mut self, matcher: ToolMatcher) -> Self {
        self.0.tool = Some(matcher);
        self
    }

    /// Runs the hook only once in a session of its agent, or once in all for an agent that names no sessions.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.0.once = true;
        self
    }

    /// Sets the limits of one call; of these, the timeout applies to a closure.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    fn new(name: &str, role: Role, events: impl IntoIterator<Item = EventName>) -> Self {
        Self(HookSpec::new(name, Target::Callback).on(events).role(role))
    }
}
