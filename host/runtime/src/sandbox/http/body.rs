//! Bodies with limits on their size and on the time between their pieces.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};
use wasmtime_wasi_http::Error;

/// A body of limited size and pace. It has no trailers.
pub(super) struct Capped<B> {
    body: B,
    /// Remaining bytes; several bodies may share the counter.
    left: Arc<AtomicU64>,
    over: fn() -> Error,
    pace: Option<Pace>,
}

/// Longest wait for a piece.
pub(super) struct Pace {
    between: Duration,
    late: Pin<Box<Sleep>>,
}

impl Pace {
    pub(super) fn new(between: Duration) -> Self {
        Self { between, late: Box::pin(sleep(between)) }
    }

    fn restart_timer(&mut self) {
        // `sleep` limits a duration beyond the clock's range.
        self.late.set(sleep(self.between));
    }
}

impl<B> Capped<B> {
    pub(super) fn limit_request(body: B) -> Self {
        let left = Arc::new(AtomicU64::new(super::caps::REQUEST_BODY));
        let over = || Error::HttpRequestBodySize(Some(super::caps::REQUEST_BODY));
        Self { body, left, over, pace: None }
    }

    pub(super) fn limit_response(body: B, left: Arc<AtomicU64>, pace: Pace) -> Self {
        let over = || Error::HttpResponseBodySize(Some(super::caps::RESPONSE_BODIES));
        Self { body, left, over, pace: Some(pace) }
    }

    fn take_bytes(&self, size: u64) -> Result<(), Error> {
        let taken =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(size));
        taken.map(drop).map_err(|_| (self.over)())
    }
}

impl<B: Body<Data = Bytes, Error: Into<Error>> + Unpin> Body for Capped<B> {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        // The body is polled before the timer, so data that has arrived counts even if the timer has fired,
        // too.
        let frame = match (Pin::new(&mut this.body).poll_frame(context), &mut this.pace) {
            (Poll::Ready(frame), _) => frame,
            (Poll::Pending, None) => return Poll::Pending,
            (Poll::Pending, Some(pace)) => {
                ready!(pace.late.as_mut().poll(context));
                return Poll::Ready(Some(Err(Error::HttpResponseTimeout)));
            }
        };
        let data = match frame {
            None => return Poll::Ready(None),
            Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
            Some(Ok(frame)) => frame.into_data(),
        };
        let Ok(data) = data else { return Poll::Ready(None) };
        this.pace.iter_mut().for_each(Pace::restart_timer);
        Poll::Ready(Some(this.take_bytes(data.len() as u64).map(|()| Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
