//! The sandbox: one wasmtime engine, what it was compiled for, and a fresh instance for every call.
//!
//! wasmtime is named below this file and nowhere else; its generated types never leave it.

mod bindings;
pub mod cache;
mod clock;
pub mod compile;
mod convert;
mod failure;
mod identity;
mod imports;
mod random;
pub mod settings;
#[cfg(feature = "compiler")]
pub mod shape;
mod store;
mod ticker;

use std::{
    path::Path,
    pin::pin,
    sync::atomic::{AtomicBool, Ordering},
};

use hookbox_model::{Failure, FailureCode, Grants, Limit, Limits};
use tokio::sync::Semaphore;
use wasmtime::{Store, component::Linker};

use self::{
    bindings::{Hook, HookPre, hookbox::hook::types},
    cache::Cache,
    compile::Compiler,
    convert::Borrowed,
    settings::Allocation,
    store::{Pace, State, new_store},
    ticker::{Ticker, Watched},
};
use crate::handler::{Call, Reply};

/// Components that are loaded at once: each may be compiled, by a process of its own.
const LOADS_AT_ONCE: usize = 4;

/// A wasmtime engine with the hook world linked, shared by all wasm hooks of a host.
pub struct Sandbox {
    linker: Linker<State>,
    ticker: Ticker,
    slots: Semaphore,
    loads: Semaphore,
    allocation: Allocation,
    cache: Cache,
    compiler: Compiler,
}

/// A component that is ready to be called: native code in memory, imports resolved.
pub struct Plugin {
    pre: HookPre<State>,
    grants: Grants,
    /// Its calls have ended within one slice of fuel so far.
    quick: AtomicBool,
}

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
        Ok(Self {
            linker,
            ticker: Ticker::new(&engine),
            slots,
            loads: Semaphore::new(LOADS_AT_ONCE),
            allocation,
            cache,
            compiler,
        })
    }

    /// How instances are allocated, as the probe found.
    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// Loads the component at `path`, from the cache, else by compiling it, to be called with these grants.
    pub async fn load(&self, path: &Path, grants: Grants) -> Result<Plugin, Failure> {
        let _turn = self.loads.acquire().await;
        let component = self.cache.load(self.linker.engine(), path, &self.compiler).await?;
        let pre = self
            .linker
            .instantiate_pre(&component)
            .and_then(HookPre::new)
            .map_err(|error| failure::of_world(path, &error))?;
        Ok(Plugin { pre, grants, quick: AtomicBool::new(true) })
    }

    /// Calls a plugin once, in a fresh store that is dropped whatever happens.
    pub async fn call(&self, plugin: &Plugin, call: Call<'_>) -> Reply {
        let Ok(_slot) = self.slots.acquire().await else {
            return Failure::new(FailureCode::Internal, "the sandbox is closed").into();
        };
        if plugin.quick.load(Ordering::Relaxed) && self.fits_on_this_stack(call.limits) {
            if let Some(reply) = self.call_at_once(plugin, &call) {
                return reply;
            }
            plugin.quick.store(false, Ordering::Relaxed);
        }
        Box::pin(self.call_in_slices(plugin, &call)).await
    }

    /// Without a stack of its own, which would be an eighth of a short call; `None` if the first slice of fuel does not
    /// suffice. Nothing that the guest did is left then: what it can do here has no effect beyond its store.
    fn call_at_once(&self, plugin: &Plugin, call: &Call<'_>) -> Option<Reply> {
        let mut store = match new_store(self.linker.engine(), call, plugin.grants, Pace::AtOnce) {
            Ok(store) => store,
            Err(error) => return Some(failure::of_call(&error, call.limits, None).into()),
        };
        let event = Borrowed::of(call);
        let said =
            plugin.pre.instantiate(&mut store).and_then(|hook| hook.call_handle(&mut store, event.event()));
        let needs_more =
            said.as_ref().is_err_and(failure::is_out_of_fuel) && store.data().had_one_slice_of(call.limits);
        (!needs_more).then(|| reply(store, call, Some(said)))
    }

    async fn call_in_slices(&self, plugin: &Plugin, call: &Call<'_>) -> Reply {
        let mut store = match new_store(self.linker.engine(), call, plugin.grants, Pace::InSlices) {
            Ok(store) => store,
            Err(error) => return failure::of_call(&error, call.limits, None).into(),
        };
        let said = {
            let event = Borrowed::of(call);
            let guest = pin!(async {
                let instance = plugin.pre.instance_pre().instantiate_async(&mut store).await?;
                let handle = instance.get_typed_func::<Arguments<'_>, Results>(&mut store, "handle")?;
                handle.call_async(&mut store, (event.event(),)).await.map(|(said,)| said)
            });
            Watched::new(guest, &self.ticker, call.limits.timeout()).await
        };
        reply(store, call, said)
    }

    /// A pool serves hosts whose threads may be of any kind; a process that makes one call has nothing to gain.
    fn fits_on_this_stack(&self, limits: &Limits) -> bool {
        let needed = limits.size(Limit::Stack) + settings::HOST_STACK;
        self.allocation != Allocation::OnDemand
            && stacker::remaining_stack().is_some_and(|left| left > needed)
    }
}

/// Of the world's function; the generated bindings call it at once only.
type Arguments<'a> = (types::Event<'a>,);
type Results = (Result<types::Answer, String>,);

/// What the guest said, and what it used; `None` if its deadline passed.
fn reply(
    store: Store<State>,
    call: &Call<'_>,
    said: Option<wasmtime::Result<Result<types::Answer, String>>>,
) -> Reply {
    let result = match said {
        Some(Ok(Ok(answer))) => convert::answer(answer, call.limits),
        Some(Ok(Err(said))) => Err(Failure::new(FailureCode::HookError, &said)),
        Some(Err(error)) => Err(failure::of_call(&error, call.limits, Some(store.data()))),
        None => Err(failure::timeout(call.limits)),
    };
    let left = store.get_fuel().unwrap_or_default();
    store.into_data().into_reply(result, left)
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
