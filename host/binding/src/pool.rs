//! Machines that hosts of one process share.

use std::sync::{Arc, Mutex, PoisonError};

use hookbox::python::PythonRunner;
use hookbox_service::Machines;

use crate::options::User;

/// The machines of a process, by owner. A plugin that two hosts of one user call is loaded once.
#[derive(Default)]
pub struct Pool {
    known: Mutex<Vec<(User, Machines)>>,
    python: Option<Arc<dyn PythonRunner>>,
}

impl Pool {
    /// Creates a pool for a program that is a Python interpreter and calls functions itself, for hosts whose options ask for it.
    pub fn of_python(runner: Arc<dyn PythonRunner>) -> Self {
        Self { known: Mutex::default(), python: Some(runner) }
    }

    pub(crate) fn of(&self, user: &User) -> Machines {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, machines)) = known.iter().find(|(known, _)| known == user) {
            return machines.clone();
        }
        // Only hosts whose options ask for it: another program's functions must not run in this interpreter.
        let runner = self.python.iter().filter(|_| user.functions_here).cloned();
        let machines = runner.fold(Machines::default(), Machines::python);
        known.push((user.clone(), machines.clone()));
        machines
    }
}
