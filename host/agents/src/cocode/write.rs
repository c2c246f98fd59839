//! Writes outcomes as cocode's `HookResult`, as serde writes it: `"Continue"`, `{"Reject":{…}}` or `{"ModifyInput":{…}}`.
//!
//! cocode reads standard output only with `parse_result = true` and exit code 0, and treats any other exit code as a rejection with the
//! text of stderr. A rejection uses both ways, so that it holds in every configuration.

use hookbox_model::{Json, Outcome};

use super::events::{self, CocodeControl};
use crate::{
    Part, Written,
    object::{Object, quote_json},
    wording,
};

/// Writes the answer to an event of this name. An unknown event is assumed to be rejectable.
pub(super) fn write_outcome(event: &str, outcome: &Outcome) -> Written {
    let row = events::find_row(event);
    // A rejection of an event that ignores it does no harm; a missing one would let an action pass.
    let rejects = row.is_none_or(|row| row.answer.control == CocodeControl::Reject);
    let mut written = Written::default();
    written.lose_all(outcome, &[Part::Allow, Part::Stop, Part::Context, Part::Notice, Part::Extra]);
    if let (Some(reason), true) = (wording::refusal_or_stop(outcome), rejects) {
        written.lose_all(outcome, &[Part::Rewrite]);
        return write_rejection(written, &reason);
    }
    written.lose_all(outcome, &[Part::Deny, Part::Ask]);
    let kind = row.and_then(|row| row.answer.rewrite);
    match &outcome.rewrite {
        Some(part) if kind.is_some_and(|(_, kind)| kind.admits(part.as_str().trim_ascii_start())) => {
            written.stdout = format_modification(part);
        }
        _ => {
            written.lose_all(outcome, &[Part::Rewrite]);
            written.stdout = go_on();
        }
    }
    written
}

/// Writes the answer without an outcome. Where nothing can be rejected, any other exit code than 0 would only keep the agent's other hooks
/// from running.
pub(super) fn write_failure(event: Option<&str>, message: &str) -> Written {
    let text = wording::format_failure(message);
    match event.and_then(events::find_row) {
        Some(row) if row.answer.control == CocodeControl::Nothing => {
            Written { stdout: go_on(), stderr: format!("{text}\n"), ..Written::default() }
        }
        _ => write_rejection(Written::default(), &text),
    }
}

fn write_rejection(written: Written, reason: &str) -> Written {
    let (mut inner, mut result) = (Object::new(), Object::new());
    inner.text("reason", reason);
    result.raw("Reject", &inner.finish());
    Written { stdout: result.line(), stderr: format!("{reason}\n"), exit: 2, ..written }
}

fn format_modification(part: &Json) -> String {
    let (mut inner, mut result) = (Object::new(), Object::new());
    inner.json("new_input", part);
    result.raw("ModifyInput", &inner.finish());
    result.line()
}

fn go_on() -> String {
    quote_json("Continue") + "\n"
}
