//! The sandbox: one wasmtime engine, what it was compiled for, and a fresh instance for every call.
//!
//! wasmtime is named below this file and nowhere else; its generated types never leave it.

mod ask;
mod bindings;
pub mod cache;
mod capability;
mod clock;
pub mod compile;
pub mod component_file;
mod convert;
mod engines;
mod failure;
mod files;
mod host_calls;
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
mod run;
pub mod script;
pub mod settings;
#[cfg(feature = "compiler")]
pub mod shape;
mod store;
mod stream;
mod ticker;
mod trial;
pub mod untrusted;
mod wasi;
pub mod worker;

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
    cache::{Cache, Loaded, Provenance, Wanted},
    capability::{Given, Shared},
    compile::Compiler,
    engines::{Engines, Running},
    link::{Linked, World},
    owner::Owner,
    plugins::Plugins,
    settings::Allocation,
    worker::Crews,
};
pub(crate) use self::{
    plugin_handler::{Callee, LazyPlugin, LazySandbox, WasmHandler},
    plugins::Use,
    worker::{Crew, Isolated, Whose},
};
use crate::port::{Call, Contract, Environment, Reply};

pub use self::http::Recording;
#[cfg(feature = "guest-http")]
pub use self::http::{Recorded, Sent};
#[cfg(feature = "kv")]
pub use self::kv::keep;

/// Components that are loaded at once: each may be compiled, by a process of its own.
const LOADS_AT_ONCE: usize = 4;

/// Threads that load untrusted components at once.
const UNTRUSTED_LOADS_AT_ONCE: usize = 2;

/// Engines of wasmtime, and what all wasm hooks of a machine share.
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
    crews: Crews,
}

/// A plugin that is ready to be called: native code in memory, imports resolved.
pub struct Plugin {
    linked: Linked,
    /// Where it was linked.
    running: Arc<Running>,
    /// In an engine apart a call is never begun on the caller's stack.
    apart: bool,
    id: PluginId,
    manifest: Option<Manifest>,
    /// By what it asks for and is granted.
    given: Given,
    /// Its calls have ended within one slice of fuel so far.
    quick: AtomicBool,
}

impl Plugin {
    /// Which one it is.
    pub fn id(&self) -> &PluginId {
        &self.id
    }

    /// What it says of itself.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Does its call end within one slice of fuel, and in the sandbox?
    fn is_quick(&self) -> bool {
        !self.apart && !self.linked.acts() && self.quick.load(Ordering::Relaxed)
    }

    /// What it says of itself and is not.
    pub(crate) fn mismatch(&self) -> Option<String> {
        manifest::other_world(self.manifest()?.world.as_deref()?, self.linked.world.kind())
    }
}

impl Sandbox {
    /// Makes the engine for hooks within `limits`; `environment` has the variables that they may be granted, and in the
    /// folder `state` is what they keep. A `recording` answers what they send.
    pub fn new(
        allocation: Allocation,
        limits: &Limits,
        cache: Cache,
        compiler: Compiler,
        environment: Environment,
        state: Option<PathBuf>,
        recording: Option<Arc<dyn Recording>>,
    ) -> Result<Self, SandboxError> {
        let (engines, allocation) = Engines::new(allocation, limits).map_err(SandboxError::from)?;
        let slots = Semaphore::new(allocation.slots());
        let crews = Crews::new(&compiler, limits, &allocation);
        Ok(Self {
            engines,
            slots,
            loads: Semaphore::new(LOADS_AT_ONCE),
            untrusted_loads: Semaphore::new(UNTRUSTED_LOADS_AT_ONCE),
            allocation,
            cache,
            compiler,
            shared: Shared::new(environment, state, recording),
            plugins: Plugins::default(),
            isolated: Plugins::default(),
            crews,
        })
    }

    /// Why compiled plugins are not kept, if they are not; for people.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.cache.trouble()
    }

    /// How instances are allocated, as the probe found.
    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// The component that is `wanted`, to be called with what it asks for of the grants; one without a manifest asks for all
    /// of them. Its file is looked at each time; it is loaded (from the cache, else by compiling it) if no host has it yet.
    pub(crate) async fn load(&self, wanted: Wanted<'_>, used: Use) -> Result<(Arc<Plugin>, Start), Failure> {
        let _turn = self.loads.acquire().await;
        let found = self.cache.find(wanted)?;
        if let Some(plugin) = self.plugins.find(&used, found.digest()) {
            return Ok((plugin, Start::Warm));
        }
        let running = self.engines.of(wanted.proposals)?;
        let loaded = self.cache.load(&running.engine, (wanted, found), &self.compiler).await?;
        let Loaded { code, manifest, digest } = loaded;
        let granted = &used.granted;
        let grants =
            manifest.as_ref().map_or_else(|| granted.clone(), |manifest| manifest.asks.admits(granted));
        let linked = link::link(&running.engine, code, wanted.path, &grants)?;
        let given = self.shared.give(&linked, grants, used.owner.clone()).await?;
        let (name, version) = manifest.as_ref().map(|said| (said.name.clone(), said.version.clone())).unzip();
        let id = PluginId { digest, name, version };
        let apart = !wanted.proposals.is_none();
        let plugin = Plugin { linked, running, apart, id, manifest, given, quick: AtomicBool::new(true) };
        Ok((self.plugins.add(used, plugin), Start::Cold))
    }

    /// The same, in a process of its own, which a crew has.
    pub(crate) async fn load_apart(
        &self,
        wanted: Wanted<'_>,
        used: Use,
        crew: Arc<Crew>,
    ) -> Result<(Arc<Isolated>, Start), Failure> {
        let _turn = self.loads.acquire().await;
        let found = self.cache.find(wanted)?;
        if let Some(plugin) = self.isolated.find(&used, found.digest()) {
            return Ok((plugin, Start::Warm));
        }
        let plugin = Isolated::load(self, (wanted, found), &used, crew).await?;
        Ok((self.isolated.add(used, plugin), Start::Cold))
    }

    /// The processes for the guests of this adversary; `None` if no guest can run apart here.
    pub(crate) fn crew(&self, whose: &Whose) -> Option<Arc<Crew>> {
        self.crews.of(whose)
    }

    /// Ends the processes that guests run in and that have no call.
    pub(crate) fn end_processes(&self) {
        self.crews.end();
    }

    /// What hosts have loaded that is used like this, whatever is in its file by now.
    pub(crate) fn loaded(&self, used: &Use) -> Vec<Callee> {
        let here = self.plugins.used(used).into_iter().map(Callee::Here);
        here.chain(self.isolated.used(used).into_iter().map(Callee::Apart)).collect()
    }

    /// Does a call of it end at once? Whether there is a slot for it shows when it is called.
    pub(crate) fn is_brief(&self, plugin: &Plugin) -> bool {
        let is_hook = matches!(plugin.linked.world, World::Hook(_));
        is_hook && plugin.is_quick() && self.allocation != Allocation::OnDemand
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
