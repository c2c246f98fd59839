//! The worker's side: loads plugins and calls them on request, confined from the beginning.

use std::{
    collections::HashMap,
    fmt, io,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use hookbox_model::{Answer, Failure, FailureCode, Grants, PluginId, Proposals, ShellFacts};
use hookbox_platform::{confinement::DroppedRights, socket::Wire};
use serde::Serialize;

use super::{
    exchange::receive_some,
    frame::{self, Incoming, MOST_TO_WORKER},
    message::{
        CallParameters, CallReply, Hello, LoadReply, ProgramEnd, TryReply, WorkerRequest, current_build_id,
    },
};
use crate::{
    Clock,
    interfaces::{
        Call, CommandLine, Contract, Environment, FactsFuture, FactsNotSent, FactsSource, ProcessEnd,
    },
    sandbox::{
        Plugin, Sandbox,
        cache::{Cache, from_bytes},
        compile::Compiler,
        engine_settings::Allocation,
        link,
        owner::Owner,
    },
};

/// Allocation of a worker. Its calls are not concurrent: the second slot is for the previously called plugin. A worker
/// cannot scan its pages, since that takes a file.
const POOL: Allocation = Allocation::Pooled { slots: 2, scan: false };

/// Reason why a worker ended.
#[derive(Debug)]
pub struct WorkerError(io::Error);

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no host is connected: {}", self.0)
    }
}

impl std::error::Error for WorkerError {}

impl From<io::Error> for WorkerError {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

/// Runs guests for the host at the other end of the connection, until that ends. `confine` is called before anything is
/// read from it, and returns the privileges that this process has given up.
pub fn serve_guests(wire: &Wire, confine: impl FnOnce() -> DroppedRights) -> Result<(), WorkerError> {
    // Looked up once for each thread, in a file that cannot be opened after this.
    let _ = stacker::remaining_stack();
    let held = confine();
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    // Without the driver for I/O, which needs system calls that the confinement forbids.
    let runtime = runtime.enable_time().build()?;
    let message = receive_message(wire)?;
    let (WorkerRequest::Begin { build: theirs, limits, pool }, _) = message.read()? else {
        return Err(invalid_data_error().into());
    };
    let allocation = if pool { POOL } else { Allocation::OnDemand };
    let limits = limits.limits().ok_or_else(invalid_data_error)?;
    let off = Cache::Off("a worker keeps nothing".to_owned());
    let sandbox =
        Sandbox::new((allocation, 0), &limits, off, Compiler::None, Environment::default(), None, None);
    let (is_kin, trouble) = (theirs == current_build_id(), sandbox.as_ref().err().map(ToString::to_string));
    let words = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    let (holds, missing) = held.list_parts();
    send_answer(
        wire,
        &Hello { build: current_build_id(), held: words(holds), missing: words(missing), trouble },
    )?;
    let Some(sandbox) = sandbox.ok().filter(|_| is_kin) else { return Ok(()) };
    let mut bench = WorkerState { sandbox, plugins: HashMap::new() };
    loop {
        let message = match receive_message(wire) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            message => message?,
        };
        let (request, bytes) = message.read()?;
        match request {
            WorkerRequest::Load { plugin, path, proposals, clock, random } => {
                let grants = Grants { clock, random, ..Grants::default() };
                let had = runtime.block_on(bench.load_plugin(plugin, (&path, &proposals), grants, bytes));
                send_answer(wire, &had)?;
            }
            WorkerRequest::Try { plugin, limits } => {
                let limits = limits.limits().ok_or_else(invalid_data_error)?;
                let tried: TryReply = match bench.plugins.get(&plugin) {
                    Some(plugin) => runtime.block_on(bench.sandbox.run_self_test(plugin, &limits)),
                    None => Err(unavailable_failure()),
                };
                send_answer(wire, &tried)?;
            }
            WorkerRequest::Call { plugin, call } => {
                send_answer(wire, &runtime.block_on(bench.call_plugin(plugin, &call)))?;
            }
            // The limits of the engine are fixed when the worker begins.
            WorkerRequest::Begin { .. } => return Err(invalid_data_error().into()),
        }
    }
}

struct WorkerState {
    sandbox: Sandbox,
    plugins: HashMap<u64, Plugin>,
}

