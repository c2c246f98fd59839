//! Recorded answers instead of servers, for tests of hooks that must not contact a server.

use hookbox_model::{CapabilityRefusal, HttpTarget};
use http_body_util::{BodyExt, Full};
use hyper::{Response, http::request::Parts};
use wasmtime_wasi_http::{Error, WasiBody};

use super::body::Capped;
use crate::sandbox::refusals::Refusals;

/// A guest's request as the guest wrote it, without secrets inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// `GET`.
    pub method: String,
    /// `https://policy.example.com/v1/ask?tool=Bash`.
    pub url: String,
    /// Names in lower case, values as text, in their order; a value that is not text is left out.
    pub headers: Vec<(String, String)>,
    /// At most 1 MiB.
    pub body: Vec<u8>,
}

/// A recorded answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// 100 to 999.
    pub status: u16,
    /// In this order.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Vec<u8>,
}

/// Answers requests of guests instead of all servers. It receives only requests that a rule of the grant `http` covers;
/// no name is resolved and no connection opened.
pub trait Recording: Send + Sync {
    /// Returns the answer. With `None`, the guest gets the error that the server cannot be reached, and the report
    /// states that there is no recording.
    fn answer(&self, sent: &Sent) -> Option<Recorded>;
}

/// Returns the recording's response to this request, which goes to `target`.
pub(super) async fn replay_response(
    recording: &dyn Recording,
    (parts, body): (&Parts, WasiBody),
    target: &HttpTarget,
    refusals: &Refusals,
) -> Result<Response<WasiBody>, Error> {
    let text = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    let sent = Sent {
        method: parts.method.as_str().to_owned(),
        url: parts.uri.to_string(),
        headers: parts.headers.iter().filter_map(text).collect(),
        // With the limit of a real request, so that a test fails where a server would not get the body.
        body: Capped::limit_request(body).collect().await?.to_bytes().into(),
    };
    let Some(recorded) = recording.answer(&sent) else {
        refusals.add(CapabilityRefusal::new(
            "http",
            &target.to_string(),
            "no answer to it is recorded",
            None,
        ));
        return Err(Error::DestinationUnavailable);
    };
    let mut response = Response::builder().status(recorded.status);
    for (name, value) in recorded.headers {
        response = response.header(name, value);
    }
    let body = Full::from(recorded.body).map_err(Error::from).boxed_unsync();
    response.body(body).map_err(|_| Error::HttpProtocolError)
}
