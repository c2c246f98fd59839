//! Outcomes in Gemini CLI's fields. An answer exits with 0, where every variant reads its JSON.

use hookbox_model::{Event, Json, Outcome, RawObject, Verdict, bounded_text};

use super::{
    changes::{self, Changes},
    events::{self, GeminiControl, GeminiEvent},
    suppress,
    variant::{SUPPRESS, Variant},
};
use crate::{
    Part, Written,
    object::Object,
    schema::{Field, Kind},
    wording,
};

/// The answer to an event. What a name that the table does not know can say is not known either; a block
/// is said by the exit code too, unless the JSON would not be read then.
pub(crate) fn outcome(agent: &Variant, event: &Event, outcome: &Outcome) -> Written {
    let row = events::row(&event.agent_event);
    let control = row.map_or(GeminiControl::Decides, |row| row.says.control);
    let (mut top, mut written) = (Object::new(), Written::default());
    verdict(agent, control, outcome, &mut top, &mut written);
    if row.is_none() && agent.json_at_any_exit && wording::refuses(&outcome.verdict) {
        written.exit = 2;
        written.stderr = format!("{}\n", wording::reasons(outcome));
    }
    let nested = nested(agent, event, row, outcome, &mut written);
    if nested.len() > 1 {
        top.raw("hookSpecificOutput", &nested.finish());
    }
    if let Some(reason) = wording::stop(outcome) {
        if matches!(control, GeminiControl::Decides | GeminiControl::Asks) {
            top.raw("continue", "false").text("stopReason", &reason);
        } else {
            written.lose(Part::Stop);
        }
    }
    match wording::notices(outcome) {
        Some(_) if control == GeminiControl::Nested => written.lose(Part::Notice),
        notices => drop(top.text_if("systemMessage", notices.as_deref())),
    }
    if suppress::by_any(outcome) {
        if control == GeminiControl::Nested {
            written.lose(Part::Extra);
        } else {
            top.raw(SUPPRESS.0, "true");
        }
    }
    written.stdout = top.line();
    written
}

/// What is said without an outcome: a deny in JSON and by the exit code, with its reason on stderr for those that read
/// no JSON then. Where nothing can be blocked, the person hears of it.
pub(crate) fn failure(event: Option<&str>, message: &str) -> Written {
    let text = wording::capped(bounded_text(message));
    let control = event.and_then(events::row).map(|row| row.says.control);
    let advisory = matches!(control, Some(GeminiControl::Advisory | GeminiControl::Nested));
    let mut top = Object::new();
    if advisory {
        top.text("systemMessage", &text);
    } else {
        top.text("decision", "deny").text("reason", &text);
    }
    let exit = if advisory { 1 } else { 2 };
    Written { stdout: top.line(), stderr: format!("{text}\n"), exit, unexpressed: Vec::new() }
}

fn verdict(
    agent: &Variant,
    control: GeminiControl,
    outcome: &Outcome,
    top: &mut Object,
    written: &mut Written,
) {
    let word = match (&outcome.verdict, control) {
        (Verdict::None, _) | (Verdict::Allow(_), GeminiControl::Advisory | GeminiControl::Nested) => return,
        (Verdict::Allow(_), _) => "allow",
        (Verdict::Deny(_), GeminiControl::Advisory | GeminiControl::Nested) => {
            return written.lose(Part::Deny);
        }
        (_, GeminiControl::Advisory | GeminiControl::Nested) => return written.lose(Part::Ask),
        (Verdict::Ask(_), GeminiControl::Asks) if agent.asks => "ask",
        (Verdict::Ask(_) | Verdict::Defer(_) | Verdict::Deny(_), _) => "deny",
    };
    top.text("decision", word).text("reason", &wording::reasons(outcome));
}

/// The nested output; its first member is its event's name.
fn nested(
    agent: &Variant,
    event: &Event,
    row: Option<&'static GeminiEvent>,
    outcome: &Outcome,
    written: &mut Written,
) -> Object {
    let mut nested = Object::new();
    nested.text("hookEventName", &event.agent_event);
    match (&outcome.rewrite, row.and_then(|row| row.says.rewrite)) {
        (None, _) => {}
        (Some(part), Some((field, kind))) if kind.admits(part.as_str().trim_ascii_start()) => {
            rewrite(field, event.rewritable().as_ref(), part, &mut nested, written);
        }
        (Some(_), _) => written.lose(Part::Rewrite),
    }
    match wording::contexts(outcome) {
        Some(context) if row.is_some_and(|row| row.says.context) => {
            nested.text("additionalContext", &context);
        }
        Some(_) => written.lose(Part::Context),
        None => {}
    }
    extras(agent, row, outcome, &mut nested, written);
    nested
}

fn rewrite(field: &str, before: Option<&Json>, after: &Json, nested: &mut Object, written: &mut Written) {
    let part = match changes::of(field, before, after) {
        Changes::Nothing => return,
        Changes::Part(part) => part,
        Changes::PartAndMore(part) => {
            written.lose(Part::Rewrite);
            part
        }
    };
    nested.json(field, &part);
}

/// The event-specific fields that the agent reads for this event. Of two hooks the last in the chain has it; a flag is
/// true if any hook says so (B.3).
fn extras(
    agent: &Variant,
    row: Option<&'static GeminiEvent>,
    outcome: &Outcome,
    nested: &mut Object,
    written: &mut Written,
) {
    let extras: Vec<_> = outcome.extras.iter().filter_map(|extra| extra.value.members()).collect();
    let mut said: Vec<(&Field, &str)> = Vec::new();
    for (key, value) in extras.iter().flat_map(RawObject::iter) {
        let field = row.and_then(|row| agent.extra(row, key));
        match (field.filter(|(_, kind)| kind.admits(value.get())), said.iter_mut().find(|(f, _)| f.0 == key))
        {
            (Some((_, Kind::Flag)), Some((_, "true"))) => {}
            (Some(_), Some((_, before))) => *before = value.get(),
            (Some(field), None) => said.push((field, value.get())),
            (None, _) if key == SUPPRESS.0 && SUPPRESS.1.admits(value.get()) => {}
            (None, _) => written.lose(Part::Extra),
        }
    }
    for ((field, _), value) in said {
        nested.raw(field, value);
    }
}
