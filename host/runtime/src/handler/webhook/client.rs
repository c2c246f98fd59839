//! Sends requests to one server, on an open connection of an earlier call if there is one.

use std::{
    error::Error,
    io, iter,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hookbox_http::{Domains, ReadError, Server};
use hookbox_model::{FailureCode, Limit};
use http_body_util::Full;
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    client::conn::TrySendError,
};
use tokio::time::timeout;

/// Longest wait for a connection. The chain limits the whole exchange.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Idle time after which a connection is not reused: the network may have dropped it.
const IDLE: Duration = Duration::from_secs(90);
/// Most idle connections.
const MOST_IDLE: usize = 8;

pub(super) type Connection = hookbox_http::Connection<Full<Bytes>>;

#[derive(Default)]
pub(super) struct Client {
    http: hookbox_http::Client,
    /// Each with the time of its last use.
    idle: Mutex<Vec<(Instant, Connection)>>,
}

/// Reason for a missing response; its text shows no part of the address.
pub(super) struct WebhookError {
    pub(super) code: FailureCode,
    pub(super) why: String,
}

impl Client {
    /// Sends the request once, and waits for the head of the response. Its body is read from the connection.
    pub(super) async fn send_request(
        &self,
        server: Server<'_>,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(Response<Incoming>, Connection), WebhookError> {
        while let Some(mut connection) = self.open() {
            match connection.send_request(request).await {
                Ok(response) => return Ok((response, connection)),
                // The server has closed the connection meanwhile, and has seen no part of the request.
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    // The server may have acted on the request, so it is not sent a second time.
                    None => return Err(WebhookError::from_exchange_error(&error.into_error())),
                },
            }
        }
        let connecting = timeout(CONNECT_TIMEOUT, self.connect_to(server)).await;
        let mut connection =
            connecting.map_err(|_| WebhookError::from_connect_error(&"operation timed out"))??;
        let sent = connection.send_request(request).await.map_err(TrySendError::into_error);
        sent.map(|response| (response, connection)).map_err(|error| WebhookError::from_exchange_error(&error))
    }

    /// Keeps the connection for a later call, if the server leaves it open.
    pub(super) fn keep_connection(&self, connection: Connection) {
        let mut idle = self.idle();
        if connection.is_idle() && idle.len() < MOST_IDLE {
            idle.push((Instant::now(), connection));
        }
    }

    /// Takes the most recently used connection that is still open and has received no unexpected data.
    fn open(&self) -> Option<Connection> {
        let mut idle = self.idle();
        // Data that a server sent without a request could be taken for the answer to the next event.
        idle.retain(|(since, connection)| since.elapsed() < IDLE && connection.is_quiet());
        idle.pop().map(|(_, connection)| connection)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(Instant, Connection)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn connect_to(&self, server: Server<'_>) -> Result<Connection, WebhookError> {
        // The user has chosen this server, so a short name of the local network is valid.
        let addresses = self.http.resolve_host(server.host, Domains::AsConfigured).await;
        let addresses =
            addresses.map_err(|error| WebhookError::from_connect_error(&innermost_cause(&*error)))?;
        let stream = self
            .http
            .connect_to(server, &addresses)
            .await
            .map_err(|error| WebhookError::from_connect_error(&error))?;
        Connection::new(stream).await.map_err(|error| WebhookError::from_exchange_error(&error))
    }
}

impl WebhookError {
    fn from_connect_error(why: &impl ToString) -> Self {
        Self { code: FailureCode::Connect, why: format!("cannot be reached: {}", why.to_string()) }
    }

    /// Creates the error of a failed exchange, with its innermost cause.
    fn from_exchange_error(error: &hyper::Error) -> Self {
        let why = innermost_cause(error);
        if error_chain(error).any(<dyn Error>::is::<io::Error>) {
            return Self { code: FailureCode::Connect, why: format!("broke off the exchange: {why}") };
        }
        Self { code: FailureCode::BadOutput, why: format!("did not answer in HTTP: {why}") }
    }

    /// Creates the error of a failed read of the body, which may have `most` bytes.
    pub(super) fn from_read_error(error: &ReadError, most: usize) -> Self {
        match error {
            ReadError::Http(error) => Self::from_exchange_error(error),
            ReadError::TooLong => Self {
                code: FailureCode::Output,
                why: format!("answered with more than {most} bytes (the limit `{}`)", Limit::Output),
            },
        }
    }
}

fn error_chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(Some(error), |cause| (*cause).source())
}

fn innermost_cause(error: &(dyn Error + 'static)) -> String {
    error_chain(error).last().map_or_else(String::new, ToString::to_string)
}
