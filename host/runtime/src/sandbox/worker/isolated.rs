//! A plugin that runs in a process of its own, as the host has it.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use hookbox_model::{Failure, FailureCode, Grants, Limits, Manifest, PluginId, Proposals};

use super::{
    Crew, admit,
    message::{Called, Numbers, Request, Said, Tried, load},
};
use crate::{
    port::{Call, Contract, Reply},
    sandbox::{
        Sandbox, Use,
        cache::{Found, Loaded, Raw, Wanted},
        kind::Kind,
        manifest,
    },
};

/// What a process is given of a plugin.
pub(super) struct Native {
    pub(super) number: u64,
    pub(super) code: Vec<u8>,
    path: PathBuf,
    proposals: Proposals,
    grants: Grants,
}

impl Native {
    pub(super) fn load(&self) -> Request<'static> {
        load(self.number, &self.path, self.proposals, &self.grants)
    }
}

/// A plugin that can be called apart.
pub(crate) struct Isolated {
    id: PluginId,
    manifest: Option<Manifest>,
    kind: Kind,
    native: Native,
    crew: Arc<Crew>,
    /// Its last call was over at once.
    quick: AtomicBool,
}

impl Isolated {
    /// Finds its native code, and has a process of the crew load it. Nothing of it is loaded here.
    pub(in crate::sandbox) async fn load(
        sandbox: &Sandbox,
        (wanted, found): (Wanted<'_>, Found<'_>),
        used: &Use,
        crew: Arc<Crew>,
    ) -> Result<Self, Failure> {
        match Self::try_load(sandbox, (wanted, found), used, &crew, Raw { kept: true }).await {
            // What is kept may be of another processor: wasmtime looks at that where it loads it.
            Err(failure) if failure.code == FailureCode::Internal => {
                let found = sandbox.cache.find(wanted)?;
                Self::try_load(sandbox, (wanted, found), used, &crew, Raw { kept: false }).await
            }
            loaded => loaded,
        }
    }

    async fn try_load(
        sandbox: &Sandbox,
        (wanted, found): (Wanted<'_>, Found<'_>),
        used: &Use,
        crew: &Arc<Crew>,
        form: Raw,
    ) -> Result<Self, Failure> {
        let Loaded { code, manifest, digest } =
            sandbox.cache.load(&form, (wanted, found), &sandbox.compiler).await?;
        let granted = &used.granted;
        let grants =
            manifest.as_ref().map_or_else(|| granted.clone(), |manifest| manifest.asks.admits(granted));
        let (number, path) = (crew.number(), wanted.path.to_owned());
        let native = Native { number, code, path, proposals: wanted.proposals, grants };
        let kind = crew.load(&native).await?;
        let (name, version) = manifest.as_ref().map(|said| (said.name.clone(), said.version.clone())).unzip();
        let id = PluginId { digest, name, version };
        let (crew, quick) = (Arc::clone(crew), AtomicBool::new(false));
        Ok(Self { id, manifest, kind, native, crew, quick })
    }

    /// Which one it is.
    pub(in crate::sandbox) fn id(&self) -> &PluginId {
        &self.id
    }

    /// What it says of itself.
    pub(in crate::sandbox) fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// What it says of itself and is not.
    pub(in crate::sandbox) fn mismatch(&self) -> Option<String> {
        manifest::other_world(self.manifest()?.world.as_deref()?, self.kind)
    }

    /// Was its last call over at once, and is there a process for the next?
    pub(in crate::sandbox) fn is_brief(&self) -> bool {
        self.quick.load(Ordering::Relaxed) && self.crew.is_ready()
    }

    /// Has one instance of it made.
    pub(in crate::sandbox) async fn try_out(&self, limits: &Limits) -> Result<(), Failure> {
        let request = Request::Try { plugin: self.native.number, limits: Numbers::of(limits) };
        let tried = self.crew.ask::<Tried>(&self.native, &request, (&self.quick, Result::is_ok)).await?;
        tried.map_err(|failure| admit::failure(&failure))
    }

    /// Calls it once. By `contract` a program is told of the event and its output is read, here.
    pub(in crate::sandbox) async fn call(&self, call: &Call<'_>, contract: &dyn Contract) -> Reply {
        let input = (self.kind != Kind::Hook).then(|| contract.event(call));
        let call_of_it = Box::new(Called::of(call, input));
        let request = Request::Call { plugin: self.native.number, call: call_of_it };
        self.quick.store(true, Ordering::Relaxed);
        match self.crew.ask::<Said>(&self.native, &request, (&self.quick, Said::is_in_order)).await {
            Ok(said) => admit::reply(said, (self.kind, call), contract),
            Err(failure) => failure.into(),
        }
    }
}
