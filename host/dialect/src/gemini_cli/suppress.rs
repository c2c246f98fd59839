//! Which hooks want their output hidden from the person (docs/contracts/gemini-cli.md).

use hookbox_model::{Answer, Json, Outcome, Status};

use super::variant::SUPPRESS;

/// Does any hook say so?
pub(super) fn by_any(outcome: &Outcome) -> bool {
    outcome.extras.iter().any(|extra| said(&extra.value))
}

fn said(extra: &Json) -> bool {
    let flag = extra.members().and_then(|members| members.get(SUPPRESS.0));
    flag.is_some_and(|flag| flag.get() == "true")
}

/// Does the hook say so whose message is the first? Without a message nothing is hidden.
pub(crate) fn with_the_first_notice(outcome: &Outcome) -> bool {
    let first = answers(outcome).find(|answer| notice(answer).is_some());
    first.and_then(|answer| answer.extra.as_ref()).is_some_and(said)
}

/// What the hooks that answered said, in chain order.
pub(crate) fn answers(outcome: &Outcome) -> impl Iterator<Item = &Answer> {
    outcome.reports.iter().filter_map(|report| match &report.status {
        Status::Answered(answer) => Some(answer),
        _ => None,
    })
}

/// A message that is not blank.
pub(crate) fn notice(answer: &Answer) -> Option<&str> {
    answer.notice.as_deref().filter(|notice| !notice.trim().is_empty())
}
