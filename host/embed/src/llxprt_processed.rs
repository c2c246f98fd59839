//! What llxprt-code's callers are told about an outcome as a whole (docs/contracts/llxprt.md).

use hookbox_dialect::gemini_cli::suppress;
use hookbox_model::{Answer, Outcome, Reason, Status};

/// The common part of an outcome, worked out in one place so that no caller does it in its own way. It is read from what
/// each hook answered, so texts are those of one hook, without its label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessedHookResult {
    /// Does the run end? It does if a hook said so; the first one counts.
    pub should_stop: bool,
    /// Why: what that hook gave as the reason of its verdict, else what it gave for the stop, else "Hook requested
    /// stop". `None` exactly if the run goes on.
    pub stop_reason: Option<String>,
    /// The first notice that is not blank.
    pub system_message: Option<String>,
    /// Did the hook of that notice say `suppressOutput`? Without a notice nothing is suppressed.
    pub suppress_output: bool,
}

impl From<&Outcome> for ProcessedHookResult {
    fn from(outcome: &Outcome) -> Self {
        let stop_reason = answers(outcome).find_map(stop_reason);
        Self {
            should_stop: stop_reason.is_some(),
            stop_reason,
            system_message: answers(outcome).find_map(notice).map(str::to_owned),
            suppress_output: is_hidden(outcome),
        }
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
