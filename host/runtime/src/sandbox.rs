//! The sandbox: a wasmtime engine, the components compiled for it, and a fresh instance for every call.
//!
//! Only this module and its submodules use wasmtime; its generated types stay inside them.

mod ask;
mod bindings;
pub mod cache;
mod call_capabilities;
mod clock;
pub mod compile;
pub mod component_file;
#[cfg(feature = "compiler")]
pub mod component_shape;
mod convert;
pub mod engine_settings;
mod engines;
mod facts;
mod failure;
mod files;
mod guest_call;
mod host_call_budget;
#[cfg(feature = "guest-http")]
mod http;
#[cfg(not(feature = "guest-http"))]
#[path = "sandbox/no_http.rs"]
mod http;
mod identity;
mod imports;
pub mod inspect;
mod json;
mod kind;
#[cfg(feature = "kv")]
mod kv;
#[cfg(not(feature = "kv"))]
#[path = "sandbox/no_kv.rs"]
mod kv;
mod link;
pub mod manifest;
mod own_folder;
mod owner;
mod plugin_handler;
mod plugins;
mod random;
mod refusals;
pub mod script;
mod self_test;
mod store;
mod stream;
mod ticker;
pub mod untrusted;
mod wasi;
pub mod worker;
mod world_interfaces;

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use hookbox_model::{Failure, FailureCode, Limits, Manifest, PluginId, Start};
use tokio::sync::Semaphore;

use self::{
    cache::{Cache, CachePart, Loaded, RequestedComponent},
    call_capabilities::{PluginCapabilities, Shared},
    compile::Compiler,
    engine_settings::Allocation,
    engines::{Engines, TickedEngine},
    link::{Linked, World},
    owner::Owner,
    plugins::Plugins,
    worker::WorkerPools,
};
pub(crate) use self::{
    facts::FactsPlugin,
    plugin_handler::{Callee, LazyPlugin, LazySandbox, WasmHandler},
    plugins::ComponentUse,
    worker::{Isolated, TrustDomain, WorkerPool},
};
use crate::interfaces::{Call, Contract, Environment, Reply};

pub use self::http::Recording;
#[cfg(feature = "guest-http")]
pub use self::http::{Recorded, Sent};
#[cfg(feature = "kv")]
pub use self::kv::add_entry;

// A file may name a hundred components. Without a bound, as many compilers would run at the same time.
/// Most components that are loaded concurrently: each may be compiled, by a separate process.
const MAX_CONCURRENT_LOADS: usize = 4;

// Each of these loads has a thread of its own, whose reads from the disk go on when the caller has given up.
/// Most threads that load untrusted components concurrently.
const MAX_UNTRUSTED_LOADS: usize = 2;

// Calls that wait for facts hold a slot of the other guests. With a slot among those, all of them could wait for it.
/// Most concurrent computations of facts, each in a slot of the pool beyond those of the other guests.
pub(crate) const FACTS_SLOTS: u32 = 4;

/// The wasmtime engines and the state that all wasm hooks of a machine share.
pub struct Sandbox {
    engines: Engines,
    slots: Semaphore,
    loads: Semaphore,
    untrusted_loads: Semaphore,
    allocation: Allocation,
    cache: Cache,
    compiler: Compiler,
    shared: Shared,
    plugins: Plugins<Plugin>,
    isolated: Plugins<Isolated>,
    worker_pools: WorkerPools,
}

/// A plugin that is ready to be called: native code in memory, imports resolved.
pub struct Plugin {
    linked: Linked,
    /// Engine in which it was linked.
    running: Arc<TickedEngine>,
    /// True if it is in a separate engine: a call is then never begun on the caller's stack.
    isolated: bool,
    id: PluginId,
    manifest: Option<Manifest>,
    /// Effective capabilities: those that are requested and granted.
    given: PluginCapabilities,
    /// True if its calls have ended within one slice of fuel so far.
    quick: AtomicBool,
}

impl Plugin {
    /// Returns its id.
    pub fn id(&self) -> &PluginId {
        &self.id
    }

    /// Returns its manifest.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Returns true if its call ends within one slice of fuel, and has no effect outside the sandbox.
    fn is_quick(&self) -> bool {
        !self.isolated && !self.linked.acts() && self.quick.load(Ordering::Relaxed)
    }

    /// Returns the contradiction between its manifest and its world.
    pub(crate) fn mismatch(&self) -> Option<String> {
        manifest::other_world(self.manifest()?.world.as_deref()?, self.linked.world.kind())
    }
}

