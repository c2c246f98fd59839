//! The key-value store that a plugin may be granted: a few bytes under a key, for the next call or the next process.
//!
//! A guest's call waits for the disk on another thread, so a hook's timeout is independent of the disk. An operation
//! under way then is completed or not done at all.

mod entries;
mod file;
mod initial_entries;
mod place;
mod prune;
mod store;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use hookbox_model::{Failure, KvGrant};
use tokio::sync::OnceCell;

pub use self::initial_entries::add_entry;
use self::{
    entries::{Entries, Problem},
    place::{CallScope, Namespace},
    store::{Store, StoreRequest, TransactionKind},
};
use super::{
    bindings::hookbox::hook::kv::{Error, Host, Scope},
    host_call_budget::Price,
    owner::Owner,
    store::State,
    world_interfaces::{Interface, interface},
};
use crate::{Clock, interfaces::Call};

/// Available without the grant, too, since toolchains import all of hookbox's world.
pub(super) const KV: Interface = interface!("kv", kv, "keeps nothing without the grant `kv`", acts: true);

/// Price of a transaction on disk, on another thread.
const PRICE: Price = Price { call: 50_000, byte: 4 };

/// Longest wait for other processes.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The store of a host, opened for the first plugin that uses it.
pub(super) struct Stores {
    folder: Option<PathBuf>,
    opened: OnceCell<Arc<Store>>,
}

impl Stores {
    /// Creates the state for the store in `folder`, if there is one.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, opened: OnceCell::new() }
    }

    pub(super) async fn open_store(&self, owner: Owner, grant: KvGrant) -> Result<PluginStore, Failure> {
        let open = || Store::open(self.folder.clone(), file::MAX_PAGES);
        let store = Arc::clone(self.opened.get_or_try_init(open).await?);
        Ok(PluginStore { store, owner, grant })
    }
}

pub(super) struct PluginStore {
    store: Arc<Store>,
    owner: Owner,
    grant: KvGrant,
}

impl PluginStore {
    pub(super) fn of_call(&self, call: &Call<'_>) -> Kv {
        Kv {
            store: Arc::clone(&self.store),
            owner: self.owner.clone(),
            grant: self.grant.clone(),
            call_scope: CallScope::from_event(call.event),
            clock: call.clock.clone(),
            ends: Instant::now() + call.limits.timeout(),
        }
    }
}

pub(super) struct Kv {
    store: Arc<Store>,
    owner: Owner,
    grant: KvGrant,
    call_scope: CallScope,
    clock: Clock,
    ends: Instant,
}

impl Kv {
    /// Runs `act` on the entries of a scope.
    async fn run_on_entries<T: Send + 'static>(
        &self,
        scope: Scope,
        kind: TransactionKind,
        act: impl FnOnce(&Entries<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> wasmtime::Result<Result<T, Error>> {
        let (owner, call_scope) = (self.owner.clone(), self.call_scope.clone());
        let request = StoreRequest {
            kind,
            // Waiting beyond the end of the call would only keep other requests of this host from the store.
            max_wait: MAX_WAIT.min(self.ends.saturating_duration_since(Instant::now())),
            quota: self.grant.quota(),
            now: self.clock.now_seconds().cast_signed(),
        };
        let space = move || Namespace::from_scope(&owner, scope.into(), &call_scope);
        match self.store.run_on_entries(request, space, act).await {
            Ok(found) => Ok(Ok(found)),
            Err(Problem::Guest(error)) => Ok(Err(error)),
            Err(Problem::Store(error)) => Err(wasmtime::Error::new(self.store.fault_for(&error))),
        }
    }
}

impl From<Scope> for hookbox_model::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Session => Self::Session,
            Scope::Project => Self::Project,
            Scope::User => Self::User,
        }
    }
}

impl State {
    /// Counts the host call, checks the grant, and runs `act`. `bytes` come from the guest.
    async fn run_kv<T: Send + 'static>(
        &mut self,
        scope: Scope,
        bytes: usize,
        kind: TransactionKind,
        act: impl FnOnce(&Entries<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> wasmtime::Result<Result<T, Error>> {
        // Before the grant is checked: a refused call costs the host work as well.
        self.host_calls.begin_call(PRICE, bytes)?;
        let wanted = hookbox_model::Scope::from(scope);
        let line = match &self.powers.kv {
            Some(kv) if kv.grant.covers(wanted) => return kv.run_on_entries(scope, kind, act).await,
            Some(kv) => kv.grant.line_with(wanted),
            None => KvGrant::default().line_with(wanted),
        };
        self.record_refusal("kv", wanted.as_str(), "the scope is not granted", Some(&line));
        Ok(Err(Error::NotGranted))
    }
}

impl Host for State {
    async fn get(&mut self, scope: Scope, key: String) -> wasmtime::Result<Result<Option<Vec<u8>>, Error>> {
        let result =
            self.run_kv(scope, key.len(), TransactionKind::Read, move |entries| entries.get(&key)).await?;
        let bytes = result.as_ref().ok().and_then(Option::as_ref).map(Vec::len);
        self.host_calls.add_result_cost(PRICE, bytes.unwrap_or_default());
        Ok(result)
    }

    async fn set(
        &mut self,
        scope: Scope,
        key: String,
        value: Vec<u8>,
    ) -> wasmtime::Result<Result<(), Error>> {
        let bytes = key.len() + value.len();
        self.run_kv(scope, bytes, TransactionKind::Write, move |entries| entries.set(&key, &value)).await
    }

    async fn delete(&mut self, scope: Scope, key: String) -> wasmtime::Result<Result<(), Error>> {
        self.run_kv(scope, key.len(), TransactionKind::Write, move |entries| entries.delete(&key)).await
    }

    async fn keys(&mut self, scope: Scope, prefix: String) -> wasmtime::Result<Result<Vec<String>, Error>> {
        let result = self
            .run_kv(scope, prefix.len(), TransactionKind::Read, move |entries| entries.list_keys(&prefix))
            .await?;
        let bytes = result.iter().flatten().map(String::len).sum();
        self.host_calls.add_result_cost(PRICE, bytes);
        Ok(result)
    }

    async fn increment(
        &mut self,
        scope: Scope,
        key: String,
        by: i64,
    ) -> wasmtime::Result<Result<i64, Error>> {
        self.run_kv(scope, key.len(), TransactionKind::Write, move |entries| entries.increment(&key, by))
            .await
    }

    async fn swap(
        &mut self,
        scope: Scope,
        key: String,
        old: Option<Vec<u8>>,
        new: Vec<u8>,
    ) -> wasmtime::Result<Result<bool, Error>> {
        let bytes = key.len() + old.as_ref().map_or(0, Vec::len) + new.len();
        self.run_kv(scope, bytes, TransactionKind::Write, move |entries| {
            entries.swap(&key, old.as_deref(), &new)
        })
        .await
    }
}
