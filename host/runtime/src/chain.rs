//! Runs a chain: transforms one after another, then gates side by side, then observers (design §3).
//!
//! It does not know what kind of handler it calls, nor which dialect it serves. The same answers give the same
//! outcome whatever finishes first: nothing is folded before everything that stands earlier in the chain is known.

mod call;
mod clamp;
mod fold;

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream::FuturesOrdered};
use hookbox_model::{Event, Failure, FailureCode, HookReport, Json, Outcome, Role, Status, Verdict};

use self::call::{Step, call};
use crate::{dialect::tools, registry::Hook};

/// Runs `hooks` (in chain order) on `event` within `budget`; `now` is in milliseconds since the Unix epoch.
pub(crate) async fn run(hooks: &[&Hook], event: Event, now: u64, budget: Duration) -> Outcome {
    let started = Instant::now();
    let deadline = started + budget;
    let first_of = |role| hooks.partition_point(move |hook| hook.spec.role < role);
    let (gates, observers) = (first_of(Role::Gate), first_of(Role::Observe));
    let mut run = Run { event, original: None, now, deadline, reports: Vec::with_capacity(hooks.len()) };

    let (transforms, rest) = hooks.split_at(gates);
    let (gates, observers) = rest.split_at(observers - gates);
    run.transforms(transforms).await;
    run.gates(gates).await;
    let rewrite = run.original.is_some().then(|| run.event.rewritable()).flatten();
    let mut outcome = fold::fold(&run.event, run.reports, rewrite);

    let heard = observe(observers, &run.event, run.original.as_ref(), &outcome, now, deadline).await;
    outcome.reports.extend(heard);
    outcome.wall = started.elapsed();
    outcome
}

/// A chain under way.
struct Run {
    event: Event,
    /// The rewritable part as it came, once it was changed.
    original: Option<Json>,
    now: u64,
    deadline: Instant,
    reports: Vec<HookReport>,
}

impl Run {
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
        Step {
            hook,
            event: &self.event,
            original: self.original.as_ref(),
            outcome: None,
            now: self.now,
            deadline: self.deadline,
        }
    }

    fn ended(&self) -> bool {
        self.reports
            .last()
            .is_some_and(|report| matches!(report.status, Status::Skipped) || fold::denies(report))
    }

    /// Changes the event for the hooks that follow. A rewrite that does not fit is a failed hook.
    fn apply_rewrite(&mut self, report: &mut HookReport) {
        let Status::Answered(answer) = &report.status else { return };
        let (Some(rewrite), false) = (&answer.rewrite, matches!(answer.verdict, Verdict::Deny(_))) else {
            return;
        };
        match self.event.rewritten(rewrite) {
            Ok(part) => {
                let before = self.event.rewritable();
                self.original = self.original.take().or(before);
                self.event.set_rewritable(part);
                tools::redescribe(&mut self.event);
            }
            Err(error) => {
                let failure =
                    Failure::new(FailureCode::BadOutput, &format!("its rewrite does not fit: {error}"));
                report.status = Status::Failed(failure);
            }
        }
    }
}

async fn observe(
    hooks: &[&Hook],
    event: &Event,
    original: Option<&Json>,
    outcome: &Outcome,
    now: u64,
    deadline: Instant,
) -> Vec<HookReport> {
    let step = |hook| Step { hook, event, original, outcome: Some(outcome), now, deadline };
    let steps: Vec<_> = hooks.iter().map(|hook| step(*hook)).collect();
    let calls: FuturesOrdered<_> = steps.iter().map(call).collect();
    calls.collect().await
}
