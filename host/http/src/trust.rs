//! TLS for whatever connects to a server.

use std::sync::{Arc, OnceLock};

use rustls::{ClientConfig, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_rustls::TlsConnector;

/// Whom to trust: made when the first connection needs it, since the platform's certificates take long to read. What failed is
/// tried again by the next: certificates may be on their way from one place to another.
#[derive(Default)]
pub struct Trust(OnceLock<Arc<ClientConfig>>);

impl Trust {
    /// Those whom this configuration trusts.
    pub fn of(config: ClientConfig) -> Self {
        Self(OnceLock::from(Arc::new(config)))
    }

    /// Makes connections with TLS; the error is why none can be made.
    pub(crate) fn connector(&self) -> Result<TlsConnector, String> {
        if let Some(config) = self.0.get() {
            return Ok(TlsConnector::from(Arc::clone(config)));
        }
        let read = Arc::new(of_the_platform().map_err(|error| error.to_string())?);
        Ok(TlsConnector::from(Arc::clone(self.0.get_or_init(|| read))))
    }
}

/// A client of HTTP/1.1 that trusts whom the platform trusts. The provider is given here and not installed: the process
/// belongs to the embedding program.
fn of_the_platform() -> Result<ClientConfig, rustls::Error> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
