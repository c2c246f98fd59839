//! Worker pool per trust domain.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use hookbox_model::{Failure, FailureCode, Limits};
use hookbox_platform::confinement::KernelSupport;
use serde::de::DeserializeOwned;
use tokio::sync::{AcquireError, Mutex as AsyncMutex, Semaphore};

use super::{
    exchange::Progress,
    isolated::WorkerPlugin,
    message::WorkerRequest,
    process::{Worker, WorkerConfig},
};
use crate::sandbox::{Owner, compile::Compiler, engine_settings::Allocation, kind::Kind};

/// Most processes of one trust domain: each has one call at a time.
const MAX_PROCESSES: usize = 4;

/// Trust domain: its plugins belong to one adversary and share processes, so that a break-out reaches no other plugin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TrustDomain {
    /// Plugins of an untrusted project in this folder.
    Project(PathBuf),
    /// One plugin of the user's own, with `isolate`.
    Plugin(Owner),
}

/// Returns true if this platform can isolate guests. It must end a process when the process that started it ends.
pub fn is_possible() -> bool {
    KernelSupport::detect_features().death_signal
}

/// The worker pools of a machine. A pool exists as long as a plugin of it.
pub(in crate::sandbox) struct WorkerPools {
    config: Option<Arc<WorkerConfig>>,
    known: Mutex<HashMap<TrustDomain, Weak<WorkerPool>>>,
}

impl WorkerPools {
    /// Creates the state with the compiler's program, if there is one, and if this platform ends a process when the
    /// process that started it ends.
    pub(in crate::sandbox) fn new(compiler: &Compiler, limits: &Limits, allocation: &Allocation) -> Self {
        let program = compiler.program().filter(|_| is_possible());
        let pool = *allocation != Allocation::OnDemand;
        let make_config = |program: &std::path::Path| WorkerConfig {
            program: program.to_owned(),
            limits: limits.clone(),
            pool,
        };
        Self { config: program.map(make_config).map(Arc::new), known: Mutex::default() }
    }

    /// Returns the pool of a trust domain; `None` if this machine cannot isolate guests.
    pub(in crate::sandbox) fn pool_for(&self, domain: &TrustDomain) -> Option<Arc<WorkerPool>> {
        let config = self.config.as_ref()?;
        let mut known = self.known();
        if let Some(pool) = known.get(domain).and_then(Weak::upgrade) {
            return Some(pool);
        }
        known.retain(|_, pool| pool.strong_count() > 0);
        let pool = Arc::new(WorkerPool::new(Arc::clone(config)));
        known.insert(domain.clone(), Arc::downgrade(&pool));
        Some(pool)
    }

    /// Ends all processes that have no call, and waits until they are gone.
    pub(in crate::sandbox) fn end(&self) {
        let pools: Vec<_> = self.known().values().filter_map(Weak::upgrade).collect();
        pools.iter().flat_map(|pool| std::mem::take(&mut *pool.idle())).for_each(Worker::end_process);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<TrustDomain, Weak<WorkerPool>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The processes of one trust domain.
pub(crate) struct WorkerPool {
    config: Arc<WorkerConfig>,
    places: Semaphore,
    /// Lock for short calls, which run one after another in one process. A longer call releases the lock, and the next
    /// call gets another process.
    short_calls: AsyncMutex<()>,
    idle: Mutex<Vec<Worker>>,
    numbers: AtomicU64,
}

impl WorkerPool {
    fn new(config: Arc<WorkerConfig>) -> Self {
        let (places, short_calls) = (Semaphore::new(MAX_PROCESSES), AsyncMutex::new(()));
        Self { config, places, short_calls, idle: Mutex::default(), numbers: AtomicU64::new(0) }
    }

    /// Returns an unused number for a plugin of this pool.
    pub(super) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns true if a process is waiting for a call.
    pub(super) fn is_ready(&self) -> bool {
        self.short_calls.try_lock().is_ok() && !self.idle().is_empty()
    }

    /// Loads this plugin in a process, and returns its kind.
    pub(super) async fn load_plugin(&self, plugin: &WorkerPlugin) -> Result<Kind, Failure> {
        let _place = self.places.acquire().await.map_err(closed_failure)?;
        let _lock = self.short_calls.lock().await;
        let (worker, kind) = self.worker_with_plugin(plugin).await?;
        self.idle().push(worker);
        Ok(kind)
    }

    /// Sends a request to a process that has this plugin. A process whose answer is in `order` is kept for the next
    /// request; `quick` becomes false if the answer did not come immediately. Dropping the future ends the process.
    pub(super) async fn send_request<T: DeserializeOwned>(
        &self,
        plugin: &WorkerPlugin,
        request: &WorkerRequest<'_>,
        (quick, order): (&AtomicBool, fn(&T) -> bool),
    ) -> Result<T, Failure> {
        let _place = self.places.acquire().await.map_err(closed_failure)?;
        let lock = self.short_calls.lock().await;
        let (mut worker, _) = self.worker_with_plugin(plugin).await?;
        let answer = match worker.at_once(request, &[]) {
            Ok(Progress::Over(answer)) => Ok(answer),
            Ok(Progress::UnderWay(rest)) => {
                quick.store(false, Ordering::Relaxed);
                drop(lock);
                rest.finish().await
            }
            Err(error) => Err(error),
        };
        let read = worker.read_answer(answer)?;
        // A process that is not put back is dropped, and so killed.
        if order(&read) {
            self.idle().push(worker);
        }
        Ok(read)
    }

    async fn worker_with_plugin(&self, plugin: &WorkerPlugin) -> Result<(Worker, Kind), Failure> {
        let mut worker = self.worker().await?;
        match worker.ensure_loaded(plugin).await? {
            Ok(kind) => Ok((worker, kind)),
            Err(failure) => {
                // Any other code is a fault of the plugin, and the process is in order.
                if failure.code != FailureCode::Internal {
                    self.idle().push(worker);
                }
                Err(failure)
            }
        }
    }

    /// Returns an idle process that is well, otherwise a new one.
    async fn worker(&self) -> Result<Worker, Failure> {
        while let Some(worker) = self.take() {
            if worker.is_well() {
                return Ok(worker);
            }
        }
        Worker::start(&self.config).await
    }

    fn take(&self) -> Option<Worker> {
        self.idle().pop()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed_failure(_: AcquireError) -> Failure {
    Failure::new(FailureCode::Internal, "the sandbox is closed")
}
