//! Both outputs of a process, read by one thread in a defined order.

use std::{
    io::{self, Read},
    mem,
    os::fd::AsFd,
    process::{ChildStderr, ChildStdout},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, ioctl_fionread},
};

use super::ProcessOutput;

/// Most bytes per read.
const CHUNK: usize = 8 << 10;

/// hookbox's ends of the outputs of a process, for a thread that waits. Standard error that was written before some standard output is
/// returned before it, though the two have separate pipes.
pub struct Outputs {
    /// Standard output; `None` once it has ended.
    stdout: Option<ChildStdout>,
    /// Standard error; `None` once it has ended.
    stderr: Option<ChildStderr>,
    /// Standard output that was read and not yet returned.
    unreturned: Vec<u8>,
    /// Bytes of standard error to return before that.
    before: usize,
}

/// Streams that can be read without blocking.
struct Ready {
    stdout: bool,
    stderr: bool,
}

impl Outputs {
    pub(super) fn new(stdout: ChildStdout, stderr: ChildStderr) -> Self {
        Self { stdout: Some(stdout), stderr: Some(stderr), unreturned: Vec::new(), before: 0 }
    }

    /// Waits for the next output; `None` once standard output has ended.
    pub fn next_output(&mut self) -> Option<ProcessOutput> {
        loop {
            if let Some(complaint) = self.complaint_before() {
                return Some(ProcessOutput::Stderr(complaint));
            }
            if !self.unreturned.is_empty() {
                return Some(ProcessOutput::Stdout(mem::take(&mut self.unreturned)));
            }
            let ready = self.wait_readable(None)?;
            if ready.stdout {
                self.read_output()?;
            } else if ready.stderr
                && let Some(complaint) = read_available(&mut self.stderr, CHUNK)
            {
                return Some(ProcessOutput::Stderr(complaint));
            }
        }
    }

    /// Returns the next standard error, if it comes within this time and the stream is still open. Closes standard output.
    pub fn last_words(&mut self, time: Duration) -> Option<Vec<u8>> {
        self.stdout = None;
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stderr.is_none() || !self.wait_readable(Some(left))?.stderr {
                return None;
            }
            if let Some(complaint) = read_available(&mut self.stderr, CHUNK) {
                return Some(complaint);
            }
        }
    }

    /// Reads standard output, and the amount of unread standard error at that time; `None` at the end.
    fn read_output(&mut self) -> Option<()> {
        self.unreturned = read_available(&mut self.stdout, CHUNK)?;
        let unread = self.stderr.as_ref().and_then(|stderr| ioctl_fionread(stderr).ok());
        self.before = unread.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or_default();
        Some(())
    }

    fn complaint_before(&mut self) -> Option<Vec<u8>> {
        if self.before == 0 {
            return None;
        }
        let complaint = read_available(&mut self.stderr, self.before.min(CHUNK));
        self.before -= complaint.as_ref().map_or(self.before, Vec::len);
        complaint
    }

    /// Waits until a stream can be read, at most for this time; `None` if all streams have ended or waiting fails.
    fn wait_readable(&self, time: Option<Duration>) -> Option<Ready> {
        let timeout = time.map(Timespec::try_from).transpose().ok()?;
        let (stdout, stderr) = (self.stdout.as_ref().map(AsFd::as_fd), self.stderr.as_ref().map(AsFd::as_fd));
        let both = [stdout, stderr];
        let mut polled: Vec<_> = both.iter().flatten().map(|pipe| PollFd::new(pipe, PollFlags::IN)).collect();
        if polled.is_empty() {
            return None;
        }
        while let Err(error) = poll(&mut polled, timeout.as_ref()) {
            if error != Errno::INTR {
                return None;
            }
        }
        // The end of a pipe is reported as POLLHUP without POLLIN; the read that follows returns it.
        let mut ready = polled.iter().map(|polled| !polled.revents().is_empty());
        let mut is_ready = |pipe: Option<_>| pipe.is_some() && ready.next().unwrap_or_default();
        Some(Ready { stdout: is_ready(stdout), stderr: is_ready(stderr) })
    }
}

/// Reads the available bytes, at most `most`; sets the stream to `None` at its end.
fn read_available(stream: &mut Option<impl Read>, most: usize) -> Option<Vec<u8>> {
    let mut chunk = vec![0; most];
    loop {
        match stream.as_mut()?.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => {
                *stream = None;
                return None;
            }
            Ok(length) => {
                chunk.truncate(length);
                return Some(chunk);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a process is what is tested")]
    fn start_shell(line: &str) -> (Child, Outputs) {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let outputs = Outputs::new(child.stdout.take().unwrap(), child.stderr.take().unwrap());
        (child, outputs)
    }

    fn collect_outputs(outputs: &mut Outputs) -> Vec<String> {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let to_text = |output| match output {
            ProcessOutput::Stdout(bytes) => format!("said {}", text(bytes).trim()),
            ProcessOutput::Stderr(bytes) => format!("complained {}", text(bytes).trim()),
        };
        std::iter::from_fn(|| outputs.next_output()).map(to_text).collect()
    }

    #[test]
    fn text_that_was_written_first_to_standard_error_is_received_first() {
        for _ in 0..20 {
            let (mut child, mut outputs) = start_shell("echo one >&2; echo two");
            assert_eq!(collect_outputs(&mut outputs), ["complained one", "said two"]);
            child.wait().unwrap();
        }
    }

    #[test]
    fn what_is_complained_of_at_the_end_is_waited_for() {
        let (mut child, mut outputs) = start_shell("echo one; exec >&-; read line; echo two >&2");
        assert_eq!(collect_outputs(&mut outputs), ["said one"]);
        // The process has nothing more to read then.
        child.wait().unwrap();
        assert_eq!(outputs.last_words(Duration::from_mins(1)).as_deref(), Some(&b"two\n"[..]));
        assert_eq!(outputs.last_words(Duration::from_mins(1)), None);
    }

    #[test]
    fn who_goes_on_is_not_waited_for_longer_than_that() {
        let (mut child, mut outputs) = start_shell("exec >&-; read line");
        assert_eq!(collect_outputs(&mut outputs), [""; 0]);
        assert_eq!(outputs.last_words(Duration::from_millis(1)), None);
        child.wait().unwrap();
    }
}
