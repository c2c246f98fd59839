//! Engines: one for nearly all hooks, and one apart for each set of proposals that a hook of the user's own needs, made when
//! the first such hook is loaded. Without a pool the first is made so, too: a stranger's plugin is not loaded here.

use std::sync::{Arc, OnceLock};

use hookbox_model::{Failure, FailureCode, Limits, Proposal, Proposals};
use wasmtime::Engine;

use super::{
    settings::{self, Allocation},
    ticker::Ticker,
};

/// An engine, and what ends its guests.
pub(super) struct Running {
    pub(super) engine: Engine,
    pub(super) ticker: Ticker,
}

impl Running {
    fn new(engine: Engine) -> Self {
        Self { ticker: Ticker::new(&engine), engine }
    }
}

/// Those of a machine.
pub(super) struct Engines {
    usual: OnceLock<Arc<Running>>,
    limits: Limits,
    gc: OnceLock<Arc<Running>>,
    exceptions: OnceLock<Arc<Running>>,
    both: OnceLock<Arc<Running>>,
}

impl Engines {
    /// The usual one, with the best allocation that this machine gives.
    pub(super) fn new(wanted: Allocation, limits: &Limits) -> wasmtime::Result<(Self, Allocation)> {
        let (usual, limits) = (OnceLock::new(), limits.clone());
        let (gc, exceptions, both) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let mut engines = Self { usual, limits, gc, exceptions, both };
        if wanted == Allocation::OnDemand {
            return Ok((engines, wanted));
        }
        let (engine, allocation) = settings::engine(wanted, &engines.limits)?;
        engines.usual = Arc::new(Running::new(engine)).into();
        Ok((engines, allocation))
    }

    /// That of hooks which need these.
    pub(super) fn of(&self, proposals: Proposals) -> Result<Arc<Running>, Failure> {
        let place = self.place(proposals);
        if let Some(running) = place.get() {
            return Ok(Arc::clone(running));
        }
        let made = settings::engine_with(proposals, &self.limits);
        let made = made.map_err(|error| unmade(proposals, &error))?;
        // Another thread may have been first; its is taken then.
        Ok(Arc::clone(place.get_or_init(|| Arc::new(Running::new(made)))))
    }

    fn place(&self, proposals: Proposals) -> &OnceLock<Arc<Running>> {
        match (proposals.has(Proposal::Gc), proposals.has(Proposal::Exceptions)) {
            (false, false) => &self.usual,
            (true, false) => &self.gc,
            (false, true) => &self.exceptions,
            (true, true) => &self.both,
        }
    }
}

fn unmade(proposals: Proposals, error: &wasmtime::Error) -> Failure {
    let names = proposals.names();
    let with = if proposals.is_none() { String::new() } else { format!(" with the features {names}") };
    let message = format!("the sandbox{with} cannot be set up on this machine: {error:#}");
    Failure::new(FailureCode::Internal, &message)
}
