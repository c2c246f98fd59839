//! Hosts of rules.

use core::net::{IpAddr, Ipv6Addr};
use std::fmt;

use super::HttpHost;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum HostRule {
    Is(HttpHost),
    /// All names below this one, without the name itself.
    Below(String),
}

impl HostRule {
    pub(super) fn from_host(host: &HttpHost) -> Self {
        Self::Is(host.clone())
    }

    pub(super) fn covers(&self, host: &HttpHost) -> bool {
        match (self, host) {
            (Self::Is(rule), host) => rule == host,
            (Self::Below(parent), HttpHost::Name(name)) => name
                .strip_suffix(parent.as_str())
                // Without the dot, `badexample.com` would be below `example.com`.
                .is_some_and(|label| label.len() > 1 && label.ends_with('.')),
            (Self::Below(_), HttpHost::Address(_)) => false,
        }
    }

    pub(super) fn includes(&self, other: &Self) -> bool {
        match (self, other) {
            (rule, Self::Is(host)) => rule.covers(host),
            (Self::Below(parent), Self::Below(other)) => {
                parent == other || self.covers(&HttpHost::Name(other.clone()))
            }
            (Self::Is(_), Self::Below(_)) => false,
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        if let Some(address) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let address: Ipv6Addr =
                address.parse().map_err(|_| "the text in the brackets is not an IPv6 address")?;
            return match address.to_canonical() {
                IpAddr::V4(_) => Err("it is an IPv4 address within an IPv6 one: write the IPv4 address"),
                address @ IpAddr::V6(_) => Ok(Self::Is(HttpHost::Address(address))),
            };
        }
        if let Ok(address) = text.parse() {
            return Ok(Self::Is(HttpHost::Address(IpAddr::V4(address))));
        }
        match text.strip_prefix("*.") {
            // A `*.com` would cover all servers of a top-level domain.
            Some(parent) if parent.contains('.') => parse_name(parent).map(Self::Below),
            Some(_) => Err("behind `*.` there must be a name of two or more labels, as `*.example.com`"),
            None => parse_name(text).map(|name| Self::Is(HttpHost::Name(name))),
        }
    }
}

impl fmt::Display for HostRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(host) => host.fmt(f),
            Self::Below(parent) => write!(f, "*.{parent}"),
        }
    }
}

fn parse_name(text: &str) -> Result<String, &'static str> {
    if text.is_empty() {
        return Err("it has no host: write https://HOST/PATH");
    }
    if text.contains('*') {
        return Err("a `*` stands for whole labels at the beginning of the host only, as `*.example.com`");
    }
    if !text.is_ascii() {
        return Err("its host holds letters beyond ASCII: write its `xn--` form");
    }
    if text.ends_with('.') {
        return Err("its host ends in a dot: leave that out");
    }
    let is_label = |label: &str| {
        // The bounds of DNS (RFC 1035), for a label and for a whole name.
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    if text.len() > 253 || !text.split('.').all(is_label) {
        return Err("its host is neither a name nor an address (IPv6 stands in brackets)");
    }
    let last = text.rsplit('.').next().unwrap_or_default();
    // Parsers that accept unusual spellings of addresses take such a name for one.
    if last.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(
            "its host is not a name, since it ends in a number: an IPv4 address has four numbers, such as 127.0.0.1",
        );
    }
    // DNS ignores the case of ASCII letters.
    Ok(text.to_ascii_lowercase())
}

pub(super) fn split_port(server: &str) -> Result<(&str, Option<&str>), &'static str> {
    if server.contains('@') {
        return Err("it holds a user name: name the server alone, and send credentials by `grant.secret`");
    }
    // The colons within the brackets of an IPv6 address do not begin a port.
    let end_of_address = server.find(']').map_or(0, |at| at + 1);
    let colon = server.get(end_of_address..).and_then(|rest| rest.find(':'));
    match colon.and_then(|at| server.split_at_checked(end_of_address + at)) {
        None => Ok((server, None)),
        Some((_, port)) if port.matches(':').count() > 1 => {
            Err("an IPv6 address stands in brackets, as https://[::1]/")
        }
        Some((host, port)) => Ok((host, port.strip_prefix(':'))),
    }
}

pub(super) fn parse_port(digits: &str) -> Result<u16, &'static str> {
    if digits.is_empty() {
        return Err("the port after the `:` is missing");
    }
    // `parse` alone accepts a sign and leading zeros.
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| plain).ok_or("its port is not a number from 1 to 65535")
}
