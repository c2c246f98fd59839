//! Placeholder for the components of a machine in a program that is built without them: each such hook fails.

use std::{marker::PhantomData, sync::Arc};

use hookbox_model::{HandlerKind, Layer, Limits, TrustLevel};

use super::broken_hook::FailingHandler;
use crate::{
    facts::FactsReader,
    hook::{RefusedPlugins, WasmSpec},
    interfaces::{Environment, Handler},
};

#[derive(Clone, Default)]
pub(super) struct ComponentSettings;

pub(super) struct Components;

impl Components {
    pub(super) fn new(_: ComponentSettings, _: Limits, _: Environment) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as that which it stands for")]
    pub(super) fn trouble(&self) -> Option<String> {
        None
    }

    #[expect(clippy::unused_self, reason = "as that which it stands for")]
    pub(super) fn end_processes(&self) {}
}

impl Components {
    #[expect(clippy::unused_self, reason = "as that which it stands for")]
    pub(super) fn facts_reader(&self) -> Option<Arc<dyn FactsReader>> {
        None
    }
}

pub(super) struct Plugins<'m>(PhantomData<&'m Components>);

impl<'m> Plugins<'m> {
    pub(super) fn new(_: &'m Components, _: (RefusedPlugins, RefusedPlugins)) -> Self {
        Self(PhantomData)
    }

    #[expect(clippy::unused_self, reason = "as that which it stands for")]
    pub(super) fn create_handler(&mut self, _: &WasmSpec, _: (Layer, TrustLevel)) -> Arc<dyn Handler> {
        Arc::new(FailingHandler::left_out(HandlerKind::Wasm, "wasm hooks", "wasm"))
    }
}
