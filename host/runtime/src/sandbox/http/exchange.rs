//! A request with its response.

use core::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use hookbox_http::{ConnectError, Connection as Exchanged, Domains, Server};
use hookbox_model::{HttpHost, HttpRule, HttpScheme, HttpTarget, is_public};
use http_body_util::BodyExt;
use hyper::{
    Request, Response, Uri,
    body::Body,
    client::conn::TrySendError,
    header::{CONNECTION, HOST, HeaderValue},
    http::request::Parts,
};
use tokio::{sync::OwnedSemaphorePermit, time::timeout};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

use super::{
    body::{Capped, Pace},
    caps,
    denial::Denial,
    hooks::{Connection, Hooks, is_ours},
    recording,
    target::parse_target,
};

/// A request under way.
pub(super) struct Exchange {
    hooks: Hooks,
    options: RequestOptions,
}

impl Exchange {
    pub(super) fn new(hooks: Hooks, options: RequestOptions) -> Self {
        Self { hooks, options }
    }

    /// Sends the request, if it may be sent. The guest receives a response of any status: no redirect is followed.
    pub(super) async fn run(
        self,
        request: Request<WasiBody>,
    ) -> Result<(Response<WasiBody>, Connection), Error> {
        let (mut parts, body) = request.into_parts();
        let (slot, target) = self.begin_request(&parts)?;
        let refuse = |denial: Denial| denial.refuse_target(&target, &self.hooks.refusals);
        caps::check_path(&target, parts.uri.query()).map_err(refuse)?;
        // Before the name is resolved: the query to the name server would already carry data of the guest in
        // its labels.
        self.check_rules(&target).map_err(refuse)?;
        if let Some(recording) = &self.hooks.servers.recording {
            self.hooks.caps.count_sent();
            let request = (&parts, body);
            let response =
                recording::replay_response(recording.as_ref(), request, &target, &self.hooks.refusals)
                    .await?;
            let over = async move {
                drop(slot);
                Ok(())
            };
            return Ok((self.build_response(response), Box::new(over)));
        }
        // No timer of its own by default: if it ended together with the call, the guest could receive an
        // error and answer before the call is ended.
        let max_wait = self.options.connect_timeout.unwrap_or(Duration::MAX);
        let found = timeout(max_wait, self.resolve_addresses(&target)).await;
        let addresses = found.map_err(|_| Error::DnsTimeout)??;
        let addresses = self.check_addresses(addresses, &target).map_err(refuse)?;
        self.complete_request(&mut parts, &target, &addresses).map_err(refuse)?;
        let server = Server { scheme: target.scheme, host: &target.host, port: target.port };
        let connecting = timeout(max_wait, self.hooks.servers.client.connect_to(server, &addresses)).await;
        let stream = connecting.map_err(|_| Error::ConnectionTimeout)?.map_err(connect_error)?;
        self.hooks.caps.count_sent();
        let request = Request::from_parts(parts, Capped::limit_request(body));
        self.send_and_receive(Exchanged::new(stream).await?, request, slot).await
    }

    fn begin_request(&self, parts: &Parts) -> Result<(OwnedSemaphorePermit, HttpTarget), Error> {
        let refusals = &self.hooks.refusals;
        let target = parse_target(&parts.method, &parts.uri).map_err(|reason| {
            let request = format!("{} {}", parts.method, redact_uri(&parts.uri));
            Denial::new(Error::HttpRequestDenied, reason).of_request(&request, refusals)
        })?;
        let slot = self.hooks.caps.begin().map_err(|denial| denial.refuse_target(&target, refusals))?;
        Ok((slot, target))
    }

    fn check_rules(&self, target: &HttpTarget) -> Result<(), Denial> {
        if self.hooks.rules.iter().any(|rule| rule.covers(target)) {
            return Ok(());
        }
        let denial = Denial::new(Error::HttpRequestDenied, "no rule of `grant.http` covers it");
        Err(denial.with_grant_key(&format!("http = [\"{}\"]", HttpRule::from_target(target))))
    }

    async fn resolve_addresses(&self, target: &HttpTarget) -> Result<Vec<IpAddr>, Error> {
        // With a search domain of the machine, the name would become one that no rule covers.
        let found = self.hooks.servers.client.resolve_host(&target.host, Domains::Never).await;
        found.map_err(|_| Error::DnsError { rcode: None, info_code: None })
    }

