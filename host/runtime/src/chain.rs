//! Runs a chain: natively transforms one after another, then gates concurrently, then observers; a chain of another
//! system's hooks runs as its [`ChainPolicy`] states.
//!
//! The chain does not depend on the kind of handler or the dialect. Equal answers give an equal outcome in whatever
//! order hooks finish: an answer is folded only when everything earlier in the chain is known.

mod bounded_counts;
mod call;
mod cancel;
mod changed_files;
mod circuit_breaker;
mod clamp;
mod confine;
mod counters;
mod merge;
mod once;
mod panic;
mod plain;
mod self_protection;
mod stop_loop;
mod unreviewed;
mod untrusted;

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::FuturesOrdered};
use hookbox_model::{
    Event, Failure, FailureCode, HookReport, Json, Outcome, Role, Status, TrustLevel, Verdict,
};
use tracing::Instrument as _;

use self::call::{Step, call_hook};
pub(crate) use self::cancel::Cancel;
pub use self::circuit_breaker::{FAILURES_TO_TRIP, Failures, TRIPPED_FOR};
pub use self::confine::CONFINE;
pub(crate) use self::counters::Counters;
pub use self::counters::Counts;
pub use self::once::OnceCall;
pub use self::panic::{Panicked, catch_panic, caught_here, keep_panic_backtraces};
use self::self_protection::RuleDenial;
pub use self::self_protection::SelfProtectionRule;
pub(crate) use self::self_protection::join_refusal as join_own_rule;
use self::stop_loop::StopLoops;
pub use self::stop_loop::{MAX_CONSECUTIVE_STOPS, STOP_LOOP, StopsKept};
pub use self::unreviewed::UNREVIEWED_CODES;
pub use self::untrusted::{
    Overruns, PROJECT_HOOKS, REPEATED_SUSPENSION, SESSION_WINDOW, SUSPENSION, SessionTime, UNREVIEWED_BUDGET,
    UNREVIEWED_SESSION_BUDGET,
};
use self::untrusted::{UntrustedTime, UntrustedUsage};
use crate::{
    Clock,
    hook_index::Hook,
    port::{ChainEnd, ChainPolicy, Confiner, OnTimeout, Order, RewriteMerge, StopLimit},
    trace,
};

/// The bounds of a chain's run, and the host's parts that take part in it.
pub(crate) struct Bounds<'a> {
    /// Source of the current time.
    pub(crate) clock: &'a Clock,
    /// Time budget.
    pub(crate) budget: Duration,
    /// Ends the run when the caller gives up.
    pub(crate) cancel: Cancel,
    /// The host's self-protection.
    pub(crate) own_rule: Option<&'a dyn SelfProtectionRule>,
    /// Wraps commands so that they run confined.
    pub(crate) confiner: Option<&'a dyn Confiner>,
    /// Policy of the hooks of an agent's own file, if these have one of their own in this chain.
    pub(crate) own_policy: Option<&'a ChainPolicy>,
}

/// Runs `hooks` (in chain order) on `event`.
pub(crate) async fn run(
    policy: &ChainPolicy,
    counters: &Counters,
    hooks: &[&Hook],
    event: &Event,
    bounds: Bounds<'_>,
) -> Outcome {
    let started = Instant::now();
    let Bounds { clock, budget, cancel, own_rule, confiner, own_policy } = bounds;
    let now = clock.now_ms();
    let has_untrusted = hooks.iter().any(|hook| is_untrusted(hook));
    let session = if has_untrusted { event.session.as_str() } else { "" };
    let untrusted = UntrustedTime::new(&counters.untrusted, session, now);
    let frame = Frame {
        policy,
        clock,
        now,
        deadline: started + budget,
        cancel: &cancel,
        untrusted: &untrusted,
        counters,
        own_rule,
        confiner,
        own_policy,
    };
    let span = trace::chain_span(hooks.len(), budget);
    // On the heap: a caller may have little stack, and a guest needs some of it.
    let mut outcome = Box::pin(run_within(frame, hooks, event)).instrument(span).await;
    untrusted.save_overruns(&mut outcome);
    outcome.wall = started.elapsed();
    outcome
}

