//! The target of a request, in normalised form.

use core::net::{IpAddr, Ipv6Addr};

use hookbox_model::{HttpHost, HttpScheme, HttpTarget};
use hyper::{Method, Uri};
use url::Url;

/// Returns the target to which the request would be sent. The host is parsed as browsers do (the URL standard): numbers
/// in any notation are IPv4 addresses, and a name has one form.
pub(super) fn parse_target(method: &Method, uri: &Uri) -> Result<HttpTarget, &'static str> {
    let scheme =
        uri.scheme_str().and_then(HttpScheme::named).ok_or("its scheme is neither `https` nor `http`")?;
    let authority = uri.authority().ok_or("it names no server")?.as_str();
    // `https://granted.example@other.example/` looks like a request to the first server and goes to the
    // second.
    if authority.contains('@') {
        return Err("it holds a user name or a password");
    }
    let url = Url::parse(&format!("{scheme}://{authority}/"))
        .map_err(|_| "its server is neither a name nor an address")?;
    let host = parse_host(url.host_str().unwrap_or_default())
        .ok_or("its server is neither a name nor an address")?;
    let port = url.port_or_known_default().filter(|port| *port != 0).ok_or("it has no port")?;
    let path = uri.path();
    if !path.starts_with('/') {
        return Err("its path does not begin with `/`");
    }
    Ok(HttpTarget { method: method.as_str().to_owned(), scheme, host, port, path: path.to_owned() })
}

fn parse_host(text: &str) -> Option<HttpHost> {
    if let Some(address) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let address: Ipv6Addr = address.parse().ok()?;
        // An IPv4 address within IPv6 reaches the same machine, so rules see it as IPv4.
        return Some(HttpHost::Address(address.to_canonical()));
    }
    if let Ok(address) = text.parse() {
        return Some(HttpHost::Address(IpAddr::V4(address)));
    }
    // A final dot only states that no search domain is appended; rules are written without it.
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_name = name.split('.').all(|label| !label.is_empty()) && name.len() <= 253;
    is_name.then(|| HttpHost::Name(name.to_ascii_lowercase()))
}
