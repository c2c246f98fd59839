//! Engines: one for nearly all hooks, and a separate one for each set of proposals that a hook of the user's own needs,
//! created when the first such hook is loaded. Without a pool the first engine is also created then: an untrusted
//! plugin is not loaded in it.

use std::sync::{Arc, OnceLock};

use hookbox_model::{Failure, FailureCode, Limits, Proposal, Proposals};
use wasmtime::Engine;

use super::{
    engine_settings::{self, Allocation},
    ticker::Ticker,
};

pub(super) struct TickedEngine {
    pub(super) engine: Engine,
    pub(super) ticker: Ticker,
}

impl TickedEngine {
    fn new(engine: Engine) -> Self {
        Self { ticker: Ticker::new(&engine), engine }
    }
}

pub(super) struct Engines {
    usual: OnceLock<Arc<TickedEngine>>,
    limits: Limits,
    gc: OnceLock<Arc<TickedEngine>>,
    exceptions: OnceLock<Arc<TickedEngine>>,
    both: OnceLock<Arc<TickedEngine>>,
}

impl Engines {
    /// Creates the usual engine, with the best allocation that this machine supports, and so many slots beyond those of
    /// hooks.
    pub(super) fn new(
        (wanted, more_slots): (Allocation, u32),
        limits: &Limits,
    ) -> wasmtime::Result<(Self, Allocation)> {
        let (usual, limits) = (OnceLock::new(), limits.clone());
        let (gc, exceptions, both) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let mut engines = Self { usual, limits, gc, exceptions, both };
        if wanted == Allocation::OnDemand {
            return Ok((engines, wanted));
        }
        let (engine, allocation) = engine_settings::create_engine((wanted, more_slots), &engines.limits)?;
        engines.usual = Arc::new(TickedEngine::new(engine)).into();
        Ok((engines, allocation))
    }

    /// Returns the engine of hooks that need these proposals.
    pub(super) fn engine_for(&self, proposals: Proposals) -> Result<Arc<TickedEngine>, Failure> {
        let place = self.place_for(proposals);
        if let Some(running) = place.get() {
            return Ok(Arc::clone(running));
        }
        let made = engine_settings::engine_with(proposals, &self.limits);
        let made = made.map_err(|error| setup_failure(proposals, &error))?;
        // Another thread may have been first; its engine is taken then.
        Ok(Arc::clone(place.get_or_init(|| Arc::new(TickedEngine::new(made)))))
    }

    fn place_for(&self, proposals: Proposals) -> &OnceLock<Arc<TickedEngine>> {
        match (proposals.is_enabled(Proposal::Gc), proposals.is_enabled(Proposal::Exceptions)) {
            (false, false) => &self.usual,
            (true, false) => &self.gc,
            (false, true) => &self.exceptions,
            (true, true) => &self.both,
        }
    }
}

fn setup_failure(proposals: Proposals, error: &wasmtime::Error) -> Failure {
    let names = proposals.names();
    let with = if proposals.is_none() { String::new() } else { format!(" with the features {names}") };
    let message = format!("the sandbox{with} cannot be set up on this machine: {error:#}");
    Failure::new(FailureCode::Internal, &message)
}
