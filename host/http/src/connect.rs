//! Connections to checked addresses only: nothing is resolved here.

use core::net::IpAddr;
use std::{fmt, io, time::Duration};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use hookbox_model::{HttpHost, HttpScheme};
use hookbox_platform::socket::UnreadCheck;
use hyper_util::rt::TokioIo;
use rustls::{CertificateError, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};

use crate::{Server, Trust};

/// Time after which the next address is tried concurrently with one that does not answer.
const SILENCE: Duration = Duration::from_millis(300);
/// Most addresses of one server that are tried concurrently.
const MAX_CONCURRENT: usize = 4;

/// A connection, with or without TLS.
pub(crate) type Stream = TokioIo<Box<dyn Io>>;

/// An open connection, and a check for unread data from its server; `None` where the platform has no such check.
pub type Opened = (Stream, Option<UnreadCheck>);

/// A bidirectional byte stream.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// Reason why there is no connection. The texts do not name the server.
#[derive(Debug)]
pub enum ConnectError {
    /// A certificate cannot be issued for this name.
    Name,
    /// The system's CA certificates cannot be read.
    Trust(rustls::Error),
    /// No address answered; this is the error of the last one.
    Tcp(io::Error),
    /// The server is not trusted, or does not speak TLS.
    Tls(io::Error),
}

impl ConnectError {
    /// Returns the problem with the server's certificate, if there is one, and the next step.
    pub fn certificate(&self) -> Option<&'static str> {
        let Self::Tls(error) = self else { return None };
        match error.get_ref()?.downcast_ref()? {
            rustls::Error::InvalidCertificate(problem) => describe_certificate(problem),
            _ => None,
        }
    }
}

fn describe_certificate(problem: &CertificateError) -> Option<&'static str> {
    match problem {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            Some("its certificate has expired; have it renewed, or look at this machine's clock")
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            Some("its certificate is not valid yet; look at this machine's clock")
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            Some("its certificate is for another name")
        }
        CertificateError::UnknownIssuer | CertificateError::BadSignature => Some(
            "its certificate is not from a trusted authority; if you trust the authority, name its file: \
             SSL_CERT_FILE=authority.pem",
        ),
        // A self-signed certificate, as `openssl req -x509` makes it.
        CertificateError::Other(other) if other.0.to_string() == "CaUsedAsEndEntity" => {
            Some("its certificate is that of an authority; a server needs one that an authority has signed")
        }
        _ => None,
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("no certificate can be for this name"),
            Self::Trust(error) => error.fmt(f),
            Self::Tcp(error) | Self::Tls(error) => error.fmt(f),
        }
    }
}

/// Connects to the first of the addresses that answers.
pub(crate) async fn connect_first(
    server: Server<'_>,
    addresses: &[IpAddr],
    trust: &Trust,
) -> Result<Opened, ConnectError> {
    // No connection is opened if it could not be trusted in any case.
    let secure = match server.scheme {
        HttpScheme::Http => None,
        HttpScheme::Https => {
            Some((server_name(server.host)?, trust.connector().map_err(ConnectError::Trust)?))
        }
    };
    let stream = connect_tcp(addresses, server.port).await.map_err(ConnectError::Tcp)?;
    let quiet = UnreadCheck::of_connection(&stream).ok();
    let stream: Box<dyn Io> = match secure {
        None => Box::new(stream),
        Some((name, connector)) => {
            Box::new(connector.connect(name, stream).await.map_err(ConnectError::Tls)?)
        }
    };
    Ok((TokioIo::new(stream), quiet))
}

async fn connect_tcp(addresses: &[IpAddr], port: u16) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    let (mut left, mut tried) = (addresses.iter(), FuturesUnordered::new());
    loop {
        if tried.len() < MAX_CONCURRENT
            && let Some(address) = left.next()
        {
            tried.push(TcpStream::connect((*address, port)));
        }
        let more = tried.len() < MAX_CONCURRENT && left.len() > 0;
        let max_wait = if more { SILENCE } else { Duration::MAX };
        match timeout(max_wait, tried.next()).await {
            Ok(Some(Ok(stream))) => {
                // Requests are written as a whole, so waiting for more data is useless.
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Ok(Some(Err(error))) => last = error,
            Ok(None) => return Err(last),
            Err(_) => {}
        }
    }
}

/// Returns the name that the certificate must have.
fn server_name(host: &HttpHost) -> Result<ServerName<'static>, ConnectError> {
    match host {
        HttpHost::Address(address) => Ok(ServerName::from(*address)),
        HttpHost::Name(name) => ServerName::try_from(name.clone()).map_err(|_| ConnectError::Name),
    }
}
