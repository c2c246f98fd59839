//! What lives long: the sandbox and what it has loaded, the counters, the clock.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use hookbox_model::{Limit, Limits};

use super::{
    Host,
    components::{Components, Means},
    rules::{Hooks, Rules},
};
use crate::{
    Clock, HookSpec,
    chain::{Counters, Counts, TurnTaken},
    dialect::AllAgents,
    hook::PythonSpec,
    port::Environment,
    python::PythonRunner,
};

/// One per process, whatever changes about the hooks: each set of [`Hooks`] becomes a [`Host`] on it, and hosts come and go.
/// They share the engine, its pool and the counters: a hook that failed in one is tripped in the next. They share plugins,
/// too: each host looks at a plugin's file once, and what another host has loaded from the same content, for the same place
/// with the same grants, it takes over. What no host has any more is dropped.
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
    /// Starts with every power closed: see [`MachineBuilder`].
    pub fn builder() -> MachineBuilder {
        MachineBuilder::default()
    }

    /// These hooks, ready to be called. Nothing is loaded yet. A hook that cannot be set up is there all the same: it fails
    /// when it is called, by its policy.
    pub fn host(&self, hooks: Hooks) -> Host {
        let generation = self.0.generations.fetch_add(1, Ordering::Relaxed);
        Host::new(self.clone(), Rules::new(self, hooks, generation))
    }

    /// What it has counted so far, to be handed to a later machine ([`MachineBuilder::counts`]).
    pub fn counts(&self) -> Counts {
        self.0.counters.counts()
    }

    /// Hears what other processes counted meanwhile: hooks that run once and had their turn there have none here.
    pub fn recall(&self, turns: impl IntoIterator<Item = TurnTaken>) {
        self.0.counters.turns.recall(turns);
    }

    /// What makes it slower than it could be (compiled plugins that cannot be kept), in words for people.
    pub fn trouble(&self) -> Option<String> {
        self.0.components.trouble()
    }

    /// What time of day it is for it.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.0.environment
    }

    /// Who calls this function of Python for it.
    pub(super) fn python(&self, spec: &PythonSpec) -> Arc<dyn PythonRunner> {
        let program = self.0.program.as_ref().filter(|_| spec.is_free());
        Arc::clone(program.unwrap_or(&self.0.interpreters))
    }

    /// Ends the processes that stay for the calls of its hooks, whatever is under way in them. It happens by itself when nobody has the
    /// machine any more.
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

/// Puts a [`Machine`] together. Every power is closed by default:
/// - an empty environment for shell hooks and webhooks;
/// - no directory for native code, and no compiler: wasm hooks fail until one is given;
/// - no directory for what hooks keep: those with the grant `kv` fail;
/// - on-demand allocation, nothing counted before, the clock of the computer.
#[derive(Clone, Default)]
pub struct MachineBuilder {
    environment: Environment,
    means: Means,
    limits: Limits,
    counts: Counts,
    stops_are_lost: bool,
    clock: Clock,
    python: Option<Arc<dyn PythonRunner>>,
}

impl MachineBuilder {
    /// The variables that shell hooks, webhooks and secrets may be given, if their configuration names them.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// The wasm stack of every call, and the most memory, table elements and instances that a pooled call of any hook may
    /// have; other limits are each hook's own.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// With room in the pool for the largest of these hooks too.
    #[must_use]
    pub(crate) fn room_for(mut self, hooks: &[HookSpec]) -> Self {
        for limit in [Limit::Memory, Limit::TableElements, Limit::Instances] {
            let most = hooks.iter().map(|hook| hook.limits.get(limit)).max();
            let most = most.unwrap_or(limit.default_value());
            self.limits = self.limits.clone().with(limit, most).unwrap_or(self.limits);
        }
        self
    }

    /// What an earlier machine counted, by [`Machine::counts`].
    #[must_use]
    pub fn counts(mut self, counts: Counts) -> Self {
        self.counts = counts;
        self
    }

    /// What this machine counts is lost when it ends, and it ends with each event: a stranger's hooks may keep an agent from
    /// stopping no more than once.
    #[must_use]
    pub fn stops_are_lost(mut self) -> Self {
        self.stops_are_lost = true;
        self
    }

    /// Who calls functions of Python, if the embedding program does it itself and not interpreters of the machine's own. Functions that
    /// are to be kept from something ([`PythonSpec::is_free`]) are called in those all the same.
    #[must_use]
    pub fn python(mut self, runner: Arc<dyn PythonRunner>) -> Self {
        self.python = Some(runner);
        self
    }

    /// What time of day it is, if not that of the computer.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The machine. Its sandbox is made when the first plugin is called; if that cannot be, each call of one fails.
    pub fn build(self) -> Machine {
        let components = Components::new(self.means, self.limits, self.environment.clone());
        let interpreters = own_interpreters(&self.environment);
        Machine(Arc::new(Parts {
            environment: self.environment,
            components,
            counters: Counters::new(&AllAgents, self.counts, self.stops_are_lost),
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

/// Never called: such a hook is broken.
#[cfg(not(feature = "shell"))]
fn own_interpreters(_: &Environment) -> Arc<dyn PythonRunner> {
    Arc::new(crate::left_out::NoPython)
}

/// For components.
#[cfg(feature = "wasm")]
impl MachineBuilder {
    /// Where native code is kept: a directory of this user alone. It is made if it is not there.
    #[must_use]
    pub fn cache(mut self, directory: &std::path::Path) -> Self {
        self.means.cache = Some(directory.to_owned());
        self
    }

    /// Who compiles components that the cache does not hold.
    #[must_use]
    pub fn compiler(mut self, compiler: crate::sandbox::compile::Compiler) -> Self {
        self.means.compiler = compiler;
        self
    }

    /// How instances get their memory: [`POOLED`](crate::sandbox::settings::Allocation::POOLED) for a machine that lives on.
    #[must_use]
    pub fn allocation(mut self, allocation: crate::sandbox::settings::Allocation) -> Self {
        self.means.allocation = allocation;
        self
    }
}

/// For components that send requests.
#[cfg(feature = "guest-http")]
impl MachineBuilder {
    /// Answers the requests of components in the place of all servers: nobody is reached. For tests of hooks.
    #[must_use]
    pub fn recording(mut self, recording: Arc<dyn crate::sandbox::Recording>) -> Self {
        self.means.recording = Some(recording);
        self
    }
}

/// For components that keep something.
#[cfg(feature = "kv")]
impl MachineBuilder {
    /// Where what hooks keep between calls is: a directory of this user alone, with the file `kv.sqlite`. It is made if
    /// it is not there. Any number of machines and processes may share it.
    #[must_use]
    pub fn state(mut self, directory: &std::path::Path) -> Self {
        self.means.state = Some(directory.to_owned());
        self
    }
}
