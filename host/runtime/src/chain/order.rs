//! The order in which the hooks of a chain run, and its end.

use std::borrow::Cow;

use futures_util::{StreamExt, stream::FuturesOrdered};
use hookbox_model::{Event, HookReport, Json, Outcome, Role, Status};

use super::{
    Frame,
    call::{self, Step, call_hook},
    is_untrusted, merge,
    rewrites::{RewriteVisible, rewrite_of},
    self_protection::{self, RuleDenial},
};
use crate::{
    hook_index::Hook,
    interfaces::{ChainEnd, Order},
};

/// The event that a later hook of a chain in order sees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisibleEvent {
    Original,
    Changed,
}

/// A chain under way.
pub(super) struct ChainProgress<'p> {
    pub(super) frame: Frame<'p>,
    /// The event as received, or as changed by hooks.
    pub(super) event: Cow<'p, Event>,
    /// The original rewritable part, once the event has been changed.
    pub(super) original: Option<Json>,
    /// True if a hook changed the event. The original may have no such part: a worktree's path, an answer in the user's
    /// place.
    pub(super) changed: bool,
    /// True if the remaining hooks are skipped.
    pub(super) ended: bool,
    pub(super) reports: Vec<HookReport>,
    pub(super) host: SelfProtectionResult,
}

/// Decision of the host's self-protection about the event as the hooks left it.
pub(super) enum SelfProtectionResult {
    /// Self-protection is checked after all hooks.
    NotChecked,
    Passes,
    Refuses(RuleDenial),
}

