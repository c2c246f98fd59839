//! Machines that hosts of one process have in common.

use std::sync::{Mutex, PoisonError};

use hookbox_service::Machines;

use crate::options::User;

/// The machines of a process, by whose they are. A plugin that two hosts of one user call is loaded once.
#[derive(Default)]
pub struct Pool(Mutex<Vec<(User, Machines)>>);

impl Pool {
    pub(crate) fn of(&self, user: &User) -> Machines {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, machines)) = known.iter().find(|(known, _)| known == user) {
            return machines.clone();
        }
        let machines = Machines::default();
        known.push((user.clone(), machines.clone()));
        machines
    }
}
