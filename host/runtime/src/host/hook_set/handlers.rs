//! Creates handlers from configured hooks.

use std::sync::Arc;

use hookbox_model::HandlerKind;

use super::super::{Machine, broken_hook::FailingHandler, components::Plugins};
use crate::{
    HookSpec, Target,
    hook::{PythonSpec, RefusedPlugins, ShellSpec, WebhookSpec},
    interfaces::{Contract, Environment, Handler},
    python::PythonRunner,
};

pub(super) struct Handlers<'m> {
    machine: &'m Machine,
    environment: &'m Environment,
    plugins: Plugins<'m>,
    /// Generation of the hooks that the handlers are for.
    generation: u64,
}

impl<'m> Handlers<'m> {
    pub(super) fn new(
        machine: &'m Machine,
        generation: u64,
        refused: (RefusedPlugins, RefusedPlugins),
    ) -> Self {
        Self {
            machine,
            environment: machine.environment(),
            plugins: Plugins::new(machine.components(), refused),
            generation,
        }
    }

    /// Returns the handler of this hook. A handler that cannot be set up fails at each call.
    pub(super) fn create_handler(&mut self, spec: &HookSpec) -> Arc<dyn Handler> {
        if let Some(problem) = spec.origin.written.as_ref().and_then(|written| written.unreadable.clone()) {
            // An entry that cannot be understood may be the one that would have denied, so it fails and is
            // not left out.
            return Arc::new(FailingHandler(HandlerKind::Shell, problem));
        }
        match &spec.target {
            Target::Wasm(wasm) => {
                self.plugins.create_handler(wasm, (spec.origin.layer, spec.origin.trust_level))
            }
            Target::Shell(shell) => self::create_shell_handler(shell, self.environment, spec.contract),
            Target::Webhook(webhook) => {
                self::create_webhook_handler(webhook, self.environment, spec.contract)
            }
            Target::Python(python) => {
                let runner = (self.machine.python_runner(python), self.generation);
                self::create_python_handler(python, self.environment, spec.contract, runner)
            }
            Target::Callback => Arc::new(FailingHandler(
                HandlerKind::Callback,
                "it has no closure: give it one by `callback`, or a handler by `handler`".to_owned(),
            )),
        }
    }
}

/// The contract of a hook of another system.
type Foreign = Option<&'static dyn Contract>;

#[cfg(feature = "shell")]
fn create_shell_handler(spec: &ShellSpec, environment: &Environment, contract: Foreign) -> Arc<dyn Handler> {
    use crate::{agents::native::NativeContract, handler::shell::ShellHandler};
    let spec = spec.clone();
    let handler = match contract {
        None => ShellHandler::new(spec, environment, &NativeContract),
        Some(contract) => ShellHandler::with_contract(spec, environment, contract),
    };
    handler_or_broken(handler, HandlerKind::Shell)
}

#[cfg(not(feature = "shell"))]
fn create_shell_handler(_: &ShellSpec, _: &Environment, _: Foreign) -> Arc<dyn Handler> {
    Arc::new(FailingHandler::left_out(HandlerKind::Shell, "shell hooks", "shell"))
}

#[cfg(feature = "shell")]
fn create_python_handler(
    spec: &PythonSpec,
    environment: &Environment,
    contract: Foreign,
    runner: (Arc<dyn PythonRunner>, u64),
) -> Arc<dyn Handler> {
    use crate::{agents::native::NativeContract, handler::python::PythonHandler};
    let contract = contract.unwrap_or(&NativeContract);
    handler_or_broken(PythonHandler::new(spec.clone(), environment, contract, runner), HandlerKind::Python)
}

#[cfg(not(feature = "shell"))]
fn create_python_handler(
    _: &PythonSpec,
    _: &Environment,
    _: Foreign,
    _: (Arc<dyn PythonRunner>, u64),
) -> Arc<dyn Handler> {
    Arc::new(FailingHandler::left_out(HandlerKind::Python, "functions of Python", "shell"))
}

#[cfg(feature = "webhook")]
fn create_webhook_handler(
    spec: &WebhookSpec,
    environment: &Environment,
    contract: Foreign,
) -> Arc<dyn Handler> {
    use crate::{agents::native::NativeContract, handler::webhook::WebhookHandler};
    let contract = contract.unwrap_or(&NativeContract);
    handler_or_broken(WebhookHandler::new(spec.clone(), environment, contract), HandlerKind::Webhook)
}

#[cfg(not(feature = "webhook"))]
fn create_webhook_handler(_: &WebhookSpec, _: &Environment, _: Foreign) -> Arc<dyn Handler> {
    Arc::new(FailingHandler::left_out(HandlerKind::Webhook, "webhooks", "webhook"))
}

/// Returns the handler, or one that fails at each call if it could not be set up.
#[cfg(any(feature = "shell", feature = "webhook"))]
fn handler_or_broken<H: Handler, E: ToString>(handler: Result<H, E>, kind: HandlerKind) -> Arc<dyn Handler> {
    match handler {
        Ok(handler) => Arc::new(handler),
        Err(error) => Arc::new(FailingHandler(kind, error.to_string())),
    }
}
