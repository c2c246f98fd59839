//! A closure's place in the chain.

use hookbox_model::{EventName, Limits, Role};

use crate::{HookSpec, Target, ToolMatcher};

/// A closure's place in the chain: tier `own`, layer `session`.
#[derive(Clone, Debug)]
pub struct CallbackHook(HookSpec);

impl From<CallbackHook> for HookSpec {
    fn from(hook: CallbackHook) -> Self {
        hook.0
    }
}

impl From<HookSpec> for CallbackHook {
    /// A closure in the place of a configured hook.
    fn from(spec: HookSpec) -> Self {
        Self(spec)
    }
}

impl CallbackHook {
    /// A hook that may ask, deny or allow.
    pub fn gate(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Gate, events)
    }

    /// A hook that may rewrite.
    pub fn transform(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Transform, events)
    }

    /// A hook that only hears.
    pub fn observe(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Observe, events)
    }

    /// Only for these tools.
    #[must_use]
    pub fn tool(mut self, matcher: ToolMatcher) -> Self {
        self.0.tool = Some(matcher);
        self
    }

    /// Only once in a session of its agent; once at all for an agent that names none.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.0.once = true;
        self
    }

    /// What one call may use; the timeout is the one that counts for a closure.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// What is configured.
    #[cfg(test)]
    pub(crate) fn into_spec(self) -> HookSpec {
        self.0
    }

    fn new(name: &str, role: Role, events: impl IntoIterator<Item = EventName>) -> Self {
        Self(HookSpec::new(name, Target::Callback).on(events).role(role))
    }
}
