//! hookbox's interface for requests: one at a time, each complete.

use std::{pin::Pin, time::Duration};

use futures_util::future::{Either, select};
use http_body_util::{BodyExt, Full};
use hyper::{
    Response,
    header::{CONTENT_LENGTH, HeaderName},
};
use tokio::time::timeout;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

use super::{
    Http, caps,
    exchange::Exchange,
    hooks::{Connection, Hooks, is_ours},
};
use crate::sandbox::{
    bindings::hookbox::hook::http::{self, Header, Host},
    host_call_budget::Price,
    store::State,
};

/// Price of a request: a name is resolved and a connection opened, at another machine's speed.
const PRICE: Price = Price { call: 50_000, byte: 4 };

impl Host for State {
    async fn send(
        &mut self,
        request: http::Request,
    ) -> wasmtime::Result<Result<http::Response, http::Error>> {
        let size = request.url.len() + request_size(&request.headers, &request.body);
        self.host_calls.begin_call(PRICE, size)?;
        let refusals = self.share_refusals();
        let hooks = self.powers.http.get_or_insert_with(|| Http::without_access(refusals)).hooks.clone();
        let result = limit_wait(request.timeout, exchange_request(hooks, request)).await;
        let brought =
            result.as_ref().map_or(0, |response| self::request_size(&response.headers, &response.body));
        self.host_calls.add_result_cost(PRICE, brought);
        Ok(result)
    }
}

fn request_size(headers: &[Header], body: &[u8]) -> usize {
    headers.iter().map(|header| header.name.len() + header.value.len()).sum::<usize>() + body.len()
}

/// Limits the wait to the guest's timeout in milliseconds; without one, to the call's time.
async fn limit_wait<T>(
    most: Option<u32>,
    sending: impl Future<Output = Result<T, http::Error>>,
) -> Result<T, http::Error> {
    match most {
        Some(most) => {
            let result = timeout(Duration::from_millis(most.into()), sending).await;
            result.unwrap_or(Err(http::Error::Timeout))
        }
        None => sending.await,
    }
}

async fn exchange_request(hooks: Hooks, request: http::Request) -> Result<http::Response, http::Error> {
    let (request, refusals) = (convert_request(request)?, hooks.refusals.clone());
    let to_guest_error = |error: Error| convert_error(&error, refusals.last_reason());
    let sending = Exchange::new(hooks, RequestOptions::default()).run(request);
    let (response, connection) = sending.await.map_err(to_guest_error)?;
    read_response(response, connection).await.map_err(to_guest_error)
}

/// Converts the request to the form that `wasi:http` requests have.
fn convert_request(request: http::Request) -> Result<hyper::Request<WasiBody>, http::Error> {
    let http::Request { method, url, headers, body, timeout: _ } = request;
    if body.len() as u64 > caps::REQUEST_BODY {
        return Err(http::Error::Limit(format!("a request may have {} bytes", caps::REQUEST_BODY)));
    }
    let invalid = |error: hyper::http::Error| http::Error::Invalid(error.to_string());
    let mut parts = hyper::Request::builder().method(method.as_str()).uri(url.as_str());
    for Header { name, value } in headers {
        let known = HeaderName::try_from(&name).map_err(|error| invalid(error.into()))?;
        // hyper computes the length from the body. Another length would make the server read a part of the
        // body as the next request.
        if is_ours(&known) || known == CONTENT_LENGTH {
            return Err(http::Error::Invalid(format!("the header `{known}` is the host's to write")));
        }
        parts = parts.header(known, value);
    }
    let body = Full::from(body).map_err(Error::from).boxed_unsync();
    parts.body(body).map_err(invalid)
}

/// Reads the complete response. Its connection is driven meanwhile, and closed afterwards.
async fn read_response(
    response: Response<WasiBody>,
    connection: Connection,
) -> Result<http::Response, Error> {
    let (parts, body) = response.into_parts();
    let body = match select(Box::pin(body.collect()), Pin::from(connection)).await {
        Either::Left((body, _)) => body?,
        // Data that arrived before the connection's end is still read; an error of the connection shows there.
        Either::Right((_, body)) => body.await?,
    };
    let text = |(name, value): (&HeaderName, &hyper::header::HeaderValue)| {
        Some(Header { name: name.as_str().to_owned(), value: value.to_str().ok()?.to_owned() })
    };
    Ok(http::Response {
        status: parts.status.as_u16(),
        headers: parts.headers.iter().filter_map(text).collect(),
        body: body.to_bytes().into(),
    })
}

/// Converts an error for the guest; `refused` is the reason for not sending its last request.
fn convert_error(error: &Error, refused: Option<String>) -> http::Error {
    use Error as E;
    let text = error.to_string();
    match error {
        E::HttpRequestDenied | E::DestinationIpProhibited => http::Error::Refused(refused.unwrap_or(text)),
        E::HttpRequestUriInvalid | E::HttpRequestUriTooLong | E::HttpRequestMethodInvalid => {
            http::Error::Invalid(text)
        }
        E::DnsTimeout | E::ConnectionTimeout | E::HttpResponseTimeout => http::Error::Timeout,
        E::ConnectionLimitReached | E::HttpRequestBodySize(_) | E::HttpResponseBodySize(_) => {
            http::Error::Limit(text)
        }
        _ => http::Error::Unreachable(text),
    }
}
