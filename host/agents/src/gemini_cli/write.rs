//! Outcomes in Gemini CLI's fields. An answer exits with 0, where every variant reads its JSON.

use hookbox_model::{Event, EventName, Outcome, RawObject, Verdict};

use super::{
    changes::{self, Changes},
    events::{self, GeminiControl, GeminiEvent},
    suppressed_output,
    variant::{SUPPRESS, Variant},
};
use crate::{
    Part, Written,
    hook_output::HookOutput,
    object::Object,
    schema::{Field, Kind},
    wording,
};

/// Writes the answer to an event. The possibilities of an event that the table does not know are unknown too; a block also sets the exit
/// code, unless the JSON would not be read then.
pub(crate) fn write_outcome(agent: &Variant, event: &Event, outcome: &Outcome) -> Written {
    let row = events::find_row(&event.agent_event);
    let control = row.map_or(GeminiControl::Decides, |row| row.answer.control);
    let mut output = HookOutput::new(&event.agent_event);
    write_verdict(agent, control, outcome, &mut output);
    // A tool call that the table does not know may be another agent's, which knows the exit code alone.
    let is_written_twice = row.is_none() && (agent.json_at_any_exit || event.name == EventName::ToolBefore);
    if is_written_twice && wording::is_refusal(&outcome.verdict) {
        output.set_exit(2, &wording::format_reasons(outcome));
    }
    write_rewrite(event, row, outcome, &mut output);
    output.add_context(outcome, row.is_some_and(|row| row.answer.context));
    write_extras(agent, row, outcome, &mut output);
    output.add_nested();
    output.add_stop(outcome, control.decides());
    match wording::format_notices(outcome) {
        Some(_) if control == GeminiControl::Nested => output.written.lose_part(Part::Notice),
        notices => drop(output.top.text_if("systemMessage", notices.as_deref())),
    }
    if suppressed_output::by_any(outcome) {
        if control == GeminiControl::Nested {
            output.written.lose_part(Part::Extra);
        } else {
            output.top.raw(SUPPRESS.0, "true");
        }
    }
    output.finish()
}

/// Writes the answer without an outcome: a deny in JSON and by the exit code, with its reason on stderr for agents that then read no JSON.
/// Where nothing can be blocked, the user gets a message.
pub(crate) fn write_failure(event: Option<&str>, message: &str) -> Written {
    let text = wording::format_failure(message);
    let advisory = event.and_then(events::find_row).is_some_and(|row| !row.answer.control.decides());
    let mut top = Object::new();
    if advisory {
        top.text("systemMessage", &text);
    } else {
        top.text("decision", "deny").text("reason", &text);
    }
    // 1 is a warning in both variants, and 2 a block.
    let exit = if advisory { 1 } else { 2 };
    Written { stdout: top.line(), stderr: format!("{text}\n"), exit, unexpressed: Vec::new() }
}

fn write_verdict(agent: &Variant, control: GeminiControl, outcome: &Outcome, output: &mut HookOutput) {
    if !control.decides() {
        return output.written.lose_all(outcome, &[Part::Deny, Part::Ask]);
    }
    let word = match &outcome.verdict {
        Verdict::None => return,
        Verdict::Allow(_) => "allow",
        Verdict::Ask(_) if agent.asks && control == GeminiControl::Asks => "ask",
        // An agent that does not know an ask would treat the word as an allow.
        Verdict::Ask(_) | Verdict::Defer(_) | Verdict::Deny(_) => "deny",
    };
    output.top.text("decision", word).text("reason", &wording::format_reasons(outcome));
}

fn write_rewrite(event: &Event, row: Option<&GeminiEvent>, outcome: &Outcome, output: &mut HookOutput) {
    let Some(part) = &outcome.rewrite else { return };
    let field = row.and_then(|row| row.answer.rewrite);
    let Some((field, _)) = field.filter(|(_, kind)| kind.admits(part.as_str().trim_ascii_start())) else {
        return output.written.lose_part(Part::Rewrite);
    };
    let part = match changes::find_changes(field, event.rewritable().as_ref(), part) {
        Changes::Nothing => return,
        Changes::Part(part) => part,
        Changes::PartAndMore(part) => {
            output.written.lose_part(Part::Rewrite);
            part
        }
    };
    output.nested.json(field, &part);
}

/// Writes the event-specific fields that the agent reads for this event. Of two hooks the last in the chain counts; a flag is true if any
/// hook sets it.
fn write_extras(
    agent: &Variant,
    row: Option<&'static GeminiEvent>,
    outcome: &Outcome,
    output: &mut HookOutput,
) {
    let extras: Vec<_> = outcome.extras.iter().filter_map(|extra| extra.value.members()).collect();
    let mut written_extras: Vec<(&Field, &str)> = Vec::new();
    for (key, value) in extras.iter().flat_map(RawObject::iter) {
        let field = row.and_then(|row| agent.find_extra(row, key));
        match (
            field.filter(|(_, kind)| kind.admits(value.get())),
            written_extras.iter_mut().find(|(f, _)| f.0 == key),
        ) {
            // A later `false` must not undo an earlier hook's request to clear the context.
            (Some((_, Kind::Flag)), Some((_, "true"))) => {}
            (Some(_), Some((_, before))) => *before = value.get(),
            (Some(field), None) => written_extras.push((field, value.get())),
            (None, _) if key == SUPPRESS.0 && SUPPRESS.1.admits(value.get()) => {}
            (None, _) => output.written.lose_part(Part::Extra),
        }
    }
    for ((field, _), value) in written_extras {
        output.nested.raw(field, value);
    }
}
