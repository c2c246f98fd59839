//! Writes outcomes in an agent's format.

use hookbox_model::{Event, Outcome, Verdict};

use super::{
    TableDialect,
    answer::{AnswerFields, Decision, TableControl, TextTarget, Word},
};
use crate::{
    Part, Written,
    object::{Object, quote_json},
    wording,
};

const BLOCKED: u8 = 2;
/// The exit code of a failure that does not block.
const FAILED: u8 = 1;

pub(super) fn write_outcome(
    table: &TableDialect,
    fields: &AnswerFields,
    event: &Event,
    outcome: &Outcome,
) -> Written {
    let mut answer = TableAnswer { event: event.agent_event.clone(), ..TableAnswer::default() };
    let refused = answer.write_verdict(fields, outcome);
    answer.write_rewrite(fields, event, outcome, refused);
    answer.write_extras(fields, outcome);
    answer.write_text(fields.context, wording::format_contexts(outcome), Part::Context);
    answer.write_notices(fields.notice, outcome);
    answer.finish(table.json)
}

/// Writes the answer without an outcome: a deny if one can be written, else a warning for the user.
pub(super) fn write_failure(fields: &AnswerFields, message: &str) -> Written {
    let text = wording::format_failure(message);
    let stderr = format!("{text}\n");
    match fields.control {
        TableControl::AnswerMember(decision) => {
            let mut answer = TableAnswer::default();
            answer.write_refusal(decision, None, &text);
            Written { stderr, ..answer.finish(true) }
        }
        TableControl::Exit => Written { stderr, exit: BLOCKED, ..Written::default() },
        _ => Written { stderr, exit: FAILED, ..Written::default() },
    }
}

/// An answer under construction.
#[derive(Default)]
struct TableAnswer {
    /// The agent's name for the event.
    event: String,
    members: Vec<(&'static str, Value)>,
    /// Lines before the answer.
    progress: String,
    /// Plain text instead of an object.
    text: Option<String>,
    written: Written,
}

enum Value {
    Json(String),
    Text(String),
}

impl TableAnswer {
    /// Writes the verdict, and a stop as a deny where supported. Returns true if it was a refusal.
    fn write_verdict(&mut self, fields: &AnswerFields, outcome: &Outcome) -> bool {
        let refusal = wording::format_refusal(outcome);
        let stop = self.resolve_stop_reason(fields, outcome);
        match (fields.control, refusal.or(stop)) {
            (TableControl::Nothing, _) => self.written.lose_all(outcome, &[Part::Deny, Part::Ask]),
            (TableControl::Exit, Some(reason)) => {
                self.written.exit = BLOCKED;
                self.written.stderr = format!("{reason}\n");
                return true;
            }
            (
                TableControl::AnswerMember(decision) | TableControl::ContinueInstead(decision),
                Some(reason),
            ) => {
                let asks = matches!(outcome.verdict, Verdict::Ask(_)) && outcome.stop.is_none();
                // A stop together with an ask is a deny: an answer of the user must not continue the run.
                return self.write_refusal(decision, decision.ask.filter(|_| asks), &reason);
            }
            (TableControl::Feedback, reason) => self.write_text(fields.context, reason, Part::Deny),
            (TableControl::AnswerMember(Decision { allow: Some((member, word)), .. }), None) => {
                if matches!(outcome.verdict, Verdict::Allow(_)) {
                    self.push_json(member, (*word).to_owned());
                }
            }
            (_, None) => self.written.lose_all(outcome, &[Part::Allow]),
        }
        false
    }

    /// Returns the reason why the run ends, where a deny expresses it. Where a run cannot be ended, at least its next action can be
    /// stopped.
    fn resolve_stop_reason(&mut self, fields: &AnswerFields, outcome: &Outcome) -> Option<String> {
        let stops = matches!(fields.control, TableControl::Exit | TableControl::AnswerMember(_));
        if !(stops && fields.ends) {
            self.written.lose_all(outcome, &[Part::Stop]);
        }
        wording::format_stop(outcome).filter(|_| stops)
    }

