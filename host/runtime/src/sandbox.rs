//! The sandbox: one wasmtime engine, what it was compiled for, and a fresh instance for every call.
//!
//! wasmtime is named below this file and nowhere else; its generated types never leave it.

mod bindings;
pub mod cache;
mod clock;
pub mod compile;
pub mod component_file;
mod convert;
mod failure;
mod files;
mod host_calls;
mod http;
mod identity;
mod imports;
pub mod inspect;
mod kind;
mod kv;
mod link;
pub mod manifest;
mod own_folder;
mod plugin_handler;
mod plugins;
mod random;
mod refusals;
mod run;
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
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use hookbox_model::{Failure, FailureCode, Grants, Limits, Manifest, PluginId, Start};
use tokio::sync::Semaphore;
use wasmtime::component::Linker;

use self::{
    cache::{Cache, Loaded, Provenance, Wanted},
    compile::Compiler,
    kv::Owner,
    link::{Linked, World},
    plugins::Plugins,
    settings::Allocation,
    store::State,
    ticker::Ticker,
};
pub(crate) use self::{
    plugin_handler::{LazyPlugin, LazySandbox, WasmHandler},
    plugins::Use,
};
use crate::{
    http::Client,
    port::{Call, Contract, Environment, Reply},
};

/// Components that are loaded at once: each may be compiled, by a process of its own.
const LOADS_AT_ONCE: usize = 4;

/// A wasmtime engine with the hook world linked, shared by all wasm hooks of a machine.
pub struct Sandbox {
    linker: Linker<State>,
    ticker: Ticker,
    slots: Semaphore,
    loads: Semaphore,
    allocation: Allocation,
    cache: Cache,
    compiler: Compiler,
    environment: Environment,
    client: Arc<Client>,
    kv: kv::Stores,
    plugins: Plugins,
}

/// A plugin that is ready to be called: native code in memory, imports resolved.
pub struct Plugin {
    linked: Linked,
    id: PluginId,
    /// What it asks for and is granted.
    grants: Grants,
    manifest: Option<Manifest>,
    /// Its entries, if it imports the store and is granted it.
    kv: Option<kv::Entrance>,
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

    /// What it says of itself and is not.
    pub(crate) fn doubt(&self) -> Option<String> {
        manifest::other_world(self.manifest()?.world.as_deref()?, self.linked.world.kind())
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
            client: Arc::default(),
            kv: kv::Stores::new(state),
            plugins: Plugins::default(),
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
        let loaded = self.cache.load(self.linker.engine(), (wanted, found), &self.compiler).await?;
        let Loaded { code, manifest, digest } = loaded;
        let granted = &used.granted;
        let grants =
            manifest.as_ref().map_or_else(|| granted.clone(), |manifest| manifest.asks.admits(granted));
        let linked = link::link(&self.linker, code, wanted.path, &grants)?;
        let keeps = linked.kv && !grants.kv.is_none();
        let kv = if keeps { Some(self.kv.enter(used.owner.clone(), grants.kv.clone()).await?) } else { None };
        let (name, version) = manifest.as_ref().map(|said| (said.name.clone(), said.version.clone())).unzip();
        let id = PluginId { digest, name, version };
        let plugin = Plugin { linked, id, grants, manifest, kv, quick: AtomicBool::new(true) };
        Ok((self.plugins.add(used, plugin), Start::Cold))
    }

    /// What hosts have loaded that is used like this, whatever is in its file by now.
    pub(crate) fn loaded(&self, used: &Use) -> Vec<Arc<Plugin>> {
        self.plugins.used(used)
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
