//! An HTTP request, as a hook calls it.

use std::fmt;

/// An HTTP request as configured. `Debug` shows neither the path of the address nor the values of the headers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WebhookSpec {
    /// Address: `https`, or `http` to a loopback address.
    pub url: String,
    /// HTTP method. Defaults to `POST`.
    pub method: WebhookMethod,
    /// Headers; `${NAME}` in a value is replaced by a variable that `env` lists.
    pub headers: Vec<(String, String)>,
    /// Names of the variables that headers may use.
    pub env: Vec<String>,
    /// The variable with the signing key, if requests are signed (Standard Webhooks).
    pub sign: Option<String>,
}

impl WebhookSpec {
    /// Creates an unsigned `POST` to this address, without further headers.
    pub fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            method: WebhookMethod::Post,
            headers: Vec::new(),
            env: Vec::new(),
            sign: None,
        }
    }
}

impl fmt::Debug for WebhookSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = parse_server(&self.url);
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("WebhookSpec")
            .field("server", &server)
            .field("method", &self.method)
            .field("headers", &names)
            .field("env", &self.env)
            .field("sign", &self.sign)
            .finish()
    }
}

/// Returns the host and port of an address: the part before its path, without a name and a password.
fn parse_server(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    // The last `@` ends the credentials: a password can contain another one.
    rest.split(['/', '\\', '?', '#']).next()?.rsplit('@').next()
}

/// HTTP method of a webhook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WebhookMethod {
    /// `POST`
    #[default]
    Post,
    /// `PUT`
    Put,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_us_in_is_not_shown() {
        for url in [
            "https://hooks.example/canary?key=canary",
            "https://canary:canary@hooks.example?canary",
            "https://hooks.example#canary",
            r"https://hooks.example\canary",
            "canary",
        ] {
            let headers = vec![("authorization".to_owned(), "canary".to_owned())];
            let spec = WebhookSpec { headers, ..WebhookSpec::new(url) };
            let shown = format!("{spec:?}");
            assert!(!shown.contains("canary"), "{shown}");
            assert!(url == "canary" || shown.contains("hooks.example"), "{shown}");
        }
    }
}
