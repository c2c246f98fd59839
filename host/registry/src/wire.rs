//! Requests and replies, each bounded. Redirects are followed here, by rule, and credentials go to the registry alone.

use std::time::Duration;

use bytes::Bytes;
use hookbox_http::{Client, Connection, Domains, ReadError, Server};
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, Uri,
    body::Incoming,
    header::{self, HeaderName, HeaderValue},
};
use tokio::time::timeout;
use url::{Position, Url};

use crate::{
    address::{self, Home},
    error::{Error, ErrorKind},
};

/// Longest wait for a connection. The caller bounds the whole.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Redirects that one request follows.
const MOST_REDIRECTS: usize = 5;
/// Most bytes of an error response that are read.
const ERROR_BODY: u64 = 64 << 10;
const AGENT: &str = concat!("hookbox/", env!("CARGO_PKG_VERSION"));

#[derive(Clone)]
pub(crate) struct WireRequest {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Bytes,
    /// Authorization for the registry's own server.
    pub(crate) authorization: Option<HeaderValue>,
    /// Longest reply, bytes.
    pub(crate) most: u64,
}

impl WireRequest {
    pub(crate) fn new(method: Method, url: Url) -> Self {
        Self { method, url, headers: Vec::new(), body: Bytes::new(), authorization: None, most: ERROR_BODY }
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    pub(crate) fn with_body(mut self, body: Bytes, media_type: &'static str) -> Self {
        self.body = body;
        self.with_header(header::CONTENT_TYPE, media_type)
    }

    pub(crate) fn at_most(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// The URL that responded.
    pub(crate) from: Url,
}

impl Reply {
    /// Returns the value of a header, if it is text.
    pub(crate) fn get_header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Connections to a registry and the servers that it redirects to.
pub(crate) struct Wire<'a> {
    http: &'a Client,
    pub(crate) home: Home,
    idle: Option<Connection<Full<Bytes>>>,
}

impl<'a> Wire<'a> {
    pub(crate) fn new(http: &'a Client, home: Home) -> Self {
        Self { http, home, idle: None }
    }

    pub(crate) async fn follow_redirects(&mut self, mut ask: WireRequest) -> Result<Reply, Error> {
        for _ in 0..=MOST_REDIRECTS {
            let reply = self.send_once(ask.clone()).await?;
            if !is_redirect(reply.status) {
                return Ok(reply);
            }
            let location = reply.get_header("location").unwrap_or_default();
            // Each target is checked anew: a redirect may lead on to another server.
            ask.url = self.home.led_to(&reply.from, location)?;
        }
        let home = self.home.shown();
        Err(Error::for_refusal(format!(
            "`{home}` leads from place to place: {MOST_REDIRECTS} redirects are followed"
        )))
    }

    pub(crate) async fn send_once(&mut self, ask: WireRequest) -> Result<Reply, Error> {
        let WireRequest { method, url, most, .. } = ask.clone();
        let is_home = self.home.is_same_server(&url);
        let request = build_request(ask, is_home)?;
        let idle =
            // A connection with unread bytes could deliver them as the answer to the next request.
            self.idle.take().filter(|connection| is_home && connection.is_idle() && connection.is_quiet());
        let mut connection = match idle {
            Some(connection) => connection,
            None => self.open_connection(&url, is_home).await?,
        };
        let name = format_authority(&url);
        let response = connection.send_request(request).await;
        let response = response
            .map_err(|error| make_unreachable_error(&name, &format!("broke off: {}", error.into_error())))?;
        let (status, headers) = (response.status(), response.headers().clone());
        // An error page is read for its code only, and may be as long as its server likes.
        let most = if status.is_success() { most } else { ERROR_BODY };
        let body = if method == Method::HEAD {
            Vec::new()
        } else {
            read_body(&mut connection, response, most, &name).await?
        };
        if is_home && connection.is_idle() {
            self.idle = Some(connection);
        }
        Ok(Reply { status, headers, body, from: url })
    }

    async fn open_connection(&mut self, url: &Url, is_home: bool) -> Result<Connection<Full<Bytes>>, Error> {
        let name = format_authority(url);
        let late = |_| Error::new(ErrorKind::Late, format!("`{name}` cannot be reached: no answer"));
        timeout(CONNECT_TIMEOUT, self.open(url, is_home)).await.map_err(late)?
    }

    async fn open(&mut self, url: &Url, is_home: bool) -> Result<Connection<Full<Bytes>>, Error> {
        let name = format_authority(url);
        let fails = |why: String| make_unreachable_error(&name, &format!("cannot be reached: {why}"));
        let host = address::parse_host(url).ok_or_else(|| fails("it is not a host".to_owned()))?;
        let scheme = address::parse_scheme(url);
        let addresses = self.http.resolve_host(&host, Domains::AsConfigured).await;
        let addresses = addresses.map_err(|error| fails(error.to_string()))?;
        if is_home {
            self.home.set_addresses(&addresses);
        }
        // All addresses, and the connection uses exactly these: a second resolution could give others (DNS
        // rebinding).
        if !is_home && !addresses.iter().all(|address| self.home.may_reach(*address)) {
            let home = self.home.shown();
            return Err(Error::for_refusal(format!(
                "`{home}` leads to `{name}`, which is on this machine or in a private network"
            )));
        }
        let server = Server { scheme, host: &host, port: url.port().unwrap_or(scheme.port()) };
        let opened = self.http.connect_to(server, &addresses).await;
        let opened = opened
            .map_err(|error| fails(error.certificate().map_or_else(|| error.to_string(), str::to_owned)))?;
        Connection::new(opened).await.map_err(|error| fails(error.to_string()))
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn build_request(ask: WireRequest, is_home: bool) -> Result<Request<Full<Bytes>>, Error> {
    let bad = |_| Error::for_refusal("the address of a redirect cannot be requested");
    let uri: Uri = ask.url[Position::BeforePath..Position::AfterQuery].parse().map_err(bad)?;
    let authority = &ask.url[Position::BeforeHost..Position::AfterPort];
    let mut request = Request::builder().method(ask.method).uri(uri);
    request = request.header(header::HOST, authority).header(header::USER_AGENT, AGENT);
    // A packed reply could be small on the wire and exceed every limit when unpacked.
    request = request.header(header::ACCEPT_ENCODING, "identity");
    for (name, value) in ask.headers {
        request = request.header(name, value);
    }
    // A redirect to a storage server must not hand it the registry's token.
    if let Some(authorization) = ask.authorization.filter(|_| is_home) {
        request = request.header(header::AUTHORIZATION, authorization);
    }
    request
        .body(Full::new(ask.body))
        .map_err(|_| Error::for_refusal("the address of a redirect cannot be requested"))
}

/// Reads a body up to its limit, without decompression.
async fn read_body(
    connection: &mut Connection<Full<Bytes>>,
    response: Response<Incoming>,
    most: u64,
    name: &str,
) -> Result<Vec<u8>, Error> {
    let too_long = || Error::new(ErrorKind::TooLarge, format!("`{name}` sends more than {most} bytes"));
    let (head, body) = response.into_parts();
    let coding = head.headers.get(header::CONTENT_ENCODING);
    if coding.is_some_and(|coding| coding != "identity") {
        return Err(Error::for_damage(format!("`{name}` compressed its reply, which was not requested")));
    }
    let length =
        head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    // The stated length saves a download; the body is bounded as well, since the length may be missing or
    // wrong.
    if length.is_some_and(|length: u64| length > most) {
        return Err(too_long());
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    connection.read_body(body, most).await.map_err(|error| match error {
        ReadError::TooLong => too_long(),
        ReadError::Http(error) => make_unreachable_error(name, &format!("broke off: {error}")),
    })
}

fn make_unreachable_error(name: &str, why: &str) -> Error {
    Error::new(ErrorKind::Unreachable, format!("`{name}` {why}"))
}

/// Returns host and port: the rest may hold secrets.
pub(crate) fn format_authority(url: &Url) -> String {
    url[Position::BeforeHost..Position::AfterPort].to_owned()
}
