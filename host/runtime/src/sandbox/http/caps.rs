//! Limits on the requests and responses of one call.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use hookbox_model::HttpTarget;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime_wasi_http::Error;

use super::denial::Denial;

/// Most requests of one call.
pub(super) const REQUESTS: u64 = 16;
/// Most concurrent requests of one call.
pub(super) const MAX_CONCURRENT_REQUESTS: usize = 4;
/// Largest body of one request, bytes.
pub(super) const REQUEST_BODY: u64 = 1 << 20;
/// Largest size of all response bodies together, bytes.
pub(super) const RESPONSE_BODIES: u64 = 4 << 20;
/// Longest path and query of one request, bytes.
pub(super) const PATH: usize = 8 << 10;
/// Most bytes that a guest may write to a body in one write.
pub(super) const CHUNK: usize = 64 << 10;

/// Remaining allowance of one call. Clones share it.
#[derive(Clone)]
pub(super) struct Caps(Arc<RemainingQuota>);

struct RemainingQuota {
    tried: AtomicU64,
    sent: AtomicU64,
    slots: Arc<Semaphore>,
    response_bodies: Arc<AtomicU64>,
}

impl Default for Caps {
    fn default() -> Self {
        Self(Arc::new(RemainingQuota {
            tried: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            slots: Arc::new(Semaphore::new(MAX_CONCURRENT_REQUESTS)),
            response_bodies: Arc::new(AtomicU64::new(RESPONSE_BODIES)),
        }))
    }
}

impl Caps {
    /// Begins a request, which occupies a slot until the returned permit is dropped.
    pub(super) fn begin(&self) -> Result<OwnedSemaphorePermit, Denial> {
        // A refused request counts as well: otherwise a guest could try names and addresses without end.
        if self.0.tried.fetch_add(1, Ordering::Relaxed) >= REQUESTS {
            let reason = format!("one call may send {REQUESTS} requests");
            return Err(Denial::new(Error::ConnectionLimitReached, reason));
        }
        // Waiting for a slot could last for ever, since the guest itself holds the responses that occupy the
        // slots.
        Arc::clone(&self.0.slots).try_acquire_owned().map_err(|_| {
            let reason =
                format!("{MAX_CONCURRENT_REQUESTS} requests may run concurrently: drop a response before the next request");
            Denial::new(Error::ConnectionLimitReached, reason)
        })
    }

    pub(super) fn count_sent(&self) {
        self.0.sent.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the count of requests that were sent.
    pub(super) fn sent(&self) -> u64 {
        self.0.sent.load(Ordering::Relaxed)
    }

    /// Returns the remaining bytes of response bodies.
    pub(super) fn response_bodies(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.0.response_bodies)
    }
}

pub(super) fn check_path(target: &HttpTarget, query: Option<&str>) -> Result<(), Denial> {
    if target.path.len() + query.map_or(0, str::len) <= PATH {
        return Ok(());
    }
    Err(Denial::new(Error::HttpRequestUriTooLong, format!("path and query may have {PATH} bytes")))
}
