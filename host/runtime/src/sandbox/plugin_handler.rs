//! A hook as a component in the sandbox.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hookbox_model::{Failure, FailureCode, HandlerKind, Layer, Limits, Manifest, Start};
use tokio::sync::OnceCell;

use super::{Owner, Plugin, Provenance, Sandbox, SandboxError, Use, Wanted, compile::not_compiled};
use crate::{
    hook::{self, RefusedPlugins, WasmSpec},
    port::{Call, CallFuture, Contract, Handler, PrepareFuture},
};

/// The sandbox of a machine, made when the first wasm hook is called.
pub(crate) struct LazySandbox {
    make: Box<dyn Fn() -> Result<Sandbox, SandboxError> + Send + Sync>,
    made: OnceLock<Result<Sandbox, Failure>>,
}

impl LazySandbox {
    pub(crate) fn new(make: impl Fn() -> Result<Sandbox, SandboxError> + Send + Sync + 'static) -> Self {
        Self { make: Box::new(make), made: OnceLock::new() }
    }

    /// What is wrong with it and keeps no hook from running, if it was needed.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.made.get()?.as_ref().ok()?.trouble()
    }

    /// What is loaded and used like this; nothing as long as it was not needed.
    fn loaded(&self, used: &Use) -> Vec<Arc<Plugin>> {
        self.made.get().and_then(|made| made.as_ref().ok()).map_or_else(Vec::new, |made| made.loaded(used))
    }

    pub(crate) fn get(&self) -> Result<&Sandbox, Failure> {
        let made = self.made.get_or_init(|| {
            (self.make)().map_err(|error| Failure::new(FailureCode::Internal, &error.to_string()))
        });
        made.as_ref().map_err(Clone::clone)
    }
}

/// A component, loaded when it is first called. Hooks of the same file share it: one memory image, and slots of the pool
/// that are still warm from the hook before.
pub(crate) struct LazyPlugin {
    spec: WasmSpec,
    refused: RefusedPlugins,
    used: Use,
    loaded: OnceCell<Ready>,
    /// What earlier hosts have loaded from the same place. They may be gone before this one is called.
    earlier: Mutex<Vec<Arc<Plugin>>>,
}

/// A plugin, and whether another host had loaded it.
struct Ready {
    plugin: Arc<Plugin>,
    start: Start,
}

impl LazyPlugin {
    /// `layer` is where it was configured.
    pub(crate) fn new(spec: WasmSpec, layer: Layer, refused: RefusedPlugins, sandbox: &LazySandbox) -> Self {
        let provenance = match &spec.provenance {
            hook::Provenance::User => Provenance::User,
            hook::Provenance::Stranger { .. } => Provenance::Stranger,
        };
        let owner = Owner::new(layer, &spec.path);
        let used = Use { owner, provenance, granted: spec.grants.clone(), proposals: spec.proposals };
        let earlier = Mutex::new(sandbox.loaded(&used));
        Self { spec, refused, used, loaded: OnceCell::new(), earlier }
    }

    /// If it is loaded.
    fn plugin(&self) -> Option<&Plugin> {
        self.loaded.get().map(|ready| &*ready.plugin)
    }

    async fn load(&self, sandbox: &Sandbox) -> Result<Ready, Failure> {
        let spec = &self.spec;
        let (file, pinned, is_shipped) = (spec.file()?, spec.sha256.as_ref(), spec.is_shipped);
        let Use { provenance, proposals, .. } = self.used;
        let refused = &self.refused;
        let wanted = Wanted { path: &file, provenance, pinned, is_shipped, proposals, refused };
        let (plugin, start) = sandbox.load(wanted, self.used.clone()).await?;
        self.earlier.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(Ready { plugin, start })
    }
}

/// A component as a hook's handler.
pub(crate) struct WasmHandler {
    sandbox: Arc<LazySandbox>,
    plugin: Arc<LazyPlugin>,
    contract: &'static dyn Contract,
}

impl WasmHandler {
    /// `contract` is that with a plugin which is a program.
    pub(crate) fn new(
        sandbox: Arc<LazySandbox>,
        plugin: Arc<LazyPlugin>,
        contract: &'static dyn Contract,
    ) -> Self {
        Self { sandbox, plugin, contract }
    }

    async fn load(&self) -> Result<(), Failure> {
        let sandbox = self.sandbox.get()?;
        self.plugin.loaded.get_or_try_init(|| self.plugin.load(sandbox)).await.map(drop)
    }
}

impl Handler for WasmHandler {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Wasm
    }

    fn prepare(&self) -> Option<PrepareFuture<'_>> {
        if self.plugin.loaded.initialized() { None } else { Some(Box::pin(self.load())) }
    }

    fn try_out<'a>(&'a self, _: &'a str, limits: &'a Limits) -> Option<PrepareFuture<'a>> {
        let (sandbox, plugin) = (self.sandbox.get().ok()?, self.plugin.plugin()?);
        Some(Box::pin(sandbox.try_out(plugin, limits)))
    }

    fn manifest(&self) -> Option<&Manifest> {
        self.plugin.plugin()?.manifest()
    }

    fn mismatch(&self) -> Option<String> {
        self.plugin.plugin()?.mismatch()
    }

    fn is_brief(&self) -> bool {
        let (sandbox, plugin) = (self.sandbox.get().ok(), self.plugin.plugin());
        sandbox.zip(plugin).is_some_and(|(sandbox, plugin)| sandbox.is_brief(plugin))
    }

    fn unprepared(&self) -> Failure {
        not_compiled(&self.plugin.spec.path, "compiling takes longer than the agent waits")
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            match (self.sandbox.get(), self.plugin.loaded.get()) {
                (Ok(sandbox), Some(Ready { plugin, start })) => {
                    let mut reply = sandbox.call(plugin, call, self.contract).await;
                    reply.plugin = Some(plugin.id().clone());
                    // What another host has loaded was not loaded for this call, even if it is the first.
                    reply.usage.start = Some(*start).filter(|start| *start == Start::Warm);
                    reply
                }
                (Err(failure), _) => failure.into(),
                (_, None) => {
                    not_compiled(&self.plugin.spec.path, "it was called before it was loaded").into()
                }
            }
        })
    }
}