    /// Protects against SSRF: returns the addresses that may be connected to. An address in place of a name was granted by the rule.
    fn check_addresses(&self, found: Vec<IpAddr>, target: &HttpTarget) -> Result<Vec<IpAddr>, Denial> {
        let is_named = matches!(target.host, HttpHost::Address(_));
        let granted = |address: IpAddr| self.hooks.addresses.iter().any(|range| range.covers(address));
        // A public address may be one of this machine, whose services listen on all of its addresses.
        let is_beyond = |address: IpAddr| is_public(address) && !(self.hooks.servers.is_near)(address);
        let may = |address: &IpAddr| is_named || granted(*address) || is_beyond(*address);
        let (allowed, refused): (Vec<_>, Vec<_>) = found.into_iter().partition(may);
        match (allowed.is_empty(), refused.first()) {
            // Only these are connected to, and the name is not resolved again: a second answer could have
            // other addresses (DNS rebinding).
            (false, _) => Ok(allowed),
            (true, None) => Err(Denial::new(Error::DestinationNotFound, "the name has no address")),
            (true, Some(address)) => {
                let what = if is_public(*address) {
                    "is one of this machine or its networks"
                } else {
                    "is not public"
                };
                let reason = format!("the address {address} {what}");
                let denial = Denial::new(Error::DestinationIpProhibited, reason);
                Err(denial.with_grant_key(&format!("addresses = [\"{}\"]", address.to_canonical())))
            }
        }
    }

    /// Completes the request with the parts that are not the guest's: the secrets, the headers of the connection, the
    /// path alone in the first line.
    fn complete_request(
        &self,
        parts: &mut Parts,
        target: &HttpTarget,
        addresses: &[IpAddr],
    ) -> Result<(), Denial> {
        // Secrets are inserted last: only the checked addresses show if a request by plain HTTP stays on this
        // machine.
        if self.hooks.secrets.fill_headers(&mut parts.headers, target)? {
            let stays_here = addresses.iter().all(|address| address.to_canonical().is_loopback());
            if target.scheme == HttpScheme::Http && !stays_here {
                return Err(Denial::of_secret("a secret leaves this machine by https only"));
            }
        }
        let invalid = |_: hyper::http::Error| {
            Denial::new(Error::HttpRequestUriInvalid, "it cannot be written as a request")
        };
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        // With an address in the first line, a server or proxy could take that for the target in place of
        // `Host`.
        parts.uri = Uri::builder().path_and_query(path).build().map_err(invalid)?;
        let ours: Vec<_> = parts.headers.keys().filter(|name| is_ours(name)).cloned().collect();
        for name in ours {
            parts.headers.remove(name);
        }
        let host = HeaderValue::from_str(&target.server()).map_err(|error| invalid(error.into()))?;
        parts.headers.insert(HOST, host);
        parts.headers.insert(CONNECTION, HeaderValue::from_static("close"));
        Ok(())
    }

    async fn send_and_receive(
        self,
        mut connection: Exchanged<Capped<WasiBody>>,
        request: Request<Capped<WasiBody>>,
        slot: OwnedSemaphorePermit,
    ) -> Result<(Response<WasiBody>, Connection), Error> {
        let max_wait = self.options.first_byte_timeout.unwrap_or(Duration::MAX);
        let answered = timeout(max_wait, connection.send_request(request)).await;
        let answered = answered.map_err(|_| Error::HttpResponseTimeout)?;
        let response = answered.map_err(TrySendError::into_error)?;
        let rest = async move {
            // The slot is released when the connection is closed.
            let _slot = slot;
            connection.finish().await.map_err(Error::from)
        };
        Ok((self.build_response(response), Box::new(rest)))
    }

    fn build_response<B>(&self, mut response: Response<B>) -> Response<WasiBody>
    where
        B: Body<Data = Bytes, Error: Into<Error>> + Send + Unpin + 'static,
    {
        // A server may send the headers of the request back.
        self.hooks.secrets.redact_headers(response.headers_mut());
        let between = self.options.between_bytes_timeout.unwrap_or(Duration::MAX);
        let pace = Pace::new(between);
        let left = self.hooks.caps.response_bodies();
        response.map(|body| Capped::limit_response(body, left, pace).boxed_unsync())
    }
}

fn connect_error(error: ConnectError) -> Error {
    match error {
        ConnectError::Name => Error::HttpRequestUriInvalid,
        ConnectError::Trust(_) => Error::TlsProtocolError,
        ConnectError::Tcp(error) => Error::Connect(error),
        ConnectError::Tls(error) => Error::Tls(error),
    }
}

/// Returns the address without possible secrets: user, password and query.
fn redact_uri(uri: &Uri) -> String {
    let scheme = uri.scheme_str().unwrap_or_default();
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let server = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{server}{}", uri.path())
}
