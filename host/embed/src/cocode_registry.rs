//! cocode's registry of inline hooks: closures with cocode's types, with the matcher, the time limit and the `once` of its files.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use hookbox::agents::{AgentHookFile, cocode::Cocode};
//! use hookbox::{CallbackHook, Host};
//! use hookbox_embed::{cocode_inline::HookResult, cocode_registry::{HookDefinition, HookRegistry}};
//!
//! let mut registry = HookRegistry::default();
//! registry.register(HookDefinition {
//!     callback: Arc::new(|_| HookResult::Reject { reason: "no shell here".to_owned() }),
//!     tool_matcher: Some("Bash*".to_owned()),
//!     ..HookDefinition::default()
//! })?;
//! let builder = Host::builder().policy(Cocode.policy());
//! let host = registry.hooks().fold(builder, |host, (hook, callback)| {
//!     host.callback(CallbackHook::from(hook), callback)
//! });
//! assert_eq!(host.build().hooks().count(), 1);
//! # Ok(())
//! # }
//! ```

use std::{fmt, sync::Arc, time::Duration};

use hookbox_agents::{Dialect as _, cocode, cocode::Cocode};
use hookbox_core::{Callback, HookSpec, Target};
use hookbox_model::{Limit, Limits, OnFailure, Role};

use crate::cocode_inline::{HookContext, HookResult, wrap_closure};

/// A closure as a hook.
pub type InlineCallback = Arc<dyn Fn(HookContext) -> HookResult + Send + Sync>;

/// A hook and its conditions.
#[derive(Clone)]
pub struct HookDefinition {
    /// cocode's name for the event.
    pub event: String,
    /// The closure to call.
    pub callback: InlineCallback,
    /// True if it is called only once in a session.
    pub once: bool,
    /// Its time limit; after that it is ignored.
    pub timeout: Duration,
    /// Its name in reports; defaults to its place in the registry.
    pub name: Option<String>,
    /// Filter on tools: a name, or the beginning of a name with `*` at the end.
    pub tool_matcher: Option<String>,
}

impl Default for HookDefinition {
    /// Continues immediately, before every tool.
    fn default() -> Self {
        Self {
            event: "PreToolUse".to_owned(),
            callback: Arc::new(|_| HookResult::Continue),
            once: false,
            timeout: Duration::from_mins(10),
            name: None,
            tool_matcher: None,
        }
    }
}

/// Error: cocode has no event of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchEvent(pub String);

impl fmt::Display for NoSuchEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cocode has no event {:?}", self.0)
    }
}

impl std::error::Error for NoSuchEvent {}

/// Hooks in the order in which they were registered.
#[derive(Clone, Default)]
pub struct HookRegistry {
    hooks: Vec<(HookSpec, Callback)>,
}

impl HookRegistry {
    /// Adds a hook after the others.
    ///
    /// # Errors
    ///
    /// cocode has no such event; the hook is not added.
    pub fn register(&mut self, hook: HookDefinition) -> Result<(), NoSuchEvent> {
        let known = Cocode.events().into_iter().find(|(name, _)| *name == hook.event);
        let Some((event, canonical)) = known else { return Err(NoSuchEvent(hook.event)) };
        // A hook without a name is named by its place, like one of a file.
        let name = hook.name.unwrap_or_else(|| format!("hooks[{}]", self.hooks.len()));
        let spec = HookSpec {
            once: hook.once,
            limits: build_limits(hook.timeout),
            // Every failure but a timeout rejects in cocode; the policy treats the timeout.
            on_failure: Some(OnFailure::Deny),
            condition: hook.tool_matcher.map(|matcher| cocode::tool_matcher(event, &matcher)),
            in_role: false,
            ..HookSpec::new(&name, Target::Callback).on([canonical]).role(Role::Transform)
        };
        let callback = hook.callback;
        self.hooks.push((spec, wrap_closure(move |context| callback(context))));
        Ok(())
    }

    /// Returns the hooks, for a host or a service to call.
    pub fn hooks(&self) -> impl Iterator<Item = (HookSpec, Callback)> + '_ {
        self.hooks.iter().cloned()
    }
}

/// Returns the limits of one call, with the time limit clamped to hookbox's range.
fn build_limits(timeout: Duration) -> Limits {
    let wanted = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
    // hookbox refuses limits outside of its range, and the default would then be another one than cocode's.
    let timeout = wanted.clamp(Limit::Timeout.min(), Limit::Timeout.max());
    Limits::default().with_limit(Limit::Timeout, timeout).unwrap_or_default()
}
