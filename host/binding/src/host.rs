//! A host as a program of another language has it.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hookbox::{dialect::Arrival, model::EventName};
use hookbox_service::{Answered, Ask, HookHandle, Service, logging};
use serde_json::{Value, json};

use crate::{
    BindingError, ErrorCode, HookFunction, HostOptions, Pool, event, function, hook, options::named, outcome,
};

/// Answers events of one user. Clones are the same host.
#[derive(Clone)]
pub struct BoundHost(Service);

/// What an agent sent, and what is known beside it.
pub struct Envelope {
    /// The agent; `None` if the bytes must tell.
    pub agent: Option<String>,
    /// What it sent.
    pub bytes: Vec<u8>,
    /// The working folder, if the bytes do not say it.
    pub cwd: PathBuf,
    /// How long the agent waits, if that is known.
    pub patience: Option<Duration>,
}

impl Envelope {
    /// The question that it is.
    pub fn open(self) -> Result<Ask, BindingError> {
        let dialect = self.agent.as_deref().map(named).transpose()?;
        let mut ask = Ask::new(dialect, self.bytes, arrival(&self.cwd));
        ask.patience = self.patience;
        Ok(ask)
    }
}

impl BoundHost {
    /// A host for these options, on the machines of `pool`. Nothing is read yet.
    pub fn new(options: &HostOptions, pool: &Pool) -> Result<Self, BindingError> {
        let value = |name: &str| {
            let mut variables = options.variables.iter();
            variables.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        logging::start(value).map_err(|message| BindingError::new(ErrorCode::Options, message))?;
        let machines = pool.of(&options.user());
        let builder = Service::builder(options.surroundings()).hooks(options.source()?);
        Ok(Self(builder.machines(&machines).build()))
    }

    pub(crate) fn service(&self) -> &Service {
        &self.0
    }

    /// The answer to what an agent sent. Whatever happens, there is one.
    pub async fn answer(&self, ask: Ask) -> Answered {
        self.0.answer(ask).await
    }

    /// What the chain comes to for the event in this JSON text.
    pub async fn dispatch(&self, event: &str, cwd: &Path) -> Result<String, BindingError> {
        let event = event::read(event, &arrival(cwd))?;
        Ok(outcome::told(&self.0.dispatch(&event).await))
    }

    /// What an answer is made of, as JSON text.
    pub fn outcome(answered: &Answered) -> Option<String> {
        answered.outcome.as_ref().map(outcome::told)
    }

    /// Makes a function a hook, by these words as JSON text. Returns its name, too.
    pub fn hook(&self, words: &str, function: Arc<dyn HookFunction>) -> Result<HookHandle, BindingError> {
        Ok(self.0.add(hook::placed(hook::read(words)?), function::callback(function)))
    }

    /// What is wrong with these words for a hook, if anything; else the name of the hook.
    pub fn name_of_hook(words: &str) -> Result<String, BindingError> {
        Ok(hook::read(words)?.name)
    }

    /// Takes a function out again; false if it is out.
    pub fn remove(&self, handle: HookHandle) -> bool {
        self.0.remove(handle)
    }

    /// Switches hooks on or off by their name, and returns how many of `folder` that are.
    pub fn set_enabled(&self, folder: &Path, name: &str, enabled: bool) -> usize {
        self.0.set_hook_enabled(folder, name, enabled)
    }

    /// The names of the events in `folder` that hooks are for.
    pub fn events(&self, folder: &Path) -> Vec<String> {
        self.0.events(folder).iter().map(EventName::to_string).collect()
    }

    /// The hooks for `folder` in the order of their chain, as JSON text.
    pub fn hooks(&self, folder: &Path) -> String {
        let host = self.0.host(folder);
        let hooks = host.hooks().map(|state| {
            let spec = state.spec;
            json!({
                "name": spec.label(),
                "events": spec.events,
                "role": spec.role,
                "layer": spec.origin.layer,
                "tier": spec.origin.tier,
                "file": spec.origin.file,
                "line": spec.origin.line,
                "enabled": state.enabled,
                "failures": state.failures.in_a_row,
            })
        });
        hooks.collect::<Value>().to_string()
    }

    /// Loads and compiles what the hooks of `folder` call, so that no event has to wait for it. Those that cannot be made ready, and
    /// why, as JSON text.
    pub async fn prepare(&self, folder: &Path) -> String {
        let host = self.0.host_async(folder).await;
        let prepared = host.prepare().await;
        let failed = prepared.into_iter().filter_map(|(spec, result)| {
            let failure = result.err()?;
            Some(json!({ "hook": spec.label(), "code": failure.code, "message": failure.message }))
        });
        failed.collect::<Value>().to_string()
    }

    /// Reads all files anew at the next event.
    pub fn reload(&self) {
        self.0.reload();
    }
}

pub(crate) fn arrival(cwd: &Path) -> Arrival {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    Arrival {
        id: format!("{:x}-{:x}-{number:x}", since.as_nanos(), std::process::id()),
        time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        cwd: cwd.display().to_string(),
    }
}
