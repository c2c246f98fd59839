//! State that is kept from event to event.

use std::collections::{HashMap, HashSet};

use hookbox_model::{Event, Outcome};

use super::{
    Failures, Overruns, SessionTime, StopLoops, StopsKept, UntrustedUsage,
    circuit_breaker::Trips,
    once_hooks::{OnceCall, OnceCalls},
};
use crate::interfaces::Agents;

/// Counters of a machine, in memory. [`Counts`] transfers them from process to process.
#[derive(Debug)]
pub(crate) struct Counters {
    /// Facts about the agents that send the events.
    pub(super) agents: &'static dyn Agents,
    pub(crate) trips: Trips,
    pub(crate) once_calls: OnceCalls,
    pub(crate) untrusted: UntrustedUsage,
    pub(super) stops: StopLoops,
}

/// Counters of a machine, to be passed to a later one so that they continue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Failures in a row, by the hook's [`HookId`](crate::HookId) as text.
    pub failures: HashMap<String, Failures>,
    /// How often agents were kept from stopping, by hashed session names.
    pub stops: HashMap<String, StopsKept>,
    /// How often the hooks of a project's file used up their time, by file.
    pub overruns: HashMap<String, Overruns>,
    /// Time that the hooks of projects took, by session.
    pub sessions: HashMap<String, SessionTime>,
    /// Hooks that run once and have run.
    pub once_calls: HashSet<OnceCall>,
}

impl Counters {
    /// Creates counters with the values of an earlier machine. `stops_are_lost`: [`Self::counts`] will not be kept.
    pub(crate) fn new(agents: &'static dyn Agents, counts: Counts, stops_are_lost: bool) -> Self {
        let Counts { failures, stops, overruns, sessions, once_calls } = counts;
        Self {
            agents,
            trips: Trips::new(failures),
            once_calls: OnceCalls::new(once_calls),
            untrusted: UntrustedUsage::new(overruns, sessions),
            stops: StopLoops::new(stops, stops_are_lost),
        }
    }

    /// Counts the outcome of a chain, and lets the agent stop if it was kept from stopping too often.
    pub(super) fn record_outcome(&self, event: &Event, now: u64, outcome: &mut Outcome) {
        self.stops.record_outcome(self.agents, (event, now), outcome);
    }

    pub(crate) fn record_without_hooks(&self, event: &Event, outcome: &mut Outcome) {
        // The time is not used: without a hook nothing keeps the agent from stopping.
        self.record_outcome(event, 0, outcome);
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            failures: self.trips.hooks().clone(),
            stops: self.stops.sequences().clone(),
            overruns: self.untrusted.files().clone(),
            sessions: self.untrusted.sessions().clone(),
            once_calls: self.once_calls.taken().clone(),
        }
    }
}
