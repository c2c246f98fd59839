//! Long-lived state: the sandbox with its loaded plugins, the counters, the clock.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use hookbox_model::{Failure, FailureCode, Limit, Limits, ShellFacts};

use super::{
    Host,
    components::{ComponentSettings, Components},
    hook_set::{HookSet, Hooks},
};
use crate::{
    Clock, HookSpec,
    agents::DialectAgents,
    chain::{Counters, Counts, OnceCall},
    facts::read_any_facts,
    hook::PythonSpec,
    interfaces::{CommandLine, Environment},
    python::PythonRunner,
};

/// Shared state of all hosts of a process. Each set of [`Hooks`] becomes a [`Host`] on it, and hosts come and go. They
/// share the engine, its pool and the counters: a hook that failed in one host is tripped in the next. They share
/// plugins, too: each host looks at a plugin's file once, and takes over a plugin that another host has loaded from
/// equal content, for the same place with the same grants. A plugin that no host uses any more is dropped.
///
/// Cheap to clone: clones are the same machine.
#[derive(Clone)]
pub struct Machine(Arc<Parts>);

struct Parts {
    environment: Environment,
    components: Components,
    counters: Counters,
    clock: Clock,
    generations: AtomicU64,
    interpreters: Arc<dyn PythonRunner>,
    program: Option<Arc<dyn PythonRunner>>,
}

impl Machine {
    /// Returns a builder with every capability off: see [`MachineBuilder`].
    pub fn builder() -> MachineBuilder {
        MachineBuilder::default()
    }

    /// Creates a host of these hooks. Nothing is loaded yet. A hook that cannot be set up is included: each call of it
    /// fails, and its policy decides.
    pub fn create_host(&self, hooks: Hooks) -> Host {
        let generation = self.0.generations.fetch_add(1, Ordering::Relaxed);
        Host::new(self.clone(), HookSet::new(self, hooks, generation))
    }

    /// Returns the counters, to be passed to a later machine ([`MachineBuilder::counts`]).
    pub fn counts(&self) -> Counts {
        self.0.counters.counts()
    }

    /// Adds the calls that other processes counted meanwhile: a hook that runs once and was called there is not called
    /// here.
    pub fn merge_once_calls(&self, calls: impl IntoIterator<Item = OnceCall>) {
        self.0.counters.once_calls.merge_calls(calls);
    }

    /// Returns a message for the user about a problem that makes the machine slower than necessary (compiled plugins
    /// that cannot be kept).
    pub fn trouble(&self) -> Option<String> {
        self.0.components.trouble()
    }

    /// Computes the facts about a command line, by the plugin that [`MachineBuilder::facts_plugin`] names. Must be called within a
    /// tokio runtime.
    ///
    /// # Errors
    ///
    /// The plugin is missing, was replaced, or failed.
    pub async fn read_facts(&self, line: &CommandLine) -> Result<ShellFacts, Failure> {
        match self.0.components.facts_reader() {
            Some(reader) => read_any_facts(reader.as_ref(), line).await,
            None => Err(Failure::new(FailureCode::Refused, "this program was built without wasm hooks")),
        }
    }

    /// Returns the clock.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.0.environment
    }

    pub(super) fn python_runner(&self, spec: &PythonSpec) -> Arc<dyn PythonRunner> {
        let program = self.0.program.as_ref().filter(|_| spec.is_free());
        Arc::clone(program.unwrap_or(&self.0.interpreters))
    }

    /// Ends the processes that are kept for calls of this machine's hooks, whatever is under way in them. Dropping the
    /// last clone of the machine ends them, too.
    pub fn end_processes(&self) {
        self.0.components.end_processes();
        self.0.interpreters.end();
        self.0.program.iter().for_each(|program| program.end());
    }

    pub(super) fn components(&self) -> &Components {
        &self.0.components
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.0.counters
    }
}

/// Builder of a [`Machine`]. Every capability is off by default:
/// - an empty environment for shell hooks and webhooks;
/// - no directory for native code, and no compiler: wasm hooks fail until one is set;
/// - no directory for hooks' state: those with the grant `kv` fail;
/// - on-demand allocation, nothing counted before, the system clock.
#[derive(Clone, Default)]
pub struct MachineBuilder {
    environment: Environment,
    components: ComponentSettings,
    limits: Limits,
    counts: Counts,
    stops_are_lost: bool,
    clock: Clock,
    python: Option<Arc<dyn PythonRunner>>,
}

