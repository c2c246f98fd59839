//! The bus over a pair of streams, with one peer: a message is a line.

use std::{io, pin::pin, sync::Arc};

use futures_util::future::{Either, select};
use hookbox::{
    lines::{Line, Lines},
    model::Json,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch},
};

use super::{
    HookBus, MAX_MESSAGE_BYTES, management,
    request::{ReceivedMessage, too_long},
};
use crate::blocking_thread::waited_for;

/// Most bytes of messages whose responses are not written yet; no more is read until some are.
const MOST_BYTES: usize = 2 * MAX_MESSAGE_BYTES;
/// Minimum cost of a message, which covers the overhead besides its text.
const LEAST_BYTES: usize = 64 << 10;
/// Most bytes per read.
const CHUNK: usize = 64 << 10;

/// A response, and the room that its message takes until it is written.
type QueuedResponse = (String, OwnedSemaphorePermit);

/// Answers messages until the input ends, including those still under way then, or until the bus is disposed of. Each message gets one
/// response, in the order in which they are ready. If responses cannot be written, the hooks of this connection are ended.
///
/// Must be called within a tokio runtime that has its timer and its I/O on.
///
/// # Errors
///
/// The streams cannot be read or written.
pub async fn serve(
    bus: &HookBus,
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let (responses, mut to_write) = mpsc::unbounded_channel::<QueuedResponse>();
    // Dropped at the end of this function, on every path.
    let (connected, _) = watch::channel(());
    let reading = async {
        let read = pin!(read_lines(bus, input, responses, &connected));
        match select(read, pin!(bus.ended())).await {
            Either::Left((read, _)) => read,
            Either::Right(_) => Ok(()),
        }
    };
    let writing = async {
        while let Some((response, room)) = to_write.recv().await {
            output.write_all(format!("{response}\n").as_bytes()).await?;
            output.flush().await?;
            // Only now, so that a peer that does not read its responses cannot make hookbox read further
            // requests.
            drop(room);
        }
        Ok(())
    };
    match select(pin!(reading), pin!(writing)).await {
        // The input has ended, but requests under way still get their responses.
        Either::Left((read, writing)) => writing.await.and(read),
        // Responses cannot be written any more, so no request of this connection needs one.
        Either::Right((written, _)) => written,
    }
}

async fn read_lines(
    bus: &HookBus,
    mut input: impl AsyncRead + Unpin,
    responses: mpsc::UnboundedSender<QueuedResponse>,
    connected: &watch::Sender<()>,
) -> io::Result<()> {
    let answers = LineAnswers { bus, responses, connected, room: Arc::new(Semaphore::new(MOST_BYTES)) };
    let (mut lines, mut chunk) = (Lines::new(MAX_MESSAGE_BYTES), vec![0; CHUNK]);
    loop {
        let read = input.read(&mut chunk).await?;
        let mut unread = chunk.get(..read).unwrap_or_default();
        while let Some(line) = lines.next(&mut unread) {
            answers.answer_line(line).await;
        }
        if read == 0 {
            if let Some(line) = lines.take_last() {
                answers.answer_line(line).await;
            }
            return Ok(());
        }
    }
}

/// Shared state for answering the lines of one stream.
struct LineAnswers<'a> {
    bus: &'a HookBus,
    responses: mpsc::UnboundedSender<QueuedResponse>,
    connected: &'a watch::Sender<()>,
    room: Arc<Semaphore>,
}

impl LineAnswers<'_> {
    /// Answers a line once there is room for it, now or in a task.
    async fn answer_line(&self, line: Line) {
        let bytes = match &line {
            // A message of a few bytes costs a task and its buffers: millions of them must not be read ahead.
            Line::Whole(line) => line.len().max(LEAST_BYTES),
            Line::TooLong(..) => LEAST_BYTES,
        };
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&self.room).acquire_many_owned(bytes).await else { return };
        match process_line(self.bus, line).await {
            Some(LineResponse::Now(response)) => drop(self.responses.send((response, permit))),
            Some(LineResponse::Later(pending)) => {
                let (responses, mut gone) = (self.responses.clone(), self.connected.subscribe());
                // Nothing is ever sent: the only change is the end of the connection.
                let given_up = async move { while gone.changed().await.is_ok() {} };
                tokio::spawn(async move {
                    let response = pending.into_response(given_up).await;
                    drop(responses.send((response, permit)));
                });
            }
            None => {}
        }
    }
}

enum LineResponse {
    Now(String),
    Later(Box<super::request::Pending>),
}

/// Returns the answer to a line; an empty line has none.
async fn process_line(bus: &HookBus, line: Line) -> Option<LineResponse> {
    let Line::Whole(line) = line else {
        return Some(LineResponse::Now(management::refuse_unreadable(too_long())));
    };
    if line.trim_ascii().is_empty() {
        return None;
    }
    match bus.admit_message(&line) {
        ReceivedMessage::Request(pending) => Some(LineResponse::Later(pending)),
        ReceivedMessage::Other(message) => Some(LineResponse::Now(answer_management(bus, message).await)),
        ReceivedMessage::Unreadable(problem) => {
            Some(LineResponse::Now(management::refuse_unreadable(problem)))
        }
        ReceivedMessage::Disposed => None,
    }
}

/// Answers a management message, on another thread if it reads files. The next line is read after that.
async fn answer_management(bus: &HookBus, message: Json) -> String {
    if !management::reads_files(&message) {
        return management::answer_message(bus, &message);
    }
    let bus = bus.clone();
    waited_for(move || management::answer_message(&bus, &message)).await
}
