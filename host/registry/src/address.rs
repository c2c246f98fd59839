//! Allowed targets of requests: the registry itself, and servers that it redirects to.

use core::net::IpAddr;

use hookbox_model::{HttpHost, HttpScheme, is_public};
use hookbox_platform::socket::is_local_network;
use url::{Host, Url};

use crate::{
    error::{Error, ErrorKind},
    reference::{Registry, clean_text, is_local},
};

/// The registry's server. Only it receives credentials, and all other servers are checked against it.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    url: Url,
    host: HttpHost,
    is_local: bool,
    /// True if all addresses of its name are private or near.
    is_private: bool,
}

impl Home {
    pub(crate) fn of_registry(registry: &Registry) -> Result<Self, Error> {
        let text = format!("{}://{}/v2/", registry.scheme(), registry.authority());
        let unreadable = || Error::new(ErrorKind::Usage, format!("`{registry}` is not an address"));
        let url = Url::parse(&text).map_err(|_| unreadable())?;
        let host = parse_host(&url).ok_or_else(unreadable)?;
        Ok(Self { is_local: is_local(&host), is_private: false, url, host })
    }

    /// Returns the URL of a path below `/v2/`.
    pub(crate) fn build_url(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        url.set_path(&format!("/v2/{path}"));
        url
    }

    /// Returns true for a URL of exactly this server: scheme, host and port.
    pub(crate) fn is_same_server(&self, url: &Url) -> bool {
        url.origin() == self.url.origin()
    }

    /// Returns the host, for display.
    pub(crate) fn shown(&self) -> String {
        self.host.to_string()
    }

    pub(crate) fn set_addresses(&mut self, addresses: &[IpAddr]) {
        self.is_private =
            addresses.iter().all(|address| !is_public(address.to_canonical()) || is_local_network(*address));
    }

    /// Returns true if this address may be connected to for another server than the registry. A remote registry must not redirect to this
    /// machine or its link; and a public registry, not to a private network.
    pub(crate) fn may_reach(&self, address: IpAddr) -> bool {
        // An IPv4 address within IPv6 (`::ffff:127.0.0.1`) reaches the same server.
        let address = address.to_canonical();
        let near = match address {
            IpAddr::V4(v4) => v4.is_link_local() || v4.is_unspecified(),
            IpAddr::V6(v6) => v6.is_unicast_link_local() || v6.is_unspecified(),
        };
        let is_beyond = (!is_public(address) || is_local_network(address)) && !self.is_private;
        // A public registry could otherwise have hookbox send requests to services that trust the user's
        // network.
        self.is_local || !(near || address.is_loopback() || is_beyond)
    }

    /// Resolves and checks a `location` in a response of `from`.
    pub(crate) fn led_to(&self, from: &Url, location: &str) -> Result<Url, Error> {
        let url = from
            .join(location)
            .map_err(|_| Error::for_refusal(self.describe_problem("leads to no address")))?;
        self.check_url(url, "leads to")
    }

    /// Checks the address of the token server.
    pub(crate) fn check_realm(&self, realm: &str) -> Result<Url, Error> {
        let url = Url::parse(realm)
            .map_err(|_| Error::for_refusal(self.describe_problem("names no address for tokens")))?;
        self.check_url(url, "requests credentials for")
    }

    /// Returns true if the host may receive the registry's credentials: the registry's own host, the domain that it is in, a host below
    /// it, and Docker's token server.
    pub(crate) fn is_same_site(&self, url: &Url) -> bool {
        let Some(other) = parse_host(url) else { return false };
        if other == self.host {
            return true;
        }
        let (HttpHost::Name(home), HttpHost::Name(other)) = (&self.host, &other) else { return false };
        let is_below = |lower: &str, upper: &str| {
            // Without the dot, every registry below a top-level domain would be of one site.
            upper.contains('.') && lower.strip_suffix(upper).is_some_and(|rest| rest.ends_with('.'))
        };
        is_below(home, other)
            || is_below(other, home)
            // Docker's own registry has its token server at a name that the rules above do not cover.
            || (home == "registry-1.docker.io" && other == "auth.docker.io")
    }

    /// Checks a URL: with TLS; without, only from this machine to this machine.
    fn check_url(&self, url: Url, what: &str) -> Result<Url, Error> {
        let target = parse_host(&url);
        let near = self.is_local && target.as_ref().is_some_and(is_local);
        let is_good = match url.scheme() {
            "https" => true,
            "http" => near,
            _ => false,
        };
        // A name in an address can look like the host: `https://registry.example@other.example`.
        let plain = url.username().is_empty() && url.password().is_none();
        if is_good && plain && target.is_some() {
            return Ok(url);
        }
        let (scheme, target) = (clean_text(url.scheme()), clean_text(url.host_str().unwrap_or_default()));
        Err(Error::for_refusal(
            self.describe_problem(&format!("{what} `{scheme}://{target}`, which is not contacted")),
        ))
    }

