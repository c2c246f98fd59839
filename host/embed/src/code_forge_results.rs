//! What came of an event's hooks in Code-Forge's own words, as its `execute_hooks` returns it (docs/contracts/code-forge.md).

use std::time::Duration;

use hookbox_model::{Exit, FailureCode, HookReport, LogLine, Outcome, Status, Verdict};
use serde::Serialize;

/// The code of a hook that did not end by itself, or was never started.
const NO_END: i32 = -1;
/// The code of a closure that blocks; it has none of its own.
const BLOCKED: i32 = 1;

/// What came of one hook.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HookResult {
    /// The hook: its pattern.
    pub hook: String,
    /// Its exit code; the negative of the signal that ended it, and -1 if it had to be ended or could not be started.
    pub exit_code: i32,
    /// What it wrote to standard output, cleaned and without secrets.
    pub stdout: String,
    /// What it wrote to standard error, cleaned.
    pub stderr: String,
    /// Seconds.
    pub duration: f64,
    /// Was it ended because it took too long?
    pub timed_out: bool,
    /// Why it has no answer.
    pub error: Option<String>,
}

impl HookResult {
    /// Did it end well?
    pub fn success(&self) -> bool {
        self.exit_code == 0 && !self.timed_out && self.error.is_none()
    }

    /// Does it let the operation go on?
    pub fn should_continue(&self) -> bool {
        self.exit_code == 0
    }
}

/// The results of an event, in the order of its hooks. Those whose turn did not come have none.
pub fn hook_results(outcome: &Outcome) -> Vec<HookResult> {
    let called = outcome.reports.iter().filter(|report| report.status != Status::Skipped);
    called.map(result).collect()
}

fn result(report: &HookReport) -> HookResult {
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
        (Status::Failed(_) | Status::Skipped, _) => NO_END,
        (Status::Answered(_), Some(Exit::Code(code))) => code,
        (Status::Answered(_), Some(Exit::Signal(signal))) => -signal,
        (Status::Answered(answer), None) if matches!(answer.verdict, Verdict::Deny(_)) => BLOCKED,
        (Status::Answered(_), None) => 0,
    }
}
