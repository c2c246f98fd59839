//! One hook's turn: tripped, ready, called, clamped. Whatever happens is a report.

use std::time::{Duration, Instant};

use hookbox_model::{
    Answer, Effect, Effects, Event, EventName, Failure, FailureCode, HookReport, Json, Limit, Manifest,
    OnFailure, Outcome, Role, Start, Status, Tier,
};
use tokio::time::timeout_at;

use super::{
    ChainPolicy, Frame, Late,
    clamp::{beyond, clamp, may, of_stranger},
    panic,
    strangers::{Turn, UNREVIEWED_BUDGET},
    unreviewed,
};
use crate::{
    port::{Call, PrepareFuture, Reply},
    registry::Hook,
};

/// A hook and what it is called with.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) hook: &'a Hook,
    pub(super) event: &'a Event,
    pub(super) original: Option<&'a Json>,
    pub(super) outcome: Option<&'a Outcome>,
}

/// Calls the hook.
pub(super) async fn call(step: &Step<'_>) -> HookReport {
    let started = Instant::now();
    let trips = may_trip(step);
    let now = step.frame.now;
    let out = step.frame.strangers.refuses(&step.hook.spec);
    let (mut reply, start) =
        match out.or_else(|| step.frame.counters.trips.check(step.hook, now).filter(|_| trips)) {
            Some(failure) => (failure.into(), None),
            // Another event has its one turn since this chain was selected.
            None if !step.frame.counters.turns.take(step.hook, &step.event.session) => {
                return report(step, Ok(Answer::default()).into());
            }
            None => guarded(step, started).await,
        };
    if trips {
        step.frame.counters.trips.record(
            step.hook,
            now,
            reply.result.as_ref().err().map(|failure| failure.code),
        );
    }
    reply.usage.wall = started.elapsed();
    reply.usage.start = reply.usage.start.or(start);
    report(step, reply)
}

/// A guard whose failure lets the thing happen is called every time: to pass it over would let the thing happen too, and
/// five events that make it fail may be the very way to that. A stranger's hook may cost no more than five failures.
fn may_trip(step: &Step<'_>) -> bool {
    let spec = &step.hook.spec;
    let guards = spec.role != Role::Observe && step.event.name.traits().block;
    let passes = step.hook.on_failure(&step.event.name) == OnFailure::Allow;
    spec.origin.tier == Tier::Unknown || !(guards && passes)
}

/// A hook whose turn did not come.
pub(super) fn skipped(hook: &Hook, event: &EventName) -> HookReport {
    let spec = &hook.spec;
    let mut report = HookReport::new(spec.label(), hook.handler.kind(), spec.role, Status::Skipped);
    report.layer = spec.origin.layer;
    report.tier = spec.origin.tier;
    report.on_failure = hook.on_failure(event);
    report
}

fn report(step: &Step<'_>, reply: Reply) -> HookReport {
    let spec = &step.hook.spec;
    let mut report = skipped(step.hook, &step.event.name);
    let result = reply.result.map(Answer::bounded);
    let theirs = (spec.origin.tier == Tier::Unknown).then(|| result.clone());
    match result {
        Ok(answer) if theirs.is_some() => answered(&mut report, step, of_stranger(answer)),
        Ok(answer) => answered(&mut report, step, answer),
        Err(failure) => {
            report.on_failure = on_failure(step.frame.policy, failure.code, report.on_failure);
            report.status = Status::Failed(failure);
        }
    }
    if let Some(theirs) = theirs {
        unreviewed::silence(&mut report, spec, theirs);
    }
    report.refused = reply.refused;
    report.usage = reply.usage;
    report.log = reply.log;
    report.process = reply.process;
    report.plugin = reply.plugin;
    report
}

/// Puts what the hook may say of its answer into the report, and beside it the whole if that is more.
fn answered(report: &mut HookReport, step: &Step<'_>, answer: Answer) {
    let spec = &step.hook.spec;
    let role = Some(spec.role).filter(|_| spec.in_role);
    let asked = step.hook.handler.manifest().map_or(Effects::ALL, Manifest::may);
    let may = may(step.frame.policy, role, spec.origin.tier);
    let beyond = beyond(&answer, may.intersect(asked));
    if beyond.is_empty() {
        report.status = Status::Answered(answer);
        return;
    }
    let mut kept = clamp(answer.clone(), &beyond);
    // To be stricter needs no asking: a stop that was not asked for loses its text only.
    if answer.stop.is_some() && may.contains(Effect::DenyText) {
        kept.stop.get_or_insert_default();
    }
    report.raw = Some(Box::new(answer));
    report.status = Status::Answered(kept);
    report.clamped = beyond;
}

