//! Calls one hook, within the timeout of the hook and the deadline of the chain: checks its circuit breaker, prepares, calls, clamps. Every result is a report.

use std::time::{Duration, Instant};

use hookbox_model::{
    Answer, Effect, Effects, Event, EventName, Failure, FailureCode, HookReport, Json, Limit, Manifest,
    OnFailure, Outcome, Role, Start, Status, TrustLevel,
};
use tokio::time::timeout_at;
use tracing::Instrument as _;

use super::{
    ChainPolicy, Frame, OnTimeout,
    clamp::{clamp_answer, find_excess_effects, permitted_effects, turn_confinement_into_ask},
    panic, untrusted_output,
    untrusted_time::{UNREVIEWED_BUDGET, UntrustedCall},
};
use crate::{
    HookSpec,
    hook_index::Hook,
    interfaces::{Call, PrepareFuture, Reply},
    trace,
};

#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) hook: &'a Hook,
    pub(super) event: &'a Event,
    pub(super) original: Option<&'a Json>,
    pub(super) outcome: Option<&'a Outcome>,
}

pub(super) async fn call_hook(step: &Step<'_>) -> HookReport {
    let called = async {
        let report = call_once(step).await;
        trace::report_hook(&report);
        report
    };
    called.instrument(trace::hook_span(&step.hook.spec)).await
}

async fn call_once(step: &Step<'_>) -> HookReport {
    let started = Instant::now();
    let trips = may_trip(step);
    let now = step.frame.now;
    let out = step.frame.untrusted.suspension_failure(&step.hook.spec);
    let (mut reply, start) = match out.or_else(|| {
        step.frame.counters.trips.tripped_failure(step.hook, &step.event.cwd, now).filter(|_| trips)
    }) {
        Some(failure) => (failure.into(), None),
        // Another event has used the single call of this hook since the chain was selected.
        None if !step.frame.counters.once_calls.claim_call(step.hook, &step.event.session) => {
            return build_report(step, Ok(Answer::default()).into());
        }
        None => call_guarded(step, started).await,
    };
    if trips {
        step.frame.counters.trips.record_call(
            step.hook,
            now,
            reply.result.as_ref().err().map(|failure| failure.code),
        );
    }
    reply.usage.wall = started.elapsed();
    reply.usage.start = reply.usage.start.or(start);
    build_report(step, reply)
}

/// Returns true if the hook may be tripped. A guard whose failure lets the action happen is called every time: not
/// calling it would let the action happen too, and an attacker could cause five failures for that purpose. An untrusted
/// hook may cost no more than five failures.
fn may_trip(step: &Step<'_>) -> bool {
    let spec = &step.hook.spec;
    let guards = spec.role != Role::Observe && step.event.name.traits().block;
    let passes = step.hook.on_failure(&step.event.name) == OnFailure::Allow;
    spec.origin.trust_level == TrustLevel::Untrusted || !(guards && passes)
}

/// Returns the report of a hook that was not called.
pub(super) fn build_skipped_report(hook: &Hook, event: &EventName) -> HookReport {
    let spec = &hook.spec;
    let mut report = HookReport::new(spec.label(), hook.handler.kind(), spec.role, Status::Skipped);
    report.layer = spec.origin.layer;
    report.trust_level = spec.origin.trust_level;
    report.on_failure = hook.on_failure(event);
    report
}

fn build_report(step: &Step<'_>, reply: Reply) -> HookReport {
    let spec = &step.hook.spec;
    let mut report = build_skipped_report(step.hook, &step.event.name);
    // A closure can return texts of any length, which no reader of a report expects.
    let result = reply.result.map(Answer::into_bounded);
    let theirs = (spec.origin.trust_level == TrustLevel::Untrusted).then(|| result.clone());
    match result {
        Ok(answer) if theirs.is_some() => record_answer(&mut report, step, turn_confinement_into_ask(answer)),
        Ok(answer) => record_answer(&mut report, step, answer),
        Err(failure) => {
            report.on_failure = on_failure(step.frame.policy, failure.code, report.on_failure);
            report.status = Status::Failed(failure);
        }
    }
    if let Some(theirs) = theirs {
        untrusted_output::replace_texts(&mut report, spec, theirs);
    }
    report.refused = reply.refused;
    report.usage = reply.usage;
    report.log = reply.log;
    report.process = reply.process;
    report.plugin = reply.plugin;
    report
}

/// Puts the permitted part of the answer into the report, and the whole answer in `raw` if it has more.
fn record_answer(report: &mut HookReport, step: &Step<'_>, answer: Answer) {
    let spec = &step.hook.spec;
    let role = Some(spec.role).filter(|_| spec.in_role);
    let asked = step.hook.handler.manifest().map_or(Effects::ALL, Manifest::may);
    let may = permitted_effects(step.frame.policy, role, spec.origin.trust_level);
    let beyond = find_excess_effects(&answer, may.intersect(asked));
    if beyond.is_empty() {
        report.status = Status::Answered(answer);
        return;
    }
    let mut kept = clamp_answer(answer.clone(), &beyond);
    // A stricter answer needs no permission: a stop without permission loses only its text.
    if answer.stop.is_some() && may.contains(Effect::DenyText) {
        kept.stop.get_or_insert_default();
    }
    report.raw = Some(Box::new(answer));
    report.status = Status::Answered(kept);
    report.clamped = beyond;
}

