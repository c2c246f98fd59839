//! A worker process: started without access, given one request at a time, killed when it is dropped.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
};

use hookbox_model::{Failure, FailureCode, Limit, Limits};
use hookbox_platform::{
    process::{CpuPin, Starter, start_process},
    socket::Wire,
};
use serde::de::DeserializeOwned;

use super::{
    WORKER, admit,
    exchange::{Exchange, Progress},
    frame::{self, Incoming},
    isolated::WorkerPlugin,
    memory_limit,
    message::{Hello, LoadReply, Numbers, WorkerRequest, current_build_id},
};
use crate::sandbox::kind::Kind;

/// Stack of a thread that waits for the end of a process, bytes.
const STACK: usize = 64 << 10;

pub(super) struct WorkerConfig {
    pub(super) program: PathBuf,
    pub(super) limits: Limits,
    /// True if many calls are expected.
    pub(super) pool: bool,
}

pub(super) struct Worker {
    process: WorkerProcess,
    /// Pins the process to the caller's processor.
    cpu_pin: CpuPin,
    wire: Arc<Wire>,
    /// The loaded plugins, by number.
    has: HashMap<u64, Kind>,
}

/// A child process; killed when it is dropped, and reaped by a thread.
struct WorkerProcess {
    child: Option<Child>,
    _starter: Starter,
}

impl Worker {
    /// Starts a worker and waits until it is ready.
    pub(super) async fn start(config: &WorkerConfig) -> Result<Self, Failure> {
        Self::start_greeted(config).await.map(|(worker, _)| worker)
    }

