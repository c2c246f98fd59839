//! What llxprt-code's callers are told about an outcome as a whole (hook-contracts C.3).

use hookbox_model::{Outcome, Reason, Status};

/// The common part of an outcome, worked out in one place so that no caller does it in its own way. Texts are those of
/// one hook, without its label.
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
        let notice = outcome.notices.iter().find(|notice| !notice.value.trim().is_empty());
        Self {
            should_stop: outcome.stop.is_some(),
            stop_reason: stop_reason(outcome),
            system_message: notice.map(|notice| notice.value.clone()),
            suppress_output: notice.is_some_and(|notice| suppresses(outcome, &notice.hook)),
        }
    }
}

fn stop_reason(outcome: &Outcome) -> Option<String> {
    let stop = outcome.stop.as_ref()?;
    let reason = verdict_reason(outcome, &stop.hook).unwrap_or_default();
    let said = [reason, &stop.value, "Hook requested stop"].map(str::trim);
    said.into_iter().find(|text| !text.is_empty()).map(str::to_owned)
}

/// Why the hook of this name decided as it did, whether or not its verdict won.
fn verdict_reason<'a>(outcome: &'a Outcome, hook: &str) -> Option<&'a str> {
    let report = outcome.reports.iter().find(|report| report.hook == hook)?;
    match &report.status {
        Status::Answered(answer) => answer.verdict.reason().map(Reason::text),
        _ => None,
    }
}

fn suppresses(outcome: &Outcome, hook: &str) -> bool {
    outcome.extras.iter().filter(|extra| extra.hook == hook).any(|extra| {
        let said = extra.value.members().and_then(|members| members.get("suppressOutput"));
        said.is_some_and(|said| said.get() == "true")
    })
}
