//! Standard input (stdin). For one event the wait is limited, since an agent may never close it; a conversation lasts as long as it is
//! open. The size of an event is limited in `read.rs`, by `MAX_EVENT_BYTES`.

use std::{
    io::{self, Read},
    pin::Pin,
    task::{Context, Poll, ready},
    thread,
    time::{Duration, Instant},
};

use hookbox_platform::stream::{Standard, piped_input, read_input, wait_for_input};
use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::mpsc,
};

use crate::printer::Printer;

/// Maximum time without input.
const SILENCE: Duration = Duration::from_secs(10);
/// Maximum time for the whole input.
const WHOLE: Duration = Duration::from_mins(1);

/// Reads standard input; an error of the kind [`io::ErrorKind::TimedOut`] once it has taken too long. It is unbuffered: the
/// reader has a buffer.
pub(super) struct Stdin {
    deadline: Instant,
}

impl Stdin {
    /// Limits the time to that of the writer, if it is known and shorter.
    pub(super) fn with_timeout(time: Option<Duration>) -> Self {
        Self { deadline: Instant::now() + time.unwrap_or(WHOLE).min(WHOLE) }
    }

    /// Waits until there is input, or the end.
    fn wait(&self) -> io::Result<()> {
        let max_wait = self.deadline.saturating_duration_since(Instant::now()).min(SILENCE);
        if wait_for_input(max_wait)? { Ok(()) } else { Err(too_long(max_wait)) }
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait()?;
        read_input(buffer)
    }
}

fn too_long(max_wait: Duration) -> io::Error {
    let waited =
        if max_wait == SILENCE { "no input arrived for 10 s" } else { "the time to read it is over" };
    let message = format!("{waited}, and standard input is still open; the caller of hookbox must close it");
    io::Error::new(io::ErrorKind::TimedOut, message)
}

/// Prints a hint at a terminal, where nothing else would happen.
pub(super) fn print_hint(printer: &Printer) {
    if Standard::Input.is_terminal() {
        printer.print_note(
            "waiting for an event: JSON on standard input, ended by Ctrl-D (within 10 s, else it is refused)",
        );
    }
}

/// Some bytes, or the error that ends the input.
pub(super) type Chunk = io::Result<Vec<u8>>;

/// Maximum number of bytes per read.
const CHUNK: usize = 64 << 10;

/// All of standard input, in the pieces in which it arrives.
pub(super) struct Chunks(Source);

enum Source {
    /// Read by the caller.
    Piped(Box<dyn AsyncRead + Send + Unpin>, Vec<u8>),
    /// Read by a thread that runs until the process ends; one piece is read ahead.
    Read(mpsc::Receiver<Chunk>),
}

impl Chunks {
    /// Opens standard input. Must be called within a tokio runtime that has its I/O on.
    pub(super) fn new() -> Result<Self, String> {
        if let Ok(input) = piped_input() {
            return Ok(Self(Source::Piped(Box::new(input), vec![0; CHUNK])));
        }
        // A file or a terminal cannot be waited for together with other things.
        let (sender, receiver) = mpsc::channel(1);
        let reader = thread::Builder::new().name("stdin".to_owned()).spawn(move || read_all(&sender));
        reader.map_err(|error| format!("no thread can be started to read standard input: {error}"))?;
        Ok(Self(Source::Read(receiver)))
    }

    /// Returns the next piece; `None` at the end.
    pub(super) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Chunk>> {
        match &mut self.0 {
            Source::Read(receiver) => receiver.poll_recv(context),
            Source::Piped(input, buffer) => {
                let mut read = ReadBuf::new(buffer);
                let done = ready!(Pin::new(input).poll_read(context, &mut read));
                Poll::Ready(done.map(|()| copy_piece(read.filled())).transpose())
            }
        }
    }
}

/// Returns the bytes that were read; `None` if there are none, which is the end.
fn copy_piece(read: &[u8]) -> Option<Vec<u8>> {
    (!read.is_empty()).then(|| read.to_vec())
}

fn read_all(sender: &mpsc::Sender<Chunk>) {
    let mut buffer = vec![0; CHUNK];
    while let Some(chunk) = next(&mut buffer).map(copy_piece).transpose() {
        let is_last = chunk.is_err();
        if sender.blocking_send(chunk).is_err() || is_last {
            return;
        }
    }
}

fn next(buffer: &mut [u8]) -> io::Result<&[u8]> {
    loop {
        match wait_for_input(WHOLE)
            .and_then(|there| if there { read_input(buffer).map(Some) } else { Ok(None) })
        {
            Ok(Some(length)) => return Ok(buffer.get(..length).unwrap_or_default()),
            // The pipe may be non-blocking: that flag is shared with all processes that have it open.
            Err(error) if !matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                return Err(error);
            }
            Ok(None) | Err(_) => {}
        }
    }
}
