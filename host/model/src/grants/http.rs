//! Requests that a hook may send.

mod host;
mod path;
mod target;

use std::{fmt, str::FromStr};

use self::host::HostRule;
pub use self::target::{HttpHost, HttpScheme, HttpTarget};
use super::GrantError;

/// A rule for requests: `"[METHODS ]scheme://host[:port][/prefix]"`, as `GET,POST https://*.example.com:8443/v1`.
///
/// | part | |
/// |---|---|
/// | methods | a list, `*` for any; defaults to `GET` |
/// | scheme | `https` or `http` |
/// | host | a name, `*.` and a name of two or more labels for all names below it, or an address, which the rule also grants |
/// | port | defaults to the port of the scheme |
/// | prefix | whole segments: `/v1` is for `/v1` and `/v1/x`, not for `/v10`; defaults to everything |
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HttpRule {
    methods: Methods,
    scheme: HttpScheme,
    host: HostRule,
    port: u16,
    prefix: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Methods {
    Any,
    These(Vec<String>),
}

impl HttpRule {
    /// Returns true if the rule covers the request.
    pub fn covers(&self, target: &HttpTarget) -> bool {
        self.methods.cover(&target.method)
            && self.scheme == target.scheme
            && self.port == target.port
            && self.host.covers(&target.host)
            && path::is_below_prefix(&self.prefix, &target.path)
    }

    /// Returns the rule for all requests to this rule's server, to which a secret may go.
    #[must_use]
    pub fn of_its_server(&self) -> Self {
        Self { methods: Methods::Any, prefix: "/".to_owned(), ..self.clone() }
    }

    /// Returns true if the rule covers every request that `other` covers.
    pub fn includes(&self, other: &Self) -> bool {
        self.methods.include(&other.methods)
            && self.scheme == other.scheme
            && self.port == other.port
            && self.host.includes(&other.host)
            && path::is_below_prefix(&self.prefix, &other.prefix)
    }

    /// Parses a rule for servers rather than for requests: without a list of methods it covers any method.
    pub fn of_any_method(text: &str) -> Result<Self, GrantError> {
        Self::parse(text, || Methods::Any).map_err(GrantError)
    }

    /// Returns the rule for requests with this method, server and path; a path that servers may read in more than one way becomes `/`.
    pub fn from_target(target: &HttpTarget) -> Self {
        let prefix = if path::is_plain(&target.path) { &target.path } else { "/" };
        Self {
            methods: Methods::These(vec![target.method.clone()]),
            scheme: target.scheme,
            host: HostRule::from_host(&target.host),
            port: target.port,
            prefix: prefix.to_owned(),
        }
    }

    fn parse(text: &str, methods: impl FnOnce() -> Methods) -> Result<Self, &'static str> {
        let (stated, address) = split_methods(text)?;
        let methods = stated.map_or_else(|| Ok(methods()), Methods::parse)?;
        let (scheme, rest) = split_scheme(address)?;
        // Browsers and many servers read a backslash as a slash, so it ends the server as well.
        let end_of_server = rest.find(['/', '\\', '?', '#']);
        let (server, prefix) = end_of_server.and_then(|at| rest.split_at_checked(at)).unwrap_or((rest, "/"));
        path::check_prefix(prefix)?;
        let (host, port) = host::split_port(server)?;
        Ok(Self {
            methods,
            scheme,
            host: HostRule::parse(host)?,
            port: port.map_or(Ok(scheme.port()), host::parse_port)?,
            prefix: prefix.to_owned(),
        })
    }
}

const SPACE: &str =
    "it holds a space that does not belong there: one stands behind the methods, and no other";

/// Splits off the methods, if there are any, from the address.
fn split_methods(text: &str) -> Result<(Option<&str>, &str), &'static str> {
    let (methods, address) = text.split_once(' ').map_or((None, text), |(a, b)| (Some(a), b));
    // Without this, a space within the address would be reported as an invalid method.
    let misplaced = methods.is_some_and(|methods| methods.is_empty() || methods.contains("://"));
    if misplaced { Err(SPACE) } else { Ok((methods, address)) }
}

fn split_scheme(address: &str) -> Result<(HttpScheme, &str), &'static str> {
    if address.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(SPACE);
    }
    let (scheme, rest) = address.split_once("://").ok_or("it has no scheme: write https://HOST/PATH")?;
    let lower = scheme.to_ascii_lowercase();
    match HttpScheme::named(&lower) {
        None => Err("its scheme is neither `https` nor `http`"),
        Some(_) if lower != scheme => Err("its scheme is in capitals: write it in small letters"),
        Some(scheme) => Ok((scheme, rest)),
    }
}

impl FromStr for HttpRule {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text, Methods::get).map_err(GrantError)
    }
}

impl fmt::Display for HttpRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { methods, scheme, host, port, prefix } = self;
        match methods {
            Methods::Any => f.write_str("* ")?,
            get if *get == Methods::get() => {}
            Methods::These(methods) => write!(f, "{} ", methods.join(","))?,
        }
        write!(f, "{scheme}://{host}")?;
        if *port != scheme.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(prefix)
    }
}

impl Methods {
    fn get() -> Self {
        Self::These(vec!["GET".to_owned()])
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let methods: Vec<_> = text.split(',').map(str::to_owned).collect();
        // Methods are case-sensitive (RFC 9110), and servers expect them in capitals.
        let is_method = |method: &String| {
            !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase() || b == b'-')
        };
        if !methods.iter().all(is_method) {
            return Err(
                "its methods must be capitals with commas between, as `GET,POST`, and then one space",
            );
        }
        if methods.iter().any(|method| is_never_sent(method)) {
            return Err("CONNECT and TRACE are never sent");
        }
        Ok(Self::These(methods))
    }

    fn include(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) => true,
            (Self::These(_), Self::Any) => false,
            (Self::These(_), Self::These(others)) => others.iter().all(|method| self.cover(method)),
        }
    }

    fn cover(&self, method: &str) -> bool {
        match self {
            Self::Any => !is_never_sent(method),
            Self::These(methods) => methods.iter().any(|m| m == method),
        }
    }
}

/// Methods that would make a proxy of a server, or show what a proxy added.
const NEVER: [&str; 2] = ["CONNECT", "TRACE"];

/// Servers may take a method in small letters for the one in capitals.
fn is_never_sent(method: &str) -> bool {
    NEVER.iter().any(|never| method.eq_ignore_ascii_case(never))
}

#[cfg(test)]
mod tests;
