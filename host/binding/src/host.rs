//! A host for a program in another language.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hookbox::{agents::ReadContext, model::EventName};
use hookbox_service::{AgentRequest, Answered, HookHandle, Service, logging};
use serde_json::{Value, json};

use crate::{
    BindingError, ErrorCode, HookFunction, HostOptions, Pool, event, function, hook, options::named, outcome,
};

/// Answers events of one user. Clones share one host.
#[derive(Clone)]
pub struct BoundHost(Service);

/// An agent's request and its context.
pub struct Envelope {
    /// The agent; `None` to detect it from the bytes.
    pub agent: Option<String>,
    /// The bytes that it sent.
    pub bytes: Vec<u8>,
    /// The working folder, if the bytes do not contain it.
    pub cwd: PathBuf,
    /// The agent timeout, if it is known.
    pub agent_timeout: Option<Duration>,
}

impl Envelope {
    /// Converts it to a request for the service.
    pub fn open(self) -> Result<AgentRequest, BindingError> {
        let dialect = self.agent.as_deref().map(named).transpose()?;
        let mut ask = AgentRequest::new(dialect, self.bytes, arrival(&self.cwd));
        ask.agent_timeout = self.agent_timeout;
        Ok(ask)
    }
}

impl BoundHost {
    /// Creates a host for these options, on the machines of `pool`. Nothing is read yet.
    pub fn new(options: &HostOptions, pool: &Pool) -> Result<Self, BindingError> {
        let value = |name: &str| {
            let mut variables = options.variables.iter();
            variables.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        logging::start(value).map_err(|error| BindingError::new(ErrorCode::Options, error.to_string()))?;
        let machines = pool.of(&options.user());
        let builder = Service::builder(options.surroundings()).hooks(options.source()?);
        Ok(Self(builder.machines(&machines).build()))
    }

    pub(crate) fn service(&self) -> &Service {
        &self.0
    }

    /// Returns the answer to an agent's request. There always is one.
    pub async fn answer(&self, ask: AgentRequest) -> Answered {
        self.0.answer(ask).await
    }

    /// Returns the outcome of the chain for the event in this JSON text, as JSON text.
    pub async fn dispatch(&self, event: &str, cwd: &Path) -> Result<String, BindingError> {
        let event = event::read(event, &arrival(cwd))?;
        Ok(outcome::format_outcome(&self.0.dispatch(&event).await))
    }

    /// Returns the outcome behind an answer, as JSON text.
    pub fn outcome(answered: &Answered) -> Option<String> {
        answered.outcome.as_ref().map(outcome::format_outcome)
    }

    /// Registers a function as a hook, described by `words` as JSON text. Returns the handle for removing it.
    pub fn hook(&self, words: &str, function: Arc<dyn HookFunction>) -> Result<HookHandle, BindingError> {
        Ok(self.0.add(hook::placed(hook::read(words)?), function::callback(function)))
    }

    /// Checks the description of a hook, and returns the name of the hook.
    pub fn name_of_hook(words: &str) -> Result<String, BindingError> {
        Ok(hook::read(words)?.name)
    }

    /// Removes a function; false if it is removed already.
    pub fn remove(&self, handle: HookHandle) -> bool {
        self.0.remove(handle)
    }

    /// Switches hooks on or off by their name, and returns the number of hooks of `folder` with this name.
    pub fn set_enabled(&self, folder: &Path, name: &str, enabled: bool) -> usize {
        self.0.set_hook_enabled(folder, name, enabled)
    }

    /// Returns the names of the events in `folder` that have hooks.
    pub fn events(&self, folder: &Path) -> Vec<String> {
        self.0.events(folder).iter().map(EventName::to_string).collect()
    }

    /// Returns the hooks for `folder` in the order of their chain, as JSON text.
    pub fn hooks(&self, folder: &Path) -> String {
        let host = self.0.host(folder);
        let hooks = host.hooks().map(|state| {
            let spec = state.spec;
            json!({
                "name": spec.label(),
                "events": spec.events,
                "role": spec.role,
                "layer": spec.origin.layer,
                "trust_level": spec.origin.trust_level,
                "file": spec.origin.file,
                "line": spec.origin.line,
                "enabled": state.enabled,
                "failures": state.failures.in_a_row,
            })
        });
        hooks.collect::<Value>().to_string()
    }

    /// Loads and compiles the handlers of the hooks of `folder`, so that no event has to wait for it. Returns the hooks that could not be
    /// prepared, with reasons, as JSON text.
    pub async fn prepare(&self, folder: &Path) -> String {
        let host = self.0.host_async(folder).await;
        let prepared = host.prepare().await;
        let failed = prepared.into_iter().filter_map(|(spec, result)| {
            let failure = result.err()?;
            Some(json!({ "hook": spec.label(), "code": failure.code, "message": failure.message }))
        });
        failed.collect::<Value>().to_string()
    }

    /// Reads all files again at the next event.
    pub fn reload(&self) {
        self.0.reload();
    }
}

pub(crate) fn arrival(cwd: &Path) -> ReadContext {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    ReadContext {
        // Unique without a random source: after a fork the process id differs, within a process the number
        // does.
        id: format!("{:x}-{:x}-{number:x}", since.as_nanos(), std::process::id()),
        time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        cwd: cwd.display().to_string(),
    }
}
