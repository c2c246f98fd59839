//! A hook as a component in the sandbox.

use std::sync::{Arc, OnceLock};

use hookbox_model::{Failure, FailureCode, HandlerKind, Layer, Limits, Manifest};
use tokio::sync::OnceCell;

use super::{Owner, Plugin, Provenance, Sandbox, SandboxError, Wanted, compile::not_compiled};
use crate::{
    hook::{self, WasmSpec},
    port::{Call, CallFuture, Contract, Handler, PrepareFuture, Reply},
};

/// The sandbox of a host, made when the first wasm hook is called.
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
    layer: Layer,
    loaded: OnceCell<Plugin>,
}

impl LazyPlugin {
    /// `layer` is where it was configured.
    pub(crate) fn new(spec: WasmSpec, layer: Layer) -> Self {
        Self { spec, layer, loaded: OnceCell::new() }
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
        let LazyPlugin { spec, layer, loaded } = &*self.plugin;
        let owner = || Owner::new(*layer, &spec.path);
        let provenance = match &spec.provenance {
            hook::Provenance::User => Provenance::User,
            hook::Provenance::Stranger { .. } => Provenance::Stranger,
        };
        let load = async || {
            let (file, pinned, is_shipped) = (spec.file()?, spec.sha256.as_ref(), spec.is_shipped);
            let wanted = Wanted { path: &file, provenance, pinned, is_shipped };
            sandbox.load(wanted, &spec.grants, owner()).await
        };
        loaded.get_or_try_init(load).await.map(drop)
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
        let (sandbox, plugin) = (self.sandbox.get().ok()?, self.plugin.loaded.get()?);
        Some(Box::pin(sandbox.try_out(plugin, limits)))
    }

    fn manifest(&self) -> Option<&Manifest> {
        self.plugin.loaded.get()?.manifest()
    }

    fn doubt(&self) -> Option<String> {
        self.plugin.loaded.get()?.doubt()
    }

    fn unprepared(&self) -> Failure {
        not_compiled(&self.plugin.spec.path, "compiling takes longer than the agent waits")
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            match (self.sandbox.get(), self.plugin.loaded.get()) {
                (Ok(sandbox), Some(plugin)) => {
                    let reply = sandbox.call(plugin, call, self.contract).await;
                    Reply { plugin: Some(plugin.digest().to_owned()), ..reply }
                }
                (Err(failure), _) => failure.into(),
                (_, None) => {
                    not_compiled(&self.plugin.spec.path, "it was called before it was loaded").into()
                }
            }
        })
    }
}
