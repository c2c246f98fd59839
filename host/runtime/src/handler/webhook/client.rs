//! The HTTP client: everything switched off that an agent's owner has not asked for.

use std::{
    error::Error,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use reqwest::{Client, redirect, retry};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt as _;

use super::target::{LOCALHOST, Target};

/// Longest wait for a connection. The whole exchange is bounded by the chain.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for one target. The platform's trusted certificates are read here, and only if the target needs them.
pub(super) fn build(target: &Target) -> Result<Client, Box<dyn Error>> {
    let this_machine =
        [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    let client = Client::builder()
        .tls_backend_preconfigured(tls(target.is_secure())?)
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

/// The provider is given here and not installed: the process belongs to the embedding program.
fn tls(trusting_the_platform: bool) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?;
    let builder = if trusting_the_platform {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
