//! What llxprt-code's callers are told about an outcome as a whole (docs/contracts/llxprt.md).

use hookbox_dialect::gemini_cli::suppress;
use hookbox_model::{Answer, Event, Outcome, Reason, Status};
use serde::Serialize;
use serde_json::Value;

use crate::llxprt_bus::{AggregatedHookResult, HookExecutionError};

/// What came of an event, with its common part worked out in one place so that no caller does it in its own way. That part is
/// read from what each hook answered, so texts are those of one hook, without its label. The default is that of no hooks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProcessedHookResult {
    /// What the hooks came to.
    pub aggregated: AggregatedHookResult,
    /// Does the run end? It does if a hook said so; the first one counts.
    pub should_stop: bool,
    /// Why: what that hook gave as the reason of its verdict, else what it gave for the stop, else "Hook requested
    /// stop". `None` exactly if the run goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// The first notice that is not blank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_message: Option<String>,
    /// Did the hook of that notice say `suppressOutput`? Without a notice nothing is suppressed.
    pub suppress_output: bool,
    /// The model's request, response or tool configuration with what hooks changed, in the form in which the caller has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Value>,
    /// Why no hook ran, or why what they said cannot be used; `aggregated` is a failure then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<HookExecutionError>,
}

impl ProcessedHookResult {
    /// The chain ran.
    pub fn new(event: &Event, outcome: &Outcome) -> Self {
        let stop_reason = answers(outcome).find_map(stop_reason);
        Self {
            aggregated: AggregatedHookResult::new(event, outcome),
            should_stop: stop_reason.is_some(),
            stop_reason,
            system_message: answers(outcome).find_map(notice).map(str::to_owned),
            suppress_output: is_hidden(outcome),
            rewritten: None,
            error: None,
        }
    }

    /// Nothing came of it, for this reason.
    pub fn failed(error: HookExecutionError) -> Self {
        Self { aggregated: AggregatedHookResult::failure(&error), error: Some(error), ..Self::default() }
    }
}

fn stop_reason(answer: &Answer) -> Option<String> {
    let stop = answer.stop.as_deref()?;
    let reason = answer.verdict.reason().map(Reason::text).unwrap_or_default();
    let said = [reason, stop, "Hook requested stop"].map(str::trim);
    said.into_iter().find(|text| !text.is_empty()).map(str::to_owned)
}

/// Does the hook want its output hidden whose message is the first? Without a message nothing is hidden.
fn is_hidden(outcome: &Outcome) -> bool {
    let first = answers(outcome).find(|answer| notice(answer).is_some());
    first.and_then(|answer| answer.extra.as_ref()).is_some_and(suppress::is_asked_for)
}

/// What the hooks that answered said, in chain order.
pub(crate) fn answers(outcome: &Outcome) -> impl Iterator<Item = &Answer> {
    outcome.reports.iter().filter_map(|report| match &report.status {
        Status::Answered(answer) => Some(answer),
        _ => None,
    })
}

/// A message that is not blank.
fn notice(answer: &Answer) -> Option<&str> {
    answer.notice.as_deref().filter(|notice| !notice.trim().is_empty())
}
