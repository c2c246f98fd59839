//! References to plugins: `oci://HOST[:PORT]/NAME[:VERSION|@sha256:…]`.
//!
//! A reference has one spelling: lower case, no percent signs, no `..`, and no ambiguous forms.

use core::net::IpAddr;
use std::fmt;

use hookbox_model::{HttpHost, HttpScheme};
use semver::Version;

use crate::{
    digest::Digest,
    error::{Error, ErrorKind},
};

/// Prefix of a reference to a registry.
pub const SCHEME: &str = "oci://";
/// Longest name of a repository in registries, bytes.
const MAX_NAME: usize = 255;
/// Longest name of a host, bytes.
const MAX_HOST: usize = 253;
/// Longest version, bytes: that of a tag.
const MAX_VERSION: usize = 128;
/// Public name of Docker's registry, whose server has another name.
const HUB: &str = "docker.io";
const HUB_SERVER: &str = "registry-1.docker.io";

/// A repository of a registry, and a version of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The registry.
    pub registry: Registry,
    /// The repository's name.
    pub name: String,
    /// The requested version.
    pub pick: Pick,
}

/// Choice among several versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The highest version that is not a pre-release.
    Newest,
    /// This version.
    Version(Version),
    /// This content.
    Digest(Digest),
}

/// A registry: the server to connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    /// The name as it was written.
    shown: String,
    host: HttpHost,
    port: Option<u16>,
}

impl Reference {
    /// Parses a reference.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let rest =
            text.strip_prefix(SCHEME).ok_or_else(|| reject_reference(text, "it begins with `oci://`"))?;
        let (registry, rest) =
            rest.split_once('/').ok_or_else(|| reject_reference(text, "after the host there is a name"))?;
        let (name, pick) = split_pick(rest).map_err(|why| reject_reference(text, why))?;
        let registry = Registry::parse(registry).ok_or_else(|| reject_reference(text, HOST_RULE))?;
        check_name(name).map_err(|why| reject_reference(text, why))?;
        // Docker expands a single part to `library/NAME`; here a name has one meaning.
        if registry.shown == HUB && !name.contains('/') {
            return Err(reject_reference(
                text,
                "a name of `docker.io` has two parts, as in `docker.io/acme/guard`",
            ));
        }
        Ok(Self { registry, name: name.to_owned(), pick })
    }

    /// Returns the last part of the name.
    pub fn last_part(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// Returns the reference to this content of the repository.
    #[must_use]
    pub fn with_digest(&self, digest: &Digest) -> Self {
        Self { pick: Pick::Digest(digest.clone()), ..self.clone() }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}/{}", self.registry, self.name)?;
        match &self.pick {
            Pick::Newest => Ok(()),
            Pick::Version(version) => write!(f, ":{version}"),
            Pick::Digest(digest) => write!(f, "@{digest}"),
        }
    }
}

impl Registry {
    fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(parse_port(port)?)),
            _ => (text, None),
        };
        let host = match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(address) => parse_address(address).filter(IpAddr::is_ipv6).map(HttpHost::Address)?,
            None => parse_address(host).map(HttpHost::Address).or_else(|| parse_name(host))?,
        };
        Some(Self { shown: text.to_owned(), host, port })
    }

    /// Returns the scheme: with TLS, except on this machine.
    pub(crate) fn scheme(&self) -> HttpScheme {
        if is_local(&self.host) { HttpScheme::Http } else { HttpScheme::Https }
    }

    /// Returns host and port for the connection.
    pub(crate) fn authority(&self) -> String {
        let host = if self.shown == HUB { HUB_SERVER.to_owned() } else { self.host.to_string() };
        self.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
    }

    /// Returns its key in docker's configuration, without a scheme.
    pub(crate) fn credential_key(&self) -> &str {
        if self.shown == HUB { "index.docker.io" } else { &self.shown }
    }
}

impl fmt::Display for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Returns true if the host is this machine for every resolver.
pub(crate) fn is_local(host: &HttpHost) -> bool {
    match host {
        HttpHost::Address(address) => address.is_loopback(),
        HttpHost::Name(name) => name == "localhost" || name.ends_with(".localhost"),
    }
}

const HOST_RULE: &str =
    "the host is a name in lower case or an address, as in `oci://registry.example:5000/acme/guard`";

fn reject_reference(text: &str, why: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("`{}` is not a reference to a plugin: {why}", clean_text(text)))
}

/// Cleans untrusted text for display.
pub(crate) fn clean_text(text: &str) -> String {
    const MOST: usize = 300;
    text.chars().take(MOST).map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect()
}

fn split_pick(text: &str) -> Result<(&str, Pick), &'static str> {
    if let Some((name, digest)) = text.split_once('@') {
        let digest = Digest::parse(digest).ok_or("after `@` is `sha256:` and 64 digits in lower case")?;
        return Ok((name, Pick::Digest(digest)));
    }
    let Some((name, version)) = text.split_once(':') else { return Ok((text, Pick::Newest)) };
    let version = parse_tag(version).ok_or("after `:` is a version of three numbers, as `1.2.0`")?;
    Ok((name, Pick::Version(version)))
}

/// Parses a version from a tag: tags have no `+`.
pub(crate) fn parse_tag(text: &str) -> Option<Version> {
    let version = (text.len() <= MAX_VERSION).then(|| Version::parse(text).ok()).flatten()?;
    // A tag cannot have a `+`, so two builds of one version would have one tag.
    version.build.is_empty().then_some(version)
}

fn parse_port(text: &str) -> Option<u16> {
    let port: u16 = text.parse().ok()?;
    // `:0443` and `:443` would be two spellings of one registry, with credentials for one of them.
    (port > 0 && port.to_string() == text).then_some(port)
}

