//! What hooks run on, for as long as somebody asks.

use std::sync::{Arc, Mutex, PoisonError};

use hookbox::{Machine, MachineBuilder, port::Environment, sandbox::settings::Allocation};
use hookbox_files::Setup;

/// Machines that are kept: one for each set of variables that hooks may be given, and most projects have the same.
const MOST_MACHINES: usize = 4;

/// The machines of one user, for all services that have the same cache, state and compiler ([`ServiceBuilder::machines`]): what one
/// of them has loaded is loaded for all. Clones are the same machines.
///
/// [`ServiceBuilder::machines`]: crate::ServiceBuilder::machines
#[derive(Clone, Default)]
pub struct Machines(Arc<Mutex<Vec<(Environment, Machine)>>>);

impl Machines {
    /// The machine of these variables; a new one goes on with what was counted so far.
    pub(crate) fn for_setup(&self, setup: &Setup) -> Machine {
        let mut machines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = machines.iter().position(|(environment, _)| environment == setup.environment());
        let machine = if let Some(known) = known {
            machines.remove(known).1
        } else {
            let new = setup.machine().allocation(Allocation::POOLED);
            let counted = machines.last().map(|(_, last)| last.counts());
            counted.into_iter().fold(new, MachineBuilder::counts).build()
        };
        if machines.len() >= MOST_MACHINES {
            machines.remove(0);
        }
        machines.push((setup.environment().clone(), machine.clone()));
        machine
    }
}
