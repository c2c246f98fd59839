//! A hook as an HTTP request: the event is sent as native JSON, and the answer is received as native JSON.
//!
//! One exchange per call: no redirect, no retry, no proxy, no cookie. Secrets (the path of the address, the values of
//! headers) appear in no message and in no `Debug`. The addresses of a host name are not restricted here.

mod client;
mod headers;
mod signature;
mod target;

use std::{error::Error, fmt};

use hookbox_model::{Answer, Failure, FailureCode, HandlerKind, Limit, Limits};
use hyper::{
    HeaderMap, Method, Request, Response,
    header::{HOST, LOCATION},
};

pub use self::headers::HeaderProblem;
use self::{
    client::{Client, WebhookError},
    headers::Headers,
    signature::Signer,
    target::Target,
};
use crate::{
    Clock,
    hook::{WebhookMethod, WebhookSpec},
    interfaces::{Call, CallFuture, Contract, Environment, Handler, PrepareFuture, Reply},
};

/// Error in the configuration of a webhook. Its message shows no more of the address than the server, and no header's
/// value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookSpecError {
    /// The address is invalid, for this reason.
    BadUrl(&'static str),
    /// Plain `http` to this host, which is not a loopback address.
    PlainHttp(String),
    /// The address has a user name or a password.
    Credentials,
    /// This header cannot be sent.
    Header {
        /// Its name.
        header: String,
        /// The problem.
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
/// A call needs a tokio runtime with I/O and time. Its connection stays open, and later calls use it. Calls have no
/// deadline here except for connecting: the chain drops them.
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
    client: Client,
}

impl WebhookHandler {
    /// Checks `spec` and takes the variables of its headers from `environment`. A header with a variable that
    /// `spec.env` does not list is an error here; a listed variable that is not set fails each call.
    pub fn new(
        spec: WebhookSpec,
        environment: &Environment,
        contract: &'static dyn Contract,
    ) -> Result<Self, WebhookSpecError> {
        let method = spec.method;
        let signer = spec.sign.as_deref().map(|variable| Signer::new(variable, environment));
        let (target, headers) = Self::parse_spec(spec, environment, contract.drops_invalid_headers())?;
        let method = match method {
            WebhookMethod::Post => Method::POST,
            WebhookMethod::Put => Method::PUT,
        };
        Ok(Self { target, method, headers, signer, contract, client: Client::default() })
    }

    /// Checks that [`Self::new`] accepts `spec`.
    pub(crate) fn check_spec(spec: WebhookSpec) -> Result<(), WebhookSpecError> {
        Self::parse_spec(spec, &Environment::default(), false).map(drop)
    }

    fn parse_spec(
        spec: WebhookSpec,
        environment: &Environment,
        drops_invalid: bool,
    ) -> Result<(Target, Headers), WebhookSpecError> {
        let target = Target::parse(&spec.url)?;
        let headers = Headers::new(spec.headers, &spec.env, environment, drops_invalid)?;
        Ok((target, headers))
    }

    /// Returns the headers of the request, with a signature if configured.
    fn build_headers(&self, body: &str, clock: &Clock) -> Result<HeaderMap, Failure> {
        let mut headers = self.headers.resolved()?;
        if let Some(signer) = &self.signer {
            signer.sign_body(&mut headers, clock.now_seconds(), body)?;
        }
        headers.insert(HOST, self.target.authority());
        Ok(headers)
    }

    async fn exchange_event(&self, call: &Call<'_>) -> Result<Answer, Failure> {
        let event = self.contract.event(call);
        let headers = self.build_headers(&event, call.clock)?;
        let mut request = Request::new(event.into());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.target.uri();
        *request.headers_mut() = headers;
        let sent = self.client.send_request(self.target.connect_to(), request).await;
        let (response, mut connection) = match sent {
            Ok(sent) => sent,
            Err(broken) => return self.answer_broken(&broken),
        };
        if let Err(failure) = self.check_status(&response) {
            // A redirect that the agent would follow is refused by hookbox, so the contract has no meaning for it.
            let status = Some(response.status()).filter(|status| !status.is_redirection());
            return status
                .and_then(|status| self.contract.refused_status(&status.to_string()))
                .ok_or(failure);
        }
        let most = call.limits.get_size(Limit::Output);
        let read = connection.read_body(response.into_body(), most).await;
        let body = match read {
            Ok(body) => body,
            Err(error) => return self.answer_broken(&WebhookError::from_read_error(&error, most)),
        };
        // Only after the whole body: its rest would be taken for the next answer.
        self.client.keep_connection(connection);
        let answer = self.contract.response(call, &body, &self.endpoint_name());
        answer.map_err(|failure| Failure::new(failure.code, &self.redact_text(&failure.message)))
    }

    fn endpoint_name(&self) -> String {
        format!("the server {}", self.target.server())
    }

    fn redact_text(&self, text: &str) -> String {
        let text = self.signer.as_ref().map_or_else(|| text.to_owned(), |signer| signer.redact_text(text));
        self.target.redact_text(&self.headers.redact_text(&text))
    }

    fn check_status<B>(&self, response: &Response<B>) -> Result<(), Failure> {
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let endpoint = self.endpoint_name();
        let location = response.headers().get(LOCATION).filter(|_| status.is_redirection());
        let redirect = location.and_then(|location| self.target.host_of_redirect(location.to_str().ok()?));
        let message = match redirect {
            Some(host) => format!(
                "{endpoint} answered {status}, a redirect to {host}, which is not followed: configure the final address"
            ),
            None => format!("{endpoint} answered {status}"),
        };
        Err(Failure::new(FailureCode::HttpStatus, &self.redact_text(&message)))
    }

    /// Returns the answer for an exchange that was not completed. Too long a response is a failure under every contract.
    fn answer_broken(&self, broken: &WebhookError) -> Result<Answer, Failure> {
        let failure = self.broken_failure(broken);
        match failure.code {
            FailureCode::Output => Err(failure),
            _ => self.contract.broken_request(&failure.message).ok_or(failure),
        }
    }

    /// Returns the failure of an exchange that was not completed.
    fn broken_failure(&self, broken: &WebhookError) -> Failure {
        Failure::new(broken.code, &self.redact_text(&format!("{} {}", self.endpoint_name(), broken.why)))
    }
}

impl Handler for WebhookHandler {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Webhook
    }

    fn run_self_test<'a>(&'a self, _: &'a str, _: &'a Limits) -> Option<PrepareFuture<'a>> {
        Some(Box::pin(async { self.build_headers("", Clock::machine()).map(drop) }))
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(async move { Reply::from(self.exchange_event(&call).await) })
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