impl MachineBuilder {
    /// Sets the variables that shell hooks, webhooks and secrets may get, if their configuration names them.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// Sets the wasm stack of every call, and the most memory, table elements and instances that a pooled call of any
    /// hook may have; other limits are set for each hook.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes the pool large enough for the largest of these hooks, too.
    #[must_use]
    pub(crate) fn room_for(mut self, hooks: &[HookSpec]) -> Self {
        for limit in [Limit::Memory, Limit::TableElements, Limit::Instances] {
            let most = hooks.iter().map(|hook| hook.limits.get(limit)).max();
            let most = most.unwrap_or(limit.default_value());
            // Cannot fail: the value is one that a hook's limits already have.
            self.limits = self.limits.clone().with_limit(limit, most).unwrap_or(self.limits);
        }
        self
    }

    /// Sets the counters of an earlier machine, from [`Machine::counts`].
    #[must_use]
    pub fn counts(mut self, counts: Counts) -> Self {
        self.counts = counts;
        self
    }

    /// States that this machine's counters are lost when it ends, and that it ends with each event: an untrusted hook
    /// may then keep an agent from stopping only once.
    #[must_use]
    pub fn stops_are_lost(mut self) -> Self {
        self.stops_are_lost = true;
        self
    }

    /// Sets the runner of Python functions, for an embedding program that calls them itself. Without it, hookbox's
    /// interpreters do. Functions that are confined (not [`PythonSpec::is_free`]) run in those interpreters all the
    /// same.
    #[must_use]
    pub fn python(mut self, runner: Arc<dyn PythonRunner>) -> Self {
        self.python = Some(runner);
        self
    }

    /// Sets the clock. Default: the system clock.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Builds the machine. Its sandbox is created when the first plugin is called; if that fails, each call of a plugin
    /// fails.
    pub fn build(self) -> Machine {
        let components = Components::new(self.components, self.limits, self.environment.clone());
        let interpreters = own_interpreters(&self.environment);
        Machine(Arc::new(Parts {
            environment: self.environment,
            components,
            counters: Counters::new(&DialectAgents, self.counts, self.stops_are_lost),
            clock: self.clock,
            generations: AtomicU64::new(1),
            interpreters,
            program: self.python,
        }))
    }
}

#[cfg(feature = "shell")]
fn own_interpreters(environment: &Environment) -> Arc<dyn PythonRunner> {
    Arc::new(crate::handler::python::Workers::new(environment.clone()))
}

/// Creates a runner that is never called: such a hook is broken.
#[cfg(not(feature = "shell"))]
fn own_interpreters(_: &Environment) -> Arc<dyn PythonRunner> {
    Arc::new(crate::left_out::NoPython)
}

/// For components.
#[cfg(feature = "wasm")]
impl MachineBuilder {
    /// Sets the directory for native code. It belongs to this user alone, and is created if it does not exist.
    #[must_use]
    pub fn cache(mut self, directory: &std::path::Path) -> Self {
        self.components.cache = Some(directory.to_owned());
        self
    }

    /// Sets the compiler of components that are not in the cache.
    #[must_use]
    pub fn compiler(mut self, compiler: crate::sandbox::compile::Compiler) -> Self {
        self.components.compiler = compiler;
        self
    }

    /// Sets the plugin that computes facts about command lines, for hooks that import them: the shipped one
    /// ([`WasmSpec::find_facts_plugin`](crate::hook::WasmSpec::find_facts_plugin)). Without it, hooks receive facts with the reason.
    #[must_use]
    pub fn facts_plugin(mut self, plugin: crate::hook::WasmSpec) -> Self {
        self.components.facts = Some(plugin);
        self
    }

    /// Sets the memory allocation of instances: [`POOLED`](crate::sandbox::engine_settings::Allocation::POOLED) for a
    /// long-running machine.
    #[must_use]
    pub fn allocation(mut self, allocation: crate::sandbox::engine_settings::Allocation) -> Self {
        self.components.allocation = allocation;
        self
    }
}

/// For components that send requests.
#[cfg(feature = "guest-http")]
impl MachineBuilder {
    /// Answers the requests of components from a recording; no server is contacted. For tests of hooks.
    #[must_use]
    pub fn recording(mut self, recording: Arc<dyn crate::sandbox::Recording>) -> Self {
        self.components.recording = Some(recording);
        self
    }
}

/// For components that use the key-value store.
#[cfg(feature = "kv")]
impl MachineBuilder {
    /// Sets the directory for hooks' state between calls. It belongs to this user alone, has the file `kv.sqlite`, and
    /// is created if it does not exist. Any number of machines and processes may share it.
    #[must_use]
    pub fn state(mut self, directory: &std::path::Path) -> Self {
        self.components.state = Some(directory.to_owned());
        self
    }
}
