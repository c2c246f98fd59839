//! The shipped plugin that computes facts: a hook whose answer has them in `extra`.

use std::{fmt, sync::Arc};

use hookbox_model::{
    Event, EventName, Failure, FailureCode, Json, Layer, Limit, Limits, ShellFacts, ToolCall, ToolClass,
    TrustLevel,
};
use tokio::sync::Semaphore;

use crate::{
    Clock,
    facts::{FactsReader, ReadFuture},
    hook::{RefusedPlugins, WasmSpec},
    interfaces::{Call, CommandLine},
    sandbox::{FACTS_SLOTS, LazyPlugin, LazySandbox, link::World, untrusted},
};

/// Limits of a computation. The plugin bounds its own work by an estimate, as guard-shell does; these end a plugin that exceeds it.
const LIMITS: [(Limit, u64); 5] = [
    // The fuel takes about a second, and a busy machine takes several times as long.
    (Limit::Timeout, 5_000),
    // Several times the estimate, whose unit is about one instruction.
    (Limit::Fuel, 1_000_000_000),
    // A command line of the largest event, its tree, and the facts twice: as values and as JSON.
    (Limit::Memory, 64 << 20),
    // 1 MiB of text, each character of which JSON may escape, and the names of the members.
    (Limit::Output, 16 << 20),
    (Limit::HostCallBytes, 16 << 20),
];

/// Computes facts by the shipped plugin, which is loaded for the first of them.
#[derive(Clone)]
pub(crate) struct FactsPlugin {
    sandbox: Arc<LazySandbox>,
    /// The plugin, if this program has it.
    plugin: Option<Arc<LazyPlugin>>,
    slots: Arc<Semaphore>,
}

impl FactsPlugin {
    pub(crate) fn new(sandbox: &Arc<LazySandbox>, spec: Option<WasmSpec>) -> Self {
        let from = (Layer::User, TrustLevel::Own);
        let new = |spec| Arc::new(LazyPlugin::new(spec, from, RefusedPlugins::default(), sandbox));
        let slots = Arc::new(Semaphore::new(FACTS_SLOTS as usize));
        Self { sandbox: Arc::clone(sandbox), plugin: spec.map(new), slots }
    }

    async fn compute_facts(&self, line: &CommandLine) -> Result<ShellFacts, Failure> {
        let plugin = self.plugin.as_ref().ok_or_else(missing_failure)?;
        let sandbox = self.sandbox.get()?;
        let plugin = plugin.load_here(sandbox).await?;
        let World::Hook(hook) = &plugin.linked.world else {
            return Err(Failure::new(
                FailureCode::BadComponent,
                "shell-facts is not a component of the world hook",
            ));
        };
        let (event, config, limits) = (event_of(line), Json::empty_object(), build_limits());
        let call = Call {
            hook: "",
            event: &event,
            original: None,
            outcome: None,
            config: &config,
            limits: &limits,
            clock: Clock::machine(),
            facts: None,
        };
        let Ok(_slot) = self.slots.acquire().await else {
            return Err(Failure::new(FailureCode::Internal, "the sandbox is closed"));
        };
        let answer = sandbox.call_hook(&plugin, hook, &call).await?.result?;
        let extra = answer.extra.ok_or_else(|| bad_output_failure("it has no facts"))?;
        ShellFacts::parse(extra.as_str()).map_err(|error| bad_output_failure(&error.to_string()))
    }
}

impl fmt::Debug for FactsPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FactsPlugin")
    }
}

impl FactsReader for FactsPlugin {
    fn read_facts<'a>(&'a self, line: &'a CommandLine) -> ReadFuture<'a> {
        let (plugin, line) = (self.clone(), line.clone());
        // The future may be polled on the stack of the guest that asks, which has no room for loading a plugin.
        let compute = move || async move { plugin.compute_facts(&line).await };
        Box::pin(untrusted::on_own_thread(compute))
    }
}

/// Returns the event of a shell call, with nothing but what facts depend on.
fn event_of(line: &CommandLine) -> Event {
    let tool = ToolCall {
        name: String::new(),
        class: ToolClass::Shell,
        command: Some(line.command.clone()),
        paths: vec![line.folder.clone()],
        input: Json::empty_object(),
        output: None,
    };
    Event { cwd: line.workspace.clone(), tool: Some(tool), ..Event::new(EventName::ToolBefore, "native") }
}

fn build_limits() -> Limits {
    let default = Limits::default();
    // Cannot fail: a test checks that each value is in its range.
    LIMITS
        .iter()
        .fold(default, |limits, (limit, value)| limits.clone().with_limit(*limit, *value).unwrap_or(limits))
}

fn missing_failure() -> Failure {
    Failure::new(
        FailureCode::Missing,
        "this program has no plugin shell-facts, which computes facts: install hookbox with its plugins",
    )
}

fn bad_output_failure(why: &str) -> Failure {
    Failure::new(FailureCode::BadOutput, &format!("the answer of the plugin shell-facts is invalid: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_of_a_computation_is_in_its_range() {
        let limits = build_limits();
        for (limit, value) in LIMITS {
            assert_eq!(limits.get(limit), value, "{limit}");
        }
    }
}
