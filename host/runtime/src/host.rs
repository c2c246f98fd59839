//! The host: all hooks of one configuration, ready to be called.

mod builder;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use hookbox_model::{Event, Failure, Manifest, Outcome};

pub use self::builder::{CallbackHook, HostBuilder};
use crate::{
    ChainPolicy, Clock, HookId, HookSpec,
    chain::{self, Bounds, Cancel, Memory, Overruns, StopsKept},
    handler::wasm::LazySandbox,
    registry::{Hook, Registry},
    trip::Failures,
};

/// All hooks of one configuration.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::{Callback, CallbackHook, Host, dialect::{self, Arrival}};
/// use hookbox::model::{Answer, EventName, Json, Reason, Verdict};
///
/// let no_curl = Callback::sync(|call| {
///     let command = call.event.tool.as_ref().and_then(|tool| tool.command.as_deref());
///     let verdict = match command {
///         Some(command) if command.starts_with("curl") => {
///             Verdict::Deny(Reason::new("no-network", "this session has no network"))
///         }
///         _ => Verdict::None,
///     };
///     Ok(Answer { verdict, ..Answer::default() })
/// });
/// let host = Host::builder()
///     .callback(CallbackHook::gate("no-curl", [EventName::ToolBefore]), no_curl)
///     .build();
///
/// let source = Json::parse_object(
///     r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/work","transcript_path":"",
///         "tool_name":"Bash","tool_input":{"command":"curl example.org"},"tool_use_id":"t"}"#,
/// )?;
/// let claude = dialect::named("claude-code").ok_or("no such dialect")?;
/// let event = claude.read(source, &Arrival::default())?;
///
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// let outcome = runtime.block_on(host.dispatch(event.clone()));
/// assert_eq!(outcome.verdict.as_str(), "deny");
/// assert!(claude.write(&event, &outcome).stdout.contains("this session has no network"));
/// # Ok(())
/// # }
/// ```
pub struct Host {
    registry: Registry,
    policy: ChainPolicy,
    memory: Memory,
    budget: Duration,
    clock: Clock,
    sandbox: Arc<LazySandbox>,
}

/// A hook that a [`Host`] holds, and how it is doing.
#[derive(Debug)]
pub struct HookState<'a> {
    /// What was configured.
    pub spec: &'a HookSpec,
    /// Its failures in a row.
    pub failures: Failures,
    /// How long it is not called because the hooks of its file used their time up.
    pub out_for: Option<Duration>,
    /// Is it called? See [`Host::set_hook_enabled`].
    pub enabled: bool,
}

impl Host {
    /// Starts with no hooks, no cache, no compiler and an empty environment.
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    /// Runs the chain for `event` within the host's budget. Must be called within a tokio runtime that has its timer
    /// on. Dropping the future ends every handler, processes too.
    pub async fn dispatch(&self, event: Event) -> Outcome {
        self.dispatch_within(event, self.budget).await
    }

    /// The same within a budget of its own: a little less than the caller waits.
    pub async fn dispatch_within(&self, event: Event, budget: Duration) -> Outcome {
        self.run(event, budget, Cancel::default()).await
    }

    /// The same until `given_up` is ready. Then the hooks under way are ended, processes too; they and those that have not
    /// run yet fail with the code `cancelled`, which no hook is blamed for, and the outcome says what that means.
    pub async fn dispatch_until(
        &self,
        event: Event,
        budget: Duration,
        given_up: impl Future<Output = ()> + Send + 'static,
    ) -> Outcome {
        self.run(event, budget, Cancel::when(given_up)).await
    }

    async fn run(&self, event: Event, budget: Duration, cancel: Cancel) -> Outcome {
        let chain = self.registry.select(&event);
        if chain.is_empty() {
            let mut outcome = Outcome::default();
            self.memory.stops.hear(&event, 0, &mut outcome);
            return outcome;
        }
        let bounds = Bounds { clock: &self.clock, budget, cancel };
        chain::run(&self.policy, &self.memory, &chain, event, bounds).await
    }

