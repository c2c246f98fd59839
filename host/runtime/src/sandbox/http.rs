//! HTTP for a guest: requests that a rule covers, to addresses that were checked, with secrets that the guest never sees.
//!
//! The way of a request, in the order of the modules: [`hooks`] takes it from a guest of `wasi:http`, [`send`] from one of
//! hookbox's own interface; [`target`] says where it goes,
//! [`secrets`] puts in what the guest named, [`exchange`] checks it, has it sent by the one client ([`hookbox_http`]) and reads
//! the answer, all within [`caps`].

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

use std::{path::Path, sync::Arc};

use hookbox_http::Client;
use hookbox_model::{Failure, FailureCode, Grants};
use wasmtime::component::ResourceTable;
use wasmtime_wasi::WasiView;
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView, p2::add_only_http_to_linker_async};

pub use self::recording::{Recorded, Recording, Sent};
use self::{caps::Caps, hooks::Hooks, secrets::Secrets};
use super::{
    capability::{Interface, Link, Powers, interface},
    refusals::Refusals,
    store::State,
    wasi::Wasi,
};
use crate::port::Environment;

/// There without a grant, too, since toolchains import all of hookbox's world; every request is refused then.
pub(super) const HTTP: Interface =
    interface!("http", http, "sends nothing without the grant `http`", acts: true, since: V0_2);

/// What links it for the plugin at `path`, which imports this of it. It acts on the world, so it takes a grant.
pub(super) fn admit(path: &Path, name: &str, grants: &Grants) -> Result<Link, Failure> {
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

/// Who answers requests: servers by the one client, or a recording in their place. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Servers {
    client: Arc<Client>,
    recording: Option<Arc<dyn Recording>>,
}

impl Servers {
    pub(super) fn new(recording: Option<Arc<dyn Recording>>) -> Self {
        Self { client: Arc::default(), recording }
    }
}

/// HTTP for one call.
pub(super) struct Http {
    context: WasiHttpCtx,
    hooks: Hooks,
}

impl Http {
    /// If `grants` give it. The call's own end is also that of its connections, whoever waits for them.
    pub(super) fn granted(
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

    /// Nothing may be sent: each request is refused, and told in these refusals.
    fn inert(refusals: Refusals) -> Self {
        let (grants, environment) = (Grants::default(), Environment::default());
        Self::new(&grants, &environment, Servers::default(), refusals)
    }

    /// What `wasi:http` works on.
    fn view<'a>(&'a mut self, table: &'a mut ResourceTable) -> WasiHttpCtxView<'a> {
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

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        self.host_calls.enter_wasi();
        let Powers { wasi, http, .. } = &mut self.powers;
        let wasi = wasi.get_or_insert_with(Wasi::inert);
        let http = http.get_or_insert_with(|| Http::inert(Refusals::default()));
        http.view(wasi.context.ctx().table)
    }
}
