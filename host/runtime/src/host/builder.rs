//! Puts a host together.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use hookbox_model::{EventName, Failure, FailureCode, HandlerKind, Json, Layer, Limit, Limits, Role, Tier};

use super::{Host, failures_key};
use crate::{
    ChainPolicy, Clock, ForeignCall, ForeignSpec, HandlerSpec, HookSpec, Origin, ToolMatcher,
    chain::{Memory, Overruns, StopLoops, StopsKept, Strangers},
    dialect::native::{NativeContract, ProgramContract},
    handler::{
        Call, CallFuture, Handler, PrepareFuture,
        callback::Callback,
        environment::Environment,
        shell::ShellHandler,
        wasm::{LazyPlugin, LazySandbox, WasmHandler, WasmSpec},
        webhook::WebhookHandler,
    },
    registry::{Hook, Registry, Switch, Turn},
    sandbox::{
        Sandbox,
        cache::{Cache, CacheDir},
        compile::Compiler,
        settings::Allocation,
    },
    trip::{Failures, Trip},
};

/// How long a chain may take if nobody says: less than the shortest patience of an agent (Claude Code waits 10 s for
/// its quickest ordinary event).
const DEFAULT_BUDGET: Duration = Duration::from_secs(9);

/// Puts a [`Host`] together. Every power is closed by default:
/// - no hooks;
/// - an empty environment for shell hooks and webhooks;
/// - no directory for native code, and no compiler: wasm hooks fail until one is given;
/// - no directory for what hooks keep: those with the grant `kv` fail;
/// - on-demand allocation, default limits, a budget of 9 s.
#[derive(Default)]
pub struct HostBuilder {
    hooks: Vec<HookSpec>,
    callbacks: Vec<(HookSpec, Arc<dyn Handler>)>,
    environment: Environment,
    cache: Option<PathBuf>,
    compiler: Option<Compiler>,
    allocation: Option<Allocation>,
    stack: Option<Limits>,
    failures: HashMap<String, Failures>,
    stops: HashMap<String, StopsKept>,
    turns: HashSet<String>,
    stops_are_lost: bool,
    overruns: HashMap<String, Overruns>,
    budget: Option<Duration>,
    policy: ChainPolicy,
    state: Option<PathBuf>,
    clock: Clock,
}

impl HostBuilder {
    /// Adds configured hooks.
    #[must_use]
    pub fn hooks(mut self, hooks: impl IntoIterator<Item = HookSpec>) -> Self {
        self.hooks.extend(hooks);
        self
    }

    /// Adds a closure of the embedding program as a hook.
    #[must_use]
    pub fn callback(mut self, hook: CallbackHook, callback: Callback) -> Self {
        self.callbacks.push((hook.0, Arc::new(callback)));
        self
    }

    /// The variables that shell hooks and webhooks may be given, if their configuration names them.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// Where native code is kept: a directory of this user alone. It is made if it is not there.
    #[must_use]
    pub fn cache(mut self, directory: &Path) -> Self {
        self.cache = Some(directory.to_owned());
        self
    }

    /// Where what hooks keep between calls is: a directory of this user alone, with the file `kv.sqlite`. It is made if
    /// it is not there. Any number of hosts and processes may share it.
    #[must_use]
    pub fn state(mut self, directory: &Path) -> Self {
        self.state = Some(directory.to_owned());
        self
    }