    async fn start_greeted(config: &WorkerConfig) -> Result<(Self, Hello), Failure> {
        let program = config.program.display();
        let unstarted = |error: io::Error| {
            let message =
                format!("the program {program}, which runs isolated guests, cannot be started: {error}");
            Failure::new(FailureCode::Spawn, &message)
        };
        let mut worker = Self::spawn(config).await.map_err(unstarted)?;
        let (limits, pool) = (Numbers::from_limits(&config.limits), config.pool);
        let begin = WorkerRequest::Begin { build: current_build_id().into(), limits, pool };
        // Starting takes longer than the caller's thread waits.
        let greeted = match worker.create_exchange(&begin, &[]) {
            Ok(exchange) => exchange.finish().await.and_then(|answer| Ok(answer.read::<Hello>()?.0)),
            Err(error) => Err(error),
        };
        match greeted {
            Ok(hello) if hello.build == current_build_id() && hello.trouble.is_none() => Ok((worker, hello)),
            Ok(hello) => Err(Failure::new(FailureCode::Internal, &unfit_reason(config, &hello))),
            Err(_) => {
                let ended = worker.process.kill_process();
                let message = format!(
                    "the program {program} does not run isolated guests ({ended}): install it and hookbox from one build"
                );
                Err(Failure::new(FailureCode::Internal, &message))
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "one of the places where a process starts")]
    async fn spawn(config: &WorkerConfig) -> io::Result<Self> {
        let (wire, theirs) = Wire::pair()?;
        let mut command = Command::new(&config.program);
        command
            .arg(WORKER)
            .arg(memory_limit(config.limits.get(Limit::Memory)).to_string())
            .env_clear()
            // The socket is the only descriptor. On hookbox's own standard output an exploit could write an
            // answer for the agent.
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let started = |child, starter| WorkerProcess { child: Some(child), _starter: starter };
        let process = start_process(command, started).await?;
        let cpu_pin = process.child.as_ref().map(CpuPin::of_child).ok_or(io::ErrorKind::NotFound)?;
        Ok(Self { process, cpu_pin, wire: Arc::new(wire), has: HashMap::new() })
    }

    /// Returns true if the connection is open and no unexpected data has arrived.
    pub(super) fn is_well(&self) -> bool {
        self.wire.is_quiet()
    }

    /// Loads this plugin unless it is loaded. The outer error is of the process, the inner one of the plugin.
    pub(super) async fn ensure_loaded(&mut self, plugin: &WorkerPlugin) -> Result<LoadReply, Failure> {
        if let Some(kind) = self.has.get(&plugin.number) {
            return Ok(Ok(*kind));
        }
        let had = self.send_request::<LoadReply>(&plugin.load(), &plugin.code).await?;
        if let Ok(kind) = had {
            self.has.insert(plugin.number, kind);
        }
        Ok(had.map_err(|failure| admit::admit_failure(&failure)))
    }

    pub(super) async fn send_request<T: DeserializeOwned>(
        &mut self,
        request: &WorkerRequest<'_>,
        bytes: &[u8],
    ) -> Result<T, Failure> {
        let answer = match self.at_once(request, bytes) {
            Ok(Progress::Over(answer)) => Ok(answer),
            Ok(Progress::UnderWay(rest)) => rest.finish().await,
            Err(error) => Err(error),
        };
        self.read_answer(answer)
    }

    /// Sends a request, and receives the answer if that comes within a short time.
    pub(super) fn at_once(&mut self, request: &WorkerRequest<'_>, bytes: &[u8]) -> io::Result<Progress> {
        let exchange = self.create_exchange(request, bytes)?;
        self.cpu_pin.pin_process();
        let progress = exchange.at_once();
        if !matches!(progress, Ok(Progress::Over(_))) {
            self.cpu_pin.unpin_process();
        }
        progress
    }

    fn create_exchange(&self, request: &WorkerRequest<'_>, bytes: &[u8]) -> io::Result<Exchange> {
        Ok(Exchange::new(&self.wire, frame::encode_message(request, bytes)?))
    }

    /// Reads its answer. The process is ended if the answer is missing or invalid.
    pub(super) fn read_answer<T: DeserializeOwned>(
        &mut self,
        answer: io::Result<Incoming>,
    ) -> Result<T, Failure> {
        let read = answer.and_then(|answer| match answer.read() {
            // Only requests have binary data.
            Ok((value, [])) => Ok(value),
            Ok(_) => Err(io::ErrorKind::InvalidData.into()),
            Err(error) => Err(error),
        });
        read.map_err(|error| self.lost_failure(&error))
    }

    fn lost_failure(&mut self, error: &io::Error) -> Failure {
        // An error of decoding has an inner error, and one of the operating system has none.
        let is_nonsense = error.kind() == io::ErrorKind::InvalidData || error.get_ref().is_some();
        if is_nonsense && !self.process.has_ended() {
            let message = "the process that the guest runs in sent an unreadable message; it was ended";
            return Failure::new(FailureCode::BadOutput, message);
        }
        let ended = self.process.kill_process();
        let message = format!("the process that the guest runs in ended before it answered ({ended})");
        Failure::new(FailureCode::Trap, &message)
    }

    /// Ends the process, and waits until it is gone.
    pub(super) fn end_process(mut self) {
        self.process.kill_process();
    }
}

/// Returns the reason why a worker cannot run guests.
fn unfit_reason(config: &WorkerConfig, hello: &Hello) -> String {
    let program = config.program.display();
    match &hello.trouble {
        Some(trouble) => format!("the program {program} cannot run isolated guests: {trouble}"),
        None => format!("the program {program} does not fit this hookbox: install both from one build"),
    }
}

impl WorkerProcess {
    fn has_ended(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(Some(_))))
    }

    /// Kills the process if it has not ended, and returns how it ended.
    fn kill_process(&mut self) -> String {
        let Some(mut child) = self.child.take() else { return "it was ended".to_owned() };
        // It may have ended already; a moment passes between the end of its connection and its own.
        let _ = child.kill();
        child.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A thread may wait for its answer, and a process that it started could hold its end open.
        self.wire.end();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        let _ = child.kill();
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        // The system frees a process's resources before it is gone, which takes time and must not block the caller.
        let reap = move || drop(child.wait());
        let _ = thread::Builder::new().name("hookbox-reaper".to_owned()).stack_size(STACK).spawn(reap);
    }
}

/// Returns the privileges that this program gives up before it runs a guest, for the user: the effective restrictions,
/// and the missing ones.
pub async fn probe_privileges(program: &Path) -> Result<(Vec<String>, Vec<String>), Failure> {
    let config = WorkerConfig { program: program.to_owned(), limits: Limits::default(), pool: false };
    let (worker, hello) = Worker::start_greeted(&config).await?;
    worker.end_process();
    Ok((hello.held, hello.missing))
}
