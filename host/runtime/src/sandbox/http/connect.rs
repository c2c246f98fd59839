//! A connection to addresses that were checked, and to no others: nothing is resolved here.

use core::net::IpAddr;
use std::{
    io,
    sync::{Arc, OnceLock},
};

use hookbox_model::{HttpHost, HttpScheme, HttpTarget};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_rustls::TlsConnector;
use wasmtime_wasi_http::Error;

use crate::tls;

/// A connection, with or without TLS.
pub(super) type Stream = TokioIo<Box<dyn Io>>;

pub(super) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// Whom to trust: made when the first connection needs it, since the platform's certificates take long to read.
pub(super) struct Tls(OnceLock<Result<Arc<ClientConfig>, String>>);

impl Tls {
    pub(super) fn of_the_platform() -> Self {
        Self(OnceLock::new())
    }

    #[cfg(test)]
    pub(super) fn of(config: ClientConfig) -> Self {
        Self(OnceLock::from(Ok(Arc::new(config))))
    }

    fn connector(&self) -> Result<TlsConnector, Error> {
        let config =
            self.0.get_or_init(|| tls::client(true).map(Arc::new).map_err(|error| error.to_string()));
        config.clone().map(TlsConnector::from).map_err(|_| Error::TlsProtocolError)
    }
}

/// Connects to the first of the addresses that answers.
pub(super) async fn connect(target: &HttpTarget, addresses: &[IpAddr], tls: &Tls) -> Result<Stream, Error> {
    let stream = tcp(addresses, target.port).await.map_err(Error::Connect)?;
    let stream: Box<dyn Io> = match target.scheme {
        HttpScheme::Http => Box::new(stream),
        HttpScheme::Https => {
            let name = server_name(&target.host)?;
            Box::new(tls.connector()?.connect(name, stream).await.map_err(Error::Tls)?)
        }
    };
    Ok(TokioIo::new(stream))
}

async fn tcp(addresses: &[IpAddr], port: u16) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        match TcpStream::connect((*address, port)).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Whom the certificate must be for.
fn server_name(host: &HttpHost) -> Result<ServerName<'static>, Error> {
    match host {
        HttpHost::Address(address) => Ok(ServerName::from(*address)),
        HttpHost::Name(name) => ServerName::try_from(name.clone()).map_err(|_| Error::HttpRequestUriInvalid),
    }
}
