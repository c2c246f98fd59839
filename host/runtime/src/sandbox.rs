//! The sandbox: one wasmtime engine, what it was compiled for, and a fresh instance for every call.
//!
//! wasmtime is named below this file and nowhere else; its generated types never leave it.

mod bindings;
pub mod cache;
mod clock;
pub mod compile;
mod convert;
mod failure;
mod files;
mod host_calls;
mod http;
mod identity;
mod imports;
pub mod inspect;
mod kv;
mod link;
pub mod manifest;
mod own_folder;
mod random;
mod refusals;
mod sections;
pub mod settings;
#[cfg(feature = "compiler")]
pub mod shape;
mod store;
mod stream;
mod ticker;
mod trial;
mod wasi;

use std::{
    path::{Path, PathBuf},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use hookbox_model::{Answer, Failure, FailureCode, Grants, Limit, Limits, Manifest};
use tokio::sync::Semaphore;
use wasmtime::{InstancePre, Store, component::Linker};
use wasmtime_wasi::{I32Exit, p2::bindings::CommandPre};

pub(crate) use self::kv::Owner;
use self::{
    bindings::{HookPre, hookbox::hook::types},
    cache::{Cache, Loaded},
    compile::Compiler,
    convert::Borrowed,
    http::Network,
    link::{Linked, World},
    settings::Allocation,
    store::{Pace, Powers, State, new_store},
    ticker::{Ticker, Watched},
    wasi::Wasi,
};
use crate::handler::{
    Call, Reply,
    contract::{Contract, Exit, ProcessEnd},
    environment::Environment,
};

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
    environment: Environment,
    network: Arc<Network>,
    kv: kv::Stores,
}

/// A plugin that is ready to be called: native code in memory, imports resolved.
pub struct Plugin {
    linked: Linked,
    /// What it asks for and is granted.
    grants: Grants,
    manifest: Option<Manifest>,
    /// Its entries, if it imports the store.
    kv: Option<kv::Entrance>,
    /// Its calls have ended within one slice of fuel so far.
    quick: AtomicBool,
}

impl Plugin {
    /// What it says of itself.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }
}

impl Sandbox {
    /// Makes the engine for hooks within `limits`; `environment` has the variables that they may be granted, and in the
    /// folder `state` is what they keep.
    pub fn new(
        allocation: Allocation,
        limits: &Limits,
        cache: Cache,
        compiler: Compiler,
        environment: Environment,
        state: Option<PathBuf>,
    ) -> Result<Self, SandboxError> {
        let (engine, allocation) = settings::engine(allocation, limits).map_err(SandboxError::from)?;
        let linker = link::base(&engine).map_err(SandboxError::from)?;
        let slots = Semaphore::new(allocation.slots());
        Ok(Self {
            linker,
            ticker: Ticker::new(&engine),
            slots,
            loads: Semaphore::new(LOADS_AT_ONCE),
            allocation,
            cache,
            compiler,
            environment,
            network: Arc::default(),
            kv: kv::Stores::new(state),
        })
    }

    /// How instances are allocated, as the probe found.
    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// Loads the component at `path`, from the cache, else by compiling it, to be called with what it asks for of these
    /// grants; one without a manifest asks for all of them. What it keeps is the `owner`'s.
    pub(crate) async fn load(&self, path: &Path, granted: &Grants, owner: Owner) -> Result<Plugin, Failure> {
        let _turn = self.loads.acquire().await;
        let Loaded { code, manifest } = self.cache.load(self.linker.engine(), path, &self.compiler).await?;
        let grants =
            manifest.as_ref().map_or_else(|| granted.clone(), |manifest| manifest.asks.admits(granted));
        let linked = link::link(&self.linker, code, path, &grants)?;
        let kv = if linked.kv { Some(self.kv.enter(owner, grants.kv.clone()).await?) } else { None };
        Ok(Plugin { linked, grants, manifest, kv, quick: AtomicBool::new(true) })
    }

    /// Calls a plugin once, in a fresh store that is dropped whatever happens. By `contract` a program is told of the
    /// event and its output is read.
    pub async fn call(&self, plugin: &Plugin, call: Call<'_>, contract: &dyn Contract) -> Reply {
        let Ok(_slot) = self.slots.acquire().await else {
            return Failure::new(FailureCode::Internal, "the sandbox is closed").into();
        };
        let ran = match &plugin.linked.world {
            World::Hook(hook) => self.call_hook(plugin, hook, &call).await,
            World::Command(command) => Box::pin(self.call_command(plugin, command, &call, contract)).await,
            World::Module(module) => Box::pin(self.call_module(plugin, module, &call, contract)).await,
        };
        ran.unwrap_or_else(Reply::from)
    }

    async fn call_hook(
        &self,
        plugin: &Plugin,
        hook: &HookPre<State>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let quick = !plugin.linked.acts() && plugin.quick.load(Ordering::Relaxed);
        if quick && self.fits_on_this_stack(call.limits) {
            if let Some(reply) = self.call_at_once(plugin, hook, call)? {
                return Ok(reply);
            }
            plugin.quick.store(false, Ordering::Relaxed);
        }
        Box::pin(self.call_in_slices(plugin, hook, call)).await
    }

