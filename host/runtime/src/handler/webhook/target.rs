//! The address of a webhook, checked once.

use std::net::IpAddr;

use hookbox_http::Server;
use hookbox_model::{HttpHost, HttpScheme};
use hyper::{Uri, header::HeaderValue};
use url::{Host, Position, Url};

use super::WebhookSpecError;
use crate::redaction::{redact_values, worth_redacting};

/// Name that always means this machine, whatever a resolver answers.
const LOCALHOST: &str = "localhost";

/// An address that may be called: `https` to anywhere, `http` to this machine.
#[derive(Clone)]
pub(super) struct Target {
    url: Url,
    server: String,
    scheme: HttpScheme,
    host: HttpHost,
    port: u16,
    /// Path and query of the request.
    uri: Uri,
    /// Host and port of the request.
    authority: HeaderValue,
}

impl Target {
    pub(super) fn parse(text: &str) -> Result<Self, WebhookSpecError> {
        const NONE: WebhookSpecError = WebhookSpecError::BadUrl("write it as https://HOST/PATH");
        let url = Url::parse(text).map_err(|_| NONE)?;
        let shown = url.host_str().unwrap_or_default();
        let scheme = match url.scheme() {
            "https" => HttpScheme::Https,
            "http" if is_loopback(shown) => HttpScheme::Http,
            // Everyone on the way could read the event, and forge the answer.
            "http" => return Err(WebhookSpecError::PlainHttp(shown.to_owned())),
            _ => return Err(WebhookSpecError::BadUrl("only https can be called")),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(WebhookSpecError::Credentials);
        }
        let port = url.port().unwrap_or(scheme.port());
        let server = format!("{scheme}://{shown}:{port}");
        let host = match url.host().ok_or(NONE)? {
            Host::Domain(name) => HttpHost::Name(name.to_owned()),
            Host::Ipv4(address) => HttpHost::Address(address.into()),
            Host::Ipv6(address) => HttpHost::Address(address.into()),
        };
        let uri = url[Position::BeforePath..Position::AfterQuery].parse().map_err(|_| NONE)?;
        let authority =
            HeaderValue::from_str(&url[Position::BeforeHost..Position::AfterPort]).map_err(|_| NONE)?;
        Ok(Self { url, server, scheme, host, port, uri, authority })
    }

    pub(super) fn connect_to(&self) -> Server<'_> {
        Server { scheme: self.scheme, host: &self.host, port: self.port }
    }

    /// Returns the target in the request line.
    pub(super) fn uri(&self) -> Uri {
        self.uri.clone()
    }

    /// Returns the value of the header `Host`.
    pub(super) fn authority(&self) -> HeaderValue {
        self.authority.clone()
    }

    /// Returns the host of a redirect; the rest may be a secret.
    pub(super) fn host_of_redirect(&self, location: &str) -> Option<String> {
        let location = self.url.join(location).ok()?;
        Some(location.host_str().map_or_else(|| "no host".to_owned(), |host| format!("`{host}`")))
    }

    /// Returns scheme, host and port: the part that may be shown.
    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// Returns `text` without the target's path and query, which may be credentials.
    pub(super) fn redact_text(&self, text: &str) -> String {
        let secrets = [self.url.query(), Some(self.url.path().trim_matches('/'))];
        redact_values(&worth_redacting(secrets.into_iter().flatten().map(str::to_owned)), text)
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == LOCALHOST || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format_target(url: &str) -> String {
        match Target::parse(url) {
            Ok(target) => target.server().to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn only_the_server_of_an_address_is_shown() {
        assert_eq!(
            format_target("https://hooks.example/services/canary?key=canary"),
            "https://hooks.example:443"
        );
    }

    #[test]
    fn text_from_the_server_is_shown_without_the_path_and_the_query() {
        let target = Target::parse("https://hooks.example/canary-1/?key=canary-2").unwrap();
        assert_eq!(target.redact_text("no /canary-1/ with key=canary-2"), "no /[redacted]/ with [redacted]");
        assert_eq!(
            Target::parse("https://hooks.example/change").unwrap().redact_text("exchange"),
            "exchange"
        );
        assert_eq!(Target::parse("https://hooks.example/").unwrap().redact_text("/ a"), "/ a");
    }

    #[test]
    fn plain_http_is_for_this_machine_however_it_is_spelled() {
        for (url, server) in [
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080"),
            ("http://2130706433/", "http://127.0.0.1:80"),
            ("http://[::1]:1/", "http://[::1]:1"),
            ("http://LOCALHOST/", "http://localhost:80"),
        ] {
            assert_eq!(format_target(url), server);
        }
        for host in
            ["hooks.example", "10.0.0.1", "0.0.0.0", "[::ffff:7f00:1]", "localhost.example", "localhost."]
        {
            assert_eq!(
                Target::parse(&format!("http://{host}/")).err(),
                Some(WebhookSpecError::PlainHttp(host.to_owned()))
            );
        }
    }

    #[test]
    fn other_schemes_and_credentials_are_refused_without_showing_the_address() {
        for url in [
            "ftp://h/canary",
            "file:///canary",
            "/canary",
            "",
            "https://",
            "https://u:canary@h/",
            "https://canary@h/",
        ] {
            let problem = format_target(url);
            assert!(problem.starts_with("the url ") && !problem.contains("canary"), "{problem}");
        }
    }
}
