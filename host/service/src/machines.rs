//! Machines, on which hooks run, shared by services.

use std::sync::{Arc, Mutex, PoisonError};

use hookbox::{
    Machine, MachineBuilder, interfaces::Environment, python::PythonRunner,
    sandbox::engine_settings::Allocation,
};
use hookbox_app::FolderHooks;

/// Machines that are kept: one for each set of variables that hooks may get, and most projects have equal sets.
const MOST_MACHINES: usize = 4;

/// The machines of one user, for all services with one cache, state and compiler ([`ServiceBuilder::machines`]): a plugin that one of
/// them has loaded is loaded for all. Clones share the machines.
///
/// [`ServiceBuilder::machines`]: crate::ServiceBuilder::machines
#[derive(Clone, Default)]
pub struct Machines {
    made: Arc<Mutex<Vec<(Environment, Machine)>>>,
    python: Option<Arc<dyn PythonRunner>>,
}

impl Machines {
    /// Sets the runner of Python functions, for a program that is a Python interpreter.
    #[must_use]
    pub fn python(mut self, runner: Arc<dyn PythonRunner>) -> Self {
        self.python = Some(runner);
        self
    }

    /// Returns the machine for these variables; a new one continues the counts so far.
    pub(crate) fn find_machine(&self, folder_hooks: &FolderHooks) -> Machine {
        let mut machines = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let known = machines.iter().position(|(environment, _)| environment == folder_hooks.environment());
        let machine = if let Some(known) = known {
            // Removed and pushed again: the list is in the order of use, and the first one is replaced.
            machines.remove(known).1
        } else {
            let new = folder_hooks.machine().allocation(Allocation::POOLED);
            let new = self.python.iter().cloned().fold(new, MachineBuilder::python);
            // The counts of calls and failures must not start anew because a variable has changed.
            let counted = machines.last().map(|(_, last)| last.counts());
            counted.into_iter().fold(new, MachineBuilder::counts).build()
        };
        if machines.len() >= MOST_MACHINES {
            machines.remove(0);
        }
        machines.push((folder_hooks.environment().clone(), machine.clone()));
        machine
    }
}
