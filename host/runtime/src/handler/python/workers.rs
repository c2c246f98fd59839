//! Interpreters of a machine: each is started at the first call and is kept as long as the machine.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hookbox_model::{Failure, FailureCode};
use tokio::sync::Mutex as AsyncMutex;

use super::{
    line::CallEnd,
    start::{InterpreterSettings, needs_project, start_interpreter},
    worker::{EndedCall, Worker},
};
use crate::{
    hook::PythonSpec,
    interfaces::Environment,
    python::{PythonCall, PythonEnd, PythonFuture, PythonRunner},
};

/// Most kinds of interpreters that are kept. A further one replaces the least recently used.
const MOST_KINDS: usize = 8;
/// How often a call is begun if its interpreter accepts no more calls, or has outdated modules.
const ATTEMPTS: usize = 4;

/// Pool with one interpreter for all functions with equal folders, variables and confinement.
///
/// A call needs a tokio runtime with time. A function that does not end in time ends its interpreter, once the other
/// calls under way there have ended; the next call has a new one.
pub struct Workers {
    environment: Environment,
    /// Ordered by use, the most recent last.
    kept: Mutex<Vec<Arc<Place>>>,
}

struct Place {
    kind: InterpreterSettings,
    worker: AsyncMutex<Option<Arc<Worker>>>,
}

impl Workers {
    /// Creates the pool. Interpreters are found by the `PATH` of `environment`, and get the variables of it that
    /// functions name.
    pub fn new(environment: Environment) -> Self {
        Self { environment, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<Place>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place_for(&self, kind: InterpreterSettings) -> Arc<Place> {
        let mut kept = self.kept();
        let found = kept.iter().position(|place| place.kind == kind);
        let place = match found {
            Some(at) => kept.remove(at),
            None => Arc::new(Place { kind, worker: AsyncMutex::default() }),
        };
        if kept.len() >= MOST_KINDS {
            // Calls under way in it keep it until they end.
            kept.remove(0);
        }
        kept.push(Arc::clone(&place));
        place
    }

    async fn get_or_start_worker(
        &self,
        hook: &str,
        spec: &PythonSpec,
        place: &Place,
    ) -> Result<Arc<Worker>, Failure> {
        // The lock is held during the start, so that concurrent first calls share one interpreter.
        let mut worker = place.worker.lock().await;
        if let Some(worker) = worker.as_ref().filter(|worker| worker.is_usable()) {
            return Ok(Arc::clone(worker));
        }
        let started = start_interpreter(hook, spec, &place.kind, &self.environment).await?;
        let new =
            Worker::new(started).map_err(|error| Failure::new(FailureCode::Spawn, &error.to_string()))?;
        Ok(Arc::clone(worker.insert(Arc::new(new))))
    }

    async fn run(&self, call: &PythonCall<'_>) -> Result<EndedCall, Failure> {
        for _ in 0..ATTEMPTS {
            let place = self.place_for(InterpreterSettings::from_spec(call.spec, call.project));
            let worker = self.get_or_start_worker(call.hook, call.spec, &place).await?;
            match worker.call_function(call).await {
                Some((CallEnd::Stale, _)) => worker.retire(),
                Some(ended) => return Ok(ended),
                None => {}
            }
        }
        Err(Failure::new(
            FailureCode::Spawn,
            "each Python interpreter that was started ended before the call",
        ))
    }
}

impl PythonRunner for Workers {
    fn prepare<'a>(&'a self, spec: &'a PythonSpec) -> Option<PythonFuture<'a, Result<(), Failure>>> {
        // The folder of the event, which is a part of its kind, is known at the call only.
        if needs_project(spec) {
            return None;
        }
        let place = self.place_for(InterpreterSettings::from_spec(spec, ""));
        let is_ready =
            place.worker.try_lock().is_ok_and(|worker| worker.as_ref().is_some_and(|w| w.is_usable()));
        if is_ready {
            return None;
        }
        Some(Box::pin(async move { self.get_or_start_worker(&spec.module, spec, &place).await.map(drop) }))
    }

    fn call<'a>(&'a self, call: PythonCall<'a>) -> PythonFuture<'a, PythonEnd> {
        Box::pin(async move {
            match self.run(&call).await {
                Ok((CallEnd::Answered(answer), log)) => PythonEnd { result: Ok(answer), log },
                Ok((CallEnd::Failed(failure), log)) => PythonEnd { result: Err(failure), log },
                Ok((CallEnd::Stale, log)) => PythonEnd { result: Ok(String::new()), log },
                Err(failure) => PythonEnd { result: Err(failure), log: String::new() },
            }
        })
    }

    fn end(&self) {
        for place in std::mem::take(&mut *self.kept()) {
            if let Ok(Some(worker)) = place.worker.try_lock().as_deref() {
                worker.end();
            }
        }
    }
}
