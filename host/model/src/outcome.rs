//! Outcome of a chain, and the reports of its hooks.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{
    Answer, CapabilityRefusal, Effect, Json, Layer, OnFailure, PluginName, ProfileName, Reason, Role,
    TrustLevel, Verdict, Version, bounded_text, record, words::words,
};

/// A value from a hook, with the hook's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labelled<T> {
    /// The hook.
    pub hook: String,
    /// The value.
    pub value: T,
}

/// Outcome of the whole chain. The default is the outcome of an empty chain: no opinion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The verdict that won; its reason joins those of `reasons`.
    pub verdict: Verdict,
    /// The reasons of the winning rank, in chain order.
    pub reasons: Vec<Labelled<Reason>>,
    /// The rewritable part after the chain. In native chains always `None` together with a deny.
    pub rewrite: Option<Json>,
    /// The profile in which the command runs confined, by each hook that set it: `rewrite` has that command. Empty together with a deny.
    pub confine: Vec<Labelled<ProfileName>>,
    /// Texts for the model, one per hook.
    #[serde(deserialize_with = "record::visible")]
    pub contexts: Vec<Labelled<String>>,
    /// Texts for the user.
    #[serde(deserialize_with = "record::visible")]
    pub notices: Vec<Labelled<String>>,
    /// Ends the run; from the first hook that asked for it.
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
    /// Returns the names of the hooks whose verdict won, in chain order.
    pub fn deciders(&self) -> Vec<&str> {
        self.reasons.iter().map(|reason| reason.hook.as_str()).collect()
    }

    /// Returns the names of the hooks that failed, in chain order.
    pub fn failed(&self) -> Vec<&str> {
        let failed = self.reports.iter().filter(|report| matches!(report.status, Status::Failed(_)));
        failed.map(|report| report.hook.as_str()).collect()
    }
}

words! {
    /// Kind of a handler.
    pub enum HandlerKind {
        /// A component in the sandbox.
        Wasm = "wasm",
        /// A child process.
        Shell = "shell",
        /// An HTTP request.
        Webhook = "webhook",
        /// A Python function.
        Python = "python",
        /// A closure of the embedding program.
        Callback = "callback",
    }
}

/// Report on one hook of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HookReport {
    /// Its name; a label of hookbox for an untrusted hook.
    pub hook: String,
    /// Kind of its handler.
    pub kind: HandlerKind,
    /// Its role.
    pub role: Role,
    /// The layer in which it was configured.
    pub layer: Layer,
    /// Trust level of that layer or file.
    pub trust_level: TrustLevel,
    /// Effect of its failure.
    pub on_failure: OnFailure,
    /// Result of the call.
    pub status: Status,
    /// Effects that its answer asked for and may not have.
    pub clamped: Vec<Effect>,
    /// Its original answer, if clamping removed something and the hook is trusted.
    pub raw: Option<Box<Answer>>,
    /// Its refused attempts.
    pub refused: Vec<CapabilityRefusal>,
    /// Resources that the call used.
    pub usage: Usage,
    /// Lines that it wrote to its log.
    pub log: Vec<LogLine>,
    /// Result of its process, if one was started.
    pub process: Option<ProcessResult>,
    /// The called plugin, if it is one.
    pub plugin: Option<PluginId>,
    /// Its name and status in its own words, if it is untrusted: `hook` and `status` hold hookbox's words.
    pub unreviewed: Option<Box<Unreviewed>>,
}

/// The words of an untrusted hook. They are for the user, escaped, and never for a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreviewed {
    /// Its name.
    pub name: String,
    /// Result of its call, with all its texts.
    pub status: Status,
}

