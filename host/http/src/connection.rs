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

use hookbox_platform::socket::Quiet;

use crate::connect::{Opened, Stream};

/// Status line and headers of one response, bytes.
const RESPONSE_HEAD: usize = 64 << 10;

/// A connection on which nobody works but who holds it: it is read and written while one of its futures is waited for.
pub struct Connection<B: Body + 'static> {
    sender: http1::SendRequest<B>,
    /// `None` once it is closed.
    driver: Option<http1::Connection<Stream, B>>,
    quiet: Option<Quiet>,
}

/// Why a body was not read to its end.
#[derive(Debug)]
pub enum ReadError {
    /// It is longer than it may be.
    TooLong,
    /// The exchange broke off.
    Http(hyper::Error),
}

impl<B> Connection<B>
where
    B: Body<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + Unpin + 'static,
{
    /// Begins to speak HTTP on a connection that was opened.
    pub async fn new((stream, quiet): Opened) -> Result<Self, hyper::Error> {
        let (sender, driver) = http1::Builder::new().max_buf_size(RESPONSE_HEAD).handshake(stream).await?;
        Ok(Self { sender, driver: Some(driver), quiet })
    }

    /// Sends the request as it is; its address is the path alone, and it has its `Host`. Waits for the head of the response.
    /// The error has the request if nothing of it was sent.
    pub async fn send(
        &mut self,
        request: Request<B>,
    ) -> Result<Response<Incoming>, TrySendError<Request<B>>> {
        let response = self.sender.try_send_request(request);
        drive(&mut self.driver, response).await
    }

    /// Reads a body of at most so many bytes.
    pub async fn read(&mut self, mut body: Incoming, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut read = Vec::new();
        while let Some(frame) = drive(&mut self.driver, body.frame()).await {
            let data = frame.map_err(ReadError::Http)?.into_data().unwrap_or_else(|_| Bytes::new());
            if data.len() > most - read.len() {
                return Err(ReadError::TooLong);
            }
            read.extend_from_slice(&data);
        }
        Ok(read)
    }

    /// Has its server said nothing since the last response? What it said without being asked is no answer to the next request.
    pub fn is_quiet(&self) -> bool {
        self.quiet.as_ref().is_some_and(Quiet::is_quiet)
    }

    /// May another request be sent? Not before the last one has gone out and its response has been read to its end.
    pub fn is_idle(&self) -> bool {
        self.driver.is_some() && self.sender.is_ready()
    }

    /// Keeps it going until it is closed. For whoever reads a body beside this.
    pub async fn finish(self) -> Result<(), hyper::Error> {
        drop(self.sender);
        match self.driver {
            Some(driver) => driver.await,
            None => Ok(()),
        }
    }
}

/// What `future` comes to while the connection is kept going. If the connection closes, `future` says why.
async fn drive<B, T>(driver: &mut Option<http1::Connection<Stream, B>>, future: impl Future<Output = T>) -> T
where
    B: Body<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin + 'static,
{
    let mut future = pin!(future);
    poll_fn(|context| {
        let closed = driver.as_mut().is_some_and(|driver| Pin::new(driver).poll(context).is_ready());
        if closed {
            *driver = None;
        }
        future.as_mut().poll(context)
    })
    .await
}
