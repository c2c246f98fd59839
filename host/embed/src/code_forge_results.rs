//! Results of an event's hooks with Code-Forge's types, as its `execute_hooks` returns them (docs/reference/agents/code-forge.md).

use std::time::Duration;

use hookbox_model::{Exit, FailureCode, HookReport, LogLine, Outcome, Status, Verdict};
use serde::Serialize;

/// Exit code of a hook that was killed, or never started.
const NO_END: i32 = -1;
/// Exit code of a closure that blocks.
const BLOCKED: i32 = 1;

/// Result of one hook.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HookResult {
    /// Identifier of the hook: its pattern.
    pub hook: String,
    /// Its exit code; the negative of the signal that ended it, and -1 if it had to be killed or could not be started.
    pub exit_code: i32,
    /// Its standard output, cleaned and without secrets.
    pub stdout: String,
    /// Its standard error, cleaned.
    pub stderr: String,
    /// Duration in seconds.
    pub duration: f64,
    /// True if it was killed at its time limit.
    pub timed_out: bool,
    /// The failure.
    pub error: Option<String>,
}

impl HookResult {
    /// Returns true if it succeeded.
    pub fn success(&self) -> bool {
        self.exit_code == 0 && !self.timed_out && self.error.is_none()
    }

    /// Returns true if the operation may continue.
    pub fn should_continue(&self) -> bool {
        self.exit_code == 0
    }
}

/// Returns the results of an event, in the order of its hooks. Skipped hooks have none.
pub fn hook_results(outcome: &Outcome) -> Vec<HookResult> {
    let called = outcome.reports.iter().filter(|report| report.status != Status::Skipped);
    called.map(build_result).collect()
}

fn build_result(report: &HookReport) -> HookResult {
    let failure = match &report.status {
        Status::Failed(failure) => Some(failure),
        _ => None,
    };
    let late = |code| matches!(code, FailureCode::Timeout | FailureCode::Budget);
    let lines: Vec<_> = report.log.iter().map(|LogLine { message, .. }| message.as_str()).collect();
    HookResult {
        hook: report.hook.clone(),
        exit_code: exit_code(report),
        stdout: report.process.as_ref().map(|process| process.stdout.clone()).unwrap_or_default(),
        stderr: lines.join("\n"),
        duration: Duration::as_secs_f64(&report.usage.wall),
        timed_out: failure.is_some_and(|failure| late(failure.code)),
        error: failure.map(|failure| failure.message.clone()),
    }
}

fn exit_code(report: &HookReport) -> i32 {
    match (&report.status, report.process.as_ref().map(|process| process.exit)) {
        // Code-Forge has -1 for a process without an exit code of its own.
        (Status::Failed(_) | Status::Skipped, _) => NO_END,
        (Status::Answered(_), Some(Exit::Code(code))) => code,
        // As Python's `subprocess` returns it.
        (Status::Answered(_), Some(Exit::Signal(signal))) => -signal,
        (Status::Answered(answer), None) if matches!(answer.verdict, Verdict::Deny(_)) => BLOCKED,
        (Status::Answered(_), None) => 0,
    }
}
