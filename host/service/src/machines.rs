//! What hooks run on, for as long as somebody asks.

use std::sync::{Arc, Mutex, PoisonError};

use hookbox::{
    Machine, MachineBuilder, port::Environment, python::PythonRunner, sandbox::settings::Allocation,
};
use hookbox_files::Setup;

/// Machines that are kept: one for each set of variables that hooks may be given, and most projects have the same.
const MOST_MACHINES: usize = 4;

/// The machines of one user, for all services that have the same cache, state and compiler ([`ServiceBuilder::machines`]): what one
/// of them has loaded is loaded for all. Clones are the same machines.
///
/// [`ServiceBuilder::machines`]: crate::ServiceBuilder::machines
#[derive(Clone, Default)]
pub struct Machines {
    made: Arc<Mutex<Vec<(Environment, Machine)>>>,
    python: Option<Arc<dyn PythonRunner>>,
}

impl Machines {
    /// The program that has them is an interpreter of Python, and calls functions itself.
    #[must_use]
    pub fn python(mut self, runner: Arc<dyn PythonRunner>) -> Self {
        self.python = Some(runner);
        self
    }

    /// The machine of these variables; a new one goes on with what was counted so far.
    pub(crate) fn for_setup(&self, setup: &Setup) -> Machine {
        let mut machines = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let known = machines.iter().position(|(environment, _)| environment == setup.environment());
        let machine = if let Some(known) = known {
            machines.remove(known).1
        } else {
            let new = setup.machine().allocation(Allocation::POOLED);
            let new = self.python.iter().cloned().fold(new, MachineBuilder::python);
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