    /// The hooks that would run for `event`, in chain order.
    pub fn select(&self, event: &Event) -> Vec<HookState<'_>> {
        self.registry.select(event).into_iter().map(|hook| self.state(hook)).collect()
    }

    /// How often agents were kept from stopping in a row, to be handed to a later process
    /// ([`HostBuilder::stops_kept`]).
    pub fn stops_kept(&self) -> HashMap<String, StopsKept> {
        self.memory.stops.sequences().clone()
    }

    /// The files of projects whose hooks used their time up, to be handed to a later process
    /// ([`HostBuilder::overruns`]).
    pub fn overruns(&self) -> HashMap<String, Overruns> {
        self.memory.strangers.files().clone()
    }

    /// The hooks that run only once and have run, here or in an earlier process, by [`failures_key`]; to be handed to a
    /// later process ([`HostBuilder::turns_taken`]).
    pub fn turns_taken(&self) -> HashSet<String> {
        let over = self.registry.hooks().iter().filter(|hook| hook.turn.is_over());
        over.map(|hook| failures_key(&hook.spec)).collect()
    }

    /// What makes this host slower than it could be (compiled plugins that cannot be kept), in words for people.
    pub fn trouble(&self) -> Option<String> {
        self.sandbox.trouble()
    }

    /// Every hook, in chain order.
    pub fn hooks(&self) -> impl Iterator<Item = HookState<'_>> {
        self.registry.hooks().iter().map(|hook| self.state(hook))
    }

    /// Switches hooks on or off for as long as the host lives, by what their agent knows them by: a name, or the command of
    /// one without a name. Returns how many there are; a call that is under way is not ended.
    pub fn set_hook_enabled(&self, name: &str, enabled: bool) -> usize {
        let known = self.registry.hooks().iter().filter(|hook| hook.spec.known_as() == name);
        known.map(|hook| hook.switch.turn(enabled)).count()
    }

    /// Makes every hook ready (loads, compiles), one after another. What cannot be made ready is told with its hook.
    pub async fn prepare(&self) -> Vec<(&HookSpec, Result<(), Failure>)> {
        let mut results = Vec::new();
        for hook in self.registry.hooks() {
            let result = match hook.handler.prepare() {
                Some(ready) => ready.await,
                None => Ok(()),
            };
            results.push((&hook.spec, result));
        }
        results
    }
}

/// A hook that was made ready and tried out.
#[derive(Debug)]
pub struct Checked<'a> {
    /// What was configured.
    pub spec: &'a HookSpec,
    /// Why it cannot be called, if it cannot.
    pub result: Result<(), Failure>,
    /// What its plugin says of itself.
    pub manifest: Option<&'a Manifest>,
    /// What its plugin says of itself and is not.
    pub doubt: Option<String>,
}

impl Host {
    /// Makes every hook ready and tries it without an event, as far as that can be done (a typed plugin is instantiated,
    /// folders and confinements that are named are looked at), one after another.
    pub async fn check(&self) -> Vec<Checked<'_>> {
        let mut checked = Vec::new();
        for hook in self.registry.hooks() {
            let result = check(hook).await;
            let (manifest, doubt) = (hook.handler.manifest(), hook.handler.doubt());
            checked.push(Checked { spec: &hook.spec, result, manifest, doubt });
        }
        checked
    }
}

async fn check(hook: &Hook) -> Result<(), Failure> {
    if let Some(ready) = hook.handler.prepare() {
        ready.await?;
    }
    match hook.handler.try_out(&hook.spec.name, hook.limits()) {
        Some(tried) => tried.await,
        None => Ok(()),
    }
}

impl Host {
    fn state<'a>(&self, hook: &'a Hook) -> HookState<'a> {
        let out_for = self.memory.strangers.out_for(&hook.spec, self.clock.now_ms());
        HookState { spec: &hook.spec, failures: hook.trip.failures(), out_for, enabled: hook.switch.is_on() }
    }
}

/// The name under which a hook's failures, and that it has run once, are kept between processes. A hook that was changed is another one.
pub fn failures_key(spec: &HookSpec) -> String {
    HookId::of(spec).to_string()
}
