//! Sends a message and receives its answer. A warm call ends before waiting on another thread would pay off; a longer
//! call is waited for by a thread, since the host may have no reactor, and the caller must not be blocked.

use std::{
    io,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use hookbox_platform::socket::Wire;
use tokio::sync::oneshot;

use super::frame::{Incoming, MOST_TO_HOST};

/// Time for which the caller's own thread waits.
const SPIN_TIME: Duration = Duration::from_micros(200);

/// Stack of a thread that waits, bytes.
const STACK: usize = 256 << 10;

/// Most bytes of one read.
const PIECE: usize = 64 << 10;

pub(super) struct Exchange {
    wire: Arc<Wire>,
    message: Vec<u8>,
    sent: usize,
    answer: Incoming,
}

/// Result of the wait on the caller's own thread.
pub(super) enum Progress {
    /// The answer is complete.
    Over(Incoming),
    /// The exchange takes longer.
    UnderWay(Exchange),
}

impl Exchange {
    pub(super) fn new(wire: &Arc<Wire>, message: Vec<u8>) -> Self {
        Self { wire: Arc::clone(wire), message, sent: 0, answer: Incoming::default() }
    }

    /// Runs the exchange on this thread, for a short time.
    pub(super) fn at_once(mut self) -> io::Result<Progress> {
        let until = Instant::now() + SPIN_TIME;
        loop {
            if self.send_some()? && self.receive_some()? {
                return Ok(Progress::Over(self.answer));
            }
            let left = until.saturating_duration_since(Instant::now());
            // A message that does not fit into the socket's buffer has to wait for the worker to read, which
            // is not a short call.
            if left.is_zero() || self.sent < self.message.len() {
                return Ok(Progress::UnderWay(self));
            }
            self.wire.wait_to_receive(Some(left))?;
        }
    }

    /// Completes the exchange in a thread. The end of the other side ends it.
    pub(super) async fn finish(self) -> io::Result<Incoming> {
        let (answer, answered) = oneshot::channel();
        let wait = move || drop(answer.send(self.wait_for_answer()));
        thread::Builder::new().name("hookbox-worker".to_owned()).stack_size(STACK).spawn(wait)?;
        answered.await.map_err(io::Error::other)?
    }

    fn wait_for_answer(mut self) -> io::Result<Incoming> {
        while !self.send_some()? {
            self.wire.wait_to_send()?;
        }
        while !self.receive_some()? {
            self.wire.wait_to_receive(None)?;
        }
        Ok(self.answer)
    }

    /// Sends without blocking; returns true if the whole message is sent.
    fn send_some(&mut self) -> io::Result<bool> {
        while let Some(rest) = self.message.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match self.wire.send_some(rest)? {
                0 => return Ok(false),
                more => self.sent += more,
            }
        }
        Ok(true)
    }

    /// Receives without blocking; returns true if the whole answer has arrived.
    fn receive_some(&mut self) -> io::Result<bool> {
        receive_some(&self.wire, &mut self.answer, MOST_TO_HOST)
    }
}

/// Receives without blocking a message of at most `most` bytes; returns true if it is complete.
pub(super) fn receive_some(wire: &Wire, message: &mut Incoming, most: usize) -> io::Result<bool> {
    let mut room = vec![0; 4 << 10];
    loop {
        let missing = message.missing_bytes(most)?;
        if missing == 0 {
            return Ok(true);
        }
        if missing > room.len() {
            // The other side states the length. Memory is taken for the bytes that arrive, and not for those
            // that were announced.
            room.resize(missing.min(PIECE), 0);
        }
        let end = missing.min(room.len());
        match wire.receive_some(room.get_mut(..end).unwrap_or_default())? {
            None => return Ok(false),
            Some(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Some(more) => message.add_bytes(room.get(..more).unwrap_or_default()),
        }
    }
}
