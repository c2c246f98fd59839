//! The components of a machine, and of the hooks of one host.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use hookbox_model::{Layer, Limits, TrustLevel};

use crate::{
    agents::native::ProgramContract,
    facts::FactsReader,
    hook::{RefusedPlugins, WasmSpec},
    interfaces::{Environment, Handler},
    sandbox::{
        FACTS_SLOTS, FactsPlugin, LazyPlugin, LazySandbox, Recording, Sandbox, SandboxError, WasmHandler,
        cache::{Cache, CacheDir},
        compile::Compiler,
        engine_settings::Allocation,
    },
};

#[derive(Clone)]
pub(super) struct ComponentSettings {
    pub(super) cache: Option<PathBuf>,
    pub(super) compiler: Compiler,
    pub(super) allocation: Allocation,
    pub(super) state: Option<PathBuf>,
    pub(super) recording: Option<Arc<dyn Recording>>,
    /// The plugin that computes facts.
    pub(super) facts: Option<WasmSpec>,
}

impl Default for ComponentSettings {
    fn default() -> Self {
        Self {
            cache: None,
            compiler: Compiler::None,
            allocation: Allocation::OnDemand,
            state: None,
            recording: None,
            facts: None,
        }
    }
}

impl ComponentSettings {
    fn create_sandbox(&self, limits: &Limits, environment: &Environment) -> Result<Sandbox, SandboxError> {
        let cache = match &self.cache {
            Some(path) => CacheDir::open(path).map_or_else(|error| Cache::Off(error.to_string()), Cache::Dir),
            None => Cache::Off("no cache directory was given".to_owned()),
        };
        let Self { cache: _, facts, compiler, allocation, state, recording } = self;
        let more_slots = if facts.is_some() { FACTS_SLOTS } else { 0 };
        let (compiler, state, recording) = (compiler.clone(), state.clone(), recording.clone());
        Sandbox::new(
            (allocation.clone(), more_slots),
            limits,
            cache,
            compiler,
            environment.clone(),
            state,
            recording,
        )
    }
}

/// The components of a machine: the sandbox, and the loaded plugins.
pub(super) struct Components {
    sandbox: Arc<LazySandbox>,
    facts: Option<Arc<dyn FactsReader>>,
}

impl Components {
    pub(super) fn new(settings: ComponentSettings, limits: Limits, environment: Environment) -> Self {
        let facts = settings.facts.clone();
        let sandbox = Arc::new(LazySandbox::new(move || settings.create_sandbox(&limits, &environment)));
        let reader: Arc<dyn FactsReader> = Arc::new(FactsPlugin::new(&sandbox, facts));
        Self { sandbox, facts: Some(reader) }
    }

    /// Returns the reader of facts about command lines.
    pub(super) fn facts_reader(&self) -> Option<Arc<dyn FactsReader>> {
        self.facts.clone()
    }

    pub(super) fn trouble(&self) -> Option<String> {
        self.sandbox.trouble()
    }

    pub(super) fn end_processes(&self) {
        self.sandbox.end_processes();
    }
}

/// The components of one host. Each component is one plugin for each layer that configures it, and all its hooks share
/// one look at the file.
pub(super) struct Plugins<'m> {
    sandbox: &'m Arc<LazySandbox>,
    /// Refused plugins of the user's own hooks, and of untrusted hooks.
    refused: (RefusedPlugins, RefusedPlugins),
    made: HashMap<(WasmSpec, (Layer, TrustLevel)), Arc<LazyPlugin>>,
}

impl<'m> Plugins<'m> {
    pub(super) fn new(components: &'m Components, refused: (RefusedPlugins, RefusedPlugins)) -> Self {
        Self { sandbox: &components.sandbox, refused, made: HashMap::new() }
    }

    pub(super) fn create_handler(&mut self, spec: &WasmSpec, from: (Layer, TrustLevel)) -> Arc<dyn Handler> {
        // A refusal that results from a project's own files must not affect the user's plugins.
        let refused = match &spec.confined_to {
            None => &self.refused.0,
            Some(_) => &self.refused.1,
        };
        let new = || Arc::new(LazyPlugin::new(spec.clone(), from, refused.clone(), self.sandbox));
        let plugin = self.made.entry((spec.clone(), from)).or_insert_with(new);
        Arc::new(WasmHandler::new(Arc::clone(self.sandbox), Arc::clone(plugin), &ProgramContract))
    }
}
