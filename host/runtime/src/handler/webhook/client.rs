//! The HTTP client: everything switched off that an agent's owner has not asked for.

use std::{
    error::Error,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use reqwest::{Client, redirect, retry};

use super::target::{LOCALHOST, Target};
use crate::tls;

/// Longest wait for a connection. The whole exchange is bounded by the chain.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for one target. The platform's trusted certificates are read here, and only if the target needs them.
pub(super) fn build(target: &Target) -> Result<Client, Box<dyn Error>> {
    let this_machine =
        [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    let client = Client::builder()
        .tls_backend_preconfigured(tls::client(target.is_secure())?)
        .http1_only()
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .no_proxy()
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .resolve_to_addrs(LOCALHOST, &this_machine)
        .build()?;
    Ok(client)
}
