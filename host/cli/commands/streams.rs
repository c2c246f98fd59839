//! Standard input and output for a task that waits for several things at a time. They may be files, pipes or a terminal, which
//! have no common way of waiting, so each has a thread.

use std::{
    io::{self, Write as _},
    thread,
    time::Duration,
};

use hookbox_platform::stream::{Standard, Stream, read_input, wait_for_input};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
    runtime::Handle,
    sync::oneshot,
};

// What a pipe of Linux holds by default: one read usually empties it.
const BUFFER: usize = 64 << 10;
/// Time limit of one wait for input, which is repeated.
const MAX_WAIT: Duration = Duration::from_hours(1);

/// Returns input, output, and the result of the output, which is sent once all of it is written, or cannot be. Must be called
/// within a tokio runtime that runs for as long as they are used.
pub(super) fn open_standard() -> (DuplexStream, DuplexStream, oneshot::Receiver<io::Result<()>>) {
    let runtime = Handle::current();
    let (input, read) = duplex(BUFFER);
    let (output, mut written) = duplex(BUFFER);
    let (done, result) = oneshot::channel();
    let reader = runtime.clone();
    thread::spawn(move || copy_input(read, &reader));
    thread::spawn(move || drop(done.send(copy_output(&mut written, &runtime))));
    (input, output, result)
}

/// Copies the input until it ends, or its reader is gone.
fn copy_input(mut to: DuplexStream, runtime: &Handle) {
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = match wait_for_input(MAX_WAIT).and_then(|there| {
            if there { read_input(&mut buffer) } else { Err(io::ErrorKind::Interrupted.into()) }
        }) {
            Ok(read) => read,
            // The pipe may be non-blocking: that flag is shared with all processes that have it open.
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                continue;
            }
            // An unreadable input has ended.
            Err(_) => 0,
        };
        let bytes = buffer.get(..read).unwrap_or_default();
        if bytes.is_empty() || runtime.block_on(to.write_all(bytes)).is_err() {
            return;
        }
    }
}

fn copy_output(from: &mut DuplexStream, runtime: &Handle) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = runtime.block_on(from.read(&mut buffer))?;
        match buffer.get(..read) {
            None | Some([]) => return Ok(()),
            Some(bytes) => Stream::without_deadline(Standard::Output).write_all(bytes)?,
        }
    }
}
