//! The open store: one request after another, on threads that may wait.

use std::{path::PathBuf, sync::Arc, time::Duration};

use hookbox_model::{Failure, FailureCode};
use rusqlite::{Connection, TransactionBehavior};
use tokio::{sync::Mutex, task};

use super::{
    super::{bindings::hookbox::hook::kv::Error, failure::Fault},
    entries::{Entries, Problem},
    file,
    place::Namespace,
    prune,
};

/// Whether a request changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Together with those of other processes.
    Read,
    /// As the only one.
    Write,
}

/// A request, beside what it does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) turn: Turn,
    /// How long it waits for others.
    pub(super) patience: Duration,
    /// How much its plugin may keep, bytes.
    pub(super) quota: u64,
    /// Seconds since the Unix epoch.
    pub(super) now: i64,
}

/// One file of entries, and whoever uses it in this host.
pub(super) struct Store {
    connection: Arc<Mutex<Connection>>,
    path: PathBuf,
}

impl Store {
    /// Opens the one in `folder`, which grows to `max_pages` of 4 KiB.
    pub(super) async fn open(folder: Option<PathBuf>, max_pages: i32) -> Result<Arc<Self>, Failure> {
        let folder = folder.ok_or_else(no_folder)?;
        let opened = task::spawn_blocking(move || {
            let (connection, path) = file::open(&folder, max_pages)?;
            Ok(Arc::new(Self { connection: Arc::new(Mutex::new(connection)), path }))
        });
        opened.await.unwrap_or_else(|error| Err(Failure::new(FailureCode::Internal, &error.to_string())))
    }

    /// Does `act` on the entries of `space`. A future that is dropped leaves the request done or not done.
    pub(super) async fn act<T: Send + 'static>(
        &self,
        request: Request,
        space: impl FnOnce() -> Option<Namespace> + Send + 'static,
        act: impl FnOnce(&Entries<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let Request { turn, patience, quota, now } = request;
        let mut connection = Arc::clone(&self.connection).lock_owned().await;
        let done = task::spawn_blocking(move || {
            let space = space().ok_or(Error::NoPlace)?;
            connection.busy_timeout(patience)?;
            let on = |connection: &Connection| act(&Entries { connection, space: &space, quota, now });
            match turn {
                Turn::Read => on(&connection),
                Turn::Write => {
                    // The next one tries again.
                    let _ = prune::prune(&mut connection, now);
                    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                    let done = on(&transaction)?;
                    transaction.commit()?;
                    Ok(done)
                }
            }
        });
        // The thread is gone with the runtime, and so is whoever asked.
        done.await.unwrap_or_else(|_| Err(Error::Busy.into()))
    }

    /// Something is wrong with the file.
    pub(super) fn fault(&self, error: &rusqlite::Error) -> Fault {
        Fault(file::broken(&self.path, error))
    }
}

fn no_folder() -> Failure {
    let message = "there is no folder for what hooks keep (`grant.kv`): HOME or XDG_STATE_HOME must name one outside \
                   the project; a program that embeds hookbox names it with `MachineBuilder::state`";
    Failure::new(FailureCode::Refused, message)
}

#[cfg(test)]
mod tests;
