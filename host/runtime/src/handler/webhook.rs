//! A hook as an HTTP request: the event as native JSON goes out, the answer as native JSON comes back.
//!
//! One exchange per call: no redirect, no retry, no proxy, no cookie. Secrets (the path of the address, the values of
//! headers) appear in no message and in no `Debug`. Which addresses a host name may resolve to is not checked here.

mod client;
mod headers;
mod signature;
mod target;

use std::{error::Error, fmt, io, iter, sync::OnceLock};

use hookbox_model::{Answer, Failure, FailureCode, HandlerKind, Limit, Limits};
use reqwest::{
    Client, Method, Response, StatusCode,
    header::{HeaderMap, LOCATION},
};

pub use self::headers::HeaderProblem;
use self::{headers::Headers, signature::Signer, target::Target};
use crate::{
    Clock,
    hook::{WebhookMethod, WebhookSpec},
    port::{Call, CallFuture, Contract, Environment, Handler, PrepareFuture, Reply},
};

/// Why a webhook cannot be built. No message shows more of the address than its server, or a header's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookSpecError {
    /// The address is none, for this reason.
    BadUrl(&'static str),
    /// Plain `http` to this host, which is not a loopback address.
    PlainHttp(String),
    /// The address holds a user name or a password.
    Credentials,
    /// This header cannot be sent.
    Header {
        /// Its name.
        header: String,
        /// Why not.
        problem: HeaderProblem,
    },
}

impl fmt::Display for WebhookSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadUrl(why) => write!(f, "the url is not an address: {why}"),
            Self::PlainHttp(host) => write!(
                f,
                "the url is plain http to `{host}`: use https (http is for 127.0.0.1, [::1] and localhost only)"
            ),
            Self::Credentials => f.write_str(
                "the url holds a user name or a password: send it in a header, as `${NAME}` with NAME in `env`",
            ),
            Self::Header { header, problem } => write!(f, "header {header:?}: {problem}"),
        }
    }
}

impl Error for WebhookSpecError {}

/// Sends one request per call.
///
/// A call needs a tokio runtime with I/O and time. The client is made at the first call and kept, so later calls use
/// its open connection. The calls have no deadline of their own but one for connecting: the chain drops them.
///
/// | response | means |
/// |---|---|
/// | 2xx, empty | no opinion |
/// | 2xx, a JSON object | the answer |
/// | 2xx, anything else | failure `bad-output` |
/// | 2xx, more than the limit `output` | failure `output` |
/// | another status; a redirect is not followed | failure `http-status` |
/// | none: not reached, not trusted, broken off | failure `connect` |
/// | none that is HTTP | failure `bad-output` |
pub struct WebhookHandler {
    target: Target,
    method: Method,
    headers: Headers,
    signer: Option<Signer>,
    contract: &'static dyn Contract,
    client: OnceLock<Client>,
}

impl WebhookHandler {
    /// Checks `spec` and takes the variables that its headers use from `environment`. A header that uses a variable
    /// which `spec.env` does not list is an error here; a listed one that is not set fails each call.
    pub fn new(
        spec: WebhookSpec,
        environment: &Environment,
        contract: &'static dyn Contract,
    ) -> Result<Self, WebhookSpecError> {
        let method = spec.method;
        let signer = spec.sign.as_deref().map(|variable| Signer::new(variable, environment));
        let (target, headers) = Self::parts(spec, environment, contract.mends_headers())?;
        let method = match method {
            WebhookMethod::Post => Method::POST,
            WebhookMethod::Put => Method::PUT,
        };
        Ok(Self { target, method, headers, signer, contract, client: OnceLock::new() })
    }

    /// Is `spec` one that [`Self::new`] takes?
    pub(crate) fn check(spec: WebhookSpec) -> Result<(), WebhookSpecError> {
        Self::parts(spec, &Environment::default(), false).map(drop)
    }

    fn parts(
        spec: WebhookSpec,
        environment: &Environment,
        mended: bool,
    ) -> Result<(Target, Headers), WebhookSpecError> {
        let target = Target::parse(&spec.url)?;
        let headers = Headers::new(spec.headers, &spec.env, environment, mended)?;
        Ok((target, headers))
    }

