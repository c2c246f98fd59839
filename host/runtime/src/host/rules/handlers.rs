//! From what is configured to what is called.

use std::{collections::HashMap, sync::Arc};

use hookbox_model::{Failure, FailureCode, HandlerKind, Layer, Limits};

use super::super::Machine;
use crate::{
    HookSpec, Target,
    dialect::native::{NativeContract, ProgramContract},
    handler::{shell::ShellHandler, webhook::WebhookHandler},
    hook::WasmSpec,
    port::{Call, CallFuture, Handler, PrepareFuture},
    sandbox::{LazyPlugin, WasmHandler},
};

/// Makes handlers. Each component is one plugin for each layer that configures it, and looked at once for all its hooks.
pub(super) struct Handlers<'m> {
    machine: &'m Machine,
    plugins: HashMap<(WasmSpec, Layer), Arc<LazyPlugin>>,
}

impl<'m> Handlers<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        Self { machine, plugins: HashMap::new() }
    }

    /// What this hook calls. One that cannot be set up fails at each call.
    pub(super) fn handler(&mut self, spec: &HookSpec) -> Arc<dyn Handler> {
        let environment = self.machine.environment();
        match (&spec.target, spec.contract) {
            (Target::Wasm(wasm), _) => Arc::new(self.wasm(wasm, spec.origin.layer)),
            (Target::Shell(shell), None) => {
                working(ShellHandler::new(shell.clone(), environment, &NativeContract), HandlerKind::Shell)
            }
            (Target::Shell(shell), Some(contract)) => {
                working(ShellHandler::foreign(shell.clone(), environment, contract), HandlerKind::Shell)
            }
            (Target::Webhook(webhook), contract) => {
                let contract = contract.unwrap_or(&NativeContract);
                working(WebhookHandler::new(webhook.clone(), environment, contract), HandlerKind::Webhook)
            }
            (Target::Callback, _) => Arc::new(Broken(
                HandlerKind::Callback,
                "a callback cannot be configured in a file".to_owned(),
            )),
        }
    }

    fn wasm(&mut self, spec: &WasmSpec, layer: Layer) -> WasmHandler {
        let sandbox = self.machine.sandbox();
        let new = || Arc::new(LazyPlugin::new(spec.clone(), layer, sandbox));
        let plugin = self.plugins.entry((spec.clone(), layer)).or_insert_with(new);
        WasmHandler::new(Arc::clone(sandbox), Arc::clone(plugin), &ProgramContract)
    }
}

/// One that could not be set up fails at each call.
fn working<H: Handler, E: ToString>(handler: Result<H, E>, kind: HandlerKind) -> Arc<dyn Handler> {
    match handler {
        Ok(handler) => Arc::new(handler),
        Err(error) => Arc::new(Broken(kind, error.to_string())),
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
