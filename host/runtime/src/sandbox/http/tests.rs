//! Tests of sent requests and their destinations: requests in the form of `wasi:http`, against servers on this machine.

mod limits;
mod name_server;
mod names;
mod refused;
mod secret;
mod secure;
mod sent;
mod server;

use core::net::IpAddr;
use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use hookbox_http::{Client, Domains, Resolve, Resolving, Trust};
use hookbox_model::{CapabilityRefusal, Grants, HttpRule, Secret};
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Request, StatusCode};
use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

pub(super) use self::server::Server;
use super::{Http, Servers};
use crate::{interfaces::Environment, sandbox::refusals::Refusals};

/// A resolver with these answers, one after another; the last is repeated.
pub(super) struct Answers(Mutex<VecDeque<Vec<IpAddr>>>);

impl Answers {
    pub(super) fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers.iter().map(|answer| answer.iter().map(|text| text.parse().unwrap()).collect());
        Arc::new(Self(Mutex::new(answers.collect())))
    }
}

impl Resolve for Answers {
    fn resolve(&self, _: &str, _: Domains) -> Resolving {
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Box::pin(async move { answer.ok_or_else(|| "no such name".into()) })
    }
}

/// One call of a guest.
pub(super) struct Guest {
    http: Http,
    refusals: Refusals,
}

/// A response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Result<Bytes, Error>,
}

impl Guest {
    /// Creates a guest with rules for these requests, and with reachable addresses in addition to public ones.
    pub(super) fn new(rules: &[&str], addresses: &[&str]) -> Self {
        Self::with_resolver(&make_grants(rules, addresses), &[], Answers::new(&[&[]]))
    }

    /// Creates a guest with secrets in variables, and names; no certificate is trusted.
    pub(super) fn with_resolver(
        grants: &Grants,
        variables: &[(&str, &str)],
        resolver: Arc<dyn Resolve>,
    ) -> Self {
        Self::with_trust(trust_only(None), grants, variables, resolver)
    }

    pub(super) fn with_trust(
        trust: ClientConfig,
        grants: &Grants,
        variables: &[(&str, &str)],
        resolver: Arc<dyn Resolve>,
    ) -> Self {
        let refusals = Refusals::default();
        let client = Client::new(resolver, Trust::from_config(trust));
        let environment: Environment = variables.iter().copied().collect();
        let servers = Servers { client: Arc::new(client), ..Servers::default() };
        let http = Http::new(grants, &environment, servers, refusals.clone());
        Self { http, refusals }
    }

    /// Sends a request and keeps the response open.
    pub(super) async fn open(
        &mut self,
        request: Request<WasiBody>,
        options: RequestOptions,
    ) -> Result<(hyper::Response<WasiBody>, super::hooks::Connection), Error> {
        let over: super::hooks::Connection = Box::new(async { Ok(()) });
        Pin::from(self.http.hooks.send_request(request, Some(options), over)).await
    }

    /// Sends a request and reads the complete response.
    pub(super) async fn send_request(&mut self, request: Request<WasiBody>) -> Result<Answer, Error> {
        self.send_within(request, RequestOptions::default()).await
    }

    pub(super) async fn send_within(
        &mut self,
        request: Request<WasiBody>,
        options: RequestOptions,
    ) -> Result<Answer, Error> {
        let (response, connection) = self.open(request, options).await?;
        let (parts, body) = response.into_parts();
        let connection = tokio::spawn(Pin::from(connection));
        let body = body.collect().await.map(http_body_util::Collected::to_bytes);
        connection.abort();
        Ok(Answer { status: parts.status, headers: parts.headers, body })
    }

    /// Returns a request's refusal: the error for the guest, and the report.
    pub(super) async fn send_refused(&mut self, request: Request<WasiBody>) -> (String, String) {
        let error = self.send_request(request).await.unwrap_err();
        (error.to_string(), self.refusals().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn refusals(&self) -> Vec<CapabilityRefusal> {
        self.refusals.take()
    }

    pub(super) fn sent(&self) -> u64 {
        self.http.sent()
    }
}

/// Trusts this certificate, and no other.
pub(super) fn trust_only(certificate: Option<CertificateDer<'static>>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(certificate);
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}

pub(super) fn make_grants(rules: &[&str], addresses: &[&str]) -> Grants {
    Grants {
        http: rules.iter().map(|rule| rule.parse().unwrap()).collect(),
        addresses: addresses.iter().map(|range| range.parse().unwrap()).collect(),
        ..Grants::default()
    }
}

/// Returns a secret `api` in the variable `API_TOKEN`, which may be sent to `to`.
pub(super) fn make_secret(to: &str) -> Secret {
    let to = vec![HttpRule::of_any_method(to).unwrap()];
    Secret { name: "api".to_owned(), env: "API_TOKEN".to_owned(), to }
}

/// Returns a `GET` request for this address.
pub(super) fn build_get_request(address: &str) -> Request<WasiBody> {
    build_request("GET", address, &[], "")
}

pub(super) fn build_request(
    method: &str,
    address: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Request<WasiBody> {
    let mut builder = Request::builder().method(method).uri(address);
    for (name, value) in headers {
        builder = builder.header(*name, *value);
    }
    let body = Full::new(Bytes::from(body.to_owned()));
    builder.body(body.map_err(|never| match never {}).boxed_unsync()).unwrap()
}

pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
