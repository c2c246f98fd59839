//! Puts a host and its machine together in one go.

use std::time::Duration;

use hookbox_model::Limits;

use super::{CallbackHook, Hooks, Host, Machine, MachineBuilder};
use crate::{
    ChainPolicy, Clock, Counts, HookSpec,
    port::{Callback, Confiner, Environment, Handler},
};

/// Puts a [`Host`] together that has a [`Machine`] to itself. Every power is closed by default: see [`MachineBuilder`]
/// and [`Hooks`], of which it has every part.
#[derive(Default)]
pub struct HostBuilder {
    machine: MachineBuilder,
    hooks: Hooks,
}

impl HostBuilder {
    fn machine(mut self, change: impl FnOnce(MachineBuilder) -> MachineBuilder) -> Self {
        self.machine = change(self.machine);
        self
    }

    fn rules(mut self, change: impl FnOnce(Hooks) -> Hooks) -> Self {
        self.hooks = change(self.hooks);
        self
    }

    /// Adds configured hooks.
    #[must_use]
    pub fn hooks(self, hooks: impl IntoIterator<Item = HookSpec>) -> Self {
        self.rules(|rules| rules.hooks(hooks))
    }

    /// Adds a closure of the embedding program as a hook.
    #[must_use]
    pub fn callback(self, hook: CallbackHook, callback: Callback) -> Self {
        self.rules(|rules| rules.callback(hook, callback))
    }

    /// As [`Hooks::handler`].
    #[must_use]
    pub fn handler(self, hook: HookSpec, handler: impl Handler) -> Self {
        self.rules(|rules| rules.handler(hook, handler))
    }

    /// As [`Hooks::budget`].
    #[must_use]
    pub fn budget(self, budget: Duration) -> Self {
        self.rules(|rules| rules.budget(budget))
    }

    /// As [`Hooks::confiner`].
    #[must_use]
    pub fn confiner(self, confiner: std::sync::Arc<dyn Confiner>) -> Self {
        self.rules(|rules| rules.confiner(confiner))
    }

    /// As [`Hooks::policy`].
    #[must_use]
    pub fn policy(self, policy: ChainPolicy) -> Self {
        self.rules(|rules| rules.policy(policy))
    }

    /// As [`MachineBuilder::environment`].
    #[must_use]
    pub fn environment(self, environment: Environment) -> Self {
        self.machine(|machine| machine.environment(environment))
    }

    /// The wasm stack of every call is that of `limits`; other limits are each hook's own.
    #[must_use]
    pub fn stack(self, limits: Limits) -> Self {
        self.machine(|machine| machine.limits(limits))
    }

    /// As [`MachineBuilder::python`].
    #[must_use]
    pub fn python(self, runner: std::sync::Arc<dyn crate::python::PythonRunner>) -> Self {
        self.machine(|machine| machine.python(runner))
    }

    /// As [`MachineBuilder::counts`].
    #[must_use]
    pub fn counts(self, counts: Counts) -> Self {
        self.machine(|machine| machine.counts(counts))
    }

    /// As [`MachineBuilder::stops_are_lost`].
    #[must_use]
    pub fn stops_are_lost(self) -> Self {
        self.machine(MachineBuilder::stops_are_lost)
    }

    /// As [`MachineBuilder::clock`].
    #[must_use]
    pub fn clock(self, clock: Clock) -> Self {
        self.machine(|machine| machine.clock(clock))
    }

    /// The host. A hook that cannot be set up is in it all the same: it fails when it is called, by its policy.
    pub fn build(self) -> Host {
        let machine: Machine = self.machine.room_for(&self.hooks.configured).build();
        machine.host(self.hooks)
    }
}

/// For components.
#[cfg(feature = "wasm")]
impl HostBuilder {
    /// As [`MachineBuilder::cache`].
    #[must_use]
    pub fn cache(self, directory: &std::path::Path) -> Self {
        self.machine(|machine| machine.cache(directory))
    }

    /// As [`MachineBuilder::compiler`].
    #[must_use]
    pub fn compiler(self, compiler: crate::sandbox::compile::Compiler) -> Self {
        self.machine(|machine| machine.compiler(compiler))
    }

    /// As [`MachineBuilder::allocation`].
    #[must_use]
    pub fn allocation(self, allocation: crate::sandbox::settings::Allocation) -> Self {
        self.machine(|machine| machine.allocation(allocation))
    }
}

/// For components that send requests.
#[cfg(feature = "guest-http")]
impl HostBuilder {
    /// As [`MachineBuilder::recording`].
    #[must_use]
    pub fn recording(self, recording: std::sync::Arc<dyn crate::sandbox::Recording>) -> Self {
        self.machine(|machine| machine.recording(recording))
    }
}

/// For components that keep something.
#[cfg(feature = "kv")]
impl HostBuilder {
    /// As [`MachineBuilder::state`].
    #[must_use]
    pub fn state(self, directory: &std::path::Path) -> Self {
        self.machine(|machine| machine.state(directory))
    }
}
