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
mod once_hooks;
mod order;
mod panic;
mod plain_texts;
mod rewrites;
mod self_protection;
mod stop_loop;
mod untrusted_output;
mod untrusted_time;

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use hookbox_model::{Event, Outcome, Status, TrustLevel};
use tracing::Instrument as _;

pub(crate) use self::cancel::Cancel;
pub use self::circuit_breaker::{FAILURES_TO_TRIP, Failures, TRIPPED_FOR};
pub use self::confine::CONFINE;
pub(crate) use self::counters::Counters;
pub use self::counters::Counts;
pub use self::once_hooks::OnceCall;
use self::order::{ChainProgress, SelfProtectionResult};
pub use self::panic::{Panicked, catch_panic, caught_here, keep_panic_backtraces};
pub use self::self_protection::SelfProtectionRule;
pub(crate) use self::self_protection::join_refusal;
use self::stop_loop::StopLoops;
pub use self::stop_loop::{MAX_CONSECUTIVE_STOPS, STOP_LOOP, StopsKept};
pub use self::untrusted_output::UNREVIEWED_CODES;
pub use self::untrusted_time::{
    Overruns, PROJECT_HOOKS, REPEATED_SUSPENSION, SESSION_WINDOW, SUSPENSION, SessionTime, UNREVIEWED_BUDGET,
    UNREVIEWED_SESSION_BUDGET,
};
use self::untrusted_time::{UntrustedTime, UntrustedUsage};
use crate::{
    Clock,
    facts::{EventFacts, FactsReader},
    hook_index::Hook,
    interfaces::{ChainPolicy, Confiner, FactsSource, OnTimeout, Order, StopLimit},
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
    pub(crate) own_rule: Option<&'a dyn SelfProtectionRule>,
    /// Wraps commands so that they run confined.
    pub(crate) confiner: Option<&'a dyn Confiner>,
    /// Policy of the hooks of an agent's own file, if these have one of their own in this chain.
    pub(crate) own_policy: Option<&'a ChainPolicy>,
    /// Computes facts about command lines, if this program can.
    pub(crate) facts: Option<Arc<dyn FactsReader>>,
}

/// Runs `hooks` (in chain order) on `event`.
pub(crate) async fn run_chain(
    policy: &ChainPolicy,
    counters: &Counters,
    hooks: &[&Hook],
    event: &Event,
    bounds: Bounds<'_>,
) -> Outcome {
    let started = Instant::now();
    let Bounds { clock, budget, cancel, own_rule, confiner, own_policy, facts } = bounds;
    let now = clock.now_ms();
    let has_untrusted = hooks.iter().any(|hook| is_untrusted(hook));
    let session = if has_untrusted { event.session.as_str() } else { "" };
    let facts = facts.map(|reader| Arc::new(EventFacts::new(reader)) as Arc<dyn FactsSource>);
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
        facts: facts.as_ref(),
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
    facts: Option<&'a Arc<dyn FactsSource>>,
}

async fn run_within<'e>(frame: Frame<'e>, hooks: &[&Hook], event: &'e Event) -> Outcome {
    let policy = frame.policy;
    let reports = Vec::with_capacity(hooks.len());
    let event = Cow::Borrowed(event);
    let host = SelfProtectionResult::NotChecked;
    let mut progress =
        ChainProgress { frame, event, original: None, changed: false, ended: false, reports, host };
    let observers = if policy.order == Order::ByRole {
        progress.by_role(hooks).await
    } else {
        progress.by_order(hooks).await;
        &[]
    };
    if let Some(first) = progress.reports.iter().position(|report| report.status == Status::Skipped) {
        let by = first.checked_sub(1).and_then(|before| progress.reports.get(before));
        trace::report_stop(by, progress.reports.len() - first);
    }
    let rewrite = progress.changed.then(|| progress.event.rewritable()).flatten();
    let mut outcome =
        merge::merge_reports(policy, &progress.event, std::mem::take(&mut progress.reports), rewrite);
    // Self-protection is last: a refusal takes back the rewrite of a confined command, too.
    confine::carry_out(frame, &progress.event, &mut outcome);
    match std::mem::replace(&mut progress.host, SelfProtectionResult::Passes) {
        SelfProtectionResult::NotChecked => {
            self_protection::join_refusal(frame.own_rule, &progress.event, &mut outcome);
        }
        SelfProtectionResult::Passes => {}
        SelfProtectionResult::Refuses(refusal) => self_protection::apply_refusal(refusal, &mut outcome),
    }
    if policy.stop_limit == StopLimit::Bounded {
        frame.counters.record_outcome(&progress.event, frame.now, &mut outcome);
    }

    let observed = progress.run_observers(observers, &outcome).await;
    outcome.reports.extend(observed);
    outcome
}

fn is_untrusted(hook: &Hook) -> bool {
    hook.spec.origin.trust_level == TrustLevel::Untrusted
}
