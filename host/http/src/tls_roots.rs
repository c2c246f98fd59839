//! TLS configuration of clients.

use std::sync::{Arc, OnceLock};

use rustls::{ClientConfig, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_rustls::TlsConnector;

/// Trusted certificates: loaded when the first connection needs them, since the platform's certificates take long to read. After an error
/// the next connection tries again: certificates may be about to be replaced.
#[derive(Default)]
pub struct Trust(OnceLock<Arc<ClientConfig>>);

impl Trust {
    /// Uses this configuration.
    pub fn from_config(config: ClientConfig) -> Self {
        Self(OnceLock::from(Arc::new(config)))
    }

    pub(crate) fn connector(&self) -> Result<TlsConnector, rustls::Error> {
        if let Some(config) = self.0.get() {
            return Ok(TlsConnector::from(Arc::clone(config)));
        }
        let read = Arc::new(of_the_platform()?);
        Ok(TlsConnector::from(Arc::clone(self.0.get_or_init(|| read))))
    }
}

/// Creates a configuration for HTTP/1.1 that trusts the platform's certificates. The provider is passed here and not installed: the
/// process belongs to the embedding program.
fn of_the_platform() -> Result<ClientConfig, rustls::Error> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
