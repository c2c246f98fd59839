//! What is kept in mind from event to event.

use std::collections::{HashMap, HashSet};

use hookbox_model::{Event, Outcome};

use super::{
    Failures, Overruns, SessionTime, StopLoops, StopsKept, Strangers,
    trip::Trips,
    turns::{TurnTaken, Turns},
};
use crate::port::Agents;

/// What a machine counts, in memory. As [`Counts`] it goes from process to process.
#[derive(Debug)]
pub(crate) struct Counters {
    /// Who knows the agents whose events these are.
    pub(super) agents: &'static dyn Agents,
    pub(crate) trips: Trips,
    pub(crate) turns: Turns,
    pub(crate) strangers: Strangers,
    pub(super) stops: StopLoops,
}

/// What a machine has counted: handed to a later one, nothing is forgotten in between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Failures in a row, by the hook's [`HookId`](crate::HookId) as text.
    pub failures: HashMap<String, Failures>,
    /// How often agents were kept from stopping, by names of sessions that only hookbox can read.
    pub stops: HashMap<String, StopsKept>,
    /// How often the hooks of a project's file used their time up, by file.
    pub overruns: HashMap<String, Overruns>,
    /// What the hooks of projects took of each session.
    pub sessions: HashMap<String, SessionTime>,
    /// Hooks that run once and have run.
    pub turns: HashSet<TurnTaken>,
}

impl Counters {
    /// With what an earlier machine counted. `stops_are_lost`: nobody will ask for [`Self::counts`].
    pub(crate) fn new(agents: &'static dyn Agents, counts: Counts, stops_are_lost: bool) -> Self {
        let Counts { failures, stops, overruns, sessions, turns } = counts;
        Self {
            agents,
            trips: Trips::new(failures),
            turns: Turns::new(turns),
            strangers: Strangers::new(overruns, sessions),
            stops: StopLoops::new(stops, stops_are_lost),
        }
    }

    /// Counts what a chain came to, and lets the agent go if it was kept from stopping too often.
    pub(super) fn record(&self, event: &Event, now: u64, outcome: &mut Outcome) {
        self.stops.record(self.agents, (event, now), outcome);
    }

    /// Hears of an event that no hook is for.
    pub(crate) fn record_unheard(&self, event: &Event, outcome: &mut Outcome) {
        self.record(event, 0, outcome);
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            failures: self.trips.hooks().clone(),
            stops: self.stops.sequences().clone(),
            overruns: self.strangers.files().clone(),
            sessions: self.strangers.sessions().clone(),
            turns: self.turns.taken().clone(),
        }
    }
}
