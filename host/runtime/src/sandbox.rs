//! The sandbox: one wasmtime engine, what it was compiled for, and a fresh instance for every call.
//!
//! wasmtime is named below this file and nowhere else; its generated types never leave it.

mod bindings;
pub mod cache;
pub mod compile;
mod convert;
mod failure;
mod identity;
mod imports;
pub mod settings;
mod store;
mod ticker;

use std::{path::Path, time::Instant};

use hookbox_model::{Failure, FailureCode, Limits};
use tokio::sync::Semaphore;
use wasmtime::component::Linker;

use self::{
    bindings::{Hook, HookPre},
    cache::Cache,
    compile::Compiler,
    convert::Borrowed,
    settings::Allocation,
    store::{State, new_store},
    ticker::{Ticker, Watched},
};
use crate::handler::{Call, Reply};

/// A wasmtime engine with the hook world linked, shared by all wasm hooks of a host.
pub struct Sandbox {
    linker: Linker<State>,
    ticker: Ticker,
    slots: Semaphore,
    allocation: Allocation,
    cache: Cache,
    compiler: Compiler,
}

/// A component that is ready to be called: native code in memory, imports resolved.
pub struct Plugin(HookPre<State>);

impl Sandbox {
    /// Makes the engine. `stack` is the wasm stack of every call in bytes; `memory` the most that any of its hooks
    /// may have.
    pub fn new(
        allocation: Allocation,
        limits: &Limits,
        cache: Cache,
        compiler: Compiler,
    ) -> Result<Self, SandboxError> {
        let (engine, allocation) = settings::engine(allocation, limits).map_err(SandboxError::from)?;
        let mut linker = Linker::new(&engine);
        Hook::add_to_linker::<_, State>(&mut linker, |state| state).map_err(SandboxError::from)?;
        let slots = Semaphore::new(allocation.slots());
        Ok(Self { linker, ticker: Ticker::new(&engine), slots, allocation, cache, compiler })
    }

    /// How instances are allocated, as the probe found.
    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// Loads the component at `path`: from the cache, else by compiling it.
    pub async fn load(&self, path: &Path) -> Result<Plugin, Failure> {
        let component = self.cache.load(self.linker.engine(), path, &self.compiler).await?;
        let pre = self
            .linker
            .instantiate_pre(&component)
            .and_then(HookPre::new)
            .map_err(|error| failure::of_world(path, &error))?;
        Ok(Plugin(pre))
    }

    /// Calls a plugin once, in a fresh store that is dropped whatever happens.
    pub async fn call(&self, plugin: &Plugin, call: Call<'_>) -> Reply {
        let Ok(_slot) = self.slots.acquire().await else {
            return Failure::new(FailureCode::Internal, "the sandbox is closed").into();
        };
        let deadline = Instant::now() + call.limits.timeout();
        let mut store = match new_store(self.linker.engine(), &call) {
            Ok(store) => store,
            Err(error) => return failure::of_call(&error, call.limits, None).into(),
        };
        let borrowed = Borrowed::of(&call);
        let guest = async {
            let hook = plugin.0.instantiate_async(&mut store).await?;
            hook.call_handle(&mut store, borrowed.event()).await
        };
        let result = match Watched::new(guest, &self.ticker, deadline).await {
            Some(Ok(Ok(answer))) => convert::answer(answer, call.limits),
            Some(Ok(Err(said))) => Err(Failure::new(FailureCode::HookError, &said)),
            Some(Err(error)) => Err(failure::of_call(&error, call.limits, Some(store.data()))),
            None => Err(failure::timeout(call.limits)),
        };
        let left = store.get_fuel().unwrap_or_default();
        store.into_data().into_reply(result, left)
    }
}

/// The engine cannot be made on this machine.
#[derive(Debug)]
pub struct SandboxError(String);

impl From<wasmtime::Error> for SandboxError {
    fn from(error: wasmtime::Error) -> Self {
        Self(format!("{error:#}"))
    }
}

impl std::fmt::Display for SandboxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the sandbox cannot be set up on this machine: {}", self.0)
    }
}

impl std::error::Error for SandboxError {}