impl Sandbox {
    /// Creates the engine for hooks within `limits`, with so many slots beyond those of hooks. `environment` has the
    /// variables that they may be granted, the folder `state` has their stored data, and a `recording` answers their
    /// requests.
    pub fn new(
        (allocation, more_slots): (Allocation, u32),
        limits: &Limits,
        cache: Cache,
        compiler: Compiler,
        environment: Environment,
        state: Option<PathBuf>,
        recording: Option<Arc<dyn Recording>>,
    ) -> Result<Self, SandboxError> {
        let (engines, allocation) =
            Engines::new((allocation, more_slots), limits).map_err(SandboxError::from)?;
        let slots = Semaphore::new(allocation.slots());
        let worker_pools = WorkerPools::new(&compiler, limits, &allocation);
        Ok(Self {
            engines,
            slots,
            loads: Semaphore::new(MAX_CONCURRENT_LOADS),
            untrusted_loads: Semaphore::new(MAX_UNTRUSTED_LOADS),
            allocation,
            cache,
            compiler,
            shared: Shared::new(environment, state, recording),
            plugins: Plugins::default(),
            isolated: Plugins::default(),
            worker_pools,
        })
    }

    /// Returns the reason why compiled plugins are not kept, for the user.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.cache.trouble()
    }

    /// Returns the allocation of instances that the probe found.
    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// Loads the `wanted` component, with the granted capabilities that it requests; one without a manifest requests
    /// all of them. Its file is looked at each time; it is loaded (from the cache, otherwise by compiling it) if no
    /// host has it yet.
    pub(crate) async fn load_plugin(
        &self,
        wanted: RequestedComponent<'_>,
        used: ComponentUse,
    ) -> Result<(Arc<Plugin>, Start), Failure> {
        let _turn = self.loads.acquire().await;
        let found = self.cache.find_component(wanted)?;
        if let Some(plugin) = self.plugins.find(&used, found.digest()) {
            return Ok((plugin, Start::Warm));
        }
        let running = self.engines.engine_for(wanted.proposals)?;
        let loaded = self.cache.load_or_compile(&running.engine, (wanted, found), &self.compiler).await?;
        let Loaded { code, manifest, digest } = loaded;
        let granted = &used.granted;
        let grants = manifest
            .as_ref()
            .map_or_else(|| granted.clone(), |manifest| manifest.asks.narrow_grants(granted));
        let linked = link::link_code(&running.engine, code, wanted.path, &grants)?;
        let given = self.shared.grant_capabilities(&linked, grants, used.owner.clone()).await?;
        let (name, version) =
            manifest.as_ref().map(|parsed| (parsed.name.clone(), parsed.version.clone())).unzip();
        let id = PluginId { digest, name, version };
        let isolated = !wanted.proposals.is_none();
        let plugin = Plugin { linked, running, isolated, id, manifest, given, quick: AtomicBool::new(true) };
        Ok((self.plugins.add(used, plugin), Start::Cold))
    }

    /// Loads the component in a worker process of the pool.
    pub(crate) async fn load_isolated(
        &self,
        wanted: RequestedComponent<'_>,
        used: ComponentUse,
        pool: Arc<WorkerPool>,
    ) -> Result<(Arc<Isolated>, Start), Failure> {
        let _turn = self.loads.acquire().await;
        let found = self.cache.find_component(wanted)?;
        if let Some(plugin) = self.isolated.find(&used, found.digest()) {
            return Ok((plugin, Start::Warm));
        }
        let plugin = Isolated::load(self, (wanted, found), &used, pool).await?;
        Ok((self.isolated.add(used, plugin), Start::Cold))
    }

    /// Returns the worker pool of this adversary; `None` if this machine cannot isolate guests.
    pub(crate) fn pool_for(&self, domain: &TrustDomain) -> Option<Arc<WorkerPool>> {
        self.worker_pools.pool_for(domain)
    }

    /// Ends the worker processes that have no call.
    pub(crate) fn end_processes(&self) {
        self.worker_pools.end();
    }

    /// Returns the loaded plugins with this use, whatever their file has by now.
    pub(crate) fn loaded_plugins(&self, used: &ComponentUse) -> Vec<Callee> {
        let here = self.plugins.find_by_use(used).into_iter().map(Callee::InProcess);
        here.chain(self.isolated.find_by_use(used).into_iter().map(Callee::Isolated)).collect()
    }

    /// Returns true if a call ends immediately. If a slot is free is only known at the call.
    pub(crate) fn is_brief(&self, plugin: &Plugin) -> bool {
        let is_hook = matches!(plugin.linked.world, World::Hook(_));
        // Without a pool, each call maps new memory and never begins on the caller's stack.
        is_hook && plugin.is_quick() && self.allocation != Allocation::OnDemand
    }

    /// Calls a plugin once, in a fresh store that is dropped in any case. `contract` determines a program's input and
    /// the meaning of its output.
    pub async fn call_plugin(&self, plugin: &Plugin, call: Call<'_>, contract: &dyn Contract) -> Reply {
        // wasmtime's pool refuses an instance when no slot is free. A call that waits here is late at worst.
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
}

/// Error: the engine cannot be created on this machine.
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
