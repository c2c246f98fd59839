//! An immutable snapshot of all hooks, which a call under way keeps until its end.

mod handlers;

use std::{sync::Arc, time::Duration};

use self::handlers::Handlers;
use super::{CallbackHook, Machine};
use crate::{
    ChainPolicy, HookSpec, SelfProtectionRule,
    hook::RefusedPlugins,
    hook_index::{Hook, HookIndex},
    interfaces::{Callback, Confiner, Handler},
};

/// Default time budget of a chain: less than the shortest agent timeout (Claude Code waits 10 s for its quickest
/// ordinary event).
const DEFAULT_BUDGET: Duration = Duration::from_secs(9);

/// All hooks of one configuration, and the settings of their chains.
///
/// By default there are no hooks, chains run under hookbox's default policy, and each may take 9 s.
#[derive(Default)]
pub struct Hooks {
    pub(crate) configured: Vec<HookSpec>,
    embedded: Vec<(HookSpec, Arc<dyn Handler>)>,
    budget: Option<Duration>,
    policy: ChainPolicy,
    own_policy: Option<ChainPolicy>,
    refused: RefusedPlugins,
    refused_untrusted: RefusedPlugins,
    own_rule: Option<Arc<dyn SelfProtectionRule>>,
    confiner: Option<Arc<dyn Confiner>>,
}

impl Hooks {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds configured hooks.
    #[must_use]
    pub fn hooks(mut self, hooks: impl IntoIterator<Item = HookSpec>) -> Self {
        self.configured.extend(hooks);
        self
    }

    /// Adds a closure of the embedding program.
    #[must_use]
    pub fn callback(self, hook: CallbackHook, callback: Callback) -> Self {
        self.handler(hook.into(), callback)
    }

    /// Adds a hook that calls `handler`, whatever target `hook` has. The chain treats it as any other: it is clamped by
    /// its role and trust level, timed, and counted.
    #[must_use]
    pub fn handler(mut self, hook: HookSpec, handler: impl Handler) -> Self {
        self.embedded.push((hook, Arc::new(handler)));
        self
    }

    /// Sets the time budget of a chain: less than the caller waits.
    #[must_use]
    pub fn budget(mut self, budget: Duration) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Sets the plugins that no hook may call: for the user's own hooks, and for untrusted hooks.
    #[must_use]
    pub fn refuse_plugins(mut self, own: RefusedPlugins, untrusted: RefusedPlugins) -> Self {
        (self.refused, self.refused_untrusted) = (own, untrusted);
        self
    }

    /// Sets the host's self-protection, which denies events independently of all hooks.
    #[must_use]
    pub fn own_rule(mut self, rule: Arc<dyn SelfProtectionRule>) -> Self {
        self.own_rule = Some(rule);
        self
    }

    /// Sets the confiner, which runs commands confined where a hook requests that. Default: ask the user.
    #[must_use]
    pub fn confiner(mut self, confiner: Arc<dyn Confiner>) -> Self {
        self.confiner = Some(confiner);
        self
    }

    /// Sets the policy of chains. Default: hookbox's policy.
    #[must_use]
    pub fn policy(mut self, policy: ChainPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets the policy of the hooks of an agent's own file in hookbox's chains: these hooks run between the transforms and the
    /// gates, and keep their order and their rules among themselves. Default: they are transforms as any other. Such a hook
    /// has the lowest priority of the transforms.
    #[must_use]
    pub fn own_policy(mut self, policy: Option<ChainPolicy>) -> Self {
        self.own_policy = policy;
        self
    }
}

/// Hooks in chain order with their handlers.
pub(crate) struct HookSet {
    pub(crate) hooks: HookIndex,
    pub(crate) policy: ChainPolicy,
    pub(crate) own_policy: Option<ChainPolicy>,
    pub(crate) budget: Duration,
    pub(crate) generation: u64,
    pub(crate) own_rule: Option<Arc<dyn SelfProtectionRule>>,
    pub(crate) confiner: Option<Arc<dyn Confiner>>,
}

impl HookSet {
    pub(crate) fn new(machine: &Machine, hooks: Hooks, generation: u64) -> Self {
        let Hooks {
            configured,
            embedded,
            budget,
            policy,
            own_policy,
            refused,
            refused_untrusted,
            own_rule,
            confiner,
        } = hooks;
        let mut handlers = Handlers::new(machine, generation, (refused, refused_untrusted));
        let configured = configured.into_iter().map(|spec| {
            let handler = handlers.create_handler(&spec);
            (spec, handler)
        });
        let hooks = configured.chain(embedded).map(|(spec, handler)| Hook::new(spec, handler));
        Self {
            hooks: HookIndex::new(hooks.collect()),
            policy,
            own_policy,
            budget: budget.unwrap_or(DEFAULT_BUDGET),
            generation,
            own_rule,
            confiner,
        }
    }
}