    /// Who compiles components that the cache does not hold.
    #[must_use]
    pub fn compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = Some(compiler);
        self
    }

    /// How instances get their memory: [`Allocation::POOLED`] for a host that lives on.
    #[must_use]
    pub fn allocation(mut self, allocation: Allocation) -> Self {
        self.allocation = Some(allocation);
        self
    }

    /// The wasm stack of every call is that of `limits`; other limits are each hook's own.
    #[must_use]
    pub fn stack(mut self, limits: Limits) -> Self {
        self.stack = Some(limits);
        self
    }

    /// Failures in a row from an earlier process, by [`failures_key`].
    #[must_use]
    pub fn failures(mut self, failures: HashMap<String, Failures>) -> Self {
        self.failures = failures;
        self
    }

    /// How often agents were kept from stopping in an earlier process, by [`Host::stops_kept`].
    #[must_use]
    pub fn stops_kept(mut self, stops: HashMap<String, StopsKept>) -> Self {
        self.stops = stops;
        self
    }

    /// The files of projects whose hooks used their time up in an earlier process, by [`Host::overruns`].
    #[must_use]
    pub fn overruns(mut self, overruns: HashMap<String, Overruns>) -> Self {
        self.overruns = overruns;
        self
    }

    /// The hooks that run only once and have run in an earlier process, by [`Host::turns_taken`].
    #[must_use]
    pub fn turns_taken(mut self, turns: HashSet<String>) -> Self {
        self.turns = turns;
        self
    }

    /// What this host counts is lost when it ends, and it ends with each event: a stranger's hooks may keep an agent from
    /// stopping no more than once.
    #[must_use]
    pub fn stops_are_lost(mut self) -> Self {
        self.stops_are_lost = true;
        self
    }

    /// How long a chain may take: less than the caller waits.
    #[must_use]
    pub fn budget(mut self, budget: Duration) -> Self {
        self.budget = Some(budget);
        self
    }

    /// How chains run, if not in hookbox's own way.
    #[must_use]
    pub fn policy(mut self, policy: ChainPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// What time of day it is, if not that of the machine.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The host. A hook that cannot be set up is in it all the same: it fails when it is called, by its policy.
    pub fn build(self) -> Host {
        let mut plugins = Plugins { sandbox: Arc::new(self.lazy_sandbox()), by_spec: HashMap::new() };
        let configured = self.hooks.into_iter().map(|spec| {
            let handler = handler(&spec, &self.environment, &mut plugins);
            (spec, handler)
        });
        let hooks = configured.chain(self.callbacks).map(|(spec, handler)| {
            // Most hosts come with none, and a key is not for nothing.
            let known = if self.failures.is_empty() { None } else { self.failures.get(&failures_key(&spec)) };
            let failures = known.copied().unwrap_or_default();
            let taken = spec.once && self.turns.contains(&failures_key(&spec));
            Hook {
                turn: Turn::new(spec.once, taken),
                switch: Switch::on(),
                spec,
                handler,
                trip: Trip::new(failures),
            }
        });
        Host {
            registry: Registry::new(hooks.collect()),
            policy: self.policy,
            memory: Memory {
                stops: StopLoops::new(self.stops, self.stops_are_lost),
                strangers: Strangers::new(self.overruns),
            },
            budget: self.budget.unwrap_or(DEFAULT_BUDGET),
            clock: self.clock,
            sandbox: plugins.sandbox,
        }
    }

    fn lazy_sandbox(&self) -> LazySandbox {
        let allocation = self.allocation.clone().unwrap_or(Allocation::OnDemand);
        let compiler = self.compiler.clone().unwrap_or(Compiler::None);
        let (cache, environment, state) = (self.cache.clone(), self.environment.clone(), self.state.clone());
        let limits = self.ceiling();
        LazySandbox::new(move || {
            let cache = match &cache {
                Some(path) => {
                    CacheDir::open(path).map_or_else(|error| Cache::Off(error.to_string()), Cache::Dir)
                }
                None => Cache::Off("no cache directory was given".to_owned()),
            };
            let (compiler, environment) = (compiler.clone(), environment.clone());
            Sandbox::new(allocation.clone(), &limits, cache, compiler, environment, state.clone())
        })
    }

    /// The most that any hook may have: what a slot of the pool must hold.
    fn ceiling(&self) -> Limits {
        let mut ceiling = self.stack.clone().unwrap_or_default();
        for limit in [Limit::Memory, Limit::TableElements, Limit::Instances] {
            let most = self.hooks.iter().map(|hook| hook.limits.get(limit)).max();
            let most = most.unwrap_or(limit.default_value());
            ceiling = ceiling.clone().with(limit, most).unwrap_or(ceiling);
        }
        ceiling
    }
}

/// The components of a host, each once for each layer that configures it.
struct Plugins {
    sandbox: Arc<LazySandbox>,
    by_spec: HashMap<(WasmSpec, Layer), Arc<LazyPlugin>>,
}

impl Plugins {
    fn handler(&mut self, spec: &WasmSpec, layer: Layer) -> WasmHandler {
        let new = || Arc::new(LazyPlugin::new(spec.clone(), layer));
        let plugin = self.by_spec.entry((spec.clone(), layer)).or_insert_with(new);
        WasmHandler::new(Arc::clone(&self.sandbox), Arc::clone(plugin), &ProgramContract)
    }
}

