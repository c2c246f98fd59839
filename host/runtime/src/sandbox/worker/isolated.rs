//! The host's side of a plugin that runs in an isolated process.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use hookbox_model::{Failure, FailureCode, Grants, Limits, Manifest, PluginId, Proposals, ShellFacts};

use super::{
    WorkerPool, admit,
    message::{CallParameters, CallReply, Numbers, TryReply, WorkerRequest, build_load_request},
};
use crate::{
    interfaces::{Call, Contract, Reply},
    sandbox::{
        ComponentUse, Sandbox,
        cache::{CachedPlugin, Loaded, Raw, RequestedComponent},
        facts::facts_to_send,
        kind::Kind,
        manifest,
    },
};

/// Parts of a plugin that a worker process receives.
pub(super) struct WorkerPlugin {
    pub(super) number: u64,
    pub(super) code: Vec<u8>,
    path: PathBuf,
    proposals: Proposals,
    grants: Grants,
}

impl WorkerPlugin {
    pub(super) fn load(&self) -> WorkerRequest<'static> {
        build_load_request(self.number, &self.path, self.proposals, &self.grants)
    }
}

/// A plugin that is called in an isolated process.
pub(crate) struct Isolated {
    id: PluginId,
    manifest: Option<Manifest>,
    kind: Kind,
    native: WorkerPlugin,
    pool: Arc<WorkerPool>,
    /// True if its last call ended immediately.
    quick: AtomicBool,
}

impl Isolated {
    /// Finds its native code, and loads it in a process of the pool. It is not loaded in this process.
    pub(in crate::sandbox) async fn load(
        sandbox: &Sandbox,
        (wanted, found): (RequestedComponent<'_>, CachedPlugin<'_>),
        used: &ComponentUse,
        pool: Arc<WorkerPool>,
    ) -> Result<Self, Failure> {
        match Self::try_load(sandbox, (wanted, found), used, &pool, Raw { kept: true }).await {
            // The cached code may be for another processor: wasmtime checks that when it loads the code.
            Err(failure) if failure.code == FailureCode::Internal => {
                let found = sandbox.cache.find_component(wanted)?;
                Self::try_load(sandbox, (wanted, found), used, &pool, Raw { kept: false }).await
            }
            loaded => loaded,
        }
    }

    async fn try_load(
        sandbox: &Sandbox,
        (wanted, found): (RequestedComponent<'_>, CachedPlugin<'_>),
        used: &ComponentUse,
        pool: &Arc<WorkerPool>,
        form: Raw,
    ) -> Result<Self, Failure> {
        let Loaded { code, manifest, digest } =
            sandbox.cache.load_or_compile(&form, (wanted, found), &sandbox.compiler).await?;
        let granted = &used.granted;
        let grants = manifest
            .as_ref()
            .map_or_else(|| granted.clone(), |manifest| manifest.asks.narrow_grants(granted));
        let (number, path) = (pool.number(), wanted.path.to_owned());
        let native = WorkerPlugin { number, code, path, proposals: wanted.proposals, grants };
        let kind = pool.load_plugin(&native).await?;
        let (name, version) =
            manifest.as_ref().map(|parsed| (parsed.name.clone(), parsed.version.clone())).unzip();
        let id = PluginId { digest, name, version };
        let (pool, quick) = (Arc::clone(pool), AtomicBool::new(false));
        Ok(Self { id, manifest, kind, native, pool, quick })
    }

    pub(in crate::sandbox) fn id(&self) -> &PluginId {
        &self.id
    }

    pub(in crate::sandbox) fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Returns the contradiction between its manifest and its world.
    pub(in crate::sandbox) fn mismatch(&self) -> Option<String> {
        manifest::other_world(self.manifest()?.world.as_deref()?, self.kind)
    }

    /// Returns true if its last call ended immediately, and a process is ready for the next.
    pub(in crate::sandbox) fn is_brief(&self) -> bool {
        self.quick.load(Ordering::Relaxed) && self.pool.is_ready()
    }

    /// Creates one instance of it in a worker.
    pub(in crate::sandbox) async fn run_self_test(&self, limits: &Limits) -> Result<(), Failure> {
        let request = WorkerRequest::Try { plugin: self.native.number, limits: Numbers::from_limits(limits) };
        let tried =
            self.pool.send_request::<TryReply>(&self.native, &request, (&self.quick, Result::is_ok)).await?;
        tried.map_err(|failure| admit::admit_failure(&failure))
    }

    /// Calls it once. `contract` determines a program's input and the meaning of its output, in this process.
    ///
    /// A worker computes no facts. A call that asks for them is made again with the facts: without access to anything, the
    /// first call had no effect.
    pub(in crate::sandbox) async fn call_plugin(&self, call: &Call<'_>, contract: &dyn Contract) -> Reply {
        let mut reply = self.send_call(call, contract, None).await;
        if reply.as_ref().is_ok_and(|reply| reply.needs_facts)
            && let Some(facts) = facts_to_send(call).await
        {
            reply = self.send_call(call, contract, Some(facts.as_ref())).await;
            // The next call will wait for facts, too.
            self.quick.store(false, Ordering::Relaxed);
        }
        match reply {
            Ok(reply) => admit::admit_reply(reply, (self.kind, call), contract),
            Err(failure) => failure.into(),
        }
    }

    async fn send_call(
        &self,
        call: &Call<'_>,
        contract: &dyn Contract,
        facts: Option<&ShellFacts>,
    ) -> Result<CallReply, Failure> {
        let input = (self.kind != Kind::Hook).then(|| contract.event(call));
        let call_of_it = Box::new(CallParameters::from_call(call, input, facts));
        let request = WorkerRequest::Call { plugin: self.native.number, call: call_of_it };
        // `send_request` sets this to false if the answer takes longer.
        self.quick.store(true, Ordering::Relaxed);
        self.pool
            .send_request::<CallReply>(&self.native, &request, (&self.quick, CallReply::is_in_order))
            .await
    }
}