/// State that all hooks of a chain share.
#[derive(Clone, Copy)]
struct Frame<'a> {
    policy: &'a ChainPolicy,
    clock: &'a Clock,
    /// Time of the event, milliseconds since the Unix epoch.
    now: u64,
    deadline: Instant,
    cancel: &'a Cancel,
    untrusted: &'a UntrustedTime<'a>,
    counters: &'a Counters,
    own_rule: Option<&'a dyn SelfProtectionRule>,
    confiner: Option<&'a dyn Confiner>,
    own_policy: Option<&'a ChainPolicy>,
}

async fn run_within<'e>(frame: Frame<'e>, hooks: &[&Hook], event: &'e Event) -> Outcome {
    let policy = frame.policy;
    let reports = Vec::with_capacity(hooks.len());
    let event = Cow::Borrowed(event);
    let host = SelfProtectionResult::NotChecked;
    let mut run = Run { frame, event, original: None, changed: false, ended: false, reports, host };
    let observers = if policy.order == Order::ByRole {
        run.by_role(hooks).await
    } else {
        run.by_order(hooks).await;
        &[]
    };
    if let Some(first) = run.reports.iter().position(|report| report.status == Status::Skipped) {
        let by = first.checked_sub(1).and_then(|before| run.reports.get(before));
        trace::report_stop(by, run.reports.len() - first);
    }
    let rewrite = run.changed.then(|| run.event.rewritable()).flatten();
    let mut outcome = merge::merge_reports(policy, &run.event, std::mem::take(&mut run.reports), rewrite);
    // Self-protection is last: a refusal takes back the rewrite of a confined command, too.
    confine::carry_out(frame, &run.event, &mut outcome);
    match std::mem::replace(&mut run.host, SelfProtectionResult::Passes) {
        SelfProtectionResult::NotChecked => {
            self_protection::join_refusal(frame.own_rule, &run.event, &mut outcome);
        }
        SelfProtectionResult::Passes => {}
        SelfProtectionResult::Refuses(refusal) => self_protection::apply_refusal(refusal, &mut outcome),
    }
    if policy.stop_limit == StopLimit::Bounded {
        frame.counters.record_outcome(&run.event, frame.now, &mut outcome);
    }

    let observed = run.run_observers(observers, &outcome).await;
    outcome.reports.extend(observed);
    outcome
}

/// The event that a later hook of a chain in order sees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisibleEvent {
    Original,
    Changed,
}

/// A chain under way.
struct Run<'p> {
    frame: Frame<'p>,
    /// The event as received, or as changed by hooks.
    event: Cow<'p, Event>,
    /// The original rewritable part, once the event has been changed.
    original: Option<Json>,
    /// True if a hook changed the event. The original may have no such part: a worktree's path, an answer in the user's
    /// place.
    changed: bool,
    /// True if the remaining hooks are skipped.
    ended: bool,
    reports: Vec<HookReport>,
    host: SelfProtectionResult,
}

/// Decision of the host's self-protection about the event as the hooks left it.
enum SelfProtectionResult {
    /// Self-protection is checked after all hooks.
    NotChecked,
    Passes,
    Refuses(RuleDenial),
}