impl WorkerState {
    async fn load_plugin(
        &mut self,
        number: u64,
        (path, names): (&str, &str),
        grants: Grants,
        code: &[u8],
    ) -> LoadReply {
        let path = Path::new(path);
        let proposals = if names.is_empty() { Some(Proposals::NONE) } else { Proposals::from_names(names) };
        let running = self.sandbox.engines.engine_for(proposals.ok_or_else(unavailable_failure)?)?;
        let code = from_bytes(&running.engine, path, code)?;
        let linked = link::link_code(&running.engine, code, path, &grants)?;
        let kind = linked.world.kind();
        let owner = Owner::new(hookbox_model::Layer::Project, path);
        let given = self.sandbox.shared.grant_capabilities(&linked, grants, owner).await?;
        let id = PluginId { digest: String::new(), name: None, version: None };
        let isolated = proposals != Some(Proposals::NONE);
        let plugin = Plugin { linked, running, isolated, id, manifest: None, given, quick: true.into() };
        self.plugins.insert(number, plugin);
        Ok(kind)
    }

    async fn call_plugin(&self, number: u64, called: &CallParameters<'_>) -> CallReply {
        let Some((plugin, limits)) = self.plugins.get(&number).zip(called.limits()) else {
            return bare_result(Err(unavailable_failure()));
        };
        let clock = host_clock(called.now());
        let sent = Arc::new(SentFacts { facts: called.facts(), missing: AtomicBool::new(false) });
        let source: Arc<dyn FactsSource> = Arc::<SentFacts>::clone(&sent);
        let call = Call {
            hook: "",
            event: called.event(),
            original: called.original(),
            outcome: called.outcome(),
            config: called.config(),
            limits: &limits,
            clock: &clock,
            facts: Some(&source),
        };
        let relay =
            Relay { input: called.input.as_deref().unwrap_or_default().into(), end: Mutex::default() };
        let reply = self.sandbox.call_plugin(plugin, call, &relay).await;
        let end = relay.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        CallReply {
            refused: reply.refused,
            usage: reply.usage,
            log: reply.log,
            end,
            needs_facts: sent.missing.load(Ordering::Relaxed),
            ..bare_result(reply.result)
        }
    }
}

/// Returns a result without log, usage and refusals.
fn bare_result(result: Result<Answer, Failure>) -> CallReply {
    CallReply {
        result,
        refused: Vec::new(),
        usage: hookbox_model::Usage::default(),
        log: Vec::new(),
        end: None,
        needs_facts: false,
    }
}

/// The facts that the host has sent with a call.
#[derive(Debug)]
struct SentFacts {
    facts: Option<Arc<ShellFacts>>,
    /// True if the guest has asked for facts that were not sent.
    missing: AtomicBool,
}

impl FactsSource for SentFacts {
    fn find_facts<'a>(&'a self, _: &'a CommandLine) -> FactsFuture<'a> {
        if self.facts.is_none() {
            self.missing.store(true, Ordering::Relaxed);
        }
        Box::pin(async move { self.facts.clone().ok_or(FactsNotSent) })
    }
}

fn invalid_data_error() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

fn unavailable_failure() -> Failure {
    Failure::new(FailureCode::Internal, "the host asks for what this worker does not have")
}

/// Returns the host's clock, since the machine's may differ.
fn host_clock(now: u64) -> Clock {
    let began = Instant::now();
    Clock::new(move || now.saturating_add(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)))
}

/// Placeholder for the contract with a program, which the host evaluates: the input came with the message, and the
/// program's end is sent back.
#[derive(Debug)]
struct Relay {
    input: Arc<str>,
    end: Mutex<Option<ProgramEnd>>,
}

impl Contract for Relay {
    fn id(&self) -> String {
        "worker".to_owned()
    }

    fn event(&self, _: &Call<'_>) -> String {
        self.input.to_string()
    }

    fn variables(&self, _: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        Ok(Vec::new())
    }

    fn end(&self, _: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        let end = ProgramEnd::new(end.exit, end.stdout, end.stderr);
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
        Ok(Answer::default())
    }
}

/// Waits for a complete message.
fn receive_message(wire: &Wire) -> io::Result<Incoming> {
    let mut message = Incoming::default();
    while !receive_some(wire, &mut message, MOST_TO_WORKER)? {
        wire.wait_to_receive(None)?;
    }
    Ok(message)
}

fn send_answer(wire: &Wire, answer: &impl Serialize) -> io::Result<()> {
    let message = frame::encode_message(answer, &[])?;
    let mut sent = 0;
    while let Some(rest) = message.get(sent..).filter(|rest| !rest.is_empty()) {
        match wire.send_some(rest)? {
            0 => wire.wait_to_send()?,
            more => sent += more,
        }
    }
    Ok(())
}
