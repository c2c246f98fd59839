//! The hooks that are for one event, before they run.

use std::{future::Future, time::Duration};

use hookbox_model::{Event, Outcome};

use super::{HookState, Host};
use crate::{
    ChainPolicy,
    chain::{self, Bounds, Cancel, join_own_rule},
    registry::Hook,
};

/// Brief hooks that make a brief chain. Each may take a fraction of a millisecond.
const MOST_BRIEF: usize = 4;

/// What would happen with an event: look at it, then [run](Self::run) it, or not.
#[must_use = "nothing has run yet"]
pub struct Plan<'a> {
    host: &'a Host,
    event: &'a Event,
    chain: Vec<&'a Hook>,
    budget: Duration,
    policy: ChainPolicy,
    cancel: Cancel,
}

impl<'a> Plan<'a> {
    pub(super) fn new(host: &'a Host, event: &'a Event) -> Self {
        let turns = &host.machine.counters().turns;
        let chain = host.rules.registry.select(event, |hook| turns.is_over(hook, &event.session));
        let (budget, policy) = (host.rules.budget, host.rules.policy);
        Self { host, event, chain, budget, policy, cancel: Cancel::default() }
    }

    /// The hooks, in chain order.
    pub fn hooks(&self) -> impl Iterator<Item = HookState<'a>> {
        self.chain.iter().map(|hook| self.host.state(hook))
    }

    /// May a hook start processes or open connections? Then the runtime needs its I/O driver, not the timer alone.
    pub fn needs_io(&self) -> bool {
        self.chain.iter().any(|hook| hook.spec.needs_io())
    }

    /// Is the chain over at once: no hooks, or few and each of them [brief](crate::port::Handler::is_brief), and no rule of the
    /// host's own that is about the event?
    pub fn is_brief(&self) -> bool {
        let own_rule = self.host.rules.own_rule.as_ref();
        // It may look at the disk.
        !own_rule.is_some_and(|rule| rule.is_about(self.event))
            && self.chain.len() <= MOST_BRIEF
            && self.chain.iter().all(|hook| hook.handler.is_brief())
    }

    /// How long the chain may take, if not as long as the host's: a little less than the caller waits.
    pub fn within(mut self, budget: Duration) -> Self {
        self.budget = budget;
        self
    }

    /// How the chain runs, if not in the host's way.
    pub fn under(mut self, policy: ChainPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Until `given_up` is ready. Then the hooks under way are ended, processes too; they and those that have not run yet
    /// fail with the code `cancelled`, which no hook is blamed for, and the outcome says what that means.
    pub fn until(mut self, given_up: impl Future<Output = ()> + Send + 'static) -> Self {
        self.cancel = Cancel::when(given_up);
        self
    }

    /// Runs the chain. Must be called within a tokio runtime that has its timer on. Dropping the future ends every handler,
    /// processes too.
    pub async fn run(self) -> Outcome {
        let counters = self.host.machine.counters();
        let own_rule = self.host.rules.own_rule.as_deref();
        if self.chain.is_empty() {
            let mut outcome = Outcome::default();
            counters.record_unheard(self.event, &mut outcome);
            join_own_rule(own_rule, self.event, &mut outcome);
            return outcome;
        }
        let bounds = Bounds {
            clock: self.host.machine.clock(),
            budget: self.budget,
            cancel: self.cancel,
            own_rule,
            confiner: self.host.rules.confiner.as_deref(),
        };
        chain::run(&self.policy, counters, &self.chain, self.event, bounds).await
    }
}