impl Run<'_> {
    /// Runs the hooks by role, and returns the observers, which remain.
    async fn by_role<'h>(&mut self, hooks: &'h [&'h Hook]) -> &'h [&'h Hook] {
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

    /// Runs the hooks in the order of another system.
    async fn by_order(&mut self, hooks: &[&Hook]) {
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

    /// Applies the rewrite of a hook that the hooks after it did not see.
    fn apply_rewrite_at(&mut self, at: usize) {
        let mut reports = std::mem::take(&mut self.reports);
        if let Some(report) = reports.get_mut(at) {
            self.apply_rewrite(report);
        }
        self.reports = reports;
    }

    /// Runs the hooks concurrently. Rewrites are applied in chain order, not in order of completion.
    async fn run_concurrently(&mut self, hooks: &[&Hook]) {
        let steps: Vec<_> = hooks.iter().map(|hook| self.make_step(hook)).collect();
        let calls: FuturesOrdered<_> = steps.iter().map(call_hook).collect();
        self.reports = calls.collect().await;
        self.apply_rewrites();
    }

    /// Applies the rewrites of hooks that all saw one event.
    fn apply_rewrites(&mut self) {
        let mut reports = std::mem::take(&mut self.reports);
        match (self.frame.policy.rewrites)(&self.event.name) {
            None => reports.iter_mut().for_each(|report| self.apply_rewrite(report)),
            Some(merge) => self.apply_merged(merge, &mut reports),
        }
        self.reports = reports;
    }

    fn apply_merged(&mut self, merge: RewriteMerge, reports: &mut [HookReport]) {
        let wanted = reports.iter_mut().filter_map(|report| {
            let Status::Answered(answer) = &report.status else { return None };
            let rewrite = answer.rewrite.as_ref()?;
            match self.event.rewritten_part(rewrite) {
                Ok(part) => Some(part),
                Err(error) => {
                    report.status = Status::Failed(unfit_rewrite_failure(&error));
                    None
                }
            }
        });
        let wanted: Vec<Json> = wanted.collect();
        if !wanted.is_empty() {
            self.rewrite_event(merge(&wanted));
        }
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

    async fn run_observers(&self, hooks: &[&Hook], outcome: &Outcome) -> Vec<HookReport> {
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

    /// Changes the event for the hooks that follow. A rewrite that does not fit fails its hook.
    fn apply_rewrite(&mut self, report: &mut HookReport) {
        let Status::Answered(answer) = &report.status else { return };
        let denied = matches!(answer.verdict, Verdict::Deny(_));
        let counts = !denied || (self.frame.policy.rewrite_with_deny)(&self.event.name);
        let (Some(rewrite), true) = (&answer.rewrite, counts) else { return };
        match self.event.rewritten_part(rewrite) {
            Ok(part) => self.rewrite_event(part),
            Err(error) => report.status = Status::Failed(unfit_rewrite_failure(&error)),
        }
    }

    fn carry_answer(&mut self, hook: &Hook, report: &HookReport) {
        if let Status::Answered(answer) = &report.status
            && !answer.unseen
        {
            let event = self.event.to_mut();
            (self.frame.policy.carry)(event, answer);
            if let Some(contract) = hook.spec.contract {
                contract.carry(event, answer);
            }
        }
    }

    fn rewrite_event(&mut self, part: Json) {
        let before = self.event.rewritable();
        self.changed = true;
        // Of several rewrites only the first replaces the agent's own values.
        self.original = self.original.take().or(before);
        let event = self.event.to_mut();
        event.set_rewritable(part);
        // Command and paths are derived from the arguments: with the former ones, gates would judge another
        // call than the one that is made.
        self.frame.counters.agents.redescribe(event);
    }
}

/// Returns the index of the first hook of this role or a later one.
fn first_of(role: Role, hooks: &[&Hook]) -> usize {
    // A host sorts its hooks by role.
    hooks.partition_point(|hook| hook.spec.role < role)
}

fn is_untrusted(hook: &Hook) -> bool {
    hook.spec.origin.trust_level == TrustLevel::Untrusted
}

/// States whether the hooks after this one see its rewrite.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RewriteVisible {
    Yes,
    No,
}

/// Returns `None` if the report has no rewrite.
fn rewrite_of(report: &HookReport) -> Option<RewriteVisible> {
    let Status::Answered(answer) = &report.status else { return None };
    answer.rewrite.as_ref()?;
    Some(if answer.unseen { RewriteVisible::No } else { RewriteVisible::Yes })
}

fn unfit_rewrite_failure(error: &impl std::fmt::Display) -> Failure {
    Failure::new(FailureCode::BadOutput, &format!("its rewrite does not fit: {error}"))
}
