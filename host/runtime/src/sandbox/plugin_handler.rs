//! A hook as a component in the sandbox.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hookbox_model::{
    Failure, FailureCode, HandlerKind, Layer, Limits, Manifest, PluginId, Start, TrustLevel,
};
use tokio::sync::OnceCell;
use tracing::Instrument as _;

use super::{
    CachePart, ComponentUse, Isolated, Owner, Plugin, RequestedComponent, Sandbox, SandboxError, TrustDomain,
    compile::not_compiled,
    untrusted::{self, Budgets, Share},
};
use crate::{
    hook::{RefusedPlugins, WasmSpec},
    interfaces::{Call, CallFuture, Contract, Handler, PrepareFuture},
    trace,
};

/// The sandbox of a machine, created when the first wasm hook is called.
pub(crate) struct LazySandbox {
    make: Box<dyn Fn() -> Result<Sandbox, SandboxError> + Send + Sync>,
    made: OnceLock<Result<Sandbox, Failure>>,
    budgets: Budgets,
}

impl LazySandbox {
    pub(crate) fn new(make: impl Fn() -> Result<Sandbox, SandboxError> + Send + Sync + 'static) -> Self {
        Self { make: Box::new(make), made: OnceLock::new(), budgets: Budgets::default() }
    }

    /// Returns a problem of the sandbox that keeps no hook from running, if the sandbox was created.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.made.get()?.as_ref().ok()?.trouble()
    }

    pub(crate) fn end_processes(&self) {
        if let Some(Ok(made)) = self.made.get() {
            made.end_processes();
        }
    }

    /// Returns the loaded plugins with this use; none if the sandbox was not created.
    fn loaded_plugins(&self, used: &ComponentUse) -> Vec<Callee> {
        self.made
            .get()
            .and_then(|made| made.as_ref().ok())
            .map_or_else(Vec::new, |made| made.loaded_plugins(used))
    }

    pub(crate) fn get(&self) -> Result<&Sandbox, Failure> {
        let made = self.made.get_or_init(|| {
            (self.make)().map_err(|error| Failure::new(FailureCode::Internal, &error.to_string()))
        });
        made.as_ref().map_err(Clone::clone)
    }
}

/// A plugin, with the place of its calls.
#[derive(Clone)]
pub(crate) enum Callee {
    InProcess(Arc<Plugin>),
    Isolated(Arc<Isolated>),
}

impl Callee {
    fn id(&self) -> &PluginId {
        match self {
            Self::InProcess(plugin) => plugin.id(),
            Self::Isolated(plugin) => plugin.id(),
        }
    }
}

/// A component, loaded when it is first called. Hooks of one file share it: one memory image, and slots of the pool
/// that are still warm from the hook before.
pub(crate) struct LazyPlugin {
    spec: WasmSpec,
    refused: RefusedPlugins,
    used: ComponentUse,
    /// Trust domain of its worker pool, if it is isolated.
    domain: Option<TrustDomain>,
    /// Its share of its project's budget, if it is untrusted.
    share: Option<Share>,
    loaded: OnceCell<Ready>,
    /// Plugins that earlier hosts have loaded from this place. Those hosts may be gone before this one is called.
    earlier: Mutex<Vec<Callee>>,
}

/// A plugin, with its start: warm if another host had loaded it.
struct Ready {
    plugin: Callee,
    start: Start,
}

impl LazyPlugin {
    /// Creates the plugin. `layer` and `trust_level` are those of its configuration.
    pub(crate) fn new(
        spec: WasmSpec,
        (layer, trust_level): (Layer, TrustLevel),
        refused: RefusedPlugins,
        sandbox: &LazySandbox,
    ) -> Self {
        let (part, share) = match &spec.confined_to {
            None => (CachePart::User, None),
            Some(folder) => (CachePart::Projects, Some(sandbox.budgets.create_share(folder))),
        };
        let owner = Owner::new(layer, &spec.path);
        let domain = match &spec.confined_to {
            Some(folder) if trust_level == TrustLevel::Untrusted => {
                Some(TrustDomain::Project(folder.clone()))
            }
            _ => spec.isolate.then(|| TrustDomain::Plugin(owner.clone())),
        };
        let used = ComponentUse { owner, part, granted: spec.grants.clone(), proposals: spec.proposals };
        let earlier = Mutex::new(sandbox.loaded_plugins(&used));
        Self { spec, refused, used, domain, share, loaded: OnceCell::new(), earlier }
    }

    /// Returns the plugin, if it is loaded.
    fn plugin(&self) -> Option<&Callee> {
        self.loaded.get().map(|ready| &ready.plugin)
    }

    /// Returns the plugin, loaded in this process.
    pub(super) async fn load_here(&self, sandbox: &Sandbox) -> Result<Arc<Plugin>, Failure> {
        self.load_once(sandbox).await?;
        match self.plugin() {
            Some(Callee::InProcess(plugin)) => Ok(Arc::clone(plugin)),
            _ => Err(Failure::new(FailureCode::Internal, "the plugin is not in this process")),
        }
    }

