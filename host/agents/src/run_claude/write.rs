//! Writes the changed context. Unchanged parts are written as the caller wrote them; members that hookbox does not know are kept.

use hookbox_model::{Event, Json, Outcome, RawObject};

use super::{contract::WHOLE_METADATA, events, request};
use crate::{
    Part, Written,
    object::{Object, format_array, quote_json},
    schema::Kind,
    wording,
};

/// Exit code that accompanies an error.
const RAISE: u8 = 2;

pub(super) fn write_outcome(event: &Event, outcome: &Outcome) -> Written {
    let mut answer = RunClaudeAnswer::new(event);
    // First, so that an error replaces a `stop_chain` that a hook set to false.
    answer.add_extras(outcome);
    // The caller cannot end a run, but it can fail this call.
    if let Some(reason) = wording::refusal_or_stop(outcome) {
        answer.raise_error(&reason, outcome);
    } else {
        answer.write_rewrite(event, outcome.rewrite.as_ref());
        answer.add_context(event, outcome);
    }
    answer.written.lose_all(outcome, &[Part::Stop, Part::Notice]);
    answer.finish(event)
}

/// Writes an error without a context.
pub(super) fn write_failure(message: &str) -> Written {
    let text = wording::format_failure(message);
    let mut answer = Object::new();
    answer.raw("stop_chain", "true").text("error", &text);
    Written { stdout: answer.line(), stderr: format!("{text}\n"), exit: RAISE, unexpressed: Vec::new() }
}

/// An answer under construction: the context's members, changed ones in their old place, new ones behind.
struct RunClaudeAnswer<'a> {
    members: RawObject<'a>,
    changed: Vec<(&'static str, String)>,
    written: Written,
}

impl<'a> RunClaudeAnswer<'a> {
    fn new(event: &'a Event) -> Self {
        let members = event.source.members().unwrap_or_default();
        Self { members, changed: Vec::new(), written: Written::default() }
    }

    fn change_member(&mut self, key: &'static str, value: String) {
        self.changed.retain(|(changed, _)| *changed != key);
        self.changed.push((key, value));
    }

    /// Returns the current value of a member.
    fn current_value(&self, key: &str) -> Option<&str> {
        let changed = self.changed.iter().find(|(changed, _)| *changed == key);
        changed.map(|(_, value)| value.as_str()).or_else(|| self.members.get_present(key))
    }

    /// Writes an error that the caller must raise; a caller that does not know it stops at least.
    fn raise_error(&mut self, reason: &str, outcome: &Outcome) {
        self.change_member("stop_chain", "true".to_owned());
        self.change_member("error", quote_json(reason));
        self.written.stderr = format!("{reason}\n");
        self.written.exit = RAISE;
        self.written.lose_all(outcome, &[Part::Context, Part::Rewrite]);
    }

    fn write_rewrite(&mut self, event: &Event, part: Option<&Json>) {
        let Some(part) = part else { return };
        let row = events::find_row(&event.agent_event);
        match row.map(|row| row.answer) {
            Some(None) => {
                let changes = request::find_changes(&request::build_request(&self.members), part);
                changes.members.into_iter().for_each(|(key, value)| self.change_member(key, value));
                if changes.lost {
                    self.written.lose_part(Part::Rewrite);
                }
            }
            Some(Some((field, kind))) if kind.admits(part.as_str().trim_ascii()) => {
                self.change_member(field, part.as_str().trim_ascii().to_owned());
            }
            _ => self.written.lose_part(Part::Rewrite),
        }
    }

    /// Adds text for the model as one more message of a request.
    fn add_context(&mut self, event: &Event, outcome: &Outcome) {
        let Some(context) = wording::format_contexts(outcome) else { return };
        let is_request = event.agent_event == "pre_request";
        let messages: Option<Vec<&serde_json::value::RawValue>> =
            self.current_value("messages").and_then(|messages| serde_json::from_str(messages).ok());
        let (true, Some(messages)) = (is_request, messages) else {
            return self.written.lose_part(Part::Context);
        };
        let mut message = Object::new();
        message.text("role", "user").text("content", &context);
        let all = messages.into_iter().map(|message| message.get().to_owned()).chain([message.finish()]);
        let all = format_array(all);
        self.change_member("messages", all);
    }

    /// Hooks may end the caller's own chain, and leave something for later hooks in `metadata` (a merge patch, RFC 7396).
    fn add_extras(&mut self, outcome: &Outcome) {
        for extra in &outcome.extras {
            let members = extra.value.members().unwrap_or_default();
            for (key, value) in members.iter() {
                match key {
                    "stop_chain" if Kind::Flag.admits(value.get()) => {
                        self.change_member("stop_chain", value.get().to_owned());
                    }
                    WHOLE_METADATA if Kind::Object.admits(value.get()) => {
                        self.change_member("metadata", value.get().to_owned());
                    }
                    "metadata" if Kind::Object.admits(value.get()) => {
                        self.merge_metadata(&Json::from_raw(value));
                    }
                    _ => self.written.lose_part(Part::Extra),
                }
            }
        }
    }

    fn merge_metadata(&mut self, patch: &Json) {
        let metadata = self.current_value("metadata").and_then(|metadata| Json::parse(metadata).ok());
        let metadata = metadata.unwrap_or_else(Json::empty_object).apply_patch(patch);
        self.change_member("metadata", metadata.as_str().to_owned());
    }

    fn finish(self, event: &Event) -> Written {
        let Self { members, changed, mut written } = self;
        if changed.is_empty() {
            // Byte for byte: a parser and a printer would change numbers and the order of members.
            written.stdout = format!("{}\n", event.source.as_str().trim_ascii());
            return written;
        }
        let mut context = Object::new();
        for (key, value) in members.iter() {
            let new = changed.iter().find(|(changed, _)| *changed == key);
            context.raw(key, new.map_or(value.get(), |(_, value)| value));
        }
        for (key, value) in changed.iter().filter(|(key, _)| members.get(key).is_none()) {
            context.raw(key, value);
        }
        written.stdout = context.line();
        written
    }
}