/// Parses an address in its one spelling. IPv4 addresses within IPv6 are refused.
fn parse_address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    let plain = !matches!(address, IpAddr::V6(v6) if v6.to_ipv4_mapped().is_some());
    (plain && address.to_string() == text).then_some(address)
}

/// Parses a name. One of digits only is refused, since other parsers would take it for an address.
fn parse_name(text: &str) -> Option<HttpHost> {
    let is_label = |label: &str| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        (1..=63).contains(&label.len())
            && label.bytes().all(plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = text.rsplit('.').next()?;
    let is_name = text.len() <= MAX_HOST
        && text.split('.').all(is_label)
        // A last label of digits is an IPv4 address for some resolvers (`0x7f.1`).
        && last.starts_with(|c: char| c.is_ascii_lowercase());
    is_name.then(|| HttpHost::Name(text.to_owned()))
}

/// Checks a repository's name by the rules of registries: parts of lower-case letters and digits, with `.`, `_`, `__` or hyphens within.
fn check_name(name: &str) -> Result<(), &'static str> {
    if name.len() > MAX_NAME {
        return Err("its name is longer than 255 bytes");
    }
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_part = |part: &str| {
        let separators = part.split(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        let known = |text: &str| matches!(text, "" | "." | "_" | "__") || text.bytes().all(|b| b == b'-');
        part.bytes().next().is_some_and(plain) && part.bytes().last().is_some_and(plain) && {
            separators.into_iter().all(known)
        }
    };
    if name.split('/').all(is_part) {
        return Ok(());
    }
    Err("a name has lower-case letters, digits and hyphens, and parts joined by `/`, as in `acme/guard`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_alike() {
        let digest = Digest::of_content(b"");
        for text in [
            "oci://registry.example/acme/guard".to_owned(),
            "oci://registry.example:5000/guard:1.2.0".to_owned(),
            "oci://localhost:5000/acme/my-guard:1.0.0-rc.1".to_owned(),
            "oci://127.0.0.1:5000/acme/guard".to_owned(),
            "oci://[::1]:5000/acme/guard".to_owned(),
            "oci://xn--bcher-kva.example/a.b_c__d---e/f".to_owned(),
            format!("oci://registry.example/acme/guard@{digest}"),
        ] {
            assert_eq!(Reference::parse(&text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn nothing_has_a_second_spelling() {
        let upper = Digest::of_content(b"").to_string().to_uppercase();
        for text in [
            "registry.example/acme/guard",
            "OCI://registry.example/acme/guard",
            "oci://Registry.example/acme/guard",
            "oci://registry.example/ACME/guard",
            "oci://registry.example/acme/../guard",
            "oci://registry.example/acme//guard",
            "oci://registry.example/acme/guard/",
            "oci://registry.example/%61cme/guard",
            "oci://registry.example/acmе/guard",
            "oci://registry.example/acme/guard?x=1",
            "oci://registry.example/acme/guard#1",
            "oci://registry.example/acme/guard:latest",
            "oci://registry.example/acme/guard:1.2",
            "oci://registry.example/acme/guard:01.2.0",
            "oci://registry.example/acme/guard:1.2.0+build",
            "oci://registry.example/acme/guard:1.2.0@sha256:00",
            &format!("oci://registry.example/acme/guard@{upper}"),
            "oci://registry.example",
            "oci://registry.example/",
            "oci:///acme/guard",
            "oci://user@registry.example/acme/guard",
            "oci://user:word@registry.example/acme/guard",
            "oci://registry.example:/acme/guard",
            "oci://registry.example:0/acme/guard",
            "oci://registry.example:080/acme/guard",
            "oci://registry.example:65536/acme/guard",
            "oci://registry.example./acme/guard",
            "oci://-registry.example/acme/guard",
            "oci://2130706433/acme/guard",
            "oci://0x7f.1/acme/guard",
            "oci://127.1/acme/guard",
            "oci://[::ffff:127.0.0.1]/acme/guard",
            "oci://[0::1]/acme/guard",
            "oci://::1/acme/guard",
            "oci://registry.example\\acme/guard",
            "oci://registry.example/acme/guard\n",
            "oci://registry.example/a__-b/guard",
            "oci://registry.example/a..b/guard",
            "oci://registry.example/-a/guard",
            "oci://docker.io/guard",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_error_states_the_problem_without_control_characters() {
        let message = |text: &str| Reference::parse(text).unwrap_err().to_string();
        assert_eq!(
            message("oci://registry.example/acme/guard:latest"),
            "`oci://registry.example/acme/guard:latest` is not a reference to a plugin: after `:` is a version of \
             three numbers, as `1.2.0`"
        );
        assert_eq!(
            message("oci://\u{1b}[2J/a"),
            format!("`oci://?[2J/a` is not a reference to a plugin: {HOST_RULE}")
        );
    }

    #[test]
    fn only_this_machine_is_asked_without_tls() {
        let scheme = |text: &str| Reference::parse(text).unwrap().registry.scheme();
        assert_eq!(scheme("oci://localhost:5000/a"), HttpScheme::Http);
        assert_eq!(scheme("oci://127.8.0.1/a"), HttpScheme::Http);
        assert_eq!(scheme("oci://[::1]/a"), HttpScheme::Http);
        for elsewhere in ["oci://10.0.0.1/a", "oci://0.0.0.0/a", "oci://localhost.example/a", "oci://nas/a"] {
            assert_eq!(scheme(elsewhere), HttpScheme::Https, "{elsewhere}");
        }
    }

    #[test]
    fn the_hub_is_asked_by_its_own_name() {
        let reference = Reference::parse("oci://docker.io/acme/guard").unwrap();
        assert_eq!(reference.registry.authority(), "registry-1.docker.io");
        assert_eq!(reference.registry.credential_key(), "index.docker.io");
    }
}
