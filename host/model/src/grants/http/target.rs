//! A request in the form that rules match.

use core::net::IpAddr;
use std::fmt;

use crate::words::words;

/// Target of a request. The caller must bring its parts into their canonical form; it has no query, since no rule matches queries and
/// they may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpTarget {
    /// Method, as it is sent.
    pub method: String,
    /// The scheme.
    pub scheme: HttpScheme,
    /// The server.
    pub host: HttpHost,
    /// Port: the explicit one, or the default of the scheme.
    pub port: u16,
    /// Path as it is sent, beginning with `/`.
    pub path: String,
}

words! {
    /// Scheme of a request.
    pub enum HttpScheme {
        /// Without TLS.
        Http = "http",
        /// With TLS.
        Https = "https",
    }
}

impl HttpScheme {
    /// Returns the default port of the scheme.
    pub fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HttpHost {
    /// A name in lower case and ASCII, without a dot at its end.
    Name(String),
    /// An address; never an IPv4 one within an IPv6 one.
    Address(IpAddr),
}

impl fmt::Display for HttpTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}://{}", self.method, self.scheme, self.server())?;
        f.write_str(&self.path)
    }
}

impl HttpTarget {
    /// Returns host and port, without the default port of the scheme: the value of the `Host` header.
    pub fn server(&self) -> String {
        let Self { host, port, .. } = self;
        if *port == self.scheme.port() { host.to_string() } else { format!("{host}:{port}") }
    }
}

/// Writes the host as in an address: IPv6 in brackets.
impl fmt::Display for HttpHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}
