//! One connection, and the requests on it, one after another.

use std::{
    error::Error,
    future::poll_fn,
    pin::{Pin, pin},
};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::{
    Request, Response,
    body::{Body, Incoming},
    client::conn::{TrySendError, http1},
};

use hookbox_platform::socket::UnreadCheck;

use crate::connect::{Opened, Stream};

/// Status line and headers of one response, bytes.
const RESPONSE_HEAD: usize = 64 << 10;

/// A connection without a background task: it is read and written while one of its futures is awaited.
pub struct Connection<B: Body + 'static> {
    sender: http1::SendRequest<B>,
    /// `None` once it is closed.
    driver: Option<http1::Connection<Stream, B>>,
    quiet: Option<UnreadCheck>,
}

/// Reason why a body was not read to its end.
#[derive(Debug)]
pub enum ReadError {
    /// The body is longer than its limit.
    TooLong,
    /// The exchange broke off.
    Http(hyper::Error),
}

impl<B> Connection<B>
where
    B: Body<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + Unpin + 'static,
{
    /// Starts HTTP on an open connection.
    pub async fn new((stream, quiet): Opened) -> Result<Self, hyper::Error> {
        // hyper's default limit is about 400 KiB.
        let (sender, driver) = http1::Builder::new().max_buf_size(RESPONSE_HEAD).handshake(stream).await?;
        Ok(Self { sender, driver: Some(driver), quiet })
    }

    /// Sends the request unchanged; its URI must be the path only, and it must have a `Host` header. Waits for the head of the response.
    /// The error contains the request if nothing of it was sent.
    pub async fn send_request(
        &mut self,
        request: Request<B>,
    ) -> Result<Response<Incoming>, TrySendError<Request<B>>> {
        let response = self.sender.try_send_request(request);
        drive_until(&mut self.driver, response).await
    }

    /// Reads a body of at most `most` bytes.
    pub async fn read_body(&mut self, mut body: Incoming, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut read = Vec::new();
        while let Some(frame) = drive_until(&mut self.driver, body.frame()).await {
            let data = frame.map_err(ReadError::Http)?.into_data().unwrap_or_else(|_| Bytes::new());
            // This cannot underflow: `read` is never longer than `most`.
            if data.len() > most - read.len() {
                return Err(ReadError::TooLong);
            }
            read.extend_from_slice(&data);
        }
        Ok(read)
    }

    /// Returns true if there is no unread data from its server: data without a request is not an answer to the next request.
    pub fn is_quiet(&self) -> bool {
        self.quiet.as_ref().is_some_and(UnreadCheck::is_quiet)
    }

    /// Returns true if another request may be sent: the last one has been sent and its response has been read to its end.
    pub fn is_idle(&self) -> bool {
        self.driver.is_some() && self.sender.is_ready()
    }

    /// Drives the connection until it is closed, for a caller that reads a body concurrently.
    pub async fn finish(self) -> Result<(), hyper::Error> {
        // With a sender, the connection would be kept open for further requests.
        drop(self.sender);
        match self.driver {
            Some(driver) => driver.await,
            None => Ok(()),
        }
    }
}

/// Awaits `future` while driving the connection. If the connection closes, the result of `future` has the reason.
async fn drive_until<B, T>(
    driver: &mut Option<http1::Connection<Stream, B>>,
    future: impl Future<Output = T>,
) -> T
where
    B: Body<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin + 'static,
{
    let mut future = pin!(future);
    poll_fn(|context| {
        // The driver comes first, since it delivers the data that the future waits for.
        let closed = driver.as_mut().is_some_and(|driver| Pin::new(driver).poll(context).is_ready());
        if closed {
            *driver = None;
        }
        future.as_mut().poll(context)
    })
    .await
}
