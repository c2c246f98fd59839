//! The selected hooks of one event, before they run.

use std::{future::Future, time::Duration};

use hookbox_model::{Event, Outcome};
use tracing::Instrument as _;

use super::{HookState, Host};
use crate::{
    ChainPolicy,
    chain::{self, Bounds, Cancel, join_refusal},
    hook_index::Hook,
    trace,
};

/// Most hooks in a brief chain. Each brief hook may take a fraction of a millisecond.
const MOST_BRIEF: usize = 4;

/// The hooks that would run for an event; [`run`](Self::run) runs them.
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
        let once_calls = &host.machine.counters().once_calls;
        let chain = host.hook_set.hooks.select_hooks(event, |hook| once_calls.is_over(hook, &event.session));
        let (budget, policy) = (host.hook_set.budget, host.hook_set.policy);
        Self { host, event, chain, budget, policy, cancel: Cancel::default() }
    }

    /// Returns the hooks, in chain order.
    pub fn hooks(&self) -> impl Iterator<Item = HookState<'a>> {
        self.chain.iter().map(|hook| self.host.hook_state(hook))
    }

    /// Returns true if a hook may start processes or open connections: the runtime then needs its I/O driver, in
    /// addition to the timer.
    pub fn needs_io(&self) -> bool {
        self.chain.iter().any(|hook| hook.spec.needs_io())
    }

    /// Returns true if the chain ends immediately: no hooks, or few and each of them
    /// [brief](crate::interfaces::Handler::is_brief), and the host's self-protection does not apply to the event.
    pub fn is_brief(&self) -> bool {
        let own_rule = self.host.hook_set.own_rule.as_ref();
        // Self-protection may look at the disk.
        !own_rule.is_some_and(|rule| rule.is_about(self.event))
            && self.chain.len() <= MOST_BRIEF
            && self.chain.iter().all(|hook| hook.handler.is_brief())
    }

    /// Sets the time budget of the chain, a little less than the caller waits. Default: the host's budget.
    pub fn with_budget(mut self, budget: Duration) -> Self {
        self.budget = budget;
        self
    }

    /// Sets the policy of the chain. Default: the host's policy.
    pub fn with_policy(mut self, policy: ChainPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Cancels the run when `given_up` is ready. Then the hooks under way are ended, processes too; they and those that
    /// have not run yet fail with the code `cancelled`, which counts against no hook, and the outcome reports what
    /// follows.
    pub fn cancel_when(mut self, given_up: impl Future<Output = ()> + Send + 'static) -> Self {
        self.cancel = Cancel::from_future(given_up);
        self
    }

    /// Runs the chain. Must be called within a tokio runtime that has its timer on. Dropping the future ends every handler,
    /// processes too.
    pub async fn run(self) -> Outcome {
        let span = trace::event_span(self.event);
        let run = async {
            let outcome = self.run_chain().await;
            trace::report_outcome(&outcome);
            outcome
        };
        run.instrument(span).await
    }

    async fn run_chain(self) -> Outcome {
        let counters = self.host.machine.counters();
        let own_rule = self.host.hook_set.own_rule.as_deref();
        if self.chain.is_empty() {
            let mut outcome = Outcome::default();
            // The user's next prompt ends a sequence of stops even if no hook is for prompts.
            counters.record_without_hooks(self.event, &mut outcome);
            join_refusal(own_rule, self.event, &mut outcome);
            return outcome;
        }
        let bounds = Bounds {
            clock: self.host.machine.clock(),
            budget: self.budget,
            cancel: self.cancel,
            own_rule,
            confiner: self.host.hook_set.confiner.as_deref(),
            own_policy: self.host.hook_set.own_policy.as_ref(),
            facts: self.host.machine.components().facts_reader(),
        };
        chain::run_chain(&self.policy, counters, &self.chain, self.event, bounds).await
    }
}
