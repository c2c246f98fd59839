//! Result of an outcome for llxprt-code's callers (docs/reference/agents/llxprt.md).

use hookbox_agents::gemini_cli::suppressed_output;
use hookbox_model::{Answer, Event, Outcome, Reason, Status};
use serde::Serialize;
use serde_json::Value;

use crate::llxprt_bus::{AggregatedHookResult, HookExecutionError};

/// Result of an event. Its common part is computed in one place, so that all callers agree. That part is taken from each hook's answer,
/// so texts are those of one hook, without its label. The default is the result without hooks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProcessedHookResult {
    /// Result of the hooks.
    pub aggregated: AggregatedHookResult,
    /// True if the run ends, because a hook asked for it; the first one counts.
    pub should_stop: bool,
    /// Reason of the stop: the reason of that hook's verdict, else its text for the stop, else "Hook requested stop". `None` exactly if
    /// the run goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// The first notice that is not blank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_message: Option<String>,
    /// True if the hook of that notice set `suppressOutput`. Without a notice nothing is suppressed.
    pub suppress_output: bool,
    /// The model's request, response or tool configuration with the hooks' changes, in the caller's form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Value>,
    /// Reason why no hook ran, or why their output cannot be used; `aggregated` is a failure then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<HookExecutionError>,
}

impl ProcessedHookResult {
    /// Creates the result after a chain ran.
    pub fn new(event: &Event, outcome: &Outcome) -> Self {
        let stop_reason = iter_answers(outcome).find_map(stop_reason);
        Self {
            aggregated: AggregatedHookResult::new(event, outcome),
            should_stop: stop_reason.is_some(),
            stop_reason,
            system_message: iter_answers(outcome).find_map(find_notice).map(str::to_owned),
            suppress_output: is_hidden(outcome),
            rewritten: None,
            error: None,
        }
    }

    /// Creates the result of an error.
    pub fn failed(error: HookExecutionError) -> Self {
        Self { aggregated: AggregatedHookResult::failure(&error), error: Some(error), ..Self::default() }
    }
}

fn stop_reason(answer: &Answer) -> Option<String> {
    let stop = answer.stop.as_deref()?;
    let reason = answer.verdict.reason().map(Reason::text).unwrap_or_default();
    // The order and the last text are llxprt-code's own.
    let reasons = [reason, stop, "Hook requested stop"].map(str::trim);
    reasons.into_iter().find(|text| !text.is_empty()).map(str::to_owned)
}

/// Returns true if the first hook with a message asks to hide its output. Without a message nothing is hidden.
fn is_hidden(outcome: &Outcome) -> bool {
    let first = iter_answers(outcome).find(|answer| find_notice(answer).is_some());
    first.and_then(|answer| answer.extra.as_ref()).is_some_and(suppressed_output::is_asked_for)
}

/// Returns the answers of the hooks that answered, in chain order.
pub(crate) fn iter_answers(outcome: &Outcome) -> impl Iterator<Item = &Answer> {
    outcome.reports.iter().filter_map(|report| match &report.status {
        Status::Answered(answer) => Some(answer),
        _ => None,
    })
}

/// Returns a message that is not blank.
fn find_notice(answer: &Answer) -> Option<&str> {
    answer.notice.as_deref().filter(|notice| !notice.trim().is_empty())
}
