//! Runs a chain: natively transforms one after another, then gates side by side, then observers; for a chain
//! of another system's hooks as its [`ChainPolicy`] says.
//!
//! It does not know what kind of handler it calls, nor which dialect it serves. The same answers give the same
//! outcome whatever finishes first: nothing is folded before everything that stands earlier in the chain is known.

mod call;
mod cancel;
mod clamp;
mod confine;
mod counters;
mod fold;
mod own_rule;
mod panic;
mod plain;
mod stop_loop;
mod strangers;
mod trip;
mod turns;
mod unreviewed;
mod youngest;

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::FuturesOrdered};
use hookbox_model::{Event, Failure, FailureCode, HookReport, Json, Outcome, Role, Status, Tier, Verdict};

use self::call::{Step, call};
pub(crate) use self::cancel::Cancel;
pub use self::confine::CONFINE;
pub(crate) use self::counters::Counters;
pub use self::counters::Counts;
pub use self::own_rule::OwnRule;
use self::own_rule::Refusal;
pub(crate) use self::own_rule::join as join_own_rule;
pub use self::panic::{Panicked, caught, caught_here, keep_panic_backtraces};
use self::stop_loop::StopLoops;
pub use self::stop_loop::{MOST_STOPS_KEPT, STOP_LOOP, StopsKept};
pub use self::strangers::{
    OUT_AGAIN_FOR, OUT_FOR, Overruns, PROJECT_HOOKS, SESSION_WINDOW, SessionTime, UNREVIEWED_BUDGET,
    UNREVIEWED_SESSION_BUDGET,
};
use self::strangers::{Strangers, StrangersTime};
pub use self::trip::{FAILURES_TO_TRIP, Failures, TRIPPED_FOR};
pub use self::turns::TurnTaken;
pub use self::unreviewed::UNREVIEWED_CODES;
use crate::{
    Clock,
    port::{ChainEnd, ChainPolicy, Confiner, Late, Order, RewriteMerge, Stops},
    registry::Hook,
};

/// When a chain runs, and what ends it before its end.
pub(crate) struct Bounds<'a> {
    /// What time of day it is.
    pub(crate) clock: &'a Clock,
    /// How long it may take.
    pub(crate) budget: Duration,
    /// What the caller gives up by.
    pub(crate) cancel: Cancel,
    /// What the host itself says no to.
    pub(crate) own_rule: Option<&'a dyn OwnRule>,
    /// Who has commands run confined.
    pub(crate) confiner: Option<&'a dyn Confiner>,
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
    let Bounds { clock, budget, cancel, own_rule, confiner } = bounds;
    let now = clock.now_ms();
    let has_strangers = hooks.iter().any(|hook| is_untrusted(hook));
    let session = if has_strangers { event.session.as_str() } else { "" };
    let strangers = StrangersTime::new(&counters.strangers, session, now);
    let frame = Frame {
        policy,
        clock,
        now,
        deadline: started + budget,
        cancel: &cancel,
        strangers: &strangers,
        counters,
        own_rule,
        confiner,
    };
    let mut outcome = run_within(frame, hooks, event).await;
    strangers.end(&mut outcome);
    outcome.wall = started.elapsed();
    outcome
}

/// What is the same for all hooks of a chain.
#[derive(Clone, Copy)]
struct Frame<'a> {
    policy: &'a ChainPolicy,
    clock: &'a Clock,
    /// When the event came, milliseconds since the Unix epoch.
    now: u64,
    deadline: Instant,
    cancel: &'a Cancel,
    strangers: &'a StrangersTime<'a>,
    counters: &'a Counters,
    own_rule: Option<&'a dyn OwnRule>,
    confiner: Option<&'a dyn Confiner>,
}

async fn run_within<'e>(frame: Frame<'e>, hooks: &[&Hook], event: &'e Event) -> Outcome {
    let policy = frame.policy;
    let reports = Vec::with_capacity(hooks.len());
    let event = Cow::Borrowed(event);
    let mut run = Run { frame, event, original: None, changed: false, reports, host: HostAnswer::NotAsked };
    let observers = match policy.order {
        Order::ByRole => run.by_role(hooks).await,
        Order::InOrderChanged => run.in_order(hooks, Sees::Changed).await,
        Order::InOrderOriginal => run.in_order(hooks, Sees::Original).await,
        Order::TogetherUnlessSequential if hooks.iter().any(|hook| hook.spec.sequential) => {
            run.in_order(hooks, Sees::Changed).await
        }
        Order::Together | Order::TogetherUnlessSequential => run.together(hooks).await,
    };
    let rewrite = run.changed.then(|| run.event.rewritable()).flatten();
    let mut outcome = fold::fold(policy, &run.event, std::mem::take(&mut run.reports), rewrite);
    confine::carry_out(frame, &run.event, &mut outcome);
    match std::mem::replace(&mut run.host, HostAnswer::Passes) {
        HostAnswer::NotAsked => own_rule::join(frame.own_rule, &run.event, &mut outcome),
        HostAnswer::Passes => {}
        HostAnswer::Refuses(refusal) => own_rule::refuse(refusal, &mut outcome),
    }
    if policy.stops == Stops::Bounded {
        frame.counters.record(&run.event, frame.now, &mut outcome);
    }

    let heard = run.observe(observers, &outcome).await;
    outcome.reports.extend(heard);
    outcome
}