    async fn load_once(&self, sandbox: &Sandbox) -> Result<(), Failure> {
        self.loaded.get_or_try_init(|| self.load_plugin(sandbox)).await.map(drop)
    }

    async fn load_plugin(&self, sandbox: &Sandbox) -> Result<Ready, Failure> {
        let spec = &self.spec;
        let (file, pinned, is_shipped) = (spec.file()?, spec.sha256.as_ref(), spec.is_shipped);
        let ComponentUse { part, proposals, .. } = self.used;
        let (refused, share) = (&self.refused, self.share.as_ref());
        let wanted = RequestedComponent { path: &file, part, pinned, is_shipped, proposals, refused, share };
        let (pool, used) =
            (self.domain.as_ref().and_then(|domain| sandbox.pool_for(domain)), self.used.clone());
        let (plugin, start) = match pool {
            Some(pool) => {
                let (plugin, start) = sandbox.load_isolated(wanted, used, pool).await?;
                (Callee::Isolated(plugin), start)
            }
            None if spec.isolate => return Err(make_isolation_failure()),
            None => {
                let (plugin, start) = sandbox.load_plugin(wanted, used).await?;
                (Callee::InProcess(plugin), start)
            }
        };
        // From here on this host holds its own plugin; the earlier ones would keep their memory in use.
        self.earlier.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(Ready { plugin, start })
    }
}

/// Returns the failure of a hook with `isolate`: it must not run with weaker isolation.
fn make_isolation_failure() -> Failure {
    let message = "`isolate = true` is not available: it needs Linux, and the program hookbox-compile next to hookbox; install that, \
         or leave `isolate` out";
    Failure::new(FailureCode::Refused, message)
}

pub(crate) struct WasmHandler {
    sandbox: Arc<LazySandbox>,
    plugin: Arc<LazyPlugin>,
    contract: &'static dyn Contract,
}

impl WasmHandler {
    /// Creates the handler. `contract` applies to a plugin that is a program.
    pub(crate) fn new(
        sandbox: Arc<LazySandbox>,
        plugin: Arc<LazyPlugin>,
        contract: &'static dyn Contract,
    ) -> Self {
        Self { sandbox, plugin, contract }
    }

    async fn load(&self) -> Result<(), Failure> {
        let sandbox = self.sandbox.get()?;
        if self.plugin.share.is_none() {
            return self.plugin.load_once(sandbox).await;
        }
        // A lower limit than that of all loads, so that untrusted components never occupy all places.
        let _slot = sandbox.untrusted_loads.acquire().await;
        let (sandbox, plugin) = (Arc::clone(&self.sandbox), Arc::clone(&self.plugin));
        let load = move || async move { plugin.load_once(sandbox.get()?).await };
        untrusted::on_own_thread(load).await
    }
}

impl Handler for WasmHandler {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Wasm
    }

    fn prepare(&self) -> Option<PrepareFuture<'_>> {
        if self.plugin.loaded.initialized() { None } else { Some(Box::pin(self.load())) }
    }

    fn run_self_test<'a>(&'a self, _: &'a str, limits: &'a Limits) -> Option<PrepareFuture<'a>> {
        let (sandbox, plugin) = (self.sandbox.get().ok()?, self.plugin.plugin()?);
        let tried: PrepareFuture<'a> = match plugin {
            Callee::InProcess(plugin) => Box::pin(sandbox.run_self_test(plugin, limits)),
            Callee::Isolated(plugin) => Box::pin(plugin.run_self_test(limits)),
        };
        Some(tried)
    }

    fn manifest(&self) -> Option<&Manifest> {
        match self.plugin.plugin()? {
            Callee::InProcess(plugin) => plugin.manifest(),
            Callee::Isolated(plugin) => plugin.manifest(),
        }
    }

    fn mismatch(&self) -> Option<String> {
        match self.plugin.plugin()? {
            Callee::InProcess(plugin) => plugin.mismatch(),
            Callee::Isolated(plugin) => plugin.mismatch(),
        }
    }

    fn is_brief(&self) -> bool {
        let Some(plugin) = self.plugin.plugin() else { return false };
        match plugin {
            Callee::InProcess(plugin) => self.sandbox.get().is_ok_and(|sandbox| sandbox.is_brief(plugin)),
            Callee::Isolated(plugin) => plugin.is_brief(),
        }
    }

    fn unprepared(&self) -> Failure {
        not_compiled(&self.plugin.spec.path, "compiling takes longer than the agent waits")
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            match (self.sandbox.get(), self.plugin.loaded.get()) {
                (Ok(sandbox), Some(Ready { plugin, start })) => {
                    let called = async {
                        match plugin {
                            Callee::InProcess(plugin) => {
                                sandbox.call_plugin(plugin, call, self.contract).await
                            }
                            Callee::Isolated(plugin) => plugin.call_plugin(&call, self.contract).await,
                        }
                    };
                    let mut reply = called.instrument(trace::sandbox_span(plugin.id())).await;
                    reply.plugin = Some(plugin.id().clone());
                    // A plugin that another host has loaded was not loaded for this call, even if the call is the
                    // first.
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
