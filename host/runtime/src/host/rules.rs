//! A snapshot of all hooks: it never changes, so that a call under way keeps what it began with.

mod handlers;

use std::{sync::Arc, time::Duration};

use self::handlers::Handlers;
use super::{CallbackHook, Machine};
use crate::{
    ChainPolicy, HookSpec, OwnRule,
    hook::RefusedPlugins,
    port::{Callback, Confiner, Handler},
    registry::{Hook, Registry},
};

/// How long a chain may take if nobody says: less than the shortest patience of an agent (Claude Code waits 10 s for
/// its quickest ordinary event).
const DEFAULT_BUDGET: Duration = Duration::from_secs(9);

/// All hooks of one configuration, and how their chains run.
///
/// By default there are none, chains run in hookbox's own way, and each may take 9 s.
#[derive(Default)]
pub struct Hooks {
    pub(crate) configured: Vec<HookSpec>,
    embedded: Vec<(HookSpec, Arc<dyn Handler>)>,
    budget: Option<Duration>,
    policy: ChainPolicy,
    refused: RefusedPlugins,
    refused_of_strangers: RefusedPlugins,
    own_rule: Option<Arc<dyn OwnRule>>,
    confiner: Option<Arc<dyn Confiner>>,
}

impl Hooks {
    /// None so far.
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

    /// Adds a hook that calls `handler`, whatever `hook` says that it calls. The chain treats it as any other: it is
    /// clamped by its role and tier, timed, and counted.
    #[must_use]
    pub fn handler(mut self, hook: HookSpec, handler: impl Handler) -> Self {
        self.embedded.push((hook, Arc::new(handler)));
        self
    }

    /// How long a chain may take: less than the caller waits.
    #[must_use]
    pub fn budget(mut self, budget: Duration) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Plugins that are not called, whatever hook has them: those of the user's own hooks, and those of strangers'.
    #[must_use]
    pub fn refusing(mut self, own: RefusedPlugins, strangers: RefusedPlugins) -> Self {
        (self.refused, self.refused_of_strangers) = (own, strangers);
        self
    }

    /// What the host itself says no to, whatever hooks there are and whatever they say.
    #[must_use]
    pub fn own_rule(mut self, rule: Arc<dyn OwnRule>) -> Self {
        self.own_rule = Some(rule);
        self
    }

    /// Who has commands run confined where a hook says so. Without it the person is asked then.
    #[must_use]
    pub fn confiner(mut self, confiner: Arc<dyn Confiner>) -> Self {
        self.confiner = Some(confiner);
        self
    }

    /// How chains run, if not in hookbox's own way.
    #[must_use]
    pub fn policy(mut self, policy: ChainPolicy) -> Self {
        self.policy = policy;
        self
    }
}

/// Hooks in chain order with what they call.
pub(crate) struct Rules {
    pub(crate) registry: Registry,
    pub(crate) policy: ChainPolicy,
    pub(crate) budget: Duration,
    pub(crate) generation: u64,
    pub(crate) own_rule: Option<Arc<dyn OwnRule>>,
    pub(crate) confiner: Option<Arc<dyn Confiner>>,
}

impl Rules {
    pub(crate) fn new(machine: &Machine, hooks: Hooks, generation: u64) -> Self {
        let Hooks { configured, embedded, budget, policy, refused, refused_of_strangers, own_rule, confiner } =
            hooks;
        let mut handlers = Handlers::new(machine, generation, (refused, refused_of_strangers));
        let configured = configured.into_iter().map(|spec| {
            let handler = handlers.handler(&spec);
            (spec, handler)
        });
        let hooks = configured.chain(embedded).map(|(spec, handler)| Hook::new(spec, handler));
        Self {
            registry: Registry::new(hooks.collect()),
            policy,
            budget: budget.unwrap_or(DEFAULT_BUDGET),
            generation,
            own_rule,
            confiner,
        }
    }
}
