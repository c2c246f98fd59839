//! An interpreter process, and the calls that are under way in it.
//!
//! Threads wait for its streams, so that it belongs to no runtime: a program may have a runtime for each event. A call
//! that does not end retires its interpreter: no further call is sent there, and it is killed when its other calls have
//! ended. A call that is abandoned before its time is over (another hook has denied the event) is in most cases about
//! to end, and gets a grace period.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    process::ExitStatus,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use hookbox_model::{Failure, FailureCode};
use hookbox_platform::process::{Outputs, ProcessGroup, ProcessOutput, ThreadPipes, signal_of};
use tokio::sync::{Semaphore, oneshot};

use super::line::{self, CallEnd, InterpreterMessage, MessageBody};
use crate::{
    interfaces::escape_excerpt,
    lines::{Line, Lines},
    python::PythonCall,
};

/// Most concurrent calls; others wait.
const MOST_CALLS: usize = 64;
/// Most input of concurrent calls, KiB: an event may be large.
const MOST_KIB: usize = 64 << 10;
/// Log that is kept of one call, bytes.
const MAX_LOG_BYTES: usize = 64 << 10;
/// Output that is kept while no call is under way, bytes.
const UNATTRIBUTED_LOG_BYTES: usize = 4 << 10;
/// Longest line from an interpreter, bytes: the largest answer, with each character escaped.
const MOST_LINE: usize = 128 << 20;
/// Time to read the remaining output of an interpreter that has ended.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(100);
/// Grace period of an abandoned call, within its time limit.
const GRACE: Duration = Duration::from_millis(500);
/// Stack of a thread that only waits, bytes.
const STACK: usize = 256 << 10;

pub(super) struct Worker {
    shared: Arc<Shared>,
    jobs: mpsc::Sender<String>,
    calls: Semaphore,
    kib: Semaphore,
}

struct Shared {
    group: Mutex<Option<ProcessGroup>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: BTreeMap<u64, PendingCall>,
    next: u64,
    /// True if no more calls are sent to it.
    retired: bool,
    /// Output that was written while no call was under way.
    unattributed: String,
}

struct PendingCall {
    done: oneshot::Sender<EndedCall>,
    log: String,
}

/// The result of a call, and its log.
pub(super) type EndedCall = (CallEnd, String);

fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Worker {
    pub(super) fn new((group, pipes): (ProcessGroup, ThreadPipes)) -> io::Result<Self> {
        let shared = Arc::new(Shared { group: Mutex::new(Some(group)), state: Mutex::default() });
        let ThreadPipes { mut stdin, mut outputs } = pipes;
        let (jobs, waiting) = mpsc::channel::<String>();
        spawn_thread("hookbox-python-in", move || {
            // Dropping the worker closes the channel; that ends this thread, and so the input of the
            // interpreter.
            while waiting.recv().is_ok_and(|job| stdin.write_all(job.as_bytes()).is_ok()) {}
        })?;
        let listening = Arc::clone(&shared);
        spawn_thread("hookbox-python-out", move || {
            listening.read_outputs(&mut outputs);
            listening.over();
        })?;
        Ok(Self { shared, jobs, calls: Semaphore::new(MOST_CALLS), kib: Semaphore::new(MOST_KIB) })
    }

    pub(super) fn is_usable(&self) -> bool {
        !lock_mutex(&self.shared.state).retired
    }

    /// Accepts no more calls, and ends with the last call under way.
    pub(super) fn retire(&self) {
        self.shared.retire();
    }

    /// Ends the process immediately.
    pub(super) fn end(&self) {
        self.shared.end();
    }

    /// Calls a function. `None` if the interpreter accepts no more calls.
    pub(super) async fn call_function(&self, call: &PythonCall<'_>) -> Option<EndedCall> {
        // An event that is larger than all the room takes all of it, and so waits until it is alone.
        let size = call.event.map_or(0, str::len).div_ceil(1 << 10).clamp(1, MOST_KIB);
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let _slot = self.calls.acquire().await.ok()?;
        let _room = self.kib.acquire_many(size).await.ok()?;
        let (id, done) = self.shared.begin()?;
        let _given_up =
            AbandonGuard { shared: &self.shared, id, until: Instant::now() + call.limits.timeout() };
        // If the process has ended, the thread that detects this reports it.
        let _ = self.jobs.send(line::format_job(id, call));
        done.await.ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

/// Abandons a call if it has not ended when this is dropped.
struct AbandonGuard<'a> {
    shared: &'a Arc<Shared>,
    id: u64,
    until: Instant,
}

impl Drop for AbandonGuard<'_> {
    fn drop(&mut self) {
        if !lock_mutex(&self.shared.state).calls.contains_key(&self.id) {
            return;
        }
        let left = self.until.saturating_duration_since(Instant::now()).min(GRACE);
        let (shared, id) = (Arc::clone(self.shared), self.id);
        let ends = move || {
            thread::sleep(left);
            shared.abandon_call(id);
        };
        if left.is_zero() || spawn_thread("hookbox-python-end", ends).is_err() {
            self.shared.abandon_call(self.id);
        }
    }
}

impl Shared {
    fn begin(&self) -> Option<(u64, oneshot::Receiver<EndedCall>)> {
        let mut state = lock_mutex(&self.state);
        if state.retired {
            return None;
        }
        let (done, ended) = oneshot::channel();
        state.next += 1;
        let id = state.next;
        state.calls.insert(id, PendingCall { done, log: String::new() });
        Some((id, ended))
    }