    fn describe_problem(&self, what: &str) -> String {
        format!("`{}` {what}", self.host)
    }
}

pub(crate) fn parse_host(url: &Url) -> Option<HttpHost> {
    match url.host()? {
        // The same host with a final dot must not pass for another one.
        Host::Domain(name) => Some(HttpHost::Name(name.trim_end_matches('.').to_owned())),
        Host::Ipv4(address) => Some(HttpHost::Address(address.into())),
        Host::Ipv6(address) => Some(HttpHost::Address(IpAddr::from(address).to_canonical())),
    }
}

pub(crate) fn parse_scheme(url: &Url) -> HttpScheme {
    if url.scheme() == "https" { HttpScheme::Https } else { HttpScheme::Http }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reference;

    fn parse_home(host: &str) -> Home {
        Home::of_registry(&Reference::parse(&format!("oci://{host}/a")).unwrap().registry).unwrap()
    }

    #[test]
    fn credentials_are_for_the_registrys_site_and_no_other() {
        for (registry, realm, same) in [
            ("registry.example", "https://registry.example/token", true),
            ("registry.example", "https://registry.example:5001/token", true),
            ("registry.gitlab.example", "https://gitlab.example/jwt", true),
            ("registry.example", "https://auth.registry.example/token", true),
            ("docker.io/x", "https://auth.docker.io/token", true),
            ("registry.example", "https://example/token", false),
            ("registry.example", "https://evil.example/token", false),
            ("registry.example", "https://evilregistry.example/token", false),
            ("registry.example", "https://registry.example.evil.example/token", false),
            ("127.0.0.1:5000", "http://127.0.0.1:5001/token", true),
            ("127.0.0.1:5000", "http://127.0.0.2:5000/token", false),
            ("127.0.0.1:5000", "https://0.0.1/token", false),
        ] {
            let home = parse_home(registry);
            assert_eq!(home.is_same_site(&home.check_realm(realm).unwrap()), same, "{registry} {realm}");
        }
    }

    #[test]
    fn a_redirect_away_from_tls_or_to_this_machine_is_refused() {
        let elsewhere = parse_home("registry.example");
        let from = elsewhere.build_url("a/blobs/x");
        for location in [
            "http://registry.example/x",
            "http://127.0.0.1/x",
            "http://localhost/x",
            "ftp://registry.example/x",
            "file:///etc/passwd",
            "data:,x",
            "https://user:word@registry.example/x",
            "https://user@registry.example/x",
        ] {
            assert!(elsewhere.led_to(&from, location).is_err(), "{location}");
        }
        for location in ["/v2/b", "https://blobs.example/x?signature=1", "//blobs.example/x"] {
            assert!(elsewhere.led_to(&from, location).is_ok(), "{location}");
        }
        for address in ["127.0.0.1", "::1", "0.0.0.0", "169.254.169.254", "::ffff:127.0.0.1", "fe80::1"] {
            assert!(!elsewhere.may_reach(address.parse().unwrap()), "{address}");
            assert!(parse_home("127.0.0.1:5000").may_reach(address.parse().unwrap()), "{address}");
        }
        let found_at = |address: &str| {
            let mut home = parse_home("registry.example");
            home.set_addresses(&[address.parse().unwrap()]);
            home
        };
        for address in [
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "168.63.129.16",
            "fd00::1",
            "::ffff:10.0.0.1",
        ] {
            let address = address.parse().unwrap();
            assert!(!found_at("93.184.216.34").may_reach(address), "{address}");
            assert!(found_at("10.1.2.3").may_reach(address), "a registry of one's own network: {address}");
        }
        let mut both = parse_home("registry.example");
        both.set_addresses(&["93.184.216.34".parse().unwrap(), "10.0.0.1".parse().unwrap()]);
        assert!(
            !both.may_reach("10.0.0.2".parse().unwrap()),
            "whoever is found at both kinds is not of one's own network"
        );
        for address in ["93.184.216.35", "172.32.0.1", "2606:4700::1"] {
            assert!(found_at("93.184.216.34").may_reach(address.parse().unwrap()), "{address}");
        }
        assert!(parse_home("127.0.0.1:5000").led_to(&from, "http://10.0.0.1/x").is_err());
    }

    #[test]
    fn a_refused_redirect_is_reported_without_the_query() {
        let home = parse_home("registry.example");
        let error = home.led_to(&home.build_url("a"), "http://blobs.example/x?signature=canary").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`registry.example` leads to `http://blobs.example`, which is not contacted"
        );
    }
}