impl HookReport {
    /// Creates a report of the least trusted hook, whose failure denies, until its fields are set otherwise.
    pub fn new(hook: impl Into<String>, kind: HandlerKind, role: Role, status: Status) -> Self {
        Self {
            hook: hook.into(),
            kind,
            role,
            layer: Layer::Project,
            trust_level: TrustLevel::Untrusted,
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

    /// Creates a report of an action of the host itself, under a name of its own.
    pub fn of_host(name: &str, answer: Answer) -> Self {
        let mut report = Self::new(name, HandlerKind::Callback, Role::Gate, Status::Answered(answer));
        (report.layer, report.trust_level, report.on_failure) =
            (Layer::Session, TrustLevel::Own, OnFailure::Allow);
        report
    }

    /// Returns the handler's answer before clamping or replacement; `None` if it did not answer. The answer of an untrusted hook has
    /// untrusted words and must not reach a model.
    pub fn raw_answer(&self) -> Option<&Answer> {
        let status = self.unreviewed.as_ref().map_or(&self.status, |theirs| &theirs.status);
        match status {
            Status::Answered(answer) => Some(self.raw.as_deref().unwrap_or(answer)),
            Status::Failed(_) | Status::Skipped => None,
        }
    }
}

/// End of a hook's process, for people: its meaning is in the answer or the failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessResult {
    /// Its exit code, or the signal that ended it.
    pub exit: Exit,
    /// Its standard output: cleaned, without secrets, cut at [`MAX_TEXT_CHARS`](crate::MAX_TEXT_CHARS).
    #[serde(deserialize_with = "record::bounded")]
    pub stdout: String,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// It was killed with this signal.
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

/// Result of a call. A failure is a value here, never an error of the chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The answer, after clamping.
    Answered(Answer),
    /// It failed.
    Failed(Failure),
    /// The chain ended before the hook was called.
    Skipped,
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Failure {
    /// Stable code, for machines.
    pub code: FailureCode,
    /// The failure, the affected thing and the next step; for people.
    #[serde(deserialize_with = "record::bounded")]
    pub message: String,
    /// Text of the hook for the user, where its system shows one in addition to a failure.
    #[serde(default, deserialize_with = "record::bounded")]
    pub notice: Option<String>,
}

impl Failure {
    /// Creates a failure; the message is bounded and cleaned.
    pub fn new(code: FailureCode, message: &str) -> Self {
        Self { code, message: bounded_text(message), notice: None }
    }

    /// Adds the hook's text for the user, bounded and cleaned.
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
    /// Kinds of failures, each with a stable code.
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
        /// The caller stopped waiting.
        Cancelled = "cancelled",
        /// The output is not a valid answer.
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
        /// The file has another digest than the hook's entry requires.
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

/// Resources used by one call. A handler leaves out those that it cannot measure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Wall clock of the call.
    #[serde(rename = "wall_ns", with = "record::nanoseconds")]
    pub wall: Duration,
    /// Fuel used.
    pub fuel: Option<u64>,
    /// Peak linear memory, bytes.
    pub peak_memory: Option<u64>,
    /// Number of host calls.
    pub host_calls: Option<u64>,
    /// Number of requests that were sent.
    pub requests: u64,
    /// Log text that was kept, bytes.
    pub log_bytes: u64,
    /// Log lines that were dropped past the quota.
    pub log_dropped: u64,
    /// Cold or warm start, if known.
    pub start: Option<Start>,
}

/// Identity of a plugin: the digest decides. Name and version are for people, since they are the plugin's own claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginId {
    /// SHA-256 of its file, in hexadecimal.
    #[serde(deserialize_with = "record::sha256")]
    pub digest: String,
    /// Name in its manifest.
    pub name: Option<PluginName>,
    /// Version in its manifest.
    pub version: Option<Version>,
}

words! {
    /// State of a component when it was called.
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
    /// Severity, as the hook states it.
    pub level: LogLevel,
    /// The text.
    #[serde(deserialize_with = "record::bounded")]
    pub message: String,
}

impl LogLine {
    /// Creates a line; its text is bounded and cleaned.
    pub fn new(level: LogLevel, message: &str) -> Self {
        Self { level, message: bounded_text(message) }
    }
}

words! {
    /// Severity of a line of a log.
    pub enum LogLevel {
        /// Every step.
        Trace = "trace",
        /// For finding mistakes.
        Debug = "debug",
        /// Actions.
        Info = "info",
        /// Possible errors.
        Warn = "warn",
        /// Errors.
        Error = "error",
    }
}