    /// Retires the interpreter if this call is still under way, since its end is unknown.
    fn abandon_call(&self, id: u64) {
        let is_under_way = lock_mutex(&self.state).calls.remove(&id).is_some();
        if is_under_way {
            self.retire();
        }
    }

    fn retire(&self) {
        // The lock is released before `end`, which takes it again.
        let is_idle = {
            let mut state = lock_mutex(&self.state);
            state.retired = true;
            state.calls.is_empty()
        };
        if is_idle {
            self.end();
        }
    }

    fn end(&self) {
        // First, so that no call begins in an interpreter that is being killed.
        lock_mutex(&self.state).retired = true;
        drop(lock_mutex(&self.group).take());
    }

    /// Reads the output to its end, or until a line is invalid. One thread reads both streams: text that functions'
    /// processes write past Python, and Python's own errors, belong to the call whose message follows.
    fn read_outputs(&self, outputs: &mut Outputs) {
        let mut lines = Lines::new(MOST_LINE);
        while let Some(output) = outputs.next_output() {
            match output {
                ProcessOutput::Stderr(text) => self.log_text(None, &String::from_utf8_lossy(&text)),
                ProcessOutput::Stdout(text) => {
                    if self.handle_lines(&mut lines, &text).is_none() {
                        break;
                    }
                }
            }
        }
        // A process that a function has left behind can hold the pipe open for ever.
        let until = Instant::now() + DRAIN_TIMEOUT;
        let left = || until.saturating_duration_since(Instant::now());
        while let Some(text) = outputs.last_words(left()) {
            self.log_text(None, &String::from_utf8_lossy(&text));
        }
    }

    /// Handles the complete lines; `None` if one is invalid.
    fn handle_lines(&self, lines: &mut Lines, mut unread: &[u8]) -> Option<()> {
        while let Some(line) = lines.next(&mut unread) {
            let Line::Whole(line) = line else { return None };
            let InterpreterMessage { id, what } = InterpreterMessage::parse_line(&line)?;
            match what {
                MessageBody::Log(log) => self.log_text(Some(id), &log),
                MessageBody::Done(done) => self.complete_call(id, done),
            }
        }
        (!lines.is_too_long()).then_some(())
    }

    fn complete_call(&self, id: u64, done: CallEnd) {
        let (call, is_last) = {
            let mut state = lock_mutex(&self.state);
            let call = state.calls.remove(&id);
            (call, state.retired && state.calls.is_empty())
        };
        if let Some(PendingCall { done: sender, log }) = call {
            let _ = sender.send((done, log));
        }
        if is_last {
            self.end();
        }
    }

    /// Adds text to the log of this call, or of the oldest call under way.
    fn log_text(&self, id: Option<u64>, text: &str) {
        let State { calls, unattributed, .. } = &mut *lock_mutex(&self.state);
        let call = match id {
            Some(id) => calls.get_mut(&id),
            None => calls.values_mut().next(),
        };
        match (call, id) {
            (Some(call), _) => append_text(&mut call.log, text, MAX_LOG_BYTES),
            (None, None) => append_text(unattributed, text, UNATTRIBUTED_LOG_BYTES),
            // The call was abandoned.
            (None, Some(_)) => {}
        }
    }

    /// Ends the process after its end or an invalid line, and fails its calls.
    fn over(&self) {
        let group = lock_mutex(&self.group).take();
        let status = group.and_then(|group| group.kill_rest().ok());
        let (calls, unattributed) = {
            let mut state = lock_mutex(&self.state);
            state.retired = true;
            (std::mem::take(&mut state.calls), std::mem::take(&mut state.unattributed))
        };
        let others = calls.len().saturating_sub(1);
        for PendingCall { done, log } in calls.into_values() {
            let last = [&log, &unattributed].into_iter().find_map(|text| last_line(text)).map(escape_excerpt);
            let _ = done.send((CallEnd::Failed(exit_failure(status, others, last)), log));
        }
    }
}

fn spawn_thread(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(run).map(drop)
}

/// Appends as much text as there is room for.
fn append_text(kept: &mut String, text: &str, most: usize) {
    let mut room = text.len().min(most.saturating_sub(kept.len()));
    while !text.is_char_boundary(room) {
        room -= 1;
    }
    kept.push_str(text.get(..room).unwrap_or_default());
}

fn last_line(text: &str) -> Option<&str> {
    text.lines().rev().find(|line| !line.trim().is_empty())
}

fn exit_failure(status: Option<ExitStatus>, others: usize, last: Option<String>) -> Failure {
    let (code, how) = match status.map(|status| (status.code(), signal_of(status))) {
        Some((Some(code), _)) => (FailureCode::Exit, format!("ended with exit code {code}")),
        Some((None, Some(signal))) => (FailureCode::Signal, format!("was killed by signal {signal}")),
        _ => (FailureCode::Exit, "was ended".to_owned()),
    };
    let unattributed = match others {
        0 => String::new(),
        1 => ", or another function next to it".to_owned(),
        others => format!(", or one of {others} other functions next to it"),
    };
    let last = last.map(|last| format!(": {last}")).unwrap_or_default();
    Failure::new(code, &format!("the Python interpreter {how} while the function ran{unattributed}{last}"))
}
