//! Conversion of asks that do not reach the user.

use std::borrow::Cow;

use hookbox_model::{Event, Outcome, Verdict};

/// Permission modes in which Claude Code accepts in the user's place; a deny holds in all modes.
const ANSWERED_WITH_YES: [&str; 2] = ["bypassPermissions", "auto"];

/// Returns the outcome to write: an ask that would reach no user becomes a deny.
pub(super) fn as_answered<'a>(event: &Event, outcome: &'a Outcome) -> Cow<'a, Outcome> {
    match &outcome.verdict {
        Verdict::Ask(reason) if answers_itself(event) => {
            Cow::Owned(Outcome { verdict: Verdict::Deny(reason.clone()), ..outcome.clone() })
        }
        _ => Cow::Borrowed(outcome),
    }
}

fn answers_itself(event: &Event) -> bool {
    let mode = event.payload.members().and_then(|members| members.get_string("permission_mode"));
    mode.is_some_and(|mode| ANSWERED_WITH_YES.contains(&mode.as_str()))
}
