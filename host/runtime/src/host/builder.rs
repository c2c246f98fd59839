//! Builds a host and its machine in one step.

use std::time::Duration;

use hookbox_model::Limits;

use super::{CallbackHook, Hooks, Host, Machine, MachineBuilder};
use crate::{
    ChainPolicy, Clock, Counts, HookSpec,
    interfaces::{Callback, Confiner, Environment, Handler},
};

/// Builder of a [`Host`] with a [`Machine`] of its own. Every capability is off by default: see [`MachineBuilder`] and
/// [`Hooks`], whose methods this builder has.
#[derive(Default)]
pub struct HostBuilder {
    machine: MachineBuilder,
    hooks: Hooks,
}

impl HostBuilder {
    fn change_machine(mut self, change: impl FnOnce(MachineBuilder) -> MachineBuilder) -> Self {
        self.machine = change(self.machine);
        self
    }

    fn change_hooks(mut self, change: impl FnOnce(Hooks) -> Hooks) -> Self {
        self.hooks = change(self.hooks);
        self
    }

    /// Adds configured hooks.
    #[must_use]
    pub fn hooks(self, hooks: impl IntoIterator<Item = HookSpec>) -> Self {
        self.change_hooks(|all| all.hooks(hooks))
    }

    /// Adds a closure of the embedding program as a hook.
    #[must_use]
    pub fn callback(self, hook: CallbackHook, callback: Callback) -> Self {
        self.change_hooks(|all| all.callback(hook, callback))
    }

    /// See [`Hooks::handler`].
    #[must_use]
    pub fn handler(self, hook: HookSpec, handler: impl Handler) -> Self {
        self.change_hooks(|all| all.handler(hook, handler))
    }

    /// See [`Hooks::budget`].
    #[must_use]
    pub fn budget(self, budget: Duration) -> Self {
        self.change_hooks(|all| all.budget(budget))
    }

    /// See [`Hooks::confiner`].
    #[must_use]
    pub fn confiner(self, confiner: std::sync::Arc<dyn Confiner>) -> Self {
        self.change_hooks(|all| all.confiner(confiner))
    }

    /// See [`Hooks::policy`].
    #[must_use]
    pub fn policy(self, policy: ChainPolicy) -> Self {
        self.change_hooks(|all| all.policy(policy))
    }

    /// See [`MachineBuilder::environment`].
    #[must_use]
    pub fn environment(self, environment: Environment) -> Self {
        self.change_machine(|machine| machine.environment(environment))
    }

    /// Sets the wasm stack of every call to that of `limits`; other limits are set for each hook.
    #[must_use]
    pub fn stack(self, limits: Limits) -> Self {
        self.change_machine(|machine| machine.limits(limits))
    }

    /// See [`MachineBuilder::python`].
    #[must_use]
    pub fn python(self, runner: std::sync::Arc<dyn crate::python::PythonRunner>) -> Self {
        self.change_machine(|machine| machine.python(runner))
    }

    /// See [`MachineBuilder::counts`].
    #[must_use]
    pub fn counts(self, counts: Counts) -> Self {
        self.change_machine(|machine| machine.counts(counts))
    }

    /// See [`MachineBuilder::stops_are_lost`].
    #[must_use]
    pub fn stops_are_lost(self) -> Self {
        self.change_machine(MachineBuilder::stops_are_lost)
    }

    /// See [`MachineBuilder::clock`].
    #[must_use]
    pub fn clock(self, clock: Clock) -> Self {
        self.change_machine(|machine| machine.clock(clock))
    }

    /// Builds the host. A hook that cannot be set up is included: each call of it fails, and its policy decides.
    pub fn build(self) -> Host {
        let machine: Machine = self.machine.room_for(&self.hooks.configured).build();
        machine.create_host(self.hooks)
    }
}

/// For components.
#[cfg(feature = "wasm")]
impl HostBuilder {
    /// See [`MachineBuilder::cache`].
    #[must_use]
    pub fn cache(self, directory: &std::path::Path) -> Self {
        self.change_machine(|machine| machine.cache(directory))
    }

    /// See [`MachineBuilder::compiler`].
    #[must_use]
    pub fn compiler(self, compiler: crate::sandbox::compile::Compiler) -> Self {
        self.change_machine(|machine| machine.compiler(compiler))
    }

    /// See [`MachineBuilder::facts_plugin`].
    #[must_use]
    pub fn facts_plugin(self, plugin: crate::hook::WasmSpec) -> Self {
        self.change_machine(|machine| machine.facts_plugin(plugin))
    }

    /// See [`MachineBuilder::allocation`].
    #[must_use]
    pub fn allocation(self, allocation: crate::sandbox::engine_settings::Allocation) -> Self {
        self.change_machine(|machine| machine.allocation(allocation))
    }
}

/// For components that send requests.
#[cfg(feature = "guest-http")]
impl HostBuilder {
    /// See [`MachineBuilder::recording`].
    #[must_use]
    pub fn recording(self, recording: std::sync::Arc<dyn crate::sandbox::Recording>) -> Self {
        self.change_machine(|machine| machine.recording(recording))
    }
}

/// For components that use the key-value store.
#[cfg(feature = "kv")]
impl HostBuilder {
    /// See [`MachineBuilder::state`].
    #[must_use]
    pub fn state(self, directory: &std::path::Path) -> Self {
        self.change_machine(|machine| machine.state(directory))
    }
}