    /// Signed, if it is to be.
    fn headers(&self, body: &str, clock: &Clock) -> Result<HeaderMap, Failure> {
        let mut headers = self.headers.resolved()?;
        if let Some(signer) = &self.signer {
            signer.sign(&mut headers, clock.now_seconds(), body)?;
        }
        Ok(headers)
    }

    async fn exchange(&self, call: &Call<'_>) -> Result<Answer, Failure> {
        let event = self.contract.event(call);
        let headers = self.headers(&event, call.clock)?;
        let request =
            self.client()?.request(self.method.clone(), self.target.url()).headers(headers).body(event);
        let response = request.send().await.map_err(|error| self.broken(&error))?;
        self.check_status(&response)?;
        let body = self.body(response, call.limits.size(Limit::Output)).await?;
        let answer = self.contract.response(call, &body, &self.who());
        answer.map_err(|failure| Failure::new(failure.code, &self.redact(&failure.message)))
    }

    fn client(&self) -> Result<Client, Failure> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let client = client::build(&self.target).map_err(|why| {
            let message = format!("a connection to {} cannot be set up: {why}", self.target.server());
            Failure::new(FailureCode::Connect, &message)
        })?;
        Ok(self.client.get_or_init(|| client).clone())
    }

    fn who(&self) -> String {
        format!("the server {}", self.target.server())
    }

    fn redact(&self, text: &str) -> String {
        let text = self.signer.as_ref().map_or_else(|| text.to_owned(), |signer| signer.redact(text));
        self.target.redact(&self.headers.redact(&text))
    }

    fn check_status(&self, response: &Response) -> Result<(), Failure> {
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let who = self.who();
        let message = match self.redirect(status, response) {
            Some(host) => format!(
                "{who} answered {status}, a redirect to {host}, which is not followed: configure the final address"
            ),
            None => format!("{who} answered {status}"),
        };
        Err(Failure::new(FailureCode::HttpStatus, &self.redact(&message)))
    }

    /// Where a redirect leads: the host only, since the rest may hold a secret.
    fn redirect(&self, status: StatusCode, response: &Response) -> Option<String> {
        let location = response.headers().get(LOCATION).filter(|_| status.is_redirection())?;
        let location = self.target.url().join(location.to_str().ok()?).ok()?;
        Some(location.host_str().map_or_else(|| "no host".to_owned(), |host| format!("`{host}`")))
    }

    async fn body(&self, mut response: Response, most: usize) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.broken(&error))? {
            if chunk.len() > most - body.len() {
                let (who, limit) = (self.who(), Limit::Output);
                let message = format!("{who} answered with more than {most} bytes (the limit `{limit}`)");
                return Err(Failure::new(FailureCode::Output, &message));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// An exchange that did not come to its end. The innermost cause is told; the outer ones would show the address.
    fn broken(&self, error: &reqwest::Error) -> Failure {
        let causes: Vec<&dyn Error> = iter::successors(error.source(), |cause| (*cause).source()).collect();
        let why = causes.last().map_or_else(|| "it broke off".to_owned(), ToString::to_string);
        let io = causes.iter().any(|cause| cause.is::<io::Error>());
        let (code, how) = if error.is_connect() || error.is_timeout() {
            (FailureCode::Connect, "cannot be reached")
        } else if io {
            (FailureCode::Connect, "broke off the exchange")
        } else {
            (FailureCode::BadOutput, "did not answer in HTTP")
        };
        Failure::new(code, &self.redact(&format!("{} {how}: {why}", self.who())))
    }
}

impl Handler for WebhookHandler {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Webhook
    }

    fn try_out<'a>(&'a self, _: &'a str, _: &'a Limits) -> Option<PrepareFuture<'a>> {
        Some(Box::pin(async { self.headers("", Clock::machine()).map(drop) }))
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move { Reply::from(self.exchange(&call).await) })
    }
}

/// Shows the server and the names of the headers only.
impl fmt::Debug for WebhookHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookHandler")
            .field("server", &self.target.server())
            .field("method", &self.method)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}
