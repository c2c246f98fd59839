//! llxprt-code's log records about the hooks of an event, as values (docs/reference/agents/llxprt.md). Nothing is written here: the
//! embedding program has a log, the library has none.

use hookbox_model::{Effect, Event, Exit, HookReport, LogLine, Outcome, Status, TrustLevel};
use serde::Serialize;

/// Result of one hook that was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookResult {
    /// llxprt-code's name for the event.
    pub event_name: String,
    /// The hook's name.
    pub hook_identity: String,
    /// Milliseconds.
    pub duration: u64,
    /// True if the hook answered.
    pub success: bool,
    /// The exit code of a process that ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Standard output of a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// The hook's log: the standard error of a process.
    pub stderr: String,
    /// Failure of a hook that did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// Parts of its answer that were removed, since its role or its trust does not allow them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clamped: Vec<Effect>,
}

/// One record; `type` on the wire is llxprt-code's name for its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum LogRecord<'a> {
    /// Result of one hook.
    #[serde(rename = "hook:result")]
    HookResult(HookResult),
    /// A hook failed.
    #[serde(rename = "hook:failure_diagnostic")]
    FailureDiagnostic {
        /// llxprt-code's name for the event.
        event_name: &'a str,
        /// The hook's name.
        hook_identity: &'a str,
        /// The stable code of the failure.
        error_code: &'static str,
        /// The failure and the next step.
        error_message: &'a str,
    },
    /// All hooks of the event.
    #[serde(rename = "hook:batch_summary")]
    BatchSummary {
        /// llxprt-code's name for the event.
        event_name: &'a str,
        /// Number of hooks that were called.
        hook_count: usize,
        /// Number of hooks that answered.
        success_count: usize,
        /// Number of hooks that failed.
        failure_count: usize,
        /// Sum of the hooks' times, milliseconds.
        total_duration: u64,
    },
}

/// Returns the records of an event: one for each hook that was called, with a diagnostic after each that failed, and a summary. Skipped
/// hooks are not counted.
pub fn log_records<'a>(event: &'a Event, outcome: &'a Outcome) -> Vec<LogRecord<'a>> {
    let name = event.agent_event.as_str();
    let called: Vec<_> = outcome.reports.iter().filter(|report| report.status != Status::Skipped).collect();
    let mut records = Vec::new();
    for report in &called {
        records.push(LogRecord::HookResult(HookResult::new(name, report)));
        records.extend(build_diagnostic(name, report));
    }
    let failure_count = outcome.failed().len();
    records.push(LogRecord::BatchSummary {
        event_name: name,
        hook_count: called.len(),
        success_count: called.len() - failure_count,
        failure_count,
        total_duration: called.iter().map(|report| to_milliseconds(report)).sum(),
    });
    records
}

impl HookResult {
    pub(crate) fn new(event_name: &str, report: &HookReport) -> Self {
        let error_message = match &report.status {
            Status::Failed(failure) => Some(failure.message.clone()),
            _ => None,
        };
        let lines: Vec<_> = report.log.iter().map(|LogLine { message, .. }| message.as_str()).collect();
        Self {
            event_name: event_name.to_owned(),
            hook_identity: report.hook.clone(),
            duration: to_milliseconds(report),
            success: error_message.is_none(),
            exit_code: report.process.as_ref().and_then(|process| match process.exit {
                Exit::Code(code) => Some(code),
                // Node reports no exit code for a process that a signal ended.
                Exit::Signal(_) => None,
            }),
            stdout: report.process.as_ref().map(|process| process.stdout.clone()),
            stderr: lines.join("\n"),
            error_message,
            clamped: report.clamped.clone(),
        }
    }

    /// Returns the results of the hooks that were called. The output of an untrusted hook is for the log and not for the agent.
    pub(crate) fn of_outcome(event: &Event, outcome: &Outcome) -> Vec<Self> {
        let called = outcome.reports.iter().filter(|report| report.status != Status::Skipped);
        let results = called.map(|report| {
            let result = Self::new(&event.agent_event, report);
            match report.trust_level {
                // The output of an untrusted project's hook could carry instructions for the model.
                TrustLevel::Untrusted => Self { stdout: None, stderr: String::new(), ..result },
                _ => result,
            }
        });
        results.collect()
    }
}

fn build_diagnostic<'a>(event_name: &'a str, report: &'a HookReport) -> Option<LogRecord<'a>> {
    let Status::Failed(failure) = &report.status else { return None };
    Some(LogRecord::FailureDiagnostic {
        event_name,
        hook_identity: &report.hook,
        error_code: failure.code.as_str(),
        error_message: &failure.message,
    })
}

fn to_milliseconds(report: &HookReport) -> u64 {
    u64::try_from(report.usage.wall.as_millis()).unwrap_or(u64::MAX)
}
