//! Writes outcomes for the Python class in LiteLLM's proxy: a return value, or a refusal.

use hookbox_model::{EventName, Json, Outcome, RawObject};

use super::events::{self, LitellmEvent, Rewritten};
use crate::{
    Part, Written,
    object::Object,
    schema::{
        Field,
        Kind::{Any, Object as AnObject},
    },
    wording,
};

/// Headers for the MCP server, which LiteLLM accepts in addition to the arguments.
const HEADERS: Field = ("extra_headers", AnObject);

pub(super) fn write_outcome(row: Option<&LitellmEvent>, outcome: &Outcome) -> Written {
    let (mut top, mut written) = (Object::new(), Written::default());
    if let Some(refusal) = resolve_refusal(row, outcome, &mut written) {
        // The request goes nowhere, so nothing that changes it can have an effect.
        written.lose_all(outcome, &[Part::Context, Part::Rewrite, Part::Extra]);
        write_rejection(&mut top, &mut written, &refusal);
    } else {
        write_rewrite(row, outcome, &mut top, &mut written);
        write_context(row, outcome, &mut top, &mut written);
        write_extras(row, outcome, &mut top, &mut written);
    }
    top.text_if("notice", wording::format_notices(outcome).as_deref());
    written.stdout = top.line();
    written
}

/// Writes the answer without an outcome: a rejection, or a notice where nothing can be rejected.
pub(super) fn write_failure(method: Option<&str>, message: &str) -> Written {
    let text = wording::format_failure(message);
    let (mut top, mut written) = (Object::new(), Written::default());
    if can_block(method.and_then(events::find_row)) {
        write_rejection(&mut top, &mut written, &text);
    } else {
        top.text("notice", &text);
        written.exit = 1;
        written.stderr = format!("{text}\n");
    }
    written.stdout = top.line();
    written
}

/// Writes the rejection in two ways, so that a caller which reads only one of them does not mistake it for a yes.
fn write_rejection(top: &mut Object, written: &mut Written, message: &str) {
    top.text("action", "reject").text("message", message);
    written.exit = 2;
    written.stderr = format!("{message}\n");
}

fn can_block(row: Option<&LitellmEvent>) -> bool {
    row.is_none_or(|row| row.canonical.traits().block)
}

/// Returns the reason of a refusal, if the outcome is one. A proxy has no run to end, but can reject the call.
fn resolve_refusal(row: Option<&LitellmEvent>, outcome: &Outcome, written: &mut Written) -> Option<String> {
    written.lose_all(outcome, &[Part::Stop]);
    if !can_block(row) {
        written.lose_all(outcome, &[Part::Deny, Part::Ask]);
        return None;
    }
    wording::refusal_or_stop(outcome)
}

fn write_rewrite(row: Option<&LitellmEvent>, outcome: &Outcome, top: &mut Object, written: &mut Written) {
    let Some(part) = &outcome.rewrite else {
        return;
    };
    let is_written = match row.map_or(Rewritten::Nowhere, |row| row.answer) {
        Rewritten::As((field, kind)) if kind.admits(part.as_str().trim_ascii_start()) => {
            top.json(field, part);
            true
        }
        Rewritten::As(_) | Rewritten::Nowhere => false,
        Rewritten::Record => write_record(part, top),
        Rewritten::Deployment => write_deployment(part, top),
    };
    if !is_written {
        written.lose_part(Part::Rewrite);
    }
}

/// Writes the replacement of `kwargs` and `result` for the log.
fn write_record(part: &Json, top: &mut Object) -> bool {
    let members = part.members().unwrap_or_default();
    let fields = [("kwargs", AnObject), ("result", Any)];
    let values = fields.map(|(key, kind)| members.get(key).filter(|value| kind.admits(value.get())));
    // The method returns both as a pair, so half a record cannot be expressed.
    let [Some(kwargs), Some(result)] = values else {
        return false;
    };
    top.raw("kwargs", kwargs.get()).raw("result", result.get());
    true
}

/// Writes the one remaining request; none, or several, cannot be sent to the one deployment.
fn write_deployment(part: &Json, top: &mut Object) -> bool {
    let items: Vec<&serde_json::value::RawValue> = serde_json::from_str(part.as_str()).unwrap_or_default();
    // The deployment is chosen already.
    let [kwargs] = items.as_slice() else {
        return false;
    };
    let object = RawObject::parse(kwargs.get()).is_ok();
    if object {
        top.raw("kwargs", kwargs.get());
    }
    object
}

/// Writes text for the model, which the Python class appends to the messages of the request.
fn write_context(row: Option<&LitellmEvent>, outcome: &Outcome, top: &mut Object, written: &mut Written) {
    match wording::format_contexts(outcome) {
        Some(text) if row.is_some_and(|row| row.canonical == EventName::ModelRequest) => {
            top.text("context", &text);
        }
        Some(_) => written.lose_part(Part::Context),
        None => {}
    }
}

/// Members that functions of run-claude pass to each other; the proxy does not get them.
const LEFT: [&str; 2] = ["metadata", "whole_metadata"];

/// Headers for an MCP server; of two hooks the first in the chain has them.
fn write_extras(row: Option<&LitellmEvent>, outcome: &Outcome, top: &mut Object, written: &mut Written) {
    let mut known = row.is_some_and(|row| row.canonical == EventName::ToolBefore);
    let (field, kind) = HEADERS;
    for extra in &outcome.extras {
        let members = extra.value.members().unwrap_or_default();
        for (key, value) in members.iter() {
            if known && key == field && kind.admits(value.get()) {
                known = false;
                top.raw(field, value.get());
            } else if !LEFT.contains(&key) {
                written.lose_part(Part::Extra);
            }
        }
    }
}