/// What this failure means, where any other means `otherwise`.
fn on_failure(policy: &ChainPolicy, code: FailureCode, otherwise: OnFailure) -> OnFailure {
    match (policy.late, code) {
        (Late::SaysNothing, FailureCode::Timeout | FailureCode::Budget) => OnFailure::Allow,
        _ => otherwise,
    }
}

/// Prepares and calls the handler under both clocks and until the caller gives up; a panic becomes a failure.
async fn guarded(step: &Step<'_>, started: Instant) -> (Reply, Option<Start>) {
    let mut start = None;
    let work = panic::reply(step.hook.limits(), timed(step, started, &mut start));
    let reply = step.frame.cancel.or(work).await.unwrap_or_else(Reply::from);
    (reply, start)
}

async fn timed(step: &Step<'_>, mut started: Instant, start: &mut Option<Start>) -> Reply {
    let handler = &step.hook.handler;
    *start = Some(Start::Warm);
    if let Some(ready) = handler.prepare() {
        *start = Some(Start::Cold);
        let by = step.ready_by(started);
        let _preparation = step.frame.strangers.begin_preparation(&step.hook.spec, started);
        match made_ready(by, ready).await {
            Some(Ok(())) => {}
            Some(Err(failure)) => return failure.into(),
            None => {
                step.frame.strangers.overran_preparation(&step.hook.spec);
                return handler.unprepared().into();
            }
        }
        started = Instant::now();
    }
    let turn = step.frame.strangers.begin(&step.hook.spec, started);
    let until = turn.as_ref().map_or(step.frame.deadline, |turn| turn.until.min(step.frame.deadline));
    let timeout = step.hook.limits().timeout();
    let left = until.saturating_duration_since(started);
    if left.is_zero() {
        return over_budget(step, turn.as_ref()).into();
    }
    let deadline = started + timeout.min(left) + grace(timeout, left);
    match timeout_at(deadline.into(), handler.call(step.call())).await {
        Ok(reply) => reply,
        Err(_) if left < timeout => over_budget(step, turn.as_ref()).into(),
        Err(_) => too_late(step).into(),
    }
}

/// `None` if it took too long. Loading a reviewed component blocks, and hooks of one chain are made ready on one thread: the time may
/// be over before this one's turn comes, and a timer is looked at only after the first attempt.
async fn made_ready(by: Instant, ready: PrepareFuture<'_>) -> Option<Result<(), Failure>> {
    if Instant::now() >= by {
        return None;
    }
    timeout_at(by.into(), ready).await.ok()
}

/// A handler that watches its own timeout says more about it than we can; it gets the chance.
fn grace(timeout: Duration, left: Duration) -> Duration {
    Duration::from_millis(20).min(left.saturating_sub(timeout))
}

impl<'a> Step<'a> {
    fn ready_by(&self, started: Instant) -> Instant {
        match self.hook.spec.origin.tier {
            Tier::Unknown => self.frame.deadline.min(self.frame.strangers.ready_by(started)),
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
        }
    }
}

fn too_late(step: &Step<'_>) -> Failure {
    let ms = step.hook.limits().get(Limit::Timeout);
    Failure::new(
        FailureCode::Timeout,
        &format!("no answer within {ms} ms; if it needs longer, raise the hook's `timeout`"),
    )
}

/// The time of the chain is over, or that of the strangers in it, if it was this hook's `turn` among them.
fn over_budget(step: &Step<'_>, turn: Option<&Turn<'_>>) -> Failure {
    if turn.is_some_and(|turn| turn.until < step.frame.deadline) {
        step.frame.strangers.overran(&step.hook.spec);
        let ms = UNREVIEWED_BUDGET.as_millis();
        let message = format!("untrusted hooks of a project may take {ms} ms together, which are used up");
        return Failure::new(FailureCode::Budget, &message);
    }
    Failure::new(
        FailureCode::Budget,
        "the chain's time was used up: the agent would have given up on all hooks; make the earlier ones faster",
    )
}
