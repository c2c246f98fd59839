//! The open store: requests run one after another, on threads that may block.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TransactionKind {
    /// Concurrent with the reads of other processes.
    Read,
    /// Exclusive.
    Write,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StoreRequest {
    pub(super) kind: TransactionKind,
    /// Longest wait for other requests.
    pub(super) max_wait: Duration,
    /// Quota of its plugin, bytes.
    pub(super) quota: u64,
    /// Current time, seconds since the Unix epoch.
    pub(super) now: i64,
}

/// An open store file, which all plugins of this host share.
pub(super) struct Store {
    connection: Arc<Mutex<Connection>>,
    path: PathBuf,
}

impl Store {
    /// Opens the store in `folder`, which grows to `max_pages` of 4 KiB.
    pub(super) async fn open(folder: Option<PathBuf>, max_pages: i32) -> Result<Arc<Self>, Failure> {
        let folder = folder.ok_or_else(no_folder)?;
        let opened = task::spawn_blocking(move || {
            let (connection, path) = file::open(&folder, max_pages)?;
            Ok(Arc::new(Self { connection: Arc::new(Mutex::new(connection)), path }))
        });
        opened.await.unwrap_or_else(|error| Err(Failure::new(FailureCode::Internal, &error.to_string())))
    }

    /// Runs `act` on the entries of `space`. If the future is dropped, the request is completed or not done at all.
    pub(super) async fn run_on_entries<T: Send + 'static>(
        &self,
        request: StoreRequest,
        space: impl FnOnce() -> Option<Namespace> + Send + 'static,
        act: impl FnOnce(&Entries<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let StoreRequest { kind, max_wait, quota, now } = request;
        // The guard moves into the thread: if the caller gives up, the next request still waits for this one
        // to end.
        let mut connection = Arc::clone(&self.connection).lock_owned().await;
        let done = task::spawn_blocking(move || {
            // A project's place is found by resolving its links, so this belongs to the thread that may
            // block.
            let space = space().ok_or(Error::NoPlace)?;
            connection.busy_timeout(max_wait)?;
            let on = |connection: &Connection| act(&Entries { connection, space: &space, quota, now });
            match kind {
                // Each of these requests is one statement, which SQLite answers from one state of the file.
                TransactionKind::Read => on(&connection),
                TransactionKind::Write => {
                    // If pruning fails, the next request tries again.
                    let _ = prune::prune_sessions(&mut connection, now);
                    // A transaction that begins as a read cannot wait when it becomes a write: SQLite reports
                    // it as busy immediately.
                    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                    let done = on(&transaction)?;
                    transaction.commit()?;
                    Ok(done)
                }
            }
        });
        // The thread has ended with the runtime, and so has the caller.
        done.await.unwrap_or_else(|_| Err(Error::Busy.into()))
    }

    pub(super) fn fault_for(&self, error: &rusqlite::Error) -> Fault {
        Fault(file::broken_failure(&self.path, error))
    }
}

fn no_folder() -> Failure {
    let message = "there is no folder for what hooks keep (`grant.kv`): HOME or XDG_STATE_HOME must name one outside \
                   the project; a program that embeds hookbox names it with `MachineBuilder::state`";
    Failure::new(FailureCode::Refused, message)
}

#[cfg(test)]
mod tests;
