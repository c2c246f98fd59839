//! HTTP client for webhooks, guests and registries: it resolves a name, connects to addresses that the caller has approved, and sends
//! requests.
//!
//! It does nothing on its own: it follows no redirect, repeats no request, uses no proxy, keeps no cookie, and decompresses nothing. The
//! caller decides which addresses may be contacted, between [`Client::resolve_host`] and [`Client::connect_to`]. Dropping a future closes its
//! connection; there is no background task.

mod connect;
mod connection;
mod resolve;
mod tls_roots;

use core::net::IpAddr;
use std::sync::Arc;

use hookbox_model::{HttpHost, HttpScheme};

pub use self::{
    connect::{ConnectError, Opened},
    connection::{Connection, ReadError},
    resolve::{Domains, Found, NameServers, Resolve, Resolving, System},
    tls_roots::Trust,
};

/// Server of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Server<'a> {
    /// Scheme: with TLS, or without.
    pub scheme: HttpScheme,
    /// Its host. The certificate must be for this name.
    pub host: &'a HttpHost,
    /// Its port.
    pub port: u16,
}

/// Resolver and trusted certificates. It has no connection.
pub struct Client {
    resolver: Arc<dyn Resolve>,
    trust: Trust,
}

impl Client {
    /// Creates a client with the caller's own resolver and trust.
    pub fn new(resolver: Arc<dyn Resolve>, trust: Trust) -> Self {
        Self { resolver, trust }
    }

    /// Returns the addresses of this host, the best first.
    pub async fn resolve_host(&self, host: &HttpHost, domains: Domains) -> Found {
        match host {
            HttpHost::Address(address) => Ok(vec![*address]),
            HttpHost::Name(name) => self.resolver.resolve(name, domains).await,
        }
    }

    /// Connects to the server at one of these addresses, and at no other. There is no time limit.
    pub async fn connect_to(&self, server: Server<'_>, addresses: &[IpAddr]) -> Result<Opened, ConnectError> {
        connect::connect_first(server, addresses, &self.trust).await
    }
}

impl Default for Client {
    /// Creates a client with the name servers and the trusted certificates of this machine.
    fn default() -> Self {
        Self { resolver: Arc::new(System), trust: Trust::default() }
    }
}
