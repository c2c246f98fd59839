//! The processes for the plugins of one adversary.

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
use tokio::sync::{AcquireError, Mutex as Turn, Semaphore};

use super::{
    exchange::Progress,
    isolated::Native,
    message::Request,
    process::{Means, Worker},
};
use crate::sandbox::{Owner, compile::Compiler, kind::Kind, settings::Allocation};

/// Processes of one adversary at once: one has a call at a time.
const MOST: usize = 4;

/// Whose plugins share a process: those of one adversary, who could reach nobody else by breaking out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Whose {
    /// A stranger's, whose project is in this folder.
    Project(PathBuf),
    /// One of the user's own, which is to be alone.
    Plugin(Owner),
}

/// Can guests run apart on this platform? It must end a process with the one that started it.
pub fn is_possible() -> bool {
    KernelSupport::here().death_signal
}

/// All crews of a machine. Each is there as long as somebody has a plugin of it.
pub(in crate::sandbox) struct Crews {
    means: Option<Arc<Means>>,
    known: Mutex<HashMap<Whose, Weak<Crew>>>,
}

impl Crews {
    /// By the compiler's program, if there is one, and if this platform ends a process with the one that started it.
    pub(in crate::sandbox) fn new(compiler: &Compiler, limits: &Limits, allocation: &Allocation) -> Self {
        let program = compiler.program().filter(|_| is_possible());
        let pool = *allocation != Allocation::OnDemand;
        let means =
            |program: &std::path::Path| Means { program: program.to_owned(), limits: limits.clone(), pool };
        Self { means: program.map(means).map(Arc::new), known: Mutex::default() }
    }

    /// Theirs; `None` if guests cannot run apart here.
    pub(in crate::sandbox) fn of(&self, whose: &Whose) -> Option<Arc<Crew>> {
        let means = self.means.as_ref()?;
        let mut known = self.known();
        if let Some(crew) = known.get(whose).and_then(Weak::upgrade) {
            return Some(crew);
        }
        known.retain(|_, crew| crew.strong_count() > 0);
        let crew = Arc::new(Crew::new(Arc::clone(means)));
        known.insert(whose.clone(), Arc::downgrade(&crew));
        Some(crew)
    }

    /// Ends all processes that have no call, and waits until they are gone.
    pub(in crate::sandbox) fn end(&self) {
        let crews: Vec<_> = self.known().values().filter_map(Weak::upgrade).collect();
        crews.iter().flat_map(|crew| std::mem::take(&mut *crew.idle())).for_each(Worker::end);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Whose, Weak<Crew>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The processes of one adversary.
pub(crate) struct Crew {
    means: Arc<Means>,
    places: Semaphore,
    /// Short calls go one after another to one process. Whoever takes longer lets go of the turn, and the next has another
    /// process.
    turn: Turn<()>,
    idle: Mutex<Vec<Worker>>,
    numbers: AtomicU64,
}

impl Crew {
    fn new(means: Arc<Means>) -> Self {
        let (places, turn) = (Semaphore::new(MOST), Turn::new(()));
        Self { means, places, turn, idle: Mutex::default(), numbers: AtomicU64::new(0) }
    }

    /// A number that no plugin of this crew has yet.
    pub(super) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Is there a process that waits for a call?
    pub(super) fn is_ready(&self) -> bool {
        self.turn.try_lock().is_ok() && !self.idle().is_empty()
    }

    /// Has a process load this plugin, and says what it can be called as.
    pub(super) async fn load(&self, plugin: &Native) -> Result<Kind, Failure> {
        let _place = self.places.acquire().await.map_err(closed)?;
        let _turn = self.turn.lock().await;
        let (worker, kind) = self.having(plugin).await?;
        self.idle().push(worker);
        Ok(kind)
    }

    /// Asks a process that has this plugin. One that has answered in `order` stays for the next; `quick` says whether it was
    /// over at once. Dropping the future ends the process.
    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        plugin: &Native,
        request: &Request<'_>,
        (quick, order): (&AtomicBool, fn(&T) -> bool),
    ) -> Result<T, Failure> {
        let _place = self.places.acquire().await.map_err(closed)?;
        let turn = self.turn.lock().await;
        let (mut worker, _) = self.having(plugin).await?;
        let answer = match worker.at_once(request, &[]) {
            Ok(Progress::Over(answer)) => Ok(answer),
            Ok(Progress::UnderWay(rest)) => {
                quick.store(false, Ordering::Relaxed);
                drop(turn);
                rest.finish().await
            }
            Err(error) => Err(error),
        };
        let read = worker.read(answer)?;
        if order(&read) {
            self.idle().push(worker);
        }
        Ok(read)
    }

    /// A process that has this plugin.
    async fn having(&self, plugin: &Native) -> Result<(Worker, Kind), Failure> {
        let mut worker = self.worker().await?;
        match worker.have(plugin).await? {
            Ok(kind) => Ok((worker, kind)),
            Err(failure) => {
                if failure.code != FailureCode::Internal {
                    self.idle().push(worker);
                }
                Err(failure)
            }
        }
    }

    /// One that is there and well, else a new one.
    async fn worker(&self) -> Result<Worker, Failure> {
        while let Some(worker) = self.take() {
            if worker.is_well() {
                return Ok(worker);
            }
        }
        Worker::start(&self.means).await
    }

    fn take(&self) -> Option<Worker> {
        self.idle().pop()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed(_: AcquireError) -> Failure {
    Failure::new(FailureCode::Internal, "the sandbox is closed")
}