/// Returns the effect of this failure; `otherwise` is the effect of failures that the policy does not treat specially.
fn on_failure(policy: &ChainPolicy, code: FailureCode, otherwise: OnFailure) -> OnFailure {
    match (policy.on_timeout, code) {
        (OnTimeout::NoOpinion, FailureCode::Timeout | FailureCode::Budget) => OnFailure::Allow,
        _ => otherwise,
    }
}

/// Prepares and calls the handler under both time limits and until the caller gives up; a panic becomes a failure.
async fn call_guarded(step: &Step<'_>, started: Instant) -> (Reply, Option<Start>) {
    let mut start = None;
    let work = panic::reply_or_failure(step.hook.limits(), call_with_timeout(step, started, &mut start));
    let reply = step.frame.cancel.run_or_cancel(work).await.unwrap_or_else(Reply::from);
    (reply, start)
}

async fn call_with_timeout(step: &Step<'_>, mut started: Instant, start: &mut Option<Start>) -> Reply {
    let handler = &step.hook.handler;
    *start = Some(Start::Warm);
    if let Some(ready) = handler.prepare() {
        *start = Some(Start::Cold);
        let by = step.ready_by(started);
        let _preparation = step.frame.untrusted.begin_preparation(&step.hook.spec, started);
        match made_ready(by, ready).instrument(trace::prepare_span(handler.kind())).await {
            Some(Ok(())) => {}
            Some(Err(failure)) => return failure.into(),
            None => {
                step.frame.untrusted.overran_preparation(&step.hook.spec);
                return handler.unprepared().into();
            }
        }
        // Preparation counts in the budget of the chain and not in the hook's own timeout.
        started = Instant::now();
    }
    let untrusted_call = step.frame.untrusted.begin_call(&step.hook.spec, started);
    let until = untrusted_call
        .as_ref()
        .map_or(step.frame.deadline, |untrusted_call| untrusted_call.until.min(step.frame.deadline));
    let timeout = step.hook.limits().timeout();
    let left = until.saturating_duration_since(started);
    // A timer polls its future once even if the time is over, and that would start a process or a request.
    if left.is_zero() {
        return over_budget(step, untrusted_call.as_ref()).into();
    }
    let deadline = started + timeout.min(left) + compute_grace(timeout, left);
    let called = timeout_at(deadline.into(), handler.call(step.call()));
    match called.instrument(trace::handler_span(handler.kind(), timeout)).await {
        Ok(reply) => reply,
        // If the time of the chain ended first, the hook's own timeout is not at fault and must not trip it.
        Err(_) if left < timeout => over_budget(step, untrusted_call.as_ref()).into(),
        Err(_) => too_late(step).into(),
    }
}

/// Returns `None` if preparing took too long. Loading a reviewed component blocks, and the hooks of one chain are
/// prepared on one thread: the time may be over before this hook's preparation begins, and a timer is polled only after
/// the first attempt.
async fn made_ready(by: Instant, ready: PrepareFuture<'_>) -> Option<Result<(), Failure>> {
    if Instant::now() >= by {
        return None;
    }
    let started = Instant::now();
    let made = timeout_at(by.into(), ready).await.ok();
    trace::report_prepared(started.elapsed());
    made
}

/// Returns the extra time for a handler that enforces its own timeout, since its report has more detail.
fn compute_grace(timeout: Duration, left: Duration) -> Duration {
    Duration::from_millis(20).min(left.saturating_sub(timeout))
}

impl<'a> Step<'a> {
    fn ready_by(&self, started: Instant) -> Instant {
        match self.hook.spec.origin.trust_level {
            TrustLevel::Untrusted => self.frame.deadline.min(self.frame.untrusted.ready_by(started)),
            _ => self.frame.deadline,
        }
    }

    fn call(&self) -> Call<'a> {
        Call {
            hook: &self.hook.spec.name,
            event: self.event,
            original: self.original,
            outcome: self.outcome,
            config: &self.hook.spec.config,
            limits: self.hook.limits(),
            clock: self.frame.clock,
            facts: self.frame.facts,
        }
    }
}

/// The key of the time that a hook may take, in the file that it is from.
fn timeout_key(spec: &HookSpec) -> &'static str {
    match (&spec.origin.written, spec.contract) {
        (Some(_), Some(contract)) => contract.timeout_key(),
        _ => "timeout",
    }
}

fn too_late(step: &Step<'_>) -> Failure {
    let ms = step.hook.limits().get(Limit::Timeout);
    Failure::new(
        FailureCode::Timeout,
        &format!(
            "no answer within {ms} ms; if it needs longer, raise the hook's `{}`",
            timeout_key(&step.hook.spec)
        ),
    )
}

/// Returns the failure when the chain's time is over, or the time of the untrusted hooks in it, if this hook has a
/// `untrusted_call` among them.
fn over_budget(step: &Step<'_>, untrusted_call: Option<&UntrustedCall<'_>>) -> Failure {
    if untrusted_call.is_some_and(|untrusted_call| untrusted_call.until < step.frame.deadline) {
        step.frame.untrusted.record_overrun(&step.hook.spec);
        let ms = UNREVIEWED_BUDGET.as_millis();
        let message = format!("untrusted hooks of a project may take {ms} ms together, which are used up");
        return Failure::new(FailureCode::Budget, &message);
    }
    Failure::new(
        FailureCode::Budget,
        "the chain's time was used up: the agent would have given up on all hooks; make the earlier ones faster",
    )
}
