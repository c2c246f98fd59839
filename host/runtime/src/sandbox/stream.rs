//! Standard output and error of a guest: kept in memory, with a limit.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use tokio::io::AsyncWrite;
use wasmtime_wasi::{
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamError, StreamResult},
};

/// Most that a guest may write in one write, bytes.
const ROOM: usize = 64 << 10;

/// A stream that keeps its beginning. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct BoundedStream {
    most: usize,
    written: Arc<Mutex<StreamText>>,
}

#[derive(Debug, Default)]
struct StreamText {
    bytes: Vec<u8>,
    over: bool,
}

impl BoundedStream {
    /// Creates a stream that keeps `most` bytes; the rest is discarded.
    pub(super) fn new(most: usize) -> Self {
        Self { most, written: Arc::default() }
    }

    /// Returns the kept bytes as text, without removing them.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.lock().bytes).into_owned()
    }

    /// Removes and returns the kept bytes.
    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.lock().bytes)
    }

    /// Returns true if more was written than kept.
    pub(super) fn is_over(&self) -> bool {
        self.lock().over
    }

    fn keep_bytes(&self, bytes: &[u8]) {
        let mut written = self.lock();
        let room = self.most.saturating_sub(written.bytes.len());
        written.over |= bytes.len() > room;
        written.bytes.extend(bytes.iter().take(room));
    }

    /// Locks the buffer. A panic while the lock was held leaves a prefix, as any other end does.
    fn lock(&self) -> MutexGuard<'_, StreamText> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IsTerminal for BoundedStream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for BoundedStream {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for BoundedStream {
    async fn ready(&mut self) {}
}

impl OutputStream for BoundedStream {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        // WASI forbids a write of more than `check_write` has permitted.
        if bytes.len() > ROOM {
            return Err(StreamError::Trap(wasmtime::Error::msg("more was written than there was room for")));
        }
        self.keep_bytes(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(ROOM)
    }
}

impl AsyncWrite for BoundedStream {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.keep_bytes(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_kept_whatever_comes_after() {
        let kept = BoundedStream::new(5);
        let mut guest = kept.clone();
        for part in ["ab", "cdef", "g"] {
            guest.write(bytes::Bytes::from(part)).unwrap();
        }
        assert!(kept.is_over());
        assert_eq!(kept.take(), b"abcde");
    }

    #[test]
    fn what_fits_is_all_there() {
        let kept = BoundedStream::new(2);
        kept.clone().write(bytes::Bytes::from("ab")).unwrap();
        assert!(!kept.is_over());
        assert_eq!(kept.take(), b"ab");
    }
}
