//! Addresses of this machine.

use crate::arg::UNKNOWN;

/// Names of this machine.
const HERE: &[&str] = &["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];

/// The host of an address with or without a scheme, a port and a path: `https://example.com:8443/x`, `example.com:5000/image`. Who one is
/// there is a part of it, so that no name in front of an `@` is taken for the host.
pub(crate) fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit() || c == UNKNOWN) => name,
        _ => host,
    }
}

/// Returns true if an address is on this machine.
pub(crate) fn is_here(address: &str) -> bool {
    HERE.contains(&host(address))
}