fn handler(spec: &HookSpec, environment: &Environment, plugins: &mut Plugins) -> Arc<dyn Handler> {
    match &spec.handler {
        HandlerSpec::Wasm(wasm) => Arc::new(plugins.handler(wasm, spec.origin.layer)),
        HandlerSpec::Foreign(foreign) => foreign_handler(foreign, spec.origin.layer, environment, plugins),
        HandlerSpec::Shell(shell) => match ShellHandler::new(shell.clone(), environment, &NativeContract) {
            Ok(handler) => Arc::new(handler),
            Err(error) => Arc::new(Broken(HandlerKind::Shell, error.to_string())),
        },
        HandlerSpec::Webhook(webhook) => {
            match WebhookHandler::new(webhook.clone(), environment, &NativeContract) {
                Ok(handler) => Arc::new(handler),
                Err(error) => Arc::new(Broken(HandlerKind::Webhook, error.to_string())),
            }
        }
        HandlerSpec::Callback => {
            Arc::new(Broken(HandlerKind::Callback, "a callback cannot be configured in a file".to_owned()))
        }
    }
}

fn foreign_handler(
    spec: &ForeignSpec,
    layer: Layer,
    environment: &Environment,
    plugins: &mut Plugins,
) -> Arc<dyn Handler> {
    let ForeignSpec { call, contract, variables, .. } = spec;
    match call {
        ForeignCall::Wasm(spec) => Arc::new(plugins.handler(spec, layer)),
        ForeignCall::Shell(shell) => {
            match ShellHandler::foreign(shell.clone(), environment, variables, *contract) {
                Ok(handler) => Arc::new(handler),
                Err(error) => Arc::new(Broken(HandlerKind::Shell, error.to_string())),
            }
        }
        ForeignCall::Webhook(webhook) => match WebhookHandler::new(webhook.clone(), environment, *contract) {
            Ok(handler) => Arc::new(handler),
            Err(error) => Arc::new(Broken(HandlerKind::Webhook, error.to_string())),
        },
    }
}

/// A hook that could not be set up.
struct Broken(HandlerKind, String);

impl Broken {
    fn failure(&self) -> Failure {
        Failure::new(FailureCode::Refused, &self.1)
    }
}

impl Handler for Broken {
    fn kind(&self) -> HandlerKind {
        self.0
    }

    fn try_out<'a>(&'a self, _: &'a str, _: &'a Limits) -> Option<PrepareFuture<'a>> {
        Some(Box::pin(async { Err(self.failure()) }))
    }

    fn call<'a>(&'a self, _: Call<'a>) -> CallFuture<'a> {
        Box::pin(async { self.failure().into() })
    }
}

/// A closure's place in the chain: tier `own`, layer `session`.
#[derive(Clone, Debug)]
pub struct CallbackHook(HookSpec);

impl From<HookSpec> for CallbackHook {
    /// A closure in the place of a configured hook.
    fn from(spec: HookSpec) -> Self {
        Self(spec)
    }
}

impl CallbackHook {
    /// A hook that may ask, deny or allow.
    pub fn gate(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Gate, events)
    }

    /// A hook that may rewrite.
    pub fn transform(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Transform, events)
    }

    /// A hook that only hears.
    pub fn observe(name: &str, events: impl IntoIterator<Item = EventName>) -> Self {
        Self::new(name, Role::Observe, events)
    }

    /// Only for these tools.
    #[must_use]
    pub fn tool(mut self, matcher: ToolMatcher) -> Self {
        self.0.tool = Some(matcher);
        self
    }

    /// Only once in the life of its host.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.0.once = true;
        self
    }

    /// What one call may use; the timeout is the one that counts for a closure.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// What is configured.
    #[cfg(test)]
    pub(crate) fn into_spec(self) -> HookSpec {
        self.0
    }

    fn new(name: &str, role: Role, events: impl IntoIterator<Item = EventName>) -> Self {
        Self(HookSpec {
            name: name.to_owned(),
            events: events.into_iter().collect(),
            tool: None,
            role,
            priority: 0,
            on_failure: None,
            once: false,
            limits: Limits::default(),
            config: Json::empty_object(),
            handler: HandlerSpec::Callback,
            origin: Origin { layer: Layer::Session, tier: Tier::Own, file: None, line: 0, number: 0 },
        })
    }
}
