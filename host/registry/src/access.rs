//! Authentication at a registry: anonymous, with a token, or with a name and a password.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use hyper::{
    Method, StatusCode,
    header::{self, HeaderValue},
};
use serde::Deserialize;
use url::{Url, form_urlencoded};

use crate::{
    address,
    challenge::Challenge,
    docker::{Credentials, Docker},
    error::{Error, ErrorKind},
    json,
    reference::Registry,
    wire::{Reply, Wire, WireRequest, format_authority},
};

/// Longest reply of a token server, bytes.
const MAX_TOKEN_REPLY: u64 = 64 << 10;
/// Client name for token servers.
const CLIENT: &str = "hookbox";

/// Reply with a token, under one of two names.
#[derive(Deserialize)]
struct Token {
    token: Option<String>,
    access_token: Option<String>,
}

/// A repository and the actions to be authorised in it.
pub(crate) struct Scope<'a> {
    pub(crate) name: &'a str,
    pub(crate) actions: &'static str,
}

/// The client's identity: credentials, registry and scope.
pub(crate) struct Visitor<'a> {
    pub(crate) docker: &'a Docker,
    pub(crate) registry: &'a Registry,
    pub(crate) scope: Scope<'a>,
}

impl Visitor<'_> {
    /// Returns the authorization header to send after the registry asked for one in this reply. hookbox sets the scope: a registry does
    /// not decide on the scope of its token.
    pub(crate) async fn authorize_request(
        &self,
        wire: &mut Wire<'_>,
        no: &Reply,
    ) -> Result<HeaderValue, Error> {
        let headers = no.headers.get_all(header::WWW_AUTHENTICATE).iter();
        let headers: Vec<_> = headers.filter_map(|value| value.to_str().ok()).collect();
        let challenge = Challenge::parse_headers(&headers);
        let challenge = challenge.ok_or_else(|| self.build_unauthorized("names no way to log in"))?;
        let Challenge::Bearer { realm, service } = challenge else { return self.basic() };
        // The realm is the registry's choice: unchecked, it could lead to a server in the user's own network.
        let realm = wire.home.check_realm(&realm)?;
        let credentials = self.for_realm(wire, &realm)?;
        let reply =
            wire.send_once(self.token_request(realm, service.as_deref(), credentials.as_ref())?).await?;
        self.parse_token(&reply)
    }

    fn basic(&self) -> Result<HeaderValue, Error> {
        match self.docker.find_credentials(self.registry.credential_key())? {
            Some(Credentials::Password { user, password }) => build_basic_header(&user, &password),
            _ => Err(self.build_unauthorized("requires a user name and a password")),
        }
    }

    /// Returns the registry's credentials for a token server of its own site. Any other server is refused: a token that it makes with the
    /// user's credentials there would go to this registry, which could use it there.
    fn for_realm(&self, wire: &Wire<'_>, realm: &Url) -> Result<Option<Credentials>, Error> {
        if wire.home.is_same_site(realm) {
            return self.docker.find_credentials(self.registry.credential_key());
        }
        let (home, other) = (self.registry, format_authority(realm));
        Err(Error::for_refusal(format!(
            "`{home}` requests credentials for `{other}`, which is another site: they are not sent"
        )))
    }

    fn token_request(
        &self,
        mut realm: Url,
        service: Option<&str>,
        credentials: Option<&Credentials>,
    ) -> Result<WireRequest, Error> {
        // Not the scope of the challenge: a registry could ask for a token that is good for more than this
        // pull.
        let scope = format!("repository:{}:{}", self.scope.name, self.scope.actions);
        let service = service.map(|service| ("service", service));
        let mut words: Vec<_> = service.into_iter().chain([("scope", scope.as_str())]).collect();
        if let Some(Credentials::Identity(token)) = credentials {
            // In the body and not in the address, since servers log addresses.
            words.extend([("grant_type", "refresh_token"), ("client_id", CLIENT), ("refresh_token", token)]);
            let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(words).finish();
            let ask = WireRequest::new(Method::POST, realm).at_most(MAX_TOKEN_REPLY);
            return Ok(ask.with_body(Bytes::from(form), "application/x-www-form-urlencoded"));
        }
        realm.query_pairs_mut().extend_pairs(words);
        let mut ask = WireRequest::new(Method::GET, realm).at_most(MAX_TOKEN_REPLY);
        if let Some(Credentials::Password { user, password }) = credentials {
            // Not in `authorize_request`, which is for the registry only: `for_realm` has checked the token server.
            ask.headers.push((header::AUTHORIZATION, build_basic_header(user, password)?));
        }
        Ok(ask)
    }

    fn parse_token(&self, reply: &Reply) -> Result<HeaderValue, Error> {
        if !reply.status.is_success() {
            return Err(self.build_unauthorized("issued no token"));
        }
        let name = address::parse_host(&reply.from).map_or_else(String::new, |host| host.to_string());
        let token: Token = json::parse_document(&reply.body, &format!("the token of `{name}`"))?;
        let token = token.token.or(token.access_token).unwrap_or_default();
        let header = HeaderValue::from_str(&format!("Bearer {token}")).ok();
        let header =
            // A line break in a token would add a header to the next request.
            header.filter(|_| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()));
        let mut header = header.ok_or_else(|| self.build_unauthorized("issued no token"))?;
        header.set_sensitive(true);
        Ok(header)
    }

    /// Returns the error for missing access, with the command that fixes it.
    pub(crate) fn build_unauthorized(&self, why: &str) -> Error {
        let (registry, name) = (self.registry, self.scope.name);
        Error::new(
            ErrorKind::Unauthorized,
            format!("`{registry}` {why} for `{name}`; if it exists, run: docker login {registry}"),
        )
    }
}

/// Returns true if the reply asks for credentials. Only the registry itself may.
pub(crate) fn is_challenge(wire: &Wire<'_>, reply: &Reply) -> bool {
    reply.status == StatusCode::UNAUTHORIZED && wire.home.is_same_server(&reply.from)
}

fn build_basic_header(user: &str, password: &str) -> Result<HeaderValue, Error> {
    let text = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
    let bad = |_| Error::new(ErrorKind::Usage, "docker's configuration has a password that cannot be sent");
    let mut header = HeaderValue::from_str(&text).map_err(bad)?;
    header.set_sensitive(true);
    Ok(header)
}