/// What a later hook of a chain in order sees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sees {
    Original,
    Changed,
}

/// A chain under way.
struct Run<'p> {
    frame: Frame<'p>,
    /// As it came, or as it was changed.
    event: Cow<'p, Event>,
    /// The rewritable part as it came, once it was changed.
    original: Option<Json>,
    /// Was it changed? It need not have been there before: a worktree's path, an answer in the person's place.
    changed: bool,
    reports: Vec<HookReport>,
    host: HostAnswer,
}

/// What the host's own rule says of the event as the hooks left it.
enum HostAnswer {
    /// It is asked after all hooks.
    NotAsked,
    Passes,
    Refuses(Refusal),
}

impl Run<'_> {
    /// The observers are left.
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
        self.transforms(transforms).await;
        self.gates(gates).await;
    }

    /// Runs the trusted hooks, asks the host's own rule, and then runs the untrusted hooks: these can only make the outcome stricter, and
    /// the time that they take must not be missing where it counts. The reports are in chain order.
    async fn trusted_first(&mut self, hooks: &[&Hook]) {
        let is_untrusted = |place: &usize| hooks.get(*place).is_some_and(|hook| self::is_untrusted(hook));
        let (untrusted, trusted): (Vec<_>, Vec<_>) = (0..hooks.len()).partition(is_untrusted);
        let at = |places: &[usize]| {
            places.iter().filter_map(|place| hooks.get(*place).copied()).collect::<Vec<_>>()
        };
        self.transforms_and_gates(&at(&trusted)).await;
        let refusal = if self.ended() { None } else { own_rule::refusal(self.frame.own_rule, &self.event) };
        if let Some(refusal) = refusal {
            self.host = HostAnswer::Refuses(refusal);
            let skipped = at(&untrusted).into_iter().map(|hook| call::skipped(hook, &self.event.name));
            self.reports.extend(skipped);
        } else {
            self.host = HostAnswer::Passes;
            self.gates(&at(&untrusted)).await;
        }
        let reports = std::mem::take(&mut self.reports);
        let mut placed: Vec<_> = trusted.into_iter().chain(untrusted).zip(reports).collect();
        placed.sort_by_key(|(place, _)| *place);
        self.reports = placed.into_iter().map(|(_, report)| report).collect();
    }

    /// None is left.
    async fn in_order<'h>(&mut self, hooks: &'h [&'h Hook], sees: Sees) -> &'h [&'h Hook] {
        // Rewrites that are merged are whole answers to the event as it came.
        let merged = (self.frame.policy.rewrites)(&self.event.name).is_some();
        let at_the_end = merged || sees == Sees::Original;
        let mut unseen = None;
        for hook in hooks {
            if self.ended() {
                self.reports.push(call::skipped(hook, &self.event.name));
                continue;
            }
            let mut report = call(&self.step(hook)).await;
            match rewrite_of(&report) {
                Some(Seen::No) => unseen = Some(self.reports.len()),
                Some(Seen::Yes) => unseen = None,
                None => {}
            }
            if !at_the_end && unseen != Some(self.reports.len()) {
                self.apply_rewrite(&mut report);
            }
            if sees == Sees::Changed {
                self.carry(&report);
            }
            self.reports.push(report);
        }
        if at_the_end {
            self.apply_rewrites();
        } else if let Some(at) = unseen {
            self.apply_rewrite_at(at);
        }
        &[]
    }

    /// The rewrite of a hook that those after it did not see.
    fn apply_rewrite_at(&mut self, at: usize) {
        let mut reports = std::mem::take(&mut self.reports);
        if let Some(report) = reports.get_mut(at) {
            self.apply_rewrite(report);
        }
        self.reports = reports;
    }

    /// None is left. A rewrite counts by its place in the chain, not by when it was there.
    async fn together<'h>(&mut self, hooks: &'h [&'h Hook]) -> &'h [&'h Hook] {
        let steps: Vec<_> = hooks.iter().map(|hook| self.step(hook)).collect();
        let calls: FuturesOrdered<_> = steps.iter().map(call).collect();
        self.reports = calls.collect().await;
        self.apply_rewrites();
        &[]
    }

    /// The rewrites of hooks that all saw the same event.
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
            match self.event.rewritten(rewrite) {
                Ok(part) => Some(part),
                Err(error) => {
                    report.status = Status::Failed(unfit(&error));
                    None
                }
            }
        });
        let wanted: Vec<Json> = wanted.collect();
        if !wanted.is_empty() {
            self.change(merge(&wanted));
        }
    }

    async fn transforms(&mut self, hooks: &[&Hook]) {
        for hook in hooks {
            if self.ended() {
                self.reports.push(call::skipped(hook, &self.event.name));
                continue;
            }
            let mut report = call(&self.step(hook)).await;
            self.apply_rewrite(&mut report);
            self.reports.push(report);
        }
    }

    /// All gates see the same event. The chain ends at the first deny in chain order, so later ones are skipped even
    /// where they were quicker.
    async fn gates(&mut self, hooks: &[&Hook]) {
        let mut reports = Vec::with_capacity(hooks.len());
        if let ([hook], false) = (hooks, self.ended()) {
            reports.push(call(&self.step(hook)).await);
        } else if !self.ended() {
            let steps: Vec<_> = hooks.iter().map(|hook| self.step(hook)).collect();
            let mut calls: FuturesOrdered<_> = steps.iter().map(call).collect();
            while let Some(report) = calls.next().await {
                let denies = fold::denies(&report);
                reports.push(report);
                if denies {
                    break;
                }
            }
        }
        let skipped = hooks.iter().skip(reports.len());
        reports.extend(skipped.map(|hook| call::skipped(hook, &self.event.name)));
        self.reports.extend(reports);
    }

    fn step<'a>(&'a self, hook: &'a Hook) -> Step<'a> {
        Step { frame: self.frame, hook, event: &self.event, original: self.original.as_ref(), outcome: None }
    }

    async fn observe(&self, hooks: &[&Hook], outcome: &Outcome) -> Vec<HookReport> {
        let steps: Vec<_> =
            hooks.iter().map(|hook| Step { outcome: Some(outcome), ..self.step(hook) }).collect();
        let calls: FuturesOrdered<_> = steps.iter().map(call).collect();
        calls.collect().await
    }

    fn ended(&self) -> bool {
        self.reports.last().is_some_and(|report| match (&report.status, self.frame.policy.end) {
            (Status::Skipped, _) => true,
            (_, ChainEnd::Deny) => fold::denies(report),
            (Status::Answered(answer), ChainEnd::Said) => answer.last,
            (Status::Failed(_), ChainEnd::Said) | (_, ChainEnd::Never) => false,
        })
    }

    /// Changes the event for the hooks that follow. A rewrite that does not fit is a failed hook.
    fn apply_rewrite(&mut self, report: &mut HookReport) {
        let Status::Answered(answer) = &report.status else { return };
        let denied = matches!(answer.verdict, Verdict::Deny(_));
        let counts = !denied || (self.frame.policy.rewrite_beside_deny)(&self.event.name);
        let (Some(rewrite), true) = (&answer.rewrite, counts) else { return };
        match self.event.rewritten(rewrite) {
            Ok(part) => self.change(part),
            Err(error) => report.status = Status::Failed(unfit(&error)),
        }
    }

    fn carry(&mut self, report: &HookReport) {
        if let Status::Answered(answer) = &report.status
            && !answer.unseen
        {
            (self.frame.policy.carry)(self.event.to_mut(), answer);
        }
    }

    fn change(&mut self, part: Json) {
        let before = self.event.rewritable();
        self.changed = true;
        self.original = self.original.take().or(before);
        let event = self.event.to_mut();
        event.set_rewritable(part);
        self.frame.counters.agents.redescribe(event);
    }
}

/// Where the hooks of this role begin, or of a later one.
fn first_of(role: Role, hooks: &[&Hook]) -> usize {
    hooks.partition_point(|hook| hook.spec.role < role)
}

fn is_untrusted(hook: &Hook) -> bool {
    hook.spec.origin.tier == Tier::Unknown
}

/// Do hooks after this one see its rewrite?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Yes,
    No,
}

/// `None` if it has no rewrite.
fn rewrite_of(report: &HookReport) -> Option<Seen> {
    let Status::Answered(answer) = &report.status else { return None };
    answer.rewrite.as_ref()?;
    Some(if answer.unseen { Seen::No } else { Seen::Yes })
}

fn unfit(error: &impl std::fmt::Display) -> Failure {
    Failure::new(FailureCode::BadOutput, &format!("its rewrite does not fit: {error}"))
}
