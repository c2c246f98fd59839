//! Engines: one for nearly all hooks, and one apart for each set of proposals that a hook of the user's own needs, made when
//! the first such hook is loaded.

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
    usual: Arc<Running>,
    limits: Limits,
    gc: OnceLock<Arc<Running>>,
    exceptions: OnceLock<Arc<Running>>,
    both: OnceLock<Arc<Running>>,
}

impl Engines {
    /// The usual one, with the best allocation that this machine gives.
    pub(super) fn new(wanted: Allocation, limits: &Limits) -> wasmtime::Result<(Self, Allocation)> {
        let (engine, allocation) = settings::engine(wanted, limits)?;
        let (gc, exceptions, both) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let usual = Arc::new(Running::new(engine));
        Ok((Self { usual, limits: limits.clone(), gc, exceptions, both }, allocation))
    }

    /// That of hooks which need these.
    pub(super) fn of(&self, proposals: Proposals) -> Result<Arc<Running>, Failure> {
        let Some(place) = self.place(proposals) else { return Ok(Arc::clone(&self.usual)) };
        if let Some(running) = place.get() {
            return Ok(Arc::clone(running));
        }
        let made = settings::engine_with(proposals, &self.limits);
        let made = made.map_err(|error| unmade(proposals, &error))?;
        // Another thread may have been first; its is taken then.
        Ok(Arc::clone(place.get_or_init(|| Arc::new(Running::new(made)))))
    }

    fn place(&self, proposals: Proposals) -> Option<&OnceLock<Arc<Running>>> {
        match (proposals.has(Proposal::Gc), proposals.has(Proposal::Exceptions)) {
            (false, false) => None,
            (true, false) => Some(&self.gc),
            (false, true) => Some(&self.exceptions),
            (true, true) => Some(&self.both),
        }
    }
}

fn unmade(proposals: Proposals, error: &wasmtime::Error) -> Failure {
    let names = proposals.names();
    let message =
        format!("the sandbox with the features {names} cannot be set up on this machine: {error:#}");
    Failure::new(FailureCode::Internal, &message)
}
