//! What a chain came to, and what each of its hooks did.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{
    Answer, Effect, Json, Layer, OnFailure, PluginName, ProfileName, Reason, Refusal, Role, Tier, Verdict,
    Version, bounded_text, record, words::words,
};

/// Something that a hook said, with the hook's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labelled<T> {
    /// The hook.
    pub hook: String,
    /// What it said.
    pub value: T,
}

/// What the whole chain came to. The default is that of an empty chain: nothing to say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The verdict that won; its reason joins those of `reasons`.
    pub verdict: Verdict,
    /// The reasons of the winning rank, in chain order.
    pub reasons: Vec<Labelled<Reason>>,
    /// The rewritable part as the chain left it. In native chains always `None` beside a deny.
    pub rewrite: Option<Json>,
    /// The profile by which the command runs confined, by each hook that said so: `rewrite` has that command. None beside a deny.
    pub confine: Vec<Labelled<ProfileName>>,
    /// Texts for the model, kept apart.
    #[serde(deserialize_with = "record::visible")]
    pub contexts: Vec<Labelled<String>>,
    /// Texts for the person.
    #[serde(deserialize_with = "record::visible")]
    pub notices: Vec<Labelled<String>>,
    /// End the run; the first hook that said so.
    #[serde(default, deserialize_with = "record::visible")]
    pub stop: Option<Labelled<String>>,
    /// Event-specific fields.
    pub extras: Vec<Labelled<Json>>,
    /// One report per selected hook, in chain order.
    pub reports: Vec<HookReport>,
    /// Wall clock of the whole chain.
    #[serde(rename = "wall_ns", with = "record::nanoseconds")]
    pub wall: Duration,
}

impl Outcome {
    /// The names of the hooks whose verdict won, in chain order.
    pub fn deciders(&self) -> Vec<&str> {
        self.reasons.iter().map(|reason| reason.hook.as_str()).collect()
    }

    /// The names of the hooks that failed, in chain order.
    pub fn failed(&self) -> Vec<&str> {
        let failed = self.reports.iter().filter(|report| matches!(report.status, Status::Failed(_)));
        failed.map(|report| report.hook.as_str()).collect()
    }
}

words! {
    /// What a handler is.
    pub enum HandlerKind {
        /// A component in the sandbox.
        Wasm = "wasm",
        /// A child process.
        Shell = "shell",
        /// An HTTP request.
        Webhook = "webhook",
        /// A function of Python.
        Python = "python",
        /// A closure of the embedding program.
        Callback = "callback",
    }
}

/// What became of one hook of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HookReport {
    /// Its name; of a hook that nobody has reviewed, a label of ours.
    pub hook: String,
    /// What it calls.
    pub kind: HandlerKind,
    /// What it is there for.
    pub role: Role,
    /// Where it was configured.
    pub layer: Layer,
    /// How far that is trusted.
    pub tier: Tier,
    /// What its failure means.
    pub on_failure: OnFailure,
    /// How the call went.
    pub status: Status,
    /// Effects that its answer asked for and that it may not have.
    pub clamped: Vec<Effect>,
    /// What it answered, if something was taken out of that and someone has reviewed it.
    pub raw: Option<Box<Answer>>,
    /// What it tried and may not do.
    pub refused: Vec<Refusal>,
    /// What the call used.
    pub usage: Usage,
    /// What it wrote to its log.
    pub log: Vec<LogLine>,
    /// How its process ended, if it is one and was started.
    pub process: Option<ProcessResult>,
    /// The plugin that was called, if it is one.
    pub plugin: Option<PluginId>,
    /// What it says in its own words, if nobody has reviewed it: `hook` and `status` hold ours.
    pub unreviewed: Option<Box<Unreviewed>>,
}

/// The words of a hook that nobody has reviewed. They are for a person, escaped, and for no model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreviewed {
    /// Its name.
    pub name: String,
    /// How its call went, with all that it said.
    pub status: Status,
}

impl HookReport {
    /// A report of the least trusted hook, whose failure denies, until its fields say otherwise.
    pub fn new(hook: impl Into<String>, kind: HandlerKind, role: Role, status: Status) -> Self {
        Self {
            hook: hook.into(),
            kind,
            role,
            layer: Layer::Project,
            tier: Tier::Unknown,
            on_failure: OnFailure::Deny,
            status,
            clamped: Vec::new(),
            raw: None,
            refused: Vec::new(),
            usage: Usage::default(),
            log: Vec::new(),
            process: None,
            plugin: None,
            unreviewed: None,
        }
    }

    /// What the host itself does beside the hooks, under a name of its own.
    pub fn of_host(name: &str, answer: Answer) -> Self {
        let mut report = Self::new(name, HandlerKind::Callback, Role::Gate, Status::Answered(answer));
        (report.layer, report.tier, report.on_failure) = (Layer::Session, Tier::Own, OnFailure::Allow);
        report
    }

    /// What the handler itself answered, before anything was taken out of it or put in its place; `None` if it did not answer. Of
    /// a hook that nobody has reviewed these are a stranger's words, for no model.
    pub fn raw_answer(&self) -> Option<&Answer> {
        let status = self.unreviewed.as_ref().map_or(&self.status, |theirs| &theirs.status);
        match status {
            Status::Answered(answer) => Some(self.raw.as_deref().unwrap_or(answer)),
            Status::Failed(_) | Status::Skipped => None,
        }
    }
}

