//! From what is configured to what is called.

use std::{collections::HashMap, sync::Arc};

use hookbox_model::{Failure, FailureCode, HandlerKind, Layer, Limits};

use super::super::Machine;
use crate::{
    ForeignCall, ForeignSpec, HandlerSpec, HookSpec,
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
        match &spec.handler {
            HandlerSpec::Wasm(wasm) => Arc::new(self.wasm(wasm, spec.origin.layer)),
            HandlerSpec::Foreign(foreign) => self.foreign(foreign, spec.origin.layer),
            HandlerSpec::Shell(shell) => {
                match ShellHandler::new(shell.clone(), environment, &NativeContract) {
                    Ok(handler) => Arc::new(handler),
                    Err(error) => Arc::new(Broken(HandlerKind::Shell, error.to_string())),
                }
            }
            HandlerSpec::Webhook(webhook) => {
                match WebhookHandler::new(webhook.clone(), environment, &NativeContract) {
                    Ok(handler) => Arc::new(handler),
                    Err(error) => Arc::new(Broken(HandlerKind::Webhook, error.to_string())),
                }
            }
            HandlerSpec::Callback => Arc::new(Broken(
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

    fn foreign(&mut self, spec: &ForeignSpec, layer: Layer) -> Arc<dyn Handler> {
        let environment = self.machine.environment();
        let ForeignSpec { call, contract, variables, .. } = spec;
        match call {
            ForeignCall::Wasm(spec) => Arc::new(self.wasm(spec, layer)),
            ForeignCall::Shell(shell) => {
                match ShellHandler::foreign(shell.clone(), environment, variables, *contract) {
                    Ok(handler) => Arc::new(handler),
                    Err(error) => Arc::new(Broken(HandlerKind::Shell, error.to_string())),
                }
            }
            ForeignCall::Webhook(webhook) => {
                match WebhookHandler::new(webhook.clone(), environment, *contract) {
                    Ok(handler) => Arc::new(handler),
                    Err(error) => Arc::new(Broken(HandlerKind::Webhook, error.to_string())),
                }
            }
        }
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
