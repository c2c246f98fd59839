//! From places and layers to a host.

use std::{collections::HashMap, path::Path};

use hookbox::{
    Callback, CallbackHook, Failures, HandlerSpec, HookSpec, Host,
    config::{Loaded, Problem, Severity},
    model::{Answer, EventName, Layer},
    sandbox::compile::Compiler,
};

use crate::{
    args::SourceArgs,
    layers,
    places::{self, Places},
    trips,
};

/// Everything that one command works with.
pub(crate) struct Setup {
    pub(crate) places: Places,
    pub(crate) loaded: Loaded,
    pub(crate) failures: HashMap<String, Failures>,
}

impl Setup {
    /// Reads the files of all layers around `project`.
    pub(crate) fn read(project: &Path, source: &SourceArgs) -> Self {
        let places = Places::find();
        let loaded = layers::load(&places, project, source.config.as_deref());
        let failures = places.failures().map(|path| trips::load(&path)).unwrap_or_default();
        Self { places, loaded, failures }
    }

    /// The host with all hooks.
    pub(crate) fn host(&self) -> Host {
        self.host_of(self.loaded.hooks.clone())
    }

    /// The host with wasm hooks only; the others are in it and say nothing.
    pub(crate) fn dry_host(&self) -> Host {
        let mut builder = self.builder();
        for spec in self.loaded.hooks.clone() {
            builder = match spec.handler {
                HandlerSpec::Wasm(_) => builder.hooks([spec]),
                _ => builder.callback(CallbackHook::from(spec), Callback::sync(|_| Ok(Answer::default()))),
            };
        }
        builder.build()
    }

    /// A broken file of the user's own may hold the very hook that would have denied, so what can be denied is.
    fn host_of(&self, hooks: Vec<HookSpec>) -> Host {
        let mut builder = self.builder().hooks(hooks);
        if let Some(problem) = self.own_error() {
            let blockable = EventName::KNOWN.iter().filter(|event| event.moment().block).cloned();
            let said = format!("{}: {}; run `hookbox check`", problem.place(), problem.message);
            let guard = Callback::sync(move |_| Err(said.clone()));
            builder = builder.callback(CallbackHook::gate("configuration", blockable), guard);
        }
        builder.build()
    }

    fn builder(&self) -> hookbox::HostBuilder {
        let mut builder = Host::builder().environment(places::environment()).failures(self.failures.clone());
        if let Some(cache) = self.places.cache() {
            builder = builder.cache(&cache);
        }
        match places::compiler() {
            Some(compiler) => builder.compiler(Compiler::Process(compiler)),
            None => builder,
        }
    }

    fn own_error(&self) -> Option<&Problem> {
        let own = |problem: &&Problem| problem.layer != Layer::Project;
        self.loaded.problems.iter().filter(own).find(|problem| problem.severity == Severity::Error)
    }
}