impl ChainProgress<'_> {
    /// Runs the hooks by role, and returns the observers, which remain.
    pub(super) async fn by_role<'h>(&mut self, hooks: &'h [&'h Hook]) -> &'h [&'h Hook] {
        let (deciding, observers) = hooks.split_at(first_of(Role::Observe, hooks));
        if deciding.iter().any(|hook| is_untrusted(hook)) {
            self.trusted_first(deciding).await;
        } else {
            self.transforms_and_gates(deciding).await;
        }
        observers
    }

    async fn transforms_and_gates(&mut self, hooks: &[&Hook]) {
        let (transforms, gates) = hooks.split_at(first_of(Role::Gate, hooks));
        let (transforms, own) = transforms.split_at(self.first_own(transforms));
        self.run_transforms(transforms).await;
        self.run_own(own).await;
        self.run_gates(gates).await;
    }

    /// Returns the index of the first transform that is a hook of an agent's own file with a policy of its own.
    fn first_own(&self, transforms: &[&Hook]) -> usize {
        let has_policy = self.frame.own_policy.is_some();
        transforms.partition_point(|hook| !has_policy || hook.spec.origin.written.is_none())
    }

    /// Runs the hooks of an agent's own file by their policy, as one transform: a deny ends the chain, and a hook that ends
    /// its own file's hooks ends no other.
    async fn run_own(&mut self, hooks: &[&Hook]) {
        let Some(policy) = self.frame.own_policy.filter(|_| !self.ended) else {
            return self.run_transforms(hooks).await;
        };
        let joined = std::mem::replace(&mut self.frame.policy, policy);
        let before = std::mem::take(&mut self.reports);
        self.by_order(hooks).await;
        let reports = std::mem::replace(&mut self.reports, before);
        self.frame.policy = joined;
        self.ended = reports.iter().any(merge::is_denial);
        self.reports.extend(reports);
    }

    pub(super) async fn by_order(&mut self, hooks: &[&Hook]) {
        match self.frame.policy.order {
            Order::InOrderChanged => self.in_order(hooks, VisibleEvent::Changed).await,
            Order::InOrderOriginal => self.in_order(hooks, VisibleEvent::Original).await,
            Order::TogetherUnlessSequential if hooks.iter().any(|hook| hook.spec.sequential) => {
                self.in_order(hooks, VisibleEvent::Changed).await;
            }
            Order::ByRole | Order::Together | Order::TogetherUnlessSequential => {
                self.run_concurrently(hooks).await;
            }
        }
    }

    /// Runs the trusted hooks, checks self-protection, and then runs the untrusted hooks: these can only make the
    /// outcome stricter, and must not use up time that the trusted ones need. The reports are in chain order.
    async fn trusted_first(&mut self, hooks: &[&Hook]) {
        let is_untrusted = |place: &usize| hooks.get(*place).is_some_and(|hook| self::is_untrusted(hook));
        let (untrusted, trusted): (Vec<_>, Vec<_>) = (0..hooks.len()).partition(is_untrusted);
        let at = |places: &[usize]| {
            places.iter().filter_map(|place| hooks.get(*place).copied()).collect::<Vec<_>>()
        };
        self.transforms_and_gates(&at(&trusted)).await;
        // After a deny the call does not happen, and the rule would look at the disk for nothing.
        let refusal =
            if self.ended { None } else { self_protection::find_refusal(self.frame.own_rule, &self.event) };
        if let Some(refusal) = refusal {
            self.host = SelfProtectionResult::Refuses(refusal);
            let skipped =
                at(&untrusted).into_iter().map(|hook| call::build_skipped_report(hook, &self.event.name));
            self.reports.extend(skipped);
        } else {
            self.host = SelfProtectionResult::Passes;
            self.run_gates(&at(&untrusted)).await;
        }
        let reports = std::mem::take(&mut self.reports);
        let mut placed: Vec<_> = trusted.into_iter().chain(untrusted).zip(reports).collect();
        placed.sort_by_key(|(place, _)| *place);
        self.reports = placed.into_iter().map(|(_, report)| report).collect();
    }

    /// Runs the hooks one after another.
    async fn in_order(&mut self, hooks: &[&Hook], sees: VisibleEvent) {
        // Rewrites that are merged are whole answers to the original event.
        let merged = (self.frame.policy.rewrites)(&self.event.name).is_some();
        let at_the_end = merged || sees == VisibleEvent::Original;
        let mut unseen = None;
        for hook in hooks {
            if self.ended {
                self.reports.push(call::build_skipped_report(hook, &self.event.name));
                continue;
            }
            let mut report = call_hook(&self.make_step(hook)).await;
            match rewrite_of(&report) {
                Some(RewriteVisible::No) => unseen = Some(self.reports.len()),
                Some(RewriteVisible::Yes) => unseen = None,
                None => {}
            }
            if !at_the_end && unseen != Some(self.reports.len()) {
                self.apply_rewrite(&mut report);
            }
            if sees == VisibleEvent::Changed {
                self.carry_answer(hook, &report);
            }
            self.add_report(report);
        }
        if at_the_end {
            self.apply_rewrites();
        } else if let Some(at) = unseen {
            self.apply_rewrite_at(at);
        }
    }

    /// Runs the hooks concurrently. Rewrites are applied in chain order, not in order of completion.
    async fn run_concurrently(&mut self, hooks: &[&Hook]) {
        let steps: Vec<_> = hooks.iter().map(|hook| self.make_step(hook)).collect();
        let calls: FuturesOrdered<_> = steps.iter().map(call_hook).collect();
        self.reports = calls.collect().await;
        self.apply_rewrites();
    }

    async fn run_transforms(&mut self, hooks: &[&Hook]) {
        for hook in hooks {
            if self.ended {
                self.reports.push(call::build_skipped_report(hook, &self.event.name));
                continue;
            }
            let mut report = call_hook(&self.make_step(hook)).await;
            self.apply_rewrite(&mut report);
            if hook.spec.contract.is_some() {
                self.carry_answer(hook, &report);
            }
            self.add_report(report);
        }
    }

    /// Runs gates concurrently on one event. The chain ends at the first deny in chain order, so later gates are
    /// skipped even if they finished earlier.
    async fn run_gates(&mut self, hooks: &[&Hook]) {
        let mut reports = Vec::with_capacity(hooks.len());
        if let ([hook], false) = (hooks, self.ended) {
            // A queue of futures costs more than the call of a short hook, and most chains have one gate.
            reports.push(call_hook(&self.make_step(hook)).await);
        } else if !self.ended {
            let steps: Vec<_> = hooks.iter().map(|hook| self.make_step(hook)).collect();
            let mut calls: FuturesOrdered<_> = steps.iter().map(call_hook).collect();
            while let Some(report) = calls.next().await {
                // After a deny the calls that remain are dropped, which ends their processes and connections.
                let denies = merge::is_denial(&report);
                reports.push(report);
                if denies {
                    break;
                }
            }
        }
        self.ended |= reports.last().is_some_and(merge::is_denial);
        let skipped = hooks.iter().skip(reports.len());
        reports.extend(skipped.map(|hook| call::build_skipped_report(hook, &self.event.name)));
        self.reports.extend(reports);
    }

    fn make_step<'a>(&'a self, hook: &'a Hook) -> Step<'a> {
        Step { frame: self.frame, hook, event: &self.event, original: self.original.as_ref(), outcome: None }
    }

    pub(super) async fn run_observers(&self, hooks: &[&Hook], outcome: &Outcome) -> Vec<HookReport> {
        let steps: Vec<_> =
            hooks.iter().map(|hook| Step { outcome: Some(outcome), ..self.make_step(hook) }).collect();
        let calls: FuturesOrdered<_> = steps.iter().map(call_hook).collect();
        calls.collect().await
    }

    /// Adds the report of a hook that was called, which may end the chain.
    fn add_report(&mut self, report: HookReport) {
        self.ended = match (&report.status, self.frame.policy.end) {
            (_, ChainEnd::Deny) => merge::is_denial(&report),
            (Status::Answered(answer), ChainEnd::OnRequest) => answer.last,
            (Status::Failed(_) | Status::Skipped, ChainEnd::OnRequest) | (_, ChainEnd::Never) => false,
        };
        self.reports.push(report);
    }
}

/// Returns the index of the first hook of this role or a later one.
fn first_of(role: Role, hooks: &[&Hook]) -> usize {
    // A host sorts its hooks by role.
    hooks.partition_point(|hook| hook.spec.role < role)
}
