//! The host: all hooks of one configuration, ready to be called.

mod answer;
mod broken_hook;
mod builder;
mod callback_hook;
#[cfg(feature = "wasm")]
mod components;
#[cfg(not(feature = "wasm"))]
#[path = "host/no_components.rs"]
mod components;
mod hook_set;
mod machine;
mod plan;

use std::{borrow::Borrow, sync::Arc, time::Duration};

use hookbox_model::{Event, Failure, FailureCode, Layer, Manifest, Outcome};

use self::hook_set::HookSet;
pub use self::{
    answer::{InvalidRequest, MAX_EVENT_BYTES, Request, Response, chain_budget},
    builder::HostBuilder,
    callback_hook::CallbackHook,
    hook_set::Hooks,
    machine::{Machine, MachineBuilder},
    plan::Plan,
};
use crate::{Failures, HookSpec, hook_index::Hook};

/// All hooks of one configuration, on a [`Machine`]. A host is immutable: new hooks make a new host, and calls under
/// way keep the host that they began with. Cheap to clone.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::{Callback, CallbackHook, Host, agents::{self, ReadContext}};
/// use hookbox::model::{Answer, EventName, Json};
///
/// let no_curl = Callback::sync(|call| {
///     let command = call.event.tool.as_ref().and_then(|tool| tool.command.as_deref());
///     Ok(match command {
///         Some(command) if command.starts_with("curl") => {
///             Answer::deny("no-network", "this session has no network")
///         }
///         _ => Answer::default(),
///     })
/// });
/// let host = Host::builder()
///     .callback(CallbackHook::gate("no-curl", [EventName::ToolBefore]), no_curl)
///     .build();
///
/// let source = Json::parse_object(
///     r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/code","transcript_path":"",
///         "tool_name":"Bash","tool_input":{"command":"curl example.org"},"tool_use_id":"t"}"#,
/// )?;
/// let claude = agents::find_dialect("claude-code").ok_or("no such dialect")?;
/// let event = claude.read(source, &ReadContext::default())?;
///
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// let outcome = runtime.block_on(host.dispatch(&event));
/// assert_eq!(outcome.verdict.as_str(), "deny");
/// assert!(claude.write(&event, &outcome).stdout.contains("this session has no network"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Host {
    machine: Machine,
    hook_set: Arc<HookSet>,
}

/// A hook of a [`Host`], with its run-time state.
#[derive(Debug)]
pub struct HookState<'a> {
    /// The configuration.
    pub spec: &'a HookSpec,
    /// The hook's failures in a row.
    pub failures: Failures,
    /// Time until the hook is called again, while it is suspended because the hooks of its file used up their time.
    pub out_for: Option<Duration>,
    /// True if the hook is called. See [`Host::set_hook_enabled`].
    pub enabled: bool,
}

impl Host {
    /// Returns a builder with no hooks, on a separate machine with no cache, no compiler and an empty environment. A
    /// program in which hosts come and go has one [`Machine`] for all of them.
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    pub(crate) fn new(machine: Machine, hook_set: HookSet) -> Self {
        Self { machine, hook_set: Arc::new(hook_set) }
    }

    /// Selects the hooks for `event`; the plan can be inspected and run.
    pub fn plan<'a>(&'a self, event: &'a Event) -> Plan<'a> {
        Plan::new(self, event)
    }

    /// Runs the chain for `event` within the host's budget. Must be called within a tokio runtime that has its timer
    /// on, and I/O too if a hook needs it ([`HookSpec::needs_io`]). Dropping the future ends every handler, processes too.
    pub async fn dispatch(&self, event: impl Borrow<Event>) -> Outcome {
        self.plan(event.borrow()).run().await
    }

    /// Returns the machine of this host.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Returns the number of this set of hooks on its machine: each set has a higher number than those before it.
    pub fn generation(&self) -> u64 {
        self.hook_set.generation
    }

    /// Returns every hook, in chain order.
    pub fn hooks(&self) -> impl Iterator<Item = HookState<'_>> {
        self.hook_set.hooks.hooks().iter().map(|hook| self.hook_state(hook))
    }

    /// Switches hooks on or off for the lifetime of the host, by the name that their agent shows: the hook's name, or
    /// the command of a hook without a name. Returns the count of hooks with that name; a call that is under way is
    /// not ended. The administrator's hooks stay on, and do not count when others are switched off.
    pub fn set_hook_enabled(&self, name: &str, enabled: bool) -> usize {
        let is_meant = |hook: &&Hook| {
            hook.spec.known_as() == name && (enabled || hook.spec.origin.layer != Layer::Managed)
        };
        let meant = self.hook_set.hooks.hooks().iter().filter(is_meant);
        meant.map(|hook| hook.switch.turn_to(enabled)).count()
    }

    /// Prepares every hook (loads, compiles), one after another, and returns the result with its hook. A long-running
    /// program calls this once for each host: otherwise the first event waits for the compiler, as long as its budget
    /// lasts. Must be called within a tokio runtime that has its timer and I/O on.
    pub async fn prepare(&self) -> Vec<(&HookSpec, Result<(), Failure>)> {
        let mut results = Vec::new();
        for hook in self.hook_set.hooks.hooks() {
            let result = match hook.handler.prepare() {
                Some(ready) => ready.await,
                None => Ok(()),
            };
            results.push((&hook.spec, result));
        }
        results
    }

    fn hook_state<'a>(&self, hook: &'a Hook) -> HookState<'a> {
        let (counters, now) = (self.machine.counters(), self.machine.clock().now_ms());
        HookState {
            spec: &hook.spec,
            failures: counters.trips.failures_of(hook),
            out_for: counters.untrusted.out_for(&hook.spec, now),
            enabled: hook.switch.is_on(),
        }
    }
}

/// A hook that was prepared and tested.
#[derive(Debug)]
pub struct CheckedHook<'a> {
    /// The configuration.
    pub spec: &'a HookSpec,
    /// Error if the hook cannot be called.
    pub result: Result<(), Failure>,
    /// Manifest of the hook's plugin.
    pub manifest: Option<&'a Manifest>,
    /// Contradiction between the plugin and its manifest.
    pub doubt: Option<String>,
}

impl Host {
    /// Prepares every hook and tests it without an event, where that is possible (a typed plugin is instantiated, named
    /// folders and confinements are looked at), one after another. Must be called within a tokio runtime that has its
    /// timer and I/O on.
    pub async fn check(&self) -> Vec<CheckedHook<'_>> {
        let mut checked = Vec::new();
        for hook in self.hook_set.hooks.hooks() {
            let result = check_hook(hook).await;
            let (manifest, doubt) = (hook.handler.manifest(), hook.handler.mismatch());
            checked.push(CheckedHook { spec: &hook.spec, result, manifest, doubt });
        }
        checked
    }
}

async fn check_hook(hook: &Hook) -> Result<(), Failure> {
    if hook.spec.events.is_empty() {
        return Err(Failure::new(FailureCode::Refused, "the hook is for no event, so it is never called"));
    }
    if let Some(ready) = hook.handler.prepare() {
        ready.await?;
    }
    match hook.handler.run_self_test(&hook.spec.name, hook.limits()) {
        Some(tried) => tried.await,
        None => Ok(()),
    }
}
