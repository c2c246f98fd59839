//! HTTP for a guest, through `wasi:http`: requests that a rule covers, to addresses that were checked, with secrets that the
//! guest never sees.
//!
//! The way of a request, in the order of the modules: [`hooks`] takes it from the guest, [`target`] says where it goes,
//! [`secrets`] puts in what the guest named, [`exchange`] checks it, has it sent by the one client ([`crate::http`]) and reads
//! the answer, all within [`caps`].

mod body;
mod caps;
mod denial;
mod exchange;
mod hooks;
mod secrets;
mod target;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use hookbox_model::Grants;
use wasmtime::component::ResourceTable;
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView};

use self::{caps::Caps, hooks::Hooks, secrets::Secrets};
use super::refusals::Refusals;
use crate::{http::Client, port::Environment};

/// HTTP for one call.
pub(super) struct Http {
    context: WasiHttpCtx,
    hooks: Hooks,
}

impl Http {
    /// As `grants` give it. The call's own end is also that of its connections, whoever waits for them.
    pub(super) fn new(
        grants: &Grants,
        environment: &Environment,
        client: Arc<Client>,
        refusals: Refusals,
    ) -> Self {
        let hooks = Hooks {
            rules: grants.http.clone().into(),
            addresses: grants.addresses.clone().into(),
            secrets: Secrets::new(&grants.secrets, environment).into(),
            client,
            caps: Caps::default(),
            refusals,
        };
        Self { context: WasiHttpCtx::new(), hooks }
    }

    /// Nothing may be sent.
    pub(super) fn inert() -> Self {
        let (grants, environment) = (Grants::default(), Environment::default());
        Self::new(&grants, &environment, Arc::default(), Refusals::default())
    }

    /// What `wasi:http` works on.
    pub(super) fn view<'a>(&'a mut self, table: &'a mut ResourceTable) -> WasiHttpCtxView<'a> {
        WasiHttpCtxView { ctx: &mut self.context, table, hooks: &mut self.hooks }
    }

    /// Number of requests that were sent.
    pub(super) fn sent(&self) -> u64 {
        self.hooks.caps.sent()
    }

    /// `text` without the secrets: a server may send back what it was sent.
    pub(super) fn redact(&self, text: &str) -> String {
        self.hooks.secrets.redact(text)
    }
}
