//! A request as a rule sees it.

use core::net::IpAddr;
use std::fmt;

use crate::words::words;

/// Where a request goes. Whoever makes one has brought its parts into their canonical form; the query is not in it, since
/// no rule looks at it and it may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpTarget {
    /// As it is sent.
    pub method: String,
    /// The scheme.
    pub scheme: HttpScheme,
    /// The server.
    pub host: HttpHost,
    /// Its port, said or the scheme's own.
    pub port: u16,
    /// As it is sent, beginning with `/`.
    pub path: String,
}

words! {
    /// How a server is spoken to.
    pub enum HttpScheme {
        /// Without TLS.
        Http = "http",
        /// With TLS.
        Https = "https",
    }
}

impl HttpScheme {
    /// The port that is meant if none is said.
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
    /// Host and port, without the scheme's own: what the `Host` header says.
    pub fn server(&self) -> String {
        let Self { host, port, .. } = self;
        if *port == self.scheme.port() { host.to_string() } else { format!("{host}:{port}") }
    }
}

/// As in an address: IPv6 in brackets.
impl fmt::Display for HttpHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}
