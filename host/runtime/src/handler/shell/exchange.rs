//! Exchange with a process: input and both outputs concurrently, with limits.

use std::{
    borrow::Cow,
    future::pending,
    io::{self, Read as _},
    pin::pin,
    process::ExitStatus,
};

use futures_util::future::{Either, select};
use hookbox_model::{Exit, Failure, FailureCode, Limit};
use hookbox_platform::process::{PipeReader, PipeWriter, Pipes, ProcessGroup, into_nonblocking, signal_of};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Buffer of a read, bytes.
const CHUNK: usize = 8 << 10;

#[derive(Clone, Copy)]
pub(super) struct Caps {
    /// Most bytes on standard output.
    pub(super) stdout: usize,
    /// Kept bytes of standard error, and most bytes on it.
    pub(super) stderr: (usize, usize),
}

pub(super) struct Output {
    /// Exit status; `None` if the process was killed because it wrote too much.
    pub(super) status: Option<ExitStatus>,
    pub(super) stdout: Captured,
    pub(super) stderr: Captured,
}

impl Output {
    /// Returns the exit, unless the process was killed for its output.
    pub(super) fn exit(&self) -> Result<Exit, Failure> {
        let unknown = || Failure::new(FailureCode::Internal, "the hook was killed before its end was known");
        let status = self.status.ok_or_else(unknown)?;
        Ok(status.code().map_or_else(|| Exit::Signal(signal_of(status).unwrap_or_default()), Exit::Code))
    }

    /// Returns a failure if the process wrote too much.
    pub(super) fn check_size(&self) -> Result<(), Failure> {
        let over = |most, what| {
            let message =
                format!("the hook wrote more than {most} bytes to {what} and was killed: make it write less");
            Err(Failure::new(FailureCode::Output, &message))
        };
        if let Some(most) = self.stdout.over {
            return over(most, &*format!("standard output (its limit `{}`)", Limit::Output));
        }
        self.stderr.over.map_or(Ok(()), |most| over(most, "standard error"))
    }
}

/// Text that was read from one stream.
pub(super) struct Captured {
    pub(super) bytes: Vec<u8>,
    /// The limit, if it was exceeded.
    pub(super) over: Option<usize>,
}

impl Captured {
    pub(super) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// Writes `input` and reads both outputs until the leader ends or writes too much. Either way the whole group is dead
/// afterwards, and only output written by then counts: a process that escaped with the pipe is not waited for.
pub(super) async fn exchange_data(
    group: ProcessGroup,
    pipes: Pipes,
    input: &[u8],
    caps: Caps,
) -> io::Result<Output> {
    let mut stdout = Capture::new(pipes.stdout, caps.stdout, caps.stdout);
    let mut stderr = Capture::new(pipes.stderr, caps.stderr.0, caps.stderr.1);
    let flooded = async {
        select(pin!(stdout.wait_flooded()), pin!(stderr.wait_flooded())).await;
    };
    let busy = async {
        select(pin!(flooded), pin!(feed_input(pipes.stdin, input))).await;
    };
    let ended = matches!(select(pin!(group.leader_exit()), pin!(busy)).await, Either::Left(_));
    let status = if ended {
        // Children of the hook may still run and hold its output open.
        Some(group.kill_rest()?)
    } else {
        drop(group);
        None
    };
    let (stdout, stderr) = (stdout.read_rest()?, stderr.read_rest()?);
    Ok(Output { status, stdout, stderr })
}

/// Writes all of `input` and closes the pipe; never completes, since the exchange does not wait for it.
async fn feed_input(mut stdin: PipeWriter, input: &[u8]) {
    // A process that does not read its input closes it: that is not a failure.
    let _ = stdin.write_all(input).await;
    drop(stdin);
    pending::<()>().await;
}

/// An output stream while it is read.
struct Capture {
    pipe: PipeReader,
    kept: Vec<u8>,
    seen: usize,
    keep: usize,
    most: usize,
}

impl Capture {
    fn new(pipe: PipeReader, keep: usize, most: usize) -> Self {
        Self { pipe, kept: Vec::new(), seen: 0, keep, most }
    }

    /// Completes when the stream exceeds its limit; after the stream's end it never completes. Cancel-safe.
    async fn wait_flooded(&mut self) {
        while self.seen <= self.most {
            // A read fills only spare capacity, and without a reservation a vector grows by 64 bytes a time.
            self.kept.reserve(CHUNK);
            match self.pipe.read_buf(&mut self.kept).await {
                Ok(0) | Err(_) => return pending().await,
                Ok(read) => {
                    self.seen += read;
                    self.kept.truncate(self.keep);
                }
            }
        }
    }

    /// Reads the pipe's current content, without waiting for more.
    fn read_rest(mut self) -> io::Result<Captured> {
        let mut pipe = into_nonblocking(self.pipe)?;
        let mut chunk = [0; CHUNK];
        while self.seen <= self.most {
            match pipe.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(read) => {
                    self.kept.extend_from_slice(chunk.get(..read).unwrap_or_default());
                    self.seen += read;
                    self.kept.truncate(self.keep);
                }
            }
        }
        let over = (self.seen > self.most).then_some(self.most);
        Ok(Captured { bytes: self.kept, over })
    }
}