    /// Writes the ask, if given, else a deny. Returns true for a deny.
    fn write_refusal(&mut self, decision: &Decision, ask: Option<Word>, reason: &str) -> bool {
        if let Some((member, word)) = ask.or(decision.deny) {
            self.push_json(member, word.to_owned());
        }
        self.append_text(decision.reason, reason.to_owned());
        if ask.is_none() {
            self.written.exit = decision.exit;
        }
        ask.is_none()
    }

    fn write_rewrite(&mut self, fields: &AnswerFields, event: &Event, outcome: &Outcome, refused: bool) {
        let Some(part) = &outcome.rewrite else { return };
        let fitting =
            fields.rewrite.filter(|_| !refused).and_then(|(key, fits)| Some((key, fits(event, part)?)));
        match fitting {
            Some((member, json)) => self.push_json(member, json),
            None => self.written.lose_part(Part::Rewrite),
        }
    }

    /// Writes the members that the agent reads for this event; of two hooks the first in the chain counts.
    fn write_extras(&mut self, fields: &AnswerFields, outcome: &Outcome) {
        for extra in &outcome.extras {
            let members = extra.value.members().unwrap_or_default();
            for (key, value) in members.iter() {
                let field =
                    fields.extras.iter().find(|(field, kind)| *field == key && kind.admits(value.get()));
                match field.filter(|(field, _)| !self.has_member(field)) {
                    Some((field, _)) => self.push_json(field, value.get().to_owned()),
                    None => self.written.lose_part(Part::Extra),
                }
            }
        }
    }

    fn write_notices(&mut self, notice: TextTarget, outcome: &Outcome) {
        self.write_text(notice, wording::format_notices(outcome), Part::Notice);
    }

    /// Writes a text, or records the loss of this part if it has no place.
    fn write_text(&mut self, target: TextTarget, text: Option<String>, part: Part) {
        let Some(text) = text else { return };
        match target {
            TextTarget::Never => self.written.lose_part(part),
            TextTarget::Member(member) => self.append_text(member, text),
            TextTarget::Nested => {
                let mut nested = Object::new();
                nested.text("hookEventName", &self.event).text("additionalContext", &text);
                self.push_json("hookSpecificOutput", nested.finish());
            }
            TextTarget::Output(exit) => {
                // Context and notices share the one channel of these agents.
                let all = self.text.take().map_or(text.clone(), |existing| format!("{existing}\n\n{text}"));
                self.text = Some(wording::cap_text(all));
                // The exit code of a refusal must not be lowered by a text.
                self.written.exit = self.written.exit.max(exit);
            }
            TextTarget::Progress => {
                let mut line = Object::new();
                line.text("type", "progress").text("message", &text);
                self.progress.push_str(&line.line());
            }
        }
    }

    /// Adds a text to a member, after its existing text.
    fn append_text(&mut self, member: &'static str, text: String) {
        let there = self.members.iter_mut().find(|(key, _)| *key == member);
        match there {
            Some((_, Value::Text(existing))) => {
                *existing = wording::cap_text(format!("{existing}\n\n{text}"));
            }
            _ => self.members.push((member, Value::Text(text))),
        }
    }

    fn push_json(&mut self, member: &'static str, json: String) {
        self.members.push((member, Value::Json(json)));
    }

    fn has_member(&self, member: &str) -> bool {
        self.members.iter().any(|(key, _)| *key == member)
    }

    fn finish(mut self, json: bool) -> Written {
        let mut object = Object::new();
        for (member, value) in &self.members {
            match value {
                Value::Json(json) => object.raw(member, json),
                Value::Text(text) => object.raw(member, &quote_json(text)),
            };
        }
        let answer = match self.text {
            Some(text) => format!("{text}\n"),
            None if json => object.line(),
            None => String::new(),
        };
        self.written.stdout = self.progress + &answer;
        self.written
    }
}
