//! The one HTTP client, for webhooks, guests and registries: a name is resolved, a connection is opened to the addresses that the caller
//! hands back, and a request is sent on it.
//!
//! It does nothing of its own accord: no redirect is followed, no request is sent again, no proxy is asked, no cookie kept,
//! nothing unpacked. Who may be asked is the caller's to check, between [`Client::addresses`] and [`Client::connect`]. Whoever
//! drops what is under way closes its connection; there is no task beside it.

mod connect;
mod connection;
mod resolve;
mod trust;

use core::net::IpAddr;
use std::sync::Arc;

use hookbox_model::{HttpHost, HttpScheme};

pub use self::{
    connect::{ConnectError, Opened},
    connection::{Connection, ReadError},
    resolve::{Domains, Found, NameServers, Resolve, Resolving, System},
    trust::Trust,
};

/// Whom to connect to.
#[derive(Clone, Copy, Debug)]
pub struct Server<'a> {
    /// With TLS, or without.
    pub scheme: HttpScheme,
    /// For a name, the certificate must be for it.
    pub host: &'a HttpHost,
    /// Where it listens.
    pub port: u16,
}

/// How names become addresses, and who is trusted. It has no connection.
pub struct Client {
    resolver: Arc<dyn Resolve>,
    trust: Trust,
}

impl Client {
    /// With names and trust of the caller's own.
    pub fn new(resolver: Arc<dyn Resolve>, trust: Trust) -> Self {
        Self { resolver, trust }
    }

    /// The addresses of this host, the best first.
    pub async fn addresses(&self, host: &HttpHost, domains: Domains) -> Found {
        match host {
            HttpHost::Address(address) => Ok(vec![*address]),
            HttpHost::Name(name) => self.resolver.resolve(name, domains).await,
        }
    }

    /// Connects to the server at one of these addresses, and at no other. There is no limit of time.
    pub async fn connect(&self, server: Server<'_>, addresses: &[IpAddr]) -> Result<Opened, ConnectError> {
        connect::connect(server, addresses, &self.trust).await
    }
}

impl Default for Client {
    /// With the name servers of this machine, trusting whom it trusts.
    fn default() -> Self {
        Self { resolver: Arc::new(System), trust: Trust::default() }
    }
}
