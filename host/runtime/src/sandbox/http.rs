//! HTTP for a guest: requests that a rule covers, to checked addresses, with secrets that the guest never sees.
//!
//! The request flow, in the order of the modules: [`hooks`] takes it from a guest of `wasi:http`, [`send`] from a guest
//! of hookbox's interface; [`target`] determines its destination, [`secrets`] inserts the secrets that the guest named,
//! [`exchange`] checks it, has it sent by the shared client ([`hookbox_http`]) and reads the answer, all within
//! [`caps`].

mod body;
mod caps;
mod denial;
mod exchange;
mod hooks;
mod recording;
mod secrets;
mod send;
mod target;
#[cfg(test)]
mod tests;

use core::net::IpAddr;
use std::{path::Path, sync::Arc};

use hookbox_http::Client;
use hookbox_model::{Failure, FailureCode, Grants};
use hookbox_platform::socket::is_local_network;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::WasiView;
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView, p2::add_only_http_to_linker_async};

pub use self::recording::{Recorded, Recording, Sent};
use self::{caps::Caps, hooks::Hooks, secrets::Secrets};
use super::{
    call_capabilities::CallCapabilities,
    refusals::Refusals,
    store::State,
    wasi::Wasi,
    world_interfaces::{Interface, Link, interface},
};
use crate::interfaces::Environment;

/// Available without a grant, too, since toolchains import all of hookbox's world; every request is refused then.
pub(super) const HTTP: Interface =
    interface!("http", http, "sends nothing without the grant `http`", acts: true, since: V0_2);

/// Returns the function that links this import of the plugin at `path`. HTTP acts on the world, so it requires a grant.
pub(super) fn admit_import(path: &Path, name: &str, grants: &Grants) -> Result<Link, Failure> {
    if grants.reach_the_network() {
        return Ok(add_only_http_to_linker_async);
    }
    let path = path.display();
    let message = format!(
        "the plugin {path} imports `{name}`, which is not granted: if it may have that, write \
         `grant = {{ http = [\"https://HOST/PATH\"] }}` into the hook's entry"
    );
    Err(Failure::new(FailureCode::Refused, &message))
}

/// Source of answers to requests: servers by the shared client, or a recording. Clones share it.
#[derive(Clone)]
pub(super) struct Servers {
    client: Arc<Client>,
    recording: Option<Arc<dyn Recording>>,
    /// Finds the addresses of this machine and of its networks. Tests replace it: a machine may have no public address.
    is_near: fn(IpAddr) -> bool,
}

impl Servers {
    pub(super) fn new(recording: Option<Arc<dyn Recording>>) -> Self {
        Self { client: Arc::default(), recording, is_near: is_local_network }
    }
}

impl Default for Servers {
    fn default() -> Self {
        Self::new(None)
    }
}

pub(super) struct Http {
    context: WasiHttpCtx,
    hooks: Hooks,
}

impl Http {
    /// Creates the state if `grants` permit it. The connections of a call end with the call.
    pub(super) fn from_grants(
        grants: &Grants,
        environment: &Environment,
        servers: &Servers,
        refusals: &Refusals,
    ) -> Option<Self> {
        let new = || Self::new(grants, environment, servers.clone(), refusals.clone());
        grants.reach_the_network().then(new)
    }

    fn new(grants: &Grants, environment: &Environment, servers: Servers, refusals: Refusals) -> Self {
        let hooks = Hooks {
            rules: grants.http.clone().into(),
            addresses: grants.addresses.clone().into(),
            secrets: Secrets::new(&grants.secrets, environment).into(),
            servers,
            caps: Caps::default(),
            refusals,
        };
        Self { context: WasiHttpCtx::new(), hooks }
    }

    /// Creates the state without access: each request is refused, and recorded in `refusals`.
    fn without_access(refusals: Refusals) -> Self {
        let (grants, environment) = (Grants::default(), Environment::default());
        Self::new(&grants, &environment, Servers::default(), refusals)
    }

    /// Returns the state for `wasi:http`.
    fn as_view<'a>(&'a mut self, table: &'a mut ResourceTable) -> WasiHttpCtxView<'a> {
        WasiHttpCtxView { ctx: &mut self.context, table, hooks: &mut self.hooks }
    }

    /// Returns the count of requests that were sent.
    pub(super) fn sent(&self) -> u64 {
        self.hooks.caps.sent()
    }

    /// Returns `text` without the secrets: a server may echo the request.
    pub(super) fn redact_text(&self, text: &str) -> String {
        self.hooks.secrets.redact_text(text)
    }
}

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        self.host_calls.enter_wasi();
        let CallCapabilities { wasi, http, .. } = &mut self.powers;
        let wasi = wasi.get_or_insert_with(Wasi::without_access);
        let http = http.get_or_insert_with(|| Http::without_access(Refusals::default()));
        http.as_view(wasi.context.ctx().table)
    }
}