    /// Without a stack of its own, which would be an eighth of a short call; `None` if the first slice of fuel does not
    /// suffice. Nothing that the guest did is left then: it has no power to act.
    fn call_at_once(
        &self,
        plugin: &Plugin,
        hook: &HookPre<State>,
        call: &Call<'_>,
    ) -> Result<Option<Reply>, Failure> {
        let mut store = self.store(plugin, call, Pace::AtOnce, String::new())?;
        let event = Borrowed::of(call);
        let said = hook.instantiate(&mut store).and_then(|hook| hook.call_handle(&mut store, event.event()));
        let needs_more =
            said.as_ref().is_err_and(failure::is_out_of_fuel) && store.data().had_one_slice_of(call.limits);
        Ok((!needs_more).then(|| reply(store, call, Some(said), answered(call))))
    }

    async fn call_in_slices(
        &self,
        plugin: &Plugin,
        hook: &HookPre<State>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let mut store = self.store(plugin, call, Pace::InSlices, String::new())?;
        let over = store.data().host_calls.over();
        let said = {
            let event = Borrowed::of(call);
            let guest = pin!(async {
                let instance = hook.instance_pre().instantiate_async(&mut store).await?;
                let handle = instance.get_typed_func::<Arguments<'_>, Results>(&mut store, "handle")?;
                handle.call_async(&mut store, (event.event(),)).await.map(|(said,)| said)
            });
            Watched::new(guest, &self.ticker, call.limits.timeout(), &over).await
        };
        Ok(reply(store, call, said, answered(call)))
    }

    async fn call_command(
        &self,
        plugin: &Plugin,
        command: &CommandPre<State>,
        call: &Call<'_>,
        contract: &dyn Contract,
    ) -> Result<Reply, Failure> {
        let mut store = self.store(plugin, call, Pace::InSlices, contract.event(call))?;
        let over = store.data().host_calls.over();
        let ran = {
            let guest = pin!(async {
                let program = command.instantiate_async(&mut store).await?;
                program.wasi_cli_run().call_run(&mut store).await
            });
            Watched::new(guest, &self.ticker, call.limits.timeout(), &over).await
        };
        // An exit code other than 0 and 1 is lost on its way through a component.
        let exit = ran.map(|ran| exit_code(ran.map(|ran| i32::from(ran.is_err()))));
        Ok(ended(store, call, exit, contract))
    }

    async fn call_module(
        &self,
        plugin: &Plugin,
        module: &InstancePre<State>,
        call: &Call<'_>,
        contract: &dyn Contract,
    ) -> Result<Reply, Failure> {
        let mut store = self.store(plugin, call, Pace::InSlices, contract.event(call))?;
        let over = store.data().host_calls.over();
        let ran = {
            let guest = pin!(async {
                let instance = module.instantiate_async(&mut store).await?;
                let start = instance.get_typed_func::<(), ()>(&mut store, "_start")?;
                start.call_async(&mut store, ()).await
            });
            Watched::new(guest, &self.ticker, call.limits.timeout(), &over).await
        };
        let exit = ran.map(|ran| exit_code(ran.map(|()| 0)));
        Ok(ended(store, call, exit, contract))
    }

    /// A store for one call; `input` is what a program reads.
    fn store(
        &self,
        plugin: &Plugin,
        call: &Call<'_>,
        pace: Pace,
        input: String,
    ) -> Result<Store<State>, Failure> {
        let wasi = || Wasi::new(call, &plugin.grants, &self.environment, &self.network, input);
        let wasi = plugin.linked.wasi.then(wasi).transpose()?;
        let kv = plugin.kv.as_ref().map(|entrance| entrance.of_call(call));
        new_store(self.linker.engine(), call, &plugin.grants, pace, Powers { wasi, kv })
            .map_err(|error| failure::of_call(&error, call.limits, None))
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

/// The code that a program ended with; a call of `exit` comes as an error.
fn exit_code(ran: wasmtime::Result<i32>) -> wasmtime::Result<i32> {
    ran.or_else(|error| error.downcast_ref::<I32Exit>().map(|exit| exit.0).ok_or(error))
}

/// What a hook said.
fn answered(
    call: &Call<'_>,
) -> impl FnOnce(Result<types::Answer, String>, &State) -> Result<Answer, Failure> {
    |said, _| match said {
        Ok(answer) => convert::answer(answer, call.limits),
        Err(said) => Err(Failure::new(FailureCode::HookError, &said)),
    }
}

/// What a program said.
fn ended(
    store: Store<State>,
    call: &Call<'_>,
    exit: Option<wasmtime::Result<i32>>,
    contract: &dyn Contract,
) -> Reply {
    reply(store, call, exit, |exit, state| {
        let Some(wasi) = &state.wasi else { return Ok(Answer::default()) };
        if wasi.stdout.is_over() {
            return Err(failure::too_much_output(call.limits));
        }
        let (stdout, stderr) = (wasi.stdout.take(), wasi.stderr.text());
        contract.end(call, &ProcessEnd { exit: Exit::Code(exit), stdout: &stdout, stderr: &stderr })
    })
}

/// What the guest came to, and what it used; `None` if it had to end.
fn reply<T>(
    store: Store<State>,
    call: &Call<'_>,
    said: Option<wasmtime::Result<T>>,
    read: impl FnOnce(T, &State) -> Result<Answer, Failure>,
) -> Reply {
    let (state, limits) = (store.data(), call.limits);
    let left = store.get_fuel().unwrap_or_default();
    let result = match (state.exceeded(limits, left), said) {
        (Some(error), _) | (None, Some(Err(error))) => Err(failure::of_call(&error, limits, Some(state))),
        (None, Some(Ok(said))) => read(said, state),
        (None, None) => Err(failure::timeout(limits)),
    };
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
