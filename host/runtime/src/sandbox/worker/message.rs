//! Messages between host and worker. The host begins, and each message has one answer.

use std::{borrow::Cow, path::Path, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hookbox_model::{
    Answer, CapabilityRefusal, Event, Exit, Failure, FailureCode, Grants, HandlerKind, HookReport, Json,
    Labelled, Limit, Limits, LogLine, Outcome, Proposals, Reason, Role, ShellFacts, Status, Usage,
};
use serde::{Deserialize, Serialize};

use super::super::{engine_settings::SETTINGS, kind::Kind};
use crate::interfaces::Call;

/// Returns the build of this side: the protocol has no versions, so both sides must be of one build.
pub(super) fn current_build_id() -> String {
    format!("{} {SETTINGS}", env!("CARGO_PKG_VERSION"))
}

/// Request of the host.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum WorkerRequest<'a> {
    /// Prepares for calls with these limits, with a pool if many will come.
    Begin { build: Cow<'a, str>, limits: Numbers, pool: bool },
    /// Loads this plugin. Its native code comes with the message.
    Load { plugin: u64, path: String, proposals: String, clock: bool, random: bool },
    /// Creates one instance of it without calling it.
    Try { plugin: u64, limits: Numbers },
    /// Calls it.
    Call { plugin: u64, call: Box<CallParameters<'a>> },
}

/// Parameters of a call.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct CallParameters<'a> {
    event: Cow<'a, Event>,
    original: Option<Cow<'a, Json>>,
    outcome: Option<Outcome>,
    config: Cow<'a, Json>,
    limits: Numbers,
    now: u64,
    /// Standard input, for plugins that are programs.
    pub(super) input: Option<String>,
    /// Facts about the event's command line, once the plugin has asked for them.
    facts: Option<Cow<'a, ShellFacts>>,
}

impl<'a> CallParameters<'a> {
    pub(super) fn from_call(call: &Call<'a>, input: Option<String>, facts: Option<&'a ShellFacts>) -> Self {
        Self {
            event: Cow::Borrowed(call.event),
            original: call.original.map(Cow::Borrowed),
            outcome: call.outcome.map(reduce_outcome),
            config: Cow::Borrowed(call.config),
            limits: Numbers::from_limits(call.limits),
            now: call.clock.now_ms(),
            input,
            facts: facts.map(Cow::Borrowed),
        }
    }

    /// Returns the facts that the host has sent.
    pub(super) fn facts(&self) -> Option<Arc<ShellFacts>> {
        self.facts.as_deref().cloned().map(Arc::new)
    }

    pub(super) fn event(&self) -> &Event {
        &self.event
    }

    pub(super) fn original(&self) -> Option<&Json> {
        self.original.as_deref()
    }

    pub(super) fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub(super) fn config(&self) -> &Json {
        &self.config
    }

    pub(super) fn limits(&self) -> Option<Limits> {
        self.limits.limits()
    }

    /// Returns the host's time, milliseconds since the Unix epoch.
    pub(super) fn now(&self) -> u64 {
        self.now
    }
}

/// Returns the part of an outcome that a guest receives, without other texts of the hooks.
fn reduce_outcome(outcome: &Outcome) -> Outcome {
    let decider = |by: &Labelled<Reason>| Labelled { hook: by.hook.clone(), value: Reason::new("", "") };
    let failed = |hook: &&str| {
        let failure = Failure::new(FailureCode::Internal, "");
        HookReport::new(*hook, HandlerKind::Wasm, Role::Gate, Status::Failed(failure))
    };
    Outcome {
        verdict: outcome.verdict.clone(),
        reasons: outcome.reasons.iter().map(decider).collect(),
        rewrite: outcome.rewrite.clone(),
        reports: outcome.failed().iter().map(failed).collect(),
        ..Outcome::default()
    }
}

/// Limits, in the order of their table.
#[derive(Serialize, Deserialize)]
pub(super) struct Numbers(Vec<u64>);

impl Numbers {
    pub(super) fn from_limits(limits: &Limits) -> Self {
        Self(Limit::all().map(|limit| limits.get(limit)).collect())
    }

    pub(super) fn limits(&self) -> Option<Limits> {
        let mut all = Limit::all().zip(&self.0);
        all.try_fold(Limits::default(), |limits, (limit, value)| limits.with_limit(limit, *value).ok())
    }
}

/// Creates the request for loading a plugin.
pub(super) fn build_load_request(
    plugin: u64,
    path: &Path,
    proposals: Proposals,
    grants: &Grants,
) -> WorkerRequest<'static> {
    WorkerRequest::Load {
        plugin,
        path: path.display().to_string(),
        proposals: proposals.names(),
        // The other grants need files, variables or a network, and a worker has none of these.
        clock: grants.clock,
        random: grants.random,
    }
}

/// Answer to [`WorkerRequest::Begin`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    pub(super) build: String,
    /// Privileges that it has given up, for the user.
    pub(super) held: Vec<String>,
    pub(super) missing: Vec<String>,
    /// Reason why it cannot run guests.
    pub(super) trouble: Option<String>,
}

/// Answer to [`WorkerRequest::Load`].
pub(super) type LoadReply = Result<Kind, Failure>;

/// Answer to [`WorkerRequest::Try`].
pub(super) type TryReply = Result<(), Failure>;

/// Answer to [`WorkerRequest::Call`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallReply {
    pub(super) result: Result<Answer, Failure>,
    pub(super) refused: Vec<CapabilityRefusal>,
    pub(super) usage: Usage,
    pub(super) log: Vec<LogLine>,
    /// End of a program that has not failed.
    pub(super) end: Option<ProgramEnd>,
    /// True if the call was ended since the plugin asked for facts that the host has not sent.
    pub(super) needs_facts: bool,
}

impl CallReply {
    /// Returns true if its process can be used again. A process that has itself failed cannot.
    pub(super) fn is_in_order(&self) -> bool {
        self.result.as_ref().err().is_none_or(|failure| failure.code != FailureCode::Internal)
    }
}

/// End of a program.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramEnd {
    pub(super) exit: Exit,
    stdout: String,
    pub(super) stderr: String,
}

impl ProgramEnd {
    pub(super) fn new(exit: Exit, stdout: &[u8], stderr: &str) -> Self {
        Self { exit, stdout: STANDARD.encode(stdout), stderr: stderr.to_owned() }
    }

    /// Returns its standard output.
    pub(super) fn written(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.stdout).ok()
    }
}