/// How a hook's process ended, for people: what it means is in the answer or the failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessResult {
    /// Its exit code, or the signal that ended it.
    pub exit: Exit,
    /// What it wrote to standard output: cleaned, without secrets, cut at [`MAX_TEXT_CHARS`](crate::MAX_TEXT_CHARS).
    #[serde(deserialize_with = "record::bounded")]
    pub stdout: String,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// With this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// How a call went. A failure is a value here, never an error of the chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It answered; this is what was left after clamping.
    Answered(Answer),
    /// It failed.
    Failed(Failure),
    /// The chain had ended before its turn.
    Skipped,
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Failure {
    /// Stable, for machines.
    pub code: FailureCode,
    /// What happened, to which thing, what to do; for people.
    #[serde(deserialize_with = "record::bounded")]
    pub message: String,
    /// What the hook said to the person all the same, where its system shows that beside a failure.
    #[serde(default, deserialize_with = "record::bounded")]
    pub notice: Option<String>,
}

impl Failure {
    /// A failure; the message is bounded and cleaned.
    pub fn new(code: FailureCode, message: &str) -> Self {
        Self { code, message: bounded_text(message), notice: None }
    }

    /// The same, with what the hook said to the person; it is bounded and cleaned.
    #[must_use]
    pub fn with_notice(mut self, notice: Option<&str>) -> Self {
        self.notice = notice.map(bounded_text);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

words! {
    /// The ways to fail, each with a stable code.
    #[non_exhaustive]
    pub enum FailureCode {
        /// The guest trapped.
        Trap = "trap",
        /// The guest's own `err`, or a callback's error.
        HookError = "hook-error",
        /// The guest used up its fuel.
        Fuel = "fuel",
        /// The guest asked for more memory, tables or instances than it may have.
        Memory = "memory",
        /// The guest used up its wasm stack.
        Stack = "stack",
        /// More host calls than allowed.
        HostCalls = "host-calls",
        /// More output than allowed.
        Output = "output",
        /// No answer within the hook's timeout.
        Timeout = "timeout",
        /// No answer within what was left of the chain's budget.
        Budget = "budget",
        /// The caller gave up.
        Cancelled = "cancelled",
        /// The answer is not one.
        BadOutput = "bad-output",
        /// The process ended with a non-zero exit code.
        Exit = "exit",
        /// The process was killed by a signal.
        Signal = "signal",
        /// The process could not be started.
        Spawn = "spawn",
        /// The server could not be reached.
        Connect = "connect",
        /// The server's status is not a success; a redirect is not followed.
        HttpStatus = "http-status",
        /// A capability or an import that was not granted.
        Refused = "refused",
        /// The file is gone or cannot be read.
        Missing = "missing",
        /// The file is not a component of a world that hookbox knows.
        BadComponent = "bad-component",
        /// The file is another one than its hook's entry says.
        Replaced = "replaced",
        /// The component is not compiled yet and could not be in time.
        NotCompiled = "not-compiled",
        /// The hook's own command led to the event.
        Loop = "loop",
        /// It failed too often in a row and is not called for a while.
        Tripped = "tripped",
        /// The handler panicked.
        Panic = "panic",
        /// hookbox itself failed.
        Internal = "internal",
    }
}

/// What one call used. A handler leaves out what it cannot measure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Wall clock of the call.
    #[serde(rename = "wall_ns", with = "record::nanoseconds")]
    pub wall: Duration,
    /// Fuel.
    pub fuel: Option<u64>,
    /// Most linear memory at once, bytes.
    pub peak_memory: Option<u64>,
    /// Number of host calls.
    pub host_calls: Option<u64>,
    /// Number of requests that were sent.
    pub requests: u64,
    /// Log text that was kept, bytes.
    pub log_bytes: u64,
    /// Log lines that were dropped past the quota.
    pub log_dropped: u64,
    /// Whether the handler had to be made ready first.
    pub start: Option<Start>,
}

/// Which plugin: the digest decides. What it says of itself is for people, since nobody vouches for that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginId {
    /// SHA-256 of its file, in hexadecimal.
    #[serde(deserialize_with = "record::sha256")]
    pub digest: String,
    /// Its name, by its manifest.
    pub name: Option<PluginName>,
    /// Its version, by its manifest.
    pub version: Option<Version>,
}

words! {
    /// Whether a component was ready in memory when it was called.
    pub enum Start {
        /// It was loaded for this call.
        Cold = "cold",
        /// It was loaded before.
        Warm = "warm",
    }
}

/// One line of a hook's log, cleaned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LogLine {
    /// How much it matters, as the hook says.
    pub level: LogLevel,
    /// The text.
    #[serde(deserialize_with = "record::bounded")]
    pub message: String,
}

impl LogLine {
    /// A line; its text is bounded and cleaned.
    pub fn new(level: LogLevel, message: &str) -> Self {
        Self { level, message: bounded_text(message) }
    }
}

words! {
    /// How much a line of a log matters.
    pub enum LogLevel {
        /// Every step.
        Trace = "trace",
        /// For whoever looks for a mistake.
        Debug = "debug",
        /// What is done.
        Info = "info",
        /// What may be wrong.
        Warn = "warn",
        /// What is wrong.
        Error = "error",
    }
}
